// What a coordinator asks of a store, whatever it is made of.
internal import CoreDataModel
internal import SQLiteDriver

/// A store of objects.
///
/// What contexts read, its ``reader`` reads; every other request of theirs goes through this protocol. What is called
/// `beforeCommit` runs when all of a request is written and nothing committed; when it throws, nothing stays.
protocol ObjectStore: AnyObject, Sendable {
  var identity: StoreIdentity { get }
  /// Reads all that is committed when it is asked.
  var reader: SQLiteReader { get }

  /// Writes all of the request or nothing of it; nothing either when `mayCommit`, asked when all is written, says no,
  /// which is answered as a reply without conflicts.
  func save(
    _ request: SaveChangesRequest, mayCommit: () throws(ObjectGraphError) -> Bool
  ) throws(ObjectGraphError) -> SaveReply
  /// Reserves keys for new rows of the entity's table, which are used by no other row from then on.
  ///
  /// - Returns: The first of them; the others follow it.
  func reserveKeys(_ count: Int, of layout: EntityLayout) throws(ObjectGraphError) -> Int64
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
  func generation() throws(ObjectGraphError) -> SQLiteReader
  /// Whether history can be asked for.
  var keepsHistory: Bool { get }
  /// What history has after a point, or forgetting what it has before one.
  func history(_ request: PersistentHistoryChangeRequest) throws(ObjectGraphError) -> PersistentHistoryResult
  /// The last transaction of history; nil when none is kept.
  func currentHistoryToken() throws(ObjectGraphError) -> PersistentHistoryToken?
  /// Begins to report what any connection commits, if the store was opened to do so.
  func watch(_ post: @escaping @Sendable (PersistentStoreRemoteChange) -> Void) throws(ObjectGraphError)
  /// Whether the calling thread is inside a request that writes to the store.
  var isBeingWrittenByCaller: Bool { get }
  /// What the store says of itself, with what waits for the next save.
  func metadata() throws(ObjectGraphError) -> [String: MetadataValue]
  /// Keeps an application's metadata for the next save.
  func setMetadata(_ metadata: [String: MetadataValue]) throws(ObjectGraphError)
  var hasPendingMetadata: Bool { get }
  /// Writes the metadata that waits, where no save does.
  func saveMetadata() throws(ObjectGraphError)
  /// Gives free pages back to the file system.
  func vacuum(_ mode: VacuumMode) throws(ObjectGraphError) -> VacuumResult
  /// What the writing connection answers for a pragma.
  func pragma(_ name: String) throws(ObjectGraphError) -> String?
  /// Moves the write-ahead log into the database file, as far as the mode tries.
  func checkpoint(_ mode: CheckpointMode) throws(ObjectGraphError) -> CheckpointResult
  /// Copies the store as it is now.
  func backUp(to path: String) throws(ObjectGraphError)
  func close() throws(ObjectGraphError)
}

extension SQLiteStore: ObjectStore {}

extension ObjectStore {
  var handle: PersistentStore { PersistentStore(identity: identity) }
}
