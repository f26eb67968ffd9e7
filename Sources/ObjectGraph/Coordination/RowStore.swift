// What a coordinator asks of a store, whatever it is made of.
internal import CoreDataModel
internal import SQLiteDriver

/// The rows of a store as somebody sees them: all that is committed, or one generation.
protocol StoreReading: AnyObject, Sendable {
  var identity: StoreIdentity { get }

  /// The rows a fetch asks for, without an order in that of their keys; fewer once `goesOn` says no.
  func rows(_ fetch: StoreFetch, goesOn: () -> Bool) throws(ObjectGraphError) -> [StoredRow]
  /// The same with what they are sorted by, to be merged with those of other stores.
  func sortedRows(_ fetch: StoreFetch, goesOn: () -> Bool) throws(ObjectGraphError) -> SortedRun<StoredRow>
  /// The keys of those rows, of which nothing else is read.
  func keys(_ fetch: StoreFetch) throws(ObjectGraphError) -> StoredKeys
  /// The same with what they are sorted by.
  func sortedKeys(_ fetch: StoreFetch) throws(ObjectGraphError) -> SortedRun<ManagedObjectID>
  /// The properties, expressions or groups that a request asks for, of the rows of a fetch.
  func dictionaries(_ request: FetchRequest, _ fetch: StoreFetch) throws(ObjectGraphError) -> DictionaryResults
  /// The properties of single rows with what they are sorted by; nothing that is made of several rows.
  func sortedDictionaries(
    _ request: FetchRequest, _ fetch: StoreFetch
  ) throws(ObjectGraphError) -> (names: [String], rows: SortedRun<[AttributeValue]>)
  /// One row; nil when there is none under that key.
  func row(key: Int64, of layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot?
  /// The rows under the keys, of one hierarchy's table, in no order.
  func rows(keys: [Int64], rootIndex: Int) throws(ObjectGraphError) -> [StoredRow]
  /// The objects of a to-many relationship of each row, by its key, in the relationship's order.
  func relatedObjects(keys: [Int64], _ toMany: ToManyLayout) throws(ObjectGraphError) -> [Int64: [RelatedObject]]
  /// How many rows a fetch would give without its window.
  func count(_ fetch: StoreFetch) throws(ObjectGraphError) -> Int
}

/// A store of rows.
///
/// Every request of every context goes through this protocol. What is called `beforeCommit` runs when all of a request
/// is written and nothing committed; when it throws, nothing stays.
protocol RowStore: StoreReading {
  /// Writes all of the request or nothing of it; nothing either when `mayCommit`, asked when all is written, says no,
  /// which is answered as a reply without conflicts.
  func save(
    _ request: SaveChangesRequest, mayCommit: () throws(ObjectGraphError) -> Bool
  ) throws(ObjectGraphError) -> SaveReply
  /// Inserts all of the request's rows or none, unless it asks for several transactions.
  func insert(
    _ request: BatchInsertRequest, layout: EntityLayout, mergePolicy: MergePolicy,
    makeObject: (ObjectSeed) -> ManagedObject
  ) throws(ObjectGraphError) -> BatchResult
  /// Writes the request's values into the rows of the fetch, all or none.
  func update(
    _ request: BatchUpdateRequest, _ fetch: StoreFetch, beforeCommit: () throws(ObjectGraphError) -> Void
  ) throws(ObjectGraphError) -> BatchResult
  /// Deletes the rows of the fetch, with what their delete rules ask for, or nothing.
  func delete(
    _ fetch: StoreFetch, resultType: BatchResultType, by origin: RequestOrigin,
    beforeCommit: () throws(ObjectGraphError) -> Void
  ) throws(ObjectGraphError) -> BatchResult
  /// Deletes the rows under the keys in the same way.
  func delete(
    keys: [Int64], of layout: EntityLayout, resultType: BatchResultType, by origin: RequestOrigin,
    beforeCommit: () throws(ObjectGraphError) -> Void
  ) throws(ObjectGraphError) -> BatchResult
  /// Refuses a store that has no generations to be pinned to.
  func checkGenerations() throws(ObjectGraphError)
  /// What is committed now, as it stays while others write, until it is let go.
  func generation() throws(ObjectGraphError) -> any StoreReading
  /// Whether history can be asked for.
  var keepsHistory: Bool { get }
  /// What history has after a point, or forgetting what it has before one.
  func history(_ request: PersistentHistoryChangeRequest) throws(ObjectGraphError) -> PersistentHistoryResult
  /// The last transaction of history; nil when none is kept.
  func currentHistoryToken() throws(ObjectGraphError) -> PersistentHistoryToken?
  /// Begins to tell of what any connection commits, if the store was opened to do so.
  func watch(_ post: @escaping @Sendable (PersistentStoreRemoteChange) -> Void) throws(ObjectGraphError)
  /// Whether the calling thread is inside a request that writes to the store.
  var isBeingWrittenByCaller: Bool { get }
  /// What the writing connection answers for a pragma.
  func pragma(_ name: String) throws(ObjectGraphError) -> String?
  /// Moves the write-ahead log into the database file, as far as the mode tries.
  func checkpoint(_ mode: CheckpointMode) throws(ObjectGraphError) -> CheckpointResult
  /// Copies the store as it is now.
  func backUp(to path: String) throws(ObjectGraphError)
  func close() throws(ObjectGraphError)
}

extension RowStore {
  var handle: PersistentStore { PersistentStore(identity: identity) }
}
