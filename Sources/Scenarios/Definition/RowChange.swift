// What a scenario does with its rows: it inserts them, or it updates, deletes or fetches some that are there already.
public import CoreDataModel
internal import ObjectGraph

/// What a scenario measures.
public enum ScenarioOperation: String, Sendable, Hashable, Codable, CaseIterable {
  /// Storing the source's rows.
  case insert
  /// Changing stored rows.
  case update
  /// Removing stored rows.
  case delete
  /// Reading stored rows.
  case fetch
}

/// What is done to rows that are in the store before anything is measured.
public struct RowChange: Sendable, Hashable {
  /// What happens to each of the rows.
  public enum Action: Sendable, Hashable {
    /// Every row gets these values; at least one, in the file's order.
    case update([Assignment])
    case delete
    /// The rows are read, and stay as they are.
    case fetch
  }

  public var action: Action
  /// Which rows; nil for all.
  public var condition: RowCondition?

  public init(_ action: Action, where condition: RowCondition? = nil) {
    self.action = action
    self.condition = condition
  }

  /// The operation that it is measured as.
  public var operation: ScenarioOperation {
    switch action {
    case .update: .update
    case .delete: .delete
    case .fetch: .fetch
    }
  }

  /// What an update sets; nothing for a delete.
  public var assignments: [Assignment] {
    if case .update(let assignments) = action { assignments } else { [] }
  }
}

/// A value that an update gives to an attribute.
public struct Assignment: Sendable, Hashable {
  public var attribute: String
  /// Of the attribute's own kind, or null.
  public var value: AttributeValue

  public init(_ attribute: String, _ value: AttributeValue) {
    self.attribute = attribute
    self.value = value
  }
}

extension Assignment: CustomStringConvertible {
  /// `magnitude = 5.5`, in the words of predicates.
  public var description: String { "\(attribute) = \(FetchExpression.constant(value))" }
}
