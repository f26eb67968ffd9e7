// The figures and phases that budgets may name; what measures them supplies the words.

/// What a figure counts, and so which units its limits have.
public enum FigureKind: Sendable, Hashable {
  case time, bytes, number

  /// The units of a limit, with what each is in seconds or bytes; none where limits are plain numbers.
  public var units: [(name: String, factor: Double)] {
    switch self {
    case .time: [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1), ("min", 60)]
    case .bytes: [("B", 1), ("KiB", 0x1p10), ("MiB", 0x1p20), ("GiB", 0x1p30)]
    case .number: []
    }
  }

  /// Such a figure within a sentence.
  public var noun: String {
    switch self {
    case .time: "a time"
    case .bytes: "a number of bytes"
    case .number: "a plain number"
    }
  }
}

/// The words of one figure.
public struct FigureSchema: Sendable, Hashable {
  /// The column's name without unit and statistic: `heap_peak`.
  public var name: String
  /// The column's name in summary.csv: `heap_peak_bytes`.
  public var column: String
  public var kind: FigureKind
  /// Whether it is exact and more of it is worse, so that a gate can judge its growth.
  public var isGated: Bool

  public init(name: String, column: String, kind: FigureKind, isGated: Bool) {
    self.name = name
    self.column = column
    self.kind = kind
    self.isGated = isGated
  }
}

/// The word of one phase.
public struct PhaseSchema: Sendable, Hashable {
  public var name: String
  /// The operations that have the phase.
  public var operations: Set<Operation.Kind>
  /// Whether it is the phase that an operation is measured as, which is meant where none is named.
  public var isMain: Bool

  public init(name: String, operations: Set<Operation.Kind>, isMain: Bool) {
    self.name = name
    self.operations = operations
    self.isMain = isMain
  }
}
