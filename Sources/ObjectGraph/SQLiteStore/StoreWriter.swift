// Writes to an SQLite store: prepared statements, transactions with their history, and keys.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The writing connection with its prepared statements: one per entity and shape, kept for reuse.
final class StoreWriter {
  let connection: Connection
  let identity: StoreIdentity
  /// The store's number of each entity of the model, by the entity's index.
  ///
  /// Numbers differ between stores.
  let entityNumbers: [Int]
  /// The entities' indexes in the model, by the store's numbers.
  let entityIndexes: [Int: Int]
  let model: CompiledModel
  let keyedRows: [KeyedRowQuery]
  private var statements: PreparedStatements
  /// The model version that the store must still have.
  let version: StoreVersion
  /// How much a second thread of an insert may wait for a processor; `nil` for no second thread.
  let threadPatience: InsertThread.Patience?
  // Exclusivity is unchecked, because each row that is written uses this; it only changes before and after
  // transactions.
  /// Records changes; `nil` without history.
  @exclusivity(unchecked) var history: HistoryRecorder?
  /// The rows in this transaction with keys that were cleared, because the row that they referred to changed to an
  /// unsuitable entity.
  ///
  /// They are not processed yet.
  private var emptied: Set<ManagedObjectID> = []
  /// The rows in this transaction that lost a pair, if values may be derived from them.
  private var unpaired: Set<SaveInsertion.StoredRow> = []
  /// The roots of the entities with values derived over relationships.
  let derivedRoots: Set<Int>

  init(
    _ connection: Connection, identity: StoreIdentity, model: CompiledModel, entityNumbers: [Int],
    entityIndexes: [Int: Int], keyedRows: [KeyedRowQuery], version: StoreVersion,
    threadPatience: InsertThread.Patience?
  ) {
    self.threadPatience = threadPatience
    self.version = version
    self.keyedRows = keyedRows
    self.connection = connection
    statements = PreparedStatements(connection)
    self.identity = identity
    self.model = model
    derivedRoots = Set(model.layouts.filter(\.isDerivedOverRelationships).map(\.rootIndex))
    self.entityNumbers = entityNumbers
    self.entityIndexes = entityIndexes
  }

  /// The prepared statement, ready to be bound; cached.
  func statement(_ sql: String) throws(SQLiteError) -> Statement { try statements.statement(sql) }

  /// A statement for one use, with its parameters bound.
  func prepare(_ fragment: SQLFragment) throws(SQLiteError) -> Statement { try statements.once(fragment) }

  /// Closes the connection after its statements; a shared connection stays open.
  func close() throws(SQLiteError) {
    statements.removeAll()
    history = nil
    if !connection.nestsTransactions { try connection.close() }
  }

  /// Runs the body in one transaction, which is rolled back if it throws.
  ///
  /// Everything that it records is one transaction of history, whatever its origin.
  ///
  /// - Parameters:
  ///   - action: What was being done, for errors.
  ///   - origin: The author and context of the request.
  ///   - beforeCommit: Called when everything is written, including history, and only the commit is left.
  ///   - body: Writes the changes.
  /// - Returns: What the body returns.
  /// - Throws: What the body and `beforeCommit` throw, and ``ObjectGraphError/store(_:during:)``.
  func transaction<T>(
    _ action: String, by origin: RequestOrigin = RequestOrigin(),
    beforeCommit: () throws(ObjectGraphError) -> Void = {}, _ body: () throws(ObjectGraphError) -> T
  ) throws(ObjectGraphError) -> T {
    try begin(action, by: origin)
    do {
      let result = try body()
      _ = try finishHistory(action)
      try beforeCommit()
      try commit(action)
      return result
    } catch {
      rollback()
      throw error
    }
  }

  func begin(_ action: String, by origin: RequestOrigin) throws(ObjectGraphError) {
    try during(action) { () throws(SQLiteError) in try connection.begin(.immediate) }
    history?.begin(origin)
    emptied = []
    unpaired = []
  }

  /// Records that a key of the row was cleared.
  func noteEmptied(_ objectID: ManagedObjectID) { emptied.insert(objectID) }

  /// The rows with keys that were cleared since the last call; no transaction has many.
  func takeEmptied() -> [ManagedObjectID] {
    if emptied.isEmpty { return [] }
    defer { emptied = [] }
    return emptied.sorted { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
  }

  /// Records that a row lost a pair with another.
  func noteUnpaired(_ row: SaveInsertion.StoredRow) { unpaired.insert(row) }

  /// The rows that were recorded since the last call.
  func takeUnpaired() -> Set<SaveInsertion.StoredRow> {
    defer { unpaired = [] }
    return unpaired
  }

  /// Writes the transaction's row of history, as the last step before the commit.
  ///
  /// - Parameter action: What was being done, for errors.
  /// - Returns: The transaction's token; `nil` without history, and if nothing was changed.
  /// - Throws: ``ObjectGraphError/keysExhausted(of:found:path:)``, and ``ObjectGraphError/store(_:during:)``.
  func finishHistory(_ action: String) throws(ObjectGraphError) -> PersistentHistoryToken? {
    let number = try history?.finish(action)
    return number.map { PersistentHistoryToken(storeID: identity.uuid, transactionNumber: $0) }
  }

  func commit(_ action: String) throws(ObjectGraphError) {
    try version.check(connection)
    try during(action) { () throws(SQLiteError) in try connection.commit() }
  }

  func rollback() {
    connection.rollback()
    history?.abandon()
  }

  func number(of layout: EntityLayout) -> Int { entityNumbers[layout.index] }

  /// The last key assigned in the entity's hierarchy, which shares one table and counts on its root's row.
  ///
  /// - Parameter layout: An entity of the hierarchy.
  /// - Returns: The key; 0 if none was assigned.
  /// - Throws: ``ObjectGraphError/keysExhausted(of:found:path:)``, and ``ObjectGraphError/store(_:during:)``.
  func lastKey(of layout: EntityLayout) throws(ObjectGraphError) -> Int64 {
    let name = layout.entity.name
    let counter = try during("reading the last key of \(name)") { () throws(SQLiteError) -> Statement? in
      let statement = try statement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
      try statement.bind(Int64(entityNumbers[layout.rootIndex]), at: 1)
      return try statement.step() ? statement : nil
    }
    defer { counter?.reset() }
    return try counter.map { (row) throws(ObjectGraphError) in
      try LastKey.read(row, 0, of: name, path: connection.path)
    } ?? 0
  }

  /// Records the last key assigned for the entity, in the transaction that uses the keys, so that a failing request
  /// uses up none.
  func setLastKey(of layout: EntityLayout, to key: Int64) throws(SQLiteError) {
    let statement = try statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
    try statement.bind(key, at: 1)
    try statement.bind(Int64(entityNumbers[layout.rootIndex]), at: 2)
    try statement.run()
  }
}
