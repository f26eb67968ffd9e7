// A store in an SQLite file with Core Data's layout: one writing connection, and several readers.
internal import CoreDataModel
internal import SQLiteDriver
internal import Support
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A store in an SQLite file.
///
/// Contexts read through its ``reader``; all other requests are methods of the store.
final class SQLiteStore: Sendable {
  let identity: StoreIdentity
  let path: String
  let isReadOnly: Bool
  let isImmutable: Bool
  let log: SQLTrace?
  /// Whether changes are recorded in history.
  let keepsHistory: Bool
  /// How history records which properties changed, by the entity's index in the model.
  let historyColumns: [HistoryColumns]
  /// Reads everything that is committed.
  let reader: SQLiteReader
  private let writer: WriterLock<StoreWriter>
  let readers: ReaderPool
  /// The generations that contexts are pinned to.
  let generations = Lock<[WeakGeneration]>([])
  /// With an absolute path.
  private let description: PersistentStoreDescription
  /// The connection for everything if the store is part of an open transaction; `nil` if it has its own.
  private let shared: SharedConnection?
  private let watcher = Lock<StoreWatcher?>(nil)
  /// `nil` once the store is closed.
  private let file: Lock<OpenFile?>
  /// The application's metadata for the next save to write; `nil` if there is nothing to write.
  let pendingMetadata = Lock<[String: MetadataValue]?>(nil)

  convenience init(_ description: PersistentStoreDescription, model: CompiledModel) throws(ObjectGraphError) {
    self.init(description, model: model, try StoreOpening(description, model: model).open())
  }

  /// - Parameters:
  ///   - description: How the store was opened.
  ///   - model: Its model.
  ///   - opened: The open store.
  ///   - shared: Its connection, if that is not the store's own.
  init(
    _ description: PersistentStoreDescription, model: CompiledModel, _ opened: sending StoreOpening.Opened,
    shared: SharedConnection? = nil
  ) {
    // Connections that open later must find the same file, even if the working directory changes.
    var later = description
    if !later.path.hasPrefix("/") { later.path = FileManager.default.currentDirectoryPath + "/" + later.path }
    self.description = later
    self.shared = shared
    path = description.path
    let file = OpenFile(later.path)
    self.file = Lock(file)
    keepsHistory = description.tracksPersistentHistory && opened.hasHistory
    historyColumns = keepsHistory ? model.layouts.map { HistoryColumns($0) } : []
    isReadOnly = description.isReadOnly
    isImmutable = description.isImmutable
    log = description.sqlTrace
    identity = StoreIdentity(
      uuid: opened.uuid, entityNames: model.layouts.map(\.entity.name), path: description.path,
      configurationName: description.configuration, isReadOnly: description.isReadOnly, entities: opened.entities)
    readers = ReaderPool(
      later, file: file?.identity, preparation: opened.preparation, version: opened.version, shared: shared)
    reader = SQLiteReader(readers, of: identity, model, entityNumbers: opened.entityNumbers, log: log)
    let writer = StoreWriter(
      opened.connection, identity: identity, model: model, entityNumbers: opened.entityNumbers,
      entityIndexes: reader.entityIndexes, keyedRows: reader.keyedRows, version: opened.version,
      threadPatience: description.insertsOnTwoThreads ? description.insertThreadPatience : nil)
    if keepsHistory && !isReadOnly {
      writer.history = HistoryRecorder(writer, columns: historyColumns)
    }
    self.writer = WriterLock(writer)
  }

  /// Runs the body with exclusive use of the writing connection.
  func write<T>(_ body: (StoreWriter) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    if isReadOnly { throw .readOnlyStore(path: path) }
    return try withWriterAsItIs { (writer) throws(ObjectGraphError) in
      try during("rolling back an earlier request") { () throws(SQLiteError) in
        try writer.connection.finishRollback()
      }
      try during("writing to the store") { () throws(SQLiteError) in
        try file.withLock { $0?.identity }?.requireFile(at: description.path)
      }
      do throws(ObjectGraphError) {
        let result = try body(writer)
        // A request that found conflicts commits nothing, but it may have found them in rows of another model.
        try writer.version.check(writer.connection)
        return result
      } catch {
        // If tables or columns were not found, the statement may be from the model before a migration.
        try writer.version.check(writer.connection, after: error)
        throw error
      }
    }
  }

  /// Runs the body with the writing connection, in whatever state an earlier request has left it.
  func withWriterAsItIs<T>(_ body: (StoreWriter) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    guard let shared else { return try writer.withLock { (writer) throws(ObjectGraphError) in try body(writer) } }
    return try shared.use { () throws(ObjectGraphError) in
      try writer.withLock { (writer) throws(ObjectGraphError) in try body(writer) }
    }
  }

  /// Whether the store is part of an open transaction.
  var isShared: Bool { shared != nil }

  var handle: PersistentStore { PersistentStore(identity: identity) }

  /// Whether the calling thread is in a request that writes to the store.
  var isBeingWrittenByCaller: Bool { writer.isHeldByCaller }

  /// The value of a pragma in the writing connection.
  func pragma(_ name: String) throws(ObjectGraphError) -> String? {
    try withWriterAsItIs { (writer) throws(ObjectGraphError) in
      try during("reading a pragma") { () throws(SQLiteError) in try writer.connection.pragma(name) }
    }
  }

  /// Moves the write-ahead log into the database file, as far as the mode tries.
  func checkpoint(_ mode: CheckpointMode) throws(ObjectGraphError) -> CheckpointResult {
    try write { (writer) throws(ObjectGraphError) in
      try during("checkpointing") { () throws(SQLiteError) in try writer.connection.checkpoint(mode) }
    }
  }

  /// Copies the store's present content.
  func backUp(to path: String) throws(ObjectGraphError) {
    try reader.read { (reader) throws(ObjectGraphError) in
      try during("copying the store to \(path)") { () throws(SQLiteError) in try reader.connection.backUp(to: path) }
    }
  }

  /// Starts reporting commits by any connection, if the store was opened with that option.
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

  /// Refuses to close the store if the caller is in a request that writes to it, or that reads one of its generations.
  ///
  /// - Throws: ``ObjectGraphError/reentrantRequest``.
  func refuseReentrantClosing() throws(ObjectGraphError) {
    if isBeingWrittenByCaller || generations.withLock({ $0 }).contains(where: { $0.connection?.isHeldByCaller == true })
    {
      throw .reentrantRequest
    }
  }

  /// Closes everything that the store has open or, if that is refused, nothing.
  ///
  /// - Throws: ``ObjectGraphError/reentrantRequest``, ``ObjectGraphError/store(_:during:)``.
  func close() throws(ObjectGraphError) {
    try refuseReentrantClosing()
    let watcher = self.watcher.withLock { watcher in
      defer { watcher = nil }
      return watcher
    }
    try during("ending the watch of the store") { () throws(SQLiteError) in try watcher?.close() }
    shared?.end()
    for generation in generations.withLock({ $0 }) { try generation.connection?.close() }
    try writer.withLock { (writer) throws(ObjectGraphError) in
      // The last connection moves the log into the file and removes it, which a reading connection cannot do.
      try readers.close()
      try during("closing the store") { () throws(SQLiteError) in
        try writer.close()
      }
    }
    file.withLock { $0 = nil }
  }
}
