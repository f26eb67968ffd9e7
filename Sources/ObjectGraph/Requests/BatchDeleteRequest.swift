// Deleting many rows without objects: the request.

/// Deletes rows directly in the store, in one transaction, and applies their delete rules.
///
/// The write-ahead log grows by every page that has one of the rows. To bound it, give the fetch request a limit and
/// repeat the request until its count is 0.
///
/// Cascades delete related rows to any depth. Nullified rows lose the key of the deleted one, and their position among its
/// objects, and their version increases. If that key is required, or a rule denies the deletion because an object is at the
/// other end, the whole request fails and nothing is deleted. Compared with deleting objects, there are no callbacks and no
/// notifications, counts of relationships are not validated, and contexts do not see the deletion.
///
/// ```swift
/// var old = FetchRequest(entityName: "Quake", predicate: Quake.time < yesterday)
/// old.fetchLimit = 10_000
/// var request = BatchDeleteRequest(fetchRequest: old)
/// request.resultType = .count
/// while let count = try context.execute(request).count, count > 0 { print("\(count) deleted") }
/// ```
public struct BatchDeleteRequest: Sendable, Hashable {
  public typealias ResultType = BatchResultType

  enum Rows: Sendable, Hashable {
    case found(FetchRequest<ManagedObject>)
    case objectIDs([ManagedObjectID])
  }

  /// What the result has; a status unless you choose otherwise.
  public var resultType = ResultType.statusOnly
  /// The stores whose rows are deleted; nil for all that hold the entity, or that the object IDs name.
  ///
  /// At first those of the fetch request. Over several stores neither a limit nor an offset can be kept.
  public var affectedStores: [PersistentStore]?
  /// Who asks; the context that executes the request says so.
  var origin = RequestOrigin()
  let rows: Rows

  /// Deletes the rows that the request would fetch: its entity, predicate, order, limit and offset count.
  ///
  /// A limit bounds how many rows are asked for; cascades come on top.
  ///
  /// ```swift
  /// let weak = FetchRequest(entityName: "Quake", predicate: Quake.magnitude < 1)
  /// try context.execute(BatchDeleteRequest(fetchRequest: weak))
  /// ```
  public init(fetchRequest: FetchRequest<some ManagedObject>) {
    rows = .found(fetchRequest.untyped)
    affectedStores = fetchRequest.affectedStores
  }

  /// Deletes the rows of the IDs, which are all of one entity; IDs whose rows are gone are passed over.
  ///
  /// ```swift
  /// let quakeIDs = region[Region.quakes].map(\.objectID)
  /// try context.execute(BatchDeleteRequest(objectIDs: quakeIDs))
  /// ```
  public init(objectIDs: [ManagedObjectID]) { rows = .objectIDs(objectIDs) }

  /// What finds the rows; nil for a request by object IDs.
  public var fetchRequest: FetchRequest<ManagedObject>? { if case .found(let request) = rows { request } else { nil } }

  /// The rows by their IDs; nil for a request by a fetch request.
  public var objectIDs: [ManagedObjectID]? { if case .objectIDs(let objectIDs) = rows { objectIDs } else { nil } }
}
