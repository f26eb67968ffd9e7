// A generation of an SQLite store: a reading connection that stays in one read transaction.
internal import CoreDataModel
internal import SQLiteDriver
internal import Support
internal import Synchronization

extension SQLiteStore {
  /// Refuses a store without a write-ahead log: with a rollback journal, a reader prevents every commit.
  ///
  /// - Throws: ``ObjectGraphError/queryGeneration(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  func checkGenerations() throws(ObjectGraphError) {
    if isShared {
      throw .queryGeneration(
        found: "the store \(identity.path) in a stage of its migration", expected: "a store that is open by itself")
    }
    try reader.read { (reader) throws(ObjectGraphError) in try checkGenerations(reader) }
  }

  private func checkGenerations(_ reader: StoreReader) throws(ObjectGraphError) {
    // Nobody writes to it.
    if isImmutable { return }
    let mode = try during("reading the journal mode of \(identity.path)") { () throws(SQLiteError) in
      try reader.connection.pragma("journal_mode")
    }
    if mode?.lowercased() == "wal" { return }
    throw .queryGeneration(
      found: "the store \(identity.path) with the journal mode \(mode ?? "none")",
      expected: "a store in WAL mode, the only one in which readers keep what they see while others write")
  }

  func generation() throws(ObjectGraphError) -> SQLiteReader {
    let reader = try readers.open()
    try checkGenerations(reader)
    try during("pinning a generation of \(identity.path)") { () throws(SQLiteError) in
      try reader.connection.begin(.deferred)
      // A deferred transaction begins with its first read.
      _ = try reader.connection.scalar("SELECT count(*) FROM Z_METADATA")
    }
    let connection = PinnedConnection(reader, path: identity.path)
    generations.withLock { generations in
      generations.removeAll { $0.connection == nil }
      generations.append(WeakGeneration(connection: connection))
    }
    return SQLiteReader(self.reader, pinnedTo: connection)
  }
}

/// A reading connection in a generation's transaction.
final class PinnedConnection: Sendable {
  private let path: String
  /// `nil` once the store is closed.
  private let reader: WriterLock<StoreReader?>

  init(_ reader: StoreReader, path: String) {
    self.reader = WriterLock(reader)
    self.path = path
  }

  /// Closes the connection, which ends its read transaction.
  ///
  /// Errors are ignored, because no caller could act on them.
  deinit { try? close() }

  /// Whether the calling thread is reading with it.
  var isHeldByCaller: Bool { reader.isHeldByCaller }

  func withReader<T>(_ body: (StoreReader) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    try reader.withLock { (reader) throws(ObjectGraphError) in
      guard let reader else { throw .noStore }
      return try body(reader)
    }
  }

  /// Closes the connection for all of its users, because its store is being closed.
  func close() throws(ObjectGraphError) {
    try reader.withLock { (reader) throws(ObjectGraphError) in
      let closing = reader
      reader = nil
      try during("closing a generation of \(path)") { () throws(SQLiteError) in try closing?.close() }
    }
  }
}

/// A weak reference to the connection of a store's generation.
struct WeakGeneration: Sendable {
  weak var connection: PinnedConnection?
}
