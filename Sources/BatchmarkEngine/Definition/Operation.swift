// What a scenario does with its rows: it inserts them; it updates, deletes or fetches some that are there already; or it
// changes their store so that it fits another version of the model.
public import CoreDataModel
internal import ObjectGraph

/// What a scenario measures: storing the source's rows, or work on rows that are in the store before anything is
/// measured.
public enum Operation: Sendable, Hashable {
  /// Storing the source's rows.
  case insert
  /// Sets these values, at least one, in the rows that meet the condition; without a condition, in all rows.
  case update([Assignment], where: RowCondition? = nil)
  /// Removing the rows that meet the condition.
  case delete(where: RowCondition? = nil)
  /// Reading the rows that the query asks for.
  case fetch(FetchQuery = FetchQuery())
  /// Changing the store so that it fits another version of its model, with every row in it.
  case migrate(to: ModelVersion)

  /// The word for it in scenario files, without what it is done to.
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

  /// Which stored rows it is about; nil for all of them, and for an insert.
  package var condition: RowCondition? {
    switch self {
    case .insert, .migrate: nil
    case .update(_, let condition), .delete(let condition): condition
    case .fetch(let query): query.condition
    }
  }

  /// What a fetch reads; for the others, the rows that they are about.
  package var query: FetchQuery { if case .fetch(let query) = self { query } else { FetchQuery(where: condition) } }

  /// The version of the model that the store is migrated to; `nil` for other operations.
  package var version: ModelVersion? { if case .migrate(let version) = self { version } else { nil } }

  /// What an update sets, in the file's order; empty for the others.
  package var assignments: [Assignment] {
    if case .update(let assignments, _) = self { assignments } else { [] }
  }
}

/// A version of a scenario's model that a store is migrated to.
public struct ModelVersion: Sendable, Hashable {
  /// What the scenario calls it.
  public var name: String
  public var model: ManagedObjectModel

  public init(_ name: String, _ model: ManagedObjectModel) {
    self.name = name
    self.model = model
  }
}

/// A value that an update gives to an attribute.
public struct Assignment: Sendable, Hashable {
  public var attribute: String
  /// A value of the attribute's own kind, or null.
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
