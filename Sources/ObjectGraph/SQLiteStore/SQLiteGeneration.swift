// A generation of a SQLite store: a reading connection held in one read transaction.
internal import CoreDataModel
internal import SQLiteDriver
internal import Synchronization

extension SQLiteStore {
  /// Refuses a store without a write-ahead log: a reader of a rollback journal keeps every writer from committing.
  ///
  /// - Throws: ``ObjectGraphError/queryGeneration(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  func checkGenerations() throws(ObjectGraphError) {
    try read { (reader) throws(ObjectGraphError) in try checkGenerations(reader) }
  }

  private func checkGenerations(_ reader: StoreReader) throws(ObjectGraphError) {
    // Nobody writes it.
    if isImmutable { return }
    let mode = try during("reading the journal mode of \(identity.path)") { () throws(SQLiteError) in
      try reader.connection.pragma("journal_mode")
    }
    if mode?.lowercased() == "wal" { return }
    throw .queryGeneration(
      found: "the store \(identity.path) with the journal mode \(mode ?? "none")",
      expected: "a store in WAL mode, the only one in which readers keep what they see while others write")
  }

  func generation() throws(ObjectGraphError) -> any StoreReading {
    let reader = try readers.open()
    try checkGenerations(reader)
    try during("pinning a generation of \(identity.path)") { () throws(SQLiteError) in
      try reader.connection.begin(.deferred)
      // A deferred transaction begins with its first read.
      _ = try reader.connection.scalar("SELECT count(*) FROM Z_METADATA")
    }
    let generation = SQLiteGeneration(reader, of: self)
    generations.withLock { generations in
      generations.removeAll { $0.generation == nil }
      generations.append(WeakGeneration(generation: generation))
    }
    return generation
  }
}

/// What a store held when its transaction began.
// Sendable by proof: the reader is used only inside `lock`, which one thread holds at a time, and by deinit; the rest is
// constant.
final class SQLiteGeneration: SQLiteReading, @unchecked Sendable {
  let identity: StoreIdentity
  let schema: LayoutSchema
  let entityIndexes: [Int: Int]
  let keyedRows: [KeyedRowQuery]
  let keyedTables: [Int: KeyedTableQuery]
  let log: SQLTrace?
  private let entityNumbers: [Int]
  private let lock = WriterLock()
  /// Nil once the store is closed.
  private var reader: StoreReader?

  fileprivate init(_ reader: StoreReader, of store: SQLiteStore) {
    self.reader = reader
    identity = store.identity
    schema = store.schema
    entityIndexes = store.entityIndexes
    keyedRows = store.keyedRows
    keyedTables = store.keyedTables
    log = store.log
    entityNumbers = store.schema.model.layouts.map { store.entityNumber(of: $0) }
  }

  /// The read transaction ends with its connection, which has nothing to report that anybody could act on.
  deinit { try? reader?.close() }

  func entityNumber(of layout: EntityLayout) -> Int { entityNumbers[layout.index] }

  func read<T>(_ body: (StoreReader) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    try lock.withLock { () throws(ObjectGraphError) in
      guard let reader else { throw .noStore }
      return try body(reader)
    }
  }

  /// Ends it for everybody: its store is closed.
  func close() throws(ObjectGraphError) {
    try lock.withLock { () throws(ObjectGraphError) in
      let closing = reader
      reader = nil
      try during("closing a generation of \(identity.path)") { () throws(SQLiteError) in try closing?.close() }
    }
  }
}

/// A store's generation, as long as somebody else holds it.
struct WeakGeneration: Sendable {
  weak var generation: SQLiteGeneration?
}
