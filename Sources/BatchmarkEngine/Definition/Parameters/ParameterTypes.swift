// The types that parameters have: numbers of rows, sizes, and words.

/// A number of rows, or all of them.
public enum RowCount: ParameterType {
  case all
  case rows(Int)

  public static var domain: Parameter.Domain { .rows }

  public init?(_ value: ParameterValue) {
    switch value {
    case .all: self = .all
    case .count(let count): self = .rows(count)
    case .bytes, .word: return nil
    }
  }

  public var parameterValue: ParameterValue {
    switch self {
    case .all: .all
    case .rows(let rows): .count(rows)
    }
  }

  /// The number for this many rows, from 1 to all of them.
  public func limited(to rows: Int) -> Int {
    switch self {
    case .all: max(rows, 1)
    case .rows(let count): min(count, max(rows, 1))
    }
  }
}

/// A limit in bytes, or none.
public enum ByteLimit: ParameterType {
  case none
  case bytes(Int)

  public static var domain: Parameter.Domain { .bytes }

  public init?(_ value: ParameterValue) {
    switch value {
    case .bytes(let bytes): self = .bytes(bytes)
    case .word("none"): self = .none
    case .all, .count, .word: return nil
    }
  }

  public var parameterValue: ParameterValue {
    switch self {
    case .none: .word("none")
    case .bytes(let bytes): .bytes(bytes)
    }
  }

  /// The limit; `nil` for none.
  public var bytes: Int? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

/// A type with words as its values; the first one is the usual default.
public protocol WordParameter: ParameterType, CaseIterable, RawRepresentable where RawValue == String {}

extension WordParameter {
  public static var domain: Parameter.Domain { .words(allCases.map(\.rawValue)) }

  /// The case with this word, even if the word looks like a size or like all rows and was read back as such.
  public init?(_ value: ParameterValue) {
    if case .count = value { return nil }
    self.init(rawValue: value.description)
  }

  public var parameterValue: ParameterValue { .word(rawValue) }
}

/// On or off.
public enum Switch: String, WordParameter {
  case off, on

  public var isOn: Bool { self == .on }
}

/// How an observing context gets notified of changes.
public enum MergeMode: String, WordParameter {
  /// There is no observer.
  case none
  /// Automatically, from every save of a context with the same coordinator.
  case automatic
  /// From the notification of each save, or the object IDs that each batch request returns.
  case changes
  /// By reading the store's history once.
  case history
}

/// What an observing context does for its list.
public enum ShownResults: String, WordParameter {
  /// Nothing: it reads the changed objects.
  case none
  /// Fetches the list again after each merge.
  case refetch
  /// A fetched-results controller follows the changes.
  case controller
  /// The same with sections.
  case sections
  /// The same as `controller`, for the rows that match the list's condition.
  case matching
}

/// When a migration removes columns that the new version of the model does not have.
public enum ColumnRemoval: String, WordParameter {
  /// During the migration.
  case atOnce = "at_once"
  /// Later: they stay in the file, and nothing reads them.
  case deferred
}

/// What happens to a context after it has saved.
public enum AfterSave: String, WordParameter {
  case keep, reset
  case newContext = "new_context"
}

/// Which relationships of a store's rows are stored again.
public enum RelationshipChoice: String, WordParameter {
  case all, none
}

/// What else has the store open during the operation.
package enum OtherReader: String, WordParameter {
  case none
  /// A plain SQLite reader that keeps the snapshot from before the operation until its end.
  case pinned
}

/// An instrument attached in a cell's timing pass, which normally has none, to measure the instrument's cost.
package enum Attachment: String, WordParameter {
  case nothing = "none"
  /// The pass-through VFS and the hooks of the counters pass.
  case meteringVFS = "metering_vfs"
  /// The thread that samples the memory figures every millisecond.
  case sampler
  /// The memory pass's allocation library, loaded but not read.
  case allocationMeter = "allocation_meter"
  /// The probe of the processor's speed, which paired workers use in every sample.
  case speedProbe = "speed_probe"
}
