// The figures and phases that budgets may name; what measures them supplies the words.
package import BatchmarkEngine

/// What a figure counts, and so which units its limits have.
package enum FigureKind: Sendable, Hashable {
  case time, bytes, number

  /// The units of a limit, with what each is in seconds or bytes; none where limits are plain numbers.
  package var units: [(name: String, factor: Double)] {
    switch self {
    case .time: [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1), ("min", 60)]
    case .bytes: [("B", 1), ("KiB", 0x1p10), ("MiB", 0x1p20), ("GiB", 0x1p30)]
    case .number: []
    }
  }

  /// Such a figure within a sentence.
  package var noun: String {
    switch self {
    case .time: "a time"
    case .bytes: "a number of bytes"
    case .number: "a plain number"
    }
  }
}

/// The words of one figure.
package struct FigureSchema: Sendable, Hashable {
  /// The column's name without unit and statistic: `heap_peak`.
  package var name: String
  /// The column's name in summary.csv: `heap_peak_bytes`.
  package var column: String
  package var kind: FigureKind
  /// Whether it is exact and more of it is worse, so that a gate can judge its growth.
  package var isGated: Bool

  package init(name: String, column: String, kind: FigureKind, isGated: Bool) {
    self.name = name
    self.column = column
    self.kind = kind
    self.isGated = isGated
  }
}

/// The word of one phase.
package struct PhaseSchema: Sendable, Hashable {
  package var name: String
  /// The operations that have the phase.
  package var operations: Set<Operation.Kind>
  /// Whether it is the phase that an operation is measured as, which is meant where none is named.
  package var isMain: Bool

  package init(name: String, operations: Set<Operation.Kind>, isMain: Bool) {
    self.name = name
    self.operations = operations
    self.isMain = isMain
  }
}
