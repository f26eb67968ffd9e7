// What a scenario does with its rows: insert them; update, delete or fetch existing ones; or migrate their store to
// another version of the model.
public import CoreDataModel
internal import ObjectGraph

/// What a scenario measures: storing the source's rows, or work on rows that were stored before the measurement.
public enum Operation: Sendable, Hashable {
  /// Stores the source's rows.
  case insert
  /// Sets these values, at least one, in the rows that match the condition; without a condition, in all rows.
  case update([Assignment], where: RowCondition? = nil)
  /// Deletes the rows that match the condition.
  case delete(where: RowCondition? = nil)
  /// Reads the rows of the query.
  case fetch(FetchQuery = FetchQuery())
  /// Migrates the store, with all its rows, to another version of its model.
  case migrate(to: ModelVersion)

  /// Its word in scenario files, without the details.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case insert, update, delete, fetch, migrate
  }

  package var kind: Kind {
    switch self {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    case .fetch: .fetch
    case .migrate: .migrate
    }
  }

  /// The condition on stored rows; `nil` for all of them, and for an insert.
  package var condition: RowCondition? {
    switch self {
    case .insert, .migrate: nil
    case .update(_, let condition), .delete(let condition): condition
    case .fetch(let query): query.condition
    }
  }

  /// What a fetch reads; for other operations, their rows.
  package var query: FetchQuery { if case .fetch(let query) = self { query } else { FetchQuery(where: condition) } }

  /// The version of the model that the store is migrated to; `nil` for other operations.
  package var version: ModelVersion? { if case .migrate(let version) = self { version } else { nil } }

  /// The values that an update sets, in the file's order; empty for other operations.
  package var assignments: [Assignment] {
    if case .update(let assignments, _) = self { assignments } else { [] }
  }
}

/// A version of a scenario's model that a store is migrated to.
public struct ModelVersion: Sendable, Hashable {
  /// The name in the scenario.
  public var name: String
  public var model: ManagedObjectModel

  public init(_ name: String, _ model: ManagedObjectModel) {
    self.name = name
    self.model = model
  }
}

/// A value that an update sets in an attribute.
public struct Assignment: Sendable, Hashable {
  public var attribute: String
  /// A value of the attribute's type, or null.
  public var value: AttributeValue

  public init(_ attribute: String, _ value: AttributeValue) {
    self.attribute = attribute
    self.value = value
  }
}

extension Assignment: CustomStringConvertible {
  /// `magnitude = 5.5`, in the syntax of predicates.
  public var description: String { "\(attribute) = \(FetchExpression.constant(value))" }
}
