// The purpose of a strategy, which is all that analysis and reports know about it except its name.

/// The role of a strategy in a comparison.
///
/// Cells are ranked, compared and described by their roles, whatever engine a strategy belongs to.
public enum StrategyRole: Sendable, Hashable {
  /// The reference for times as multiples: plain SQL, one prepared statement, one transaction.
  case reference
  /// Objects are created, changed or read one by one, and saved by their context.
  case objectByObject
  /// One request for many rows, which bypasses the context.
  case batch(BatchStyle)
  /// Another way of doing the same, for comparison: another library, or a user's own engine.
  case peer
  /// Measures the cost of the harness itself; never ranked.
  case harnessCost

  /// Whether rows are handled in batches.
  public var isBatch: Bool { if case .batch = self { true } else { false } }
}

/// The source of a batch request's rows.
public enum BatchStyle: String, Sendable, Hashable, CaseIterable {
  /// An array of dictionaries.
  case array
  /// A handler that fills a dictionary for each row.
  case dictionaryHandler = "dictionary_handler"
  /// A handler that fills a managed object for each row.
  case objectHandler = "object_handler"
  /// Rows that are stored already, for a batch update or a batch delete.
  case storedRows = "stored_rows"
}

/// One word: `reference`, `object_by_object`, `batch_array`.
extension StrategyRole: RawRepresentable, Codable {
  public init?(rawValue: String) {
    switch rawValue {
    case "reference": self = .reference
    case "object_by_object": self = .objectByObject
    case "peer": self = .peer
    case "harness_cost": self = .harnessCost
    default:
      guard rawValue.hasPrefix(StrategyRole.batchPrefix),
        let style = BatchStyle(rawValue: String(rawValue.dropFirst(StrategyRole.batchPrefix.count)))
      else { return nil }
      self = .batch(style)
    }
  }

  public var rawValue: String {
    switch self {
    case .reference: "reference"
    case .objectByObject: "object_by_object"
    case .batch(let style): StrategyRole.batchPrefix + style.rawValue
    case .peer: "peer"
    case .harnessCost: "harness_cost"
    }
  }

  private static let batchPrefix = "batch_"
}
