// Inserting many rows without objects: the request, its three styles, and its result.

/// Inserts rows straight into the store, in one transaction, one row in memory at a time.
///
/// What it gives up against saving objects: no validation beyond types and required values, no callbacks, no
/// notifications, no relationships; contexts do not learn of it.
public struct BatchInsertRequest {
  /// Fills the dictionary with one row's values, or answers true to end the request.
  ///
  /// It is empty at each call.
  public typealias DictionaryHandler = (inout [String: AttributeValue]) -> Bool
  /// Sets one row's values on the object, or answers true to end the request.
  ///
  /// It is the same object at each call, with its defaults restored, and belongs to no context.
  public typealias ManagedObjectHandler = (ManagedObject) -> Bool

  /// What the result tells.
  public enum ResultType: Sendable {
    case statusOnly, count, objectIDs
  }

  enum Source {
    case objects([[String: AttributeValue]])
    case dictionaryHandler(DictionaryHandler)
    case managedObjectHandler(ManagedObjectHandler)
  }

  public let entityName: String
  public var resultType = ResultType.statusOnly
  let source: Source

  /// Inserts one row a dictionary.
  ///
  /// Absent keys take their defaults.
  public init(entityName: String, objects: [[String: AttributeValue]]) {
    self.entityName = entityName
    source = .objects(objects)
  }

  /// Calls the handler for one row after another until it answers true; the row of that call is not inserted.
  public init(entityName: String, dictionaryHandler: @escaping DictionaryHandler) {
    self.entityName = entityName
    source = .dictionaryHandler(dictionaryHandler)
  }

  /// Calls the handler for one row after another until it answers true; the row of that call is not inserted.
  public init(entityName: String, managedObjectHandler: @escaping ManagedObjectHandler) {
    self.entityName = entityName
    source = .managedObjectHandler(managedObjectHandler)
  }
}

/// What a batch insert did, as its request asked to be told.
public enum BatchInsertResult: Sendable, Hashable {
  /// The request was carried out.
  case statusOnly(Bool)
  /// Rows inserted or updated; rows skipped for their unique values are not counted.
  case count(Int)
  /// The rows inserted or updated, in the order they were given.
  case objectIDs([ManagedObjectID])
}
