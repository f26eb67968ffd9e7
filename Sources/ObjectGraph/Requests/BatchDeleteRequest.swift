// A request for deleting many rows without objects.

/// Deletes rows directly in the store, in one transaction, and applies their delete rules.
///
/// The write-ahead log grows by every page that has one of the rows. To limit it, set a limit on the fetch request and
/// repeat the request until its count is 0.
///
/// Cascades delete related rows to any depth. Nullified rows lose the key of the deleted row and their position among
/// its objects, and their version is incremented. If that key is required, or a rule denies the deletion because there
/// is a related object, the whole request fails and nothing is deleted. Unlike deleting objects, it runs no callbacks,
/// posts no notifications and does not validate counts of relationships, and contexts do not see the deletion.
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

  /// What the result contains; by default, only a status.
  public var resultType = ResultType.statusOnly
  /// The stores with the rows to delete; `nil` for all that have the entity, or all stores of the object IDs.
  ///
  /// By default, the stores of the fetch request. Limits and offsets do not work over several stores.
  public var affectedStores: [PersistentStore]?
  /// The author of the request; set by the context that executes it.
  var origin = RequestOrigin()
  let rows: Rows

  /// Deletes the rows that the request would fetch, considering its entity, predicate, order, limit and offset.
  ///
  /// The limit does not include rows deleted by cascades.
  ///
  /// ```swift
  /// let weak = FetchRequest(entityName: "Quake", predicate: Quake.magnitude < 1)
  /// try context.execute(BatchDeleteRequest(fetchRequest: weak))
  /// ```
  public init(fetchRequest: FetchRequest<some ManagedObject>) {
    rows = .found(fetchRequest.untyped)
    affectedStores = fetchRequest.affectedStores
  }

  /// Deletes the rows with these IDs, which must all have the same entity; IDs without rows are skipped.
  ///
  /// ```swift
  /// let quakeIDs = region[Region.quakes].map(\.objectID)
  /// try context.execute(BatchDeleteRequest(objectIDs: quakeIDs))
  /// ```
  public init(objectIDs: [ManagedObjectID]) { rows = .objectIDs(objectIDs) }

  /// The request that finds the rows; `nil` for a request by object IDs.
  public var fetchRequest: FetchRequest<ManagedObject>? { if case .found(let request) = rows { request } else { nil } }

  /// The IDs of the rows; `nil` for a request by a fetch request.
  public var objectIDs: [ManagedObjectID]? { if case .objectIDs(let objectIDs) = rows { objectIDs } else { nil } }
}
