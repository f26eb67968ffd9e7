// Watching a store's file for commits of any connection, in this process and others.
internal import Dispatch
internal import SQLiteDriver

/// Asks SQLite again and again whether somebody committed (`PRAGMA data_version`), and reports it.
///
/// A look costs no input or output while nothing happens: the answer is in the memory that the connections of a
/// write-ahead log share. It works the same on every system and for every process, which notifications of the file
/// system do not: writes to that memory go unnoticed there.
// Sendable by proof: the connection and what was seen last are touched on `queue` alone, once the initializer is done.
final class StoreWatcher: @unchecked Sendable {
  typealias Post = @Sendable (_ transactionNumber: Int64?) -> Void

  /// The number of the last transaction, also where it was forgotten.
  static let lastTransaction =
    "SELECT coalesce((SELECT max(Z_PK) FROM ATRANSACTION), (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002), 0)"

  private static let ownQueue = DispatchSpecificKey<ObjectIdentifier>()

  private let queue = DispatchQueue(label: "ObjectGraph.StoreWatcher")
  private let timer: any DispatchSourceTimer
  private let connection: Connection
  private let version: Statement
  private let transaction: Statement?
  private let post: Post
  private var seen: (version: Int64, transaction: Int64?)

  /// - Parameters:
  ///   - description: The store.
  ///   - keepsHistory: Whether news are new transactions, or any commit.
  ///   - post: Called with the number of the last transaction, on a queue of the watcher's own.
  /// - Throws: what SQLite says when it cannot open the file.
  init(
    _ description: PersistentStoreDescription, keepsHistory: Bool, post: @escaping Post
  ) throws(SQLiteError) {
    // A commit that is under way is seen at the next look.
    let connection = try Connection(path: description.path, access: description.readingAccess, busyTimeout: 0)
    let version = try connection.prepare("PRAGMA data_version")
    let transaction = keepsHistory ? try connection.prepare(StoreWatcher.lastTransaction) : nil
    self.connection = connection
    self.version = version
    self.transaction = transaction
    self.post = post
    seen = (try version.number() ?? 0, try transaction?.number())
    timer = DispatchSource.makeTimerSource(queue: queue)
    queue.setSpecific(key: StoreWatcher.ownQueue, value: ObjectIdentifier(self))
    let milliseconds = Int((max(0.001, min(description.remoteChangeInterval, 3_600)) * 1_000).rounded())
    timer.schedule(
      deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds),
      leeway: .milliseconds(milliseconds / 10))
    timer.setEventHandler { [weak self] in self?.look() }
    timer.resume()
  }

  deinit { timer.cancel() }

  /// Ends the watch; nothing is posted afterwards.
  func close() throws(SQLiteError) {
    timer.cancel()
    let close = { Result { () throws(SQLiteError) in try self.connection.close() } }
    // An observer that closes the store is on the queue already.
    let isOnQueue = DispatchQueue.getSpecific(key: StoreWatcher.ownQueue) == ObjectIdentifier(self)
    try (isOnQueue ? close() : queue.sync(execute: close)).get()
  }

  private func look() {
    // What cannot be read now is read at the next look.
    guard let current = try? version.number(), current != seen.version else { return }
    if let transaction {
      guard let last = try? transaction.number() else { return }
      let isNew = last != seen.transaction
      seen = (current, last)
      if isNew { post(last) }
    } else {
      seen.version = current
      post(nil)
    }
  }
}

extension Statement {
  /// The first column of the first row.
  fileprivate func number() throws(SQLiteError) -> Int64? {
    defer { reset() }
    return try step() ? int64(0) : nil
  }
}
