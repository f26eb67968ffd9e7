// What a coordinator asks of a store, whatever it is made of.

/// A store of rows.
///
/// Every request of every context goes through this protocol.
protocol PersistentStore: AnyObject, Sendable {
  var identity: StoreIdentity { get }
  var path: String { get }

  /// Writes all of the request or nothing of it.
  func save(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply
  /// Inserts all of the request's rows or none.
  func insert(
    _ request: BatchInsertRequest, layout: EntityLayout, mergePolicy: MergePolicy
  ) throws(ObjectGraphError) -> BatchInsertResult
  /// Rows of entities of one hierarchy in the order of their keys; the first `limit` of them, or all for nil.
  func rows(of family: [EntityLayout], limit: Int?) throws(ObjectGraphError) -> [StoredRow]
  /// One row; nil when there is none under that key.
  func row(key: Int64, of layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot?
  func count(of family: [EntityLayout]) throws(ObjectGraphError) -> Int
  /// What the writing connection answers for a pragma.
  func pragma(_ name: String) throws(ObjectGraphError) -> String?
  /// Moves the write-ahead log into the database file.
  func checkpoint() throws(ObjectGraphError)
  func close() throws(ObjectGraphError)
}
