// A store in a SQLite file with Core Data's layout: one writing connection, and readers beside it.
internal import CoreDataModel
internal import SQLiteDriver
internal import Synchronization

/// A store in a SQLite file.
// Sendable by proof: `writer` is used only inside `lock`, which one thread holds at a time; everything else is
// constant or Sendable itself.
final class SQLiteStore: RowStore, SQLiteReading, @unchecked Sendable {
  let identity: StoreIdentity
  let path: String
  let isReadOnly: Bool
  let isImmutable: Bool
  let log: SQLTrace?
  /// Whether changes are written down and can be asked for.
  let keepsHistory: Bool
  /// How history tells which properties changed, by the entity's place in the model.
  let historyColumns: [HistoryColumns]
  /// How predicates become SQL.
  let schema: LayoutSchema
  private let entityNumbers: [Int]
  /// The entities' places in the model, by the store's numbers.
  let entityIndexes: [Int: Int]
  /// How one row is read by its key, by the entity's place in the model.
  let keyedRows: [KeyedRowQuery]
  /// How rows of a table are read by their keys, by the root entity's place in the model.
  let keyedTables: [Int: KeyedTableQuery]
  private let lock = WriterLock()
  private let writer: StoreWriter
  let readers: ReaderPool
  /// What contexts are pinned to.
  let generations = Mutex<[WeakGeneration]>([])
  private let description: PersistentStoreDescription
  private let watcher = Mutex<StoreWatcher?>(nil)

  init(_ description: PersistentStoreDescription, model: CompiledModel) throws(ObjectGraphError) {
    let opened = try StoreOpening(description, model: model).open()
    self.description = description
    path = description.path
    keepsHistory = description.tracksPersistentHistory && opened.hasHistory
    historyColumns = keepsHistory ? model.layouts.map { HistoryColumns($0) } : []
    isReadOnly = description.isReadOnly
    isImmutable = description.isImmutable
    log = description.sqlTrace
    identity = StoreIdentity(
      uuid: opened.uuid, entityNames: model.layouts.map(\.entity.name), path: description.path,
      configurationName: description.configuration, isReadOnly: description.isReadOnly, entities: opened.entities)
    entityNumbers = opened.entityNumbers
    schema = LayoutSchema(model: model, store: identity)
    let numbers = opened.entityNumbers
    let indexes = Dictionary(zip(numbers, numbers.indices).filter { $0.0 > 0 }) { first, _ in first }
    entityIndexes = indexes
    keyedRows = model.layouts.map {
      KeyedRowQuery($0, entityNumber: numbers[$0.index], entityIndexes: indexes)
    }
    keyedTables = Dictionary(
      model.tables.map { table in
        let family = model.layouts[model.layouts[table.root].family]
        let query = KeyedTableQuery(Array(family), entityNumbers: numbers, entityIndexes: indexes)
        return (table.root, query)
      }
    ) { first, _ in first }
    writer = StoreWriter(
      opened.connection, identity: identity, model: model, entityNumbers: numbers, entityIndexes: indexes,
      keyedRows: keyedRows)
    readers = ReaderPool(description, preparation: opened.preparation)
    if keepsHistory && !isReadOnly {
      writer.history = HistoryRecorder(writer, columns: historyColumns)
    }
  }

  /// The store's own number of an entity.
  func entityNumber(of layout: EntityLayout) -> Int { entityNumbers[layout.index] }

  /// Runs the body with the writing connection to itself.
  func write<T>(_ body: (StoreWriter) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    if isReadOnly { throw .readOnlyStore(path: path) }
    return try lock.withLock { () throws(ObjectGraphError) in try body(writer) }
  }

  var isBeingWrittenByCaller: Bool { lock.isHeldByCaller }

  /// Runs the body with a reading connection.
  func read<T>(_ body: (StoreReader) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    try readers.withReader(body)
  }

  func pragma(_ name: String) throws(ObjectGraphError) -> String? {
    try lock.withLock { () throws(ObjectGraphError) in
      try during("reading a pragma") { () throws(SQLiteError) in try writer.connection.pragma(name) }
    }
  }

  func checkpoint(_ mode: CheckpointMode) throws(ObjectGraphError) -> CheckpointResult {
    try write { (writer) throws(ObjectGraphError) in
      try during("checkpointing") { () throws(SQLiteError) in try writer.connection.checkpoint(mode) }
    }
  }

  func backUp(to path: String) throws(ObjectGraphError) {
    try read { (reader) throws(ObjectGraphError) in
      try during("copying the store to \(path)") { () throws(SQLiteError) in try reader.connection.backUp(to: path) }
    }
  }

  /// Begins to tell of what any connection commits, if the store was opened to do so.
  func watch(
    _ post: @escaping @Sendable (PersistentStoreRemoteChange) -> Void
  ) throws(ObjectGraphError) {
    if !description.postsRemoteChanges { return }
    let watcher = try during("watching the store \(path)") { [identity, path] () throws(SQLiteError) in
      try StoreWatcher(description, keepsHistory: keepsHistory) { number in
        let token = number.map { PersistentHistoryToken(storeID: identity.uuid, transactionNumber: $0) }
        post(PersistentStoreRemoteChange(storeID: identity.uuid, path: path, historyToken: token))
      }
    }
    self.watcher.withLock { $0 = watcher }
  }

  func close() throws(ObjectGraphError) {
    let watcher = self.watcher.withLock { watcher in
      defer { watcher = nil }
      return watcher
    }
    try during("ending the watch of the store") { () throws(SQLiteError) in try watcher?.close() }
    try lock.withLock { () throws(ObjectGraphError) in
      try during("closing the store") { () throws(SQLiteError) in
        writer.statements = [:]
        try writer.connection.close()
      }
    }
    for generation in generations.withLock({ $0 }) { try generation.generation?.close() }
    try readers.close()
  }
}

/// The writing connection with the statements it has prepared: one an entity and shape, kept for reuse.
final class StoreWriter {
  let connection: Connection
  let identity: StoreIdentity
  /// The store's number of each entity of the model, by the entity's index.
  ///
  /// Numbers differ between stores.
  let entityNumbers: [Int]
  /// The entities' places in the model, by the store's numbers.
  let entityIndexes: [Int: Int]
  let model: CompiledModel
  let keyedRows: [KeyedRowQuery]
  var statements: [String: Statement] = [:]
  /// Whether the connection has the functions of predicates, which only batch requests ask of it.
  var knowsPredicates = false
  /// Writes down what changes; nil where no history is kept.
  var history: HistoryRecorder?

  init(
    _ connection: Connection, identity: StoreIdentity, model: CompiledModel, entityNumbers: [Int],
    entityIndexes: [Int: Int], keyedRows: [KeyedRowQuery]
  ) {
    self.keyedRows = keyedRows
    self.connection = connection
    self.identity = identity
    self.model = model
    self.entityNumbers = entityNumbers
    self.entityIndexes = entityIndexes
  }

  /// The prepared form of the SQL, ready to be bound.
  func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs the body in one transaction, of which nothing stays when it throws.
  ///
  /// What it has the recorder write down is one transaction of history, no matter who asked.
  func transaction<T>(
    _ action: String, by origin: RequestOrigin = RequestOrigin(), _ body: () throws(ObjectGraphError) -> T
  ) throws(ObjectGraphError) -> T {
    try begin(action, by: origin)
    do {
      let result = try body()
      _ = try commit(action)
      return result
    } catch {
      rollback()
      throw error
    }
  }

  func begin(_ action: String, by origin: RequestOrigin) throws(ObjectGraphError) {
    try during(action) { () throws(SQLiteError) in try connection.begin(.immediate) }
    history?.begin(origin)
  }

  /// Commits, with history's row of the transaction as the last.
  ///
  /// - Parameters:
  ///   - action: What an error says was being done.
  ///   - historyIsWritten: Called between history's row and the commit.
  /// - Returns: What names it in history; nil where none is kept, and when nothing was changed.
  /// - Throws: ``ObjectGraphError/store(_:during:)``.
  func commit(
    _ action: String, historyIsWritten: () -> Void = {}
  ) throws(ObjectGraphError) -> PersistentHistoryToken? {
    try during(action) { () throws(SQLiteError) in
      let number = try history?.finish()
      historyIsWritten()
      try connection.commit()
      return number.map { PersistentHistoryToken(storeID: identity.uuid, transactionNumber: $0) }
    }
  }

  func rollback() {
    connection.rollback()
    history?.abandon()
  }

  func number(of layout: EntityLayout) -> Int { entityNumbers[layout.index] }

  /// The last key handed out for the entity's hierarchy, which shares one table and counts on its root's row.
  func lastKey(of layout: EntityLayout) throws(SQLiteError) -> Int64 {
    let statement = try statement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
    try statement.bind(Int64(entityNumbers[layout.rootIndex]), at: 1)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }

  /// Records the last key handed out for the entity, in the transaction that uses the keys: a request that fails
  /// burns none.
  func setLastKey(of layout: EntityLayout, to key: Int64) throws(SQLiteError) {
    let statement = try statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
    try statement.bind(key, at: 1)
    try statement.bind(Int64(entityNumbers[layout.rootIndex]), at: 2)
    try statement.run()
  }
}
