// Updating many rows without objects: the request.
public import CoreDataModel

/// Writes the same properties of many rows directly in the store, with one statement in one transaction.
///
/// The write-ahead log grows by every page that has one of the rows. To bound it, make several requests, each for a part
/// of the rows: a predicate on a range of a value that the update does not change.
///
/// Compared with saving objects, rules are not validated, there are no callbacks or notifications, and contexts do not see
/// the update. The version of every row increases, so that a context that read the row before gets a conflict and does not
/// overwrite it unnoticed.
///
/// ```swift
/// let request = BatchUpdateRequest(
///   entityName: "Quake", propertiesToUpdate: ["magnitude": 0], predicate: Quake.magnitude < 0)
/// try context.execute(request)
/// ```
public struct BatchUpdateRequest: Sendable, Hashable {
  public typealias ResultType = BatchResultType

  /// The entity whose rows are updated, with those that inherit from it unless ``includesSubentities`` is false.
  public var entityName: String
  /// The stores whose rows are updated; nil for all that hold the entity.
  public var affectedStores: [PersistentStore]?
  /// What must hold for a row; nil for all rows of the entity.
  ///
  /// It cannot follow relationships; compare a to-one relationship itself, or ask for the rows by a fetch.
  public var predicate: FetchPredicate?
  /// The new values, by attribute.
  ///
  /// An expression consists of constants, attributes of the same row, arithmetic and functions. All expressions see the values
  /// from before the update. In Core Data, only constants are certain to work.
  public var propertiesToUpdate: [String: FetchExpression]
  /// Whether rows of entities that inherit from the entity are updated too.
  public var includesSubentities = true
  /// What the result has; a status unless you choose otherwise.
  public var resultType = ResultType.statusOnly
  /// Who asks; the context that executes the request says so.
  var origin = RequestOrigin()

  /// Sets attributes to values.
  ///
  /// ```swift
  /// var request = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "unknown", "felt": 0])
  /// request.predicate = Quake.place == nil
  /// ```
  public init(
    entityName: String, propertiesToUpdate: [String: AttributeValue], predicate: FetchPredicate? = nil
  ) {
    self.init(
      entityName: entityName, expressions: propertiesToUpdate.mapValues(FetchExpression.constant),
      predicate: predicate)
  }

  /// Sets attributes to expressions of the row's own attributes.
  ///
  /// ```swift
  /// let feltOnceMore = FetchExpression.arithmetic(.path(FetchPath("felt")), .add, .constant(1))
  /// try context.execute(
  ///   BatchUpdateRequest(
  ///     entityName: "Quake", expressions: ["felt": feltOnceMore], predicate: Quake.code == "us1000ep7p"))
  /// ```
  public init(entityName: String, expressions: [String: FetchExpression], predicate: FetchPredicate? = nil) {
    self.entityName = entityName
    self.predicate = predicate
    propertiesToUpdate = expressions
  }

  /// Sets attributes of an entity's rows to values; only the entity's name counts.
  public init(entity: EntityDescription, propertiesToUpdate: [String: AttributeValue], predicate: FetchPredicate? = nil)
  {
    self.init(entityName: entity.name, propertiesToUpdate: propertiesToUpdate, predicate: predicate)
  }
}
