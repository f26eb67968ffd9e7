// What a coordinator asks of a store, whatever it is made of.
internal import SQLiteDriver

/// A store of rows.
///
/// Every request of every context goes through this protocol.
protocol PersistentStore: AnyObject, Sendable {
  var identity: StoreIdentity { get }
  var path: String { get }

  /// Writes all of the request or nothing of it.
  func save(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply
  /// Inserts all of the request's rows or none, unless it asks for several transactions.
  func insert(
    _ request: BatchInsertRequest, layout: EntityLayout, mergePolicy: MergePolicy,
    makeObject: (ObjectSeed) -> ManagedObject
  ) throws(ObjectGraphError) -> BatchResult
  /// Writes the request's values into the rows of the fetch, all or none.
  func update(_ request: BatchUpdateRequest, _ fetch: StoreFetch) throws(ObjectGraphError) -> BatchResult
  /// Deletes the rows of the fetch, with what their delete rules ask for, or nothing.
  func delete(
    _ fetch: StoreFetch, resultType: BatchResultType, by origin: RequestOrigin
  ) throws(ObjectGraphError) -> BatchResult
  /// Deletes the rows under the keys in the same way.
  func delete(
    keys: [Int64], of layout: EntityLayout, resultType: BatchResultType, by origin: RequestOrigin
  ) throws(ObjectGraphError) -> BatchResult
  /// The rows a fetch asks for, without an order in that of their keys; fewer once `goesOn` says no.
  func rows(_ fetch: StoreFetch, goesOn: () -> Bool) throws(ObjectGraphError) -> [StoredRow]
  /// The keys of those rows, of which nothing else is read.
  func keys(_ fetch: StoreFetch) throws(ObjectGraphError) -> StoredKeys
  /// The properties, expressions or groups that a request asks for, of the rows of a fetch.
  func dictionaries(_ request: FetchRequest, _ fetch: StoreFetch) throws(ObjectGraphError) -> DictionaryResults
  /// One row; nil when there is none under that key.
  func row(key: Int64, of layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot?
  /// The rows under the keys, of one hierarchy's table, in no order.
  func rows(keys: [Int64], rootIndex: Int) throws(ObjectGraphError) -> [StoredRow]
  /// The objects of a to-many relationship of each row, by its key, in the relationship's order.
  func relatedObjects(keys: [Int64], _ toMany: ToManyLayout) throws(ObjectGraphError) -> [Int64: [RelatedObject]]
  /// How many rows a fetch would give without its window.
  func count(_ fetch: StoreFetch) throws(ObjectGraphError) -> Int
  /// What history has after a point, or forgetting what it has before one.
  func history(_ request: PersistentHistoryChangeRequest) throws(ObjectGraphError) -> PersistentHistoryResult
  /// The last transaction of history; nil when none is kept.
  func currentHistoryToken() throws(ObjectGraphError) -> PersistentHistoryToken?
  /// Begins to tell of what any connection commits, if the store was opened to do so.
  func watch(_ post: @escaping @Sendable (PersistentStoreRemoteChange) -> Void) throws(ObjectGraphError)
  /// What the writing connection answers for a pragma.
  func pragma(_ name: String) throws(ObjectGraphError) -> String?
  /// Moves the write-ahead log into the database file, as far as the mode tries.
  func checkpoint(_ mode: CheckpointMode) throws(ObjectGraphError) -> CheckpointResult
  /// Copies the store as it is now.
  func backUp(to path: String) throws(ObjectGraphError)
  func close() throws(ObjectGraphError)
}
