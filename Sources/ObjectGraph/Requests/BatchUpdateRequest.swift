// A request for updating many rows without objects.
public import CoreDataModel

/// Writes the same properties of many rows directly in the store, with one statement in one transaction.
///
/// The write-ahead log grows by every page that has one of the rows. To limit it, use several requests for parts of the
/// rows, with a predicate on a range of a value that the update does not change.
///
/// Unlike saving objects, it checks no validation rules, runs no callbacks and posts no notifications, and contexts do
/// not see the update. The version of every row is incremented, so that a context that read the row before gets a
/// conflict instead of overwriting it unnoticed.
///
/// ```swift
/// let request = BatchUpdateRequest(
///   entityName: "Quake", propertiesToUpdate: ["magnitude": 0], predicate: Quake.magnitude < 0)
/// try context.execute(request)
/// ```
public struct BatchUpdateRequest: Sendable, Hashable {
  public typealias ResultType = BatchResultType

  /// The entity with the rows to update, including sub-entities unless ``includesSubentities`` is false.
  public var entityName: String
  /// The stores with the rows to update; `nil` for all that have the entity.
  public var affectedStores: [PersistentStore]?
  /// The condition for rows; `nil` for all rows of the entity.
  ///
  /// It cannot follow relationships; compare a to-one relationship itself, or find the rows by a fetch.
  public var predicate: FetchPredicate?
  /// The new values, by attribute.
  ///
  /// An expression consists of constants, attributes of the same row, arithmetic and functions. All expressions see the
  /// values from before the update. In Core Data, only constants are certain to work.
  public var propertiesToUpdate: [String: FetchExpression]
  /// Whether to update rows of sub-entities, too.
  public var includesSubentities = true
  /// What the result contains; by default, only a status.
  public var resultType = ResultType.statusOnly
  /// The author of the request; set by the context that executes it.
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

  /// Sets attributes of an entity's rows to values; only the entity's name matters.
  public init(entity: EntityDescription, propertiesToUpdate: [String: AttributeValue], predicate: FetchPredicate? = nil)
  {
    self.init(entityName: entity.name, propertiesToUpdate: propertiesToUpdate, predicate: predicate)
  }
}
