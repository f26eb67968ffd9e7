// Watches a store's file for commits by any connection, in this process and others.
internal import Dispatch
internal import SQLiteDriver
internal import Support
internal import Synchronization

/// Polls SQLite for commits by other connections (`PRAGMA data_version`), and reports them.
///
/// Polling needs no I/O while nothing happens: the version is in the memory that WAL connections share. It works the
/// same on every system and for every process. File system notifications do not, because they miss writes to that
/// memory.
final class StoreWatcher: Sendable {
  typealias Post = @Sendable (_ transactionNumber: Int64?) -> Void

  /// The number of the last transaction, even if that was deleted.
  static let lastTransaction =
    "SELECT coalesce((SELECT max(Z_PK) FROM ATRANSACTION), (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002), 0)"

  private let timer: Lock<any DispatchSourceTimer>
  private let watched: Lock<WatchedFile>
  private let post: Post

  /// - Parameters:
  ///   - description: The store.
  ///   - keepsHistory: Whether to report only new transactions in the history instead of every commit.
  ///   - post: Called with the number of the last transaction, on the watcher's own queue.
  /// - Throws: SQLite's error if the file cannot be opened.
  init(
    _ description: PersistentStoreDescription, keepsHistory: Bool, post: @escaping Post
  ) throws(SQLiteError) {
    watched = Lock(try WatchedFile(description, keepsHistory: keepsHistory))
    self.post = post
    timer = Lock(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ObjectGraph.StoreWatcher")))
    let milliseconds = Int((max(0.001, min(description.remoteChangeInterval, 3_600)) * 1_000).rounded())
    timer.withLock { timer in
      timer.schedule(
        deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds),
        leeway: .milliseconds(milliseconds / 10))
      timer.setEventHandler { [weak self] in self?.look() }
      timer.resume()
    }
  }

  deinit { timer.withLock { $0.cancel() } }

  /// Stops watching: later commits are not seen, but a commit seen just before may still be posted.
  ///
  /// It does not wait for a running post, because its observer may be waiting for the queue that closes the store.
  func close() throws(SQLiteError) {
    timer.withLock { $0.cancel() }
    try watched.withLock { (file) throws(SQLiteError) in try file.close() }
  }

  /// Post outside the lock, because an observer may close the watcher.
  private func look() {
    if let commit = watched.withLock({ $0.newCommit() }) { post(commit.transaction) }
  }
}

/// A store's file for a watcher: its own connection, and the last state seen.
private struct WatchedFile {
  /// A commit since the last check.
  struct Commit {
    /// The number of the last transaction; `nil` without history.
    let transaction: Int64?
  }

  private let connection: Connection
  private let version: Statement
  private let transaction: Statement?
  private var seen: (version: Int64, transaction: Int64?)
  private var isClosed = false

  init(_ description: PersistentStoreDescription, keepsHistory: Bool) throws(SQLiteError) {
    // Do not wait: the next check sees a commit that is in progress.
    connection = try Connection(path: description.path, access: description.readingAccess, busyTimeout: 0)
    version = try connection.prepare("PRAGMA data_version")
    transaction = keepsHistory ? try connection.prepare(StoreWatcher.lastTransaction) : nil
    seen = (try version.number() ?? 0, try transaction?.number())
  }

  mutating func close() throws(SQLiteError) {
    isClosed = true
    try connection.close()
  }

  /// The commit since the last check; `nil` if there is none, nothing can be read now, or the file is closed.
  mutating func newCommit() -> Commit? {
    guard !isClosed, let current = try? version.number(), current != seen.version else { return nil }
    guard let transaction else {
      seen.version = current
      return Commit(transaction: nil)
    }
    guard let last = try? transaction.number() else { return nil }
    let isNew = last != seen.transaction
    seen = (current, last)
    return isNew ? Commit(transaction: last) : nil
  }
}

extension Statement {
  /// The first column of the first row.
  fileprivate func number() throws(SQLiteError) -> Int64? {
    defer { reset() }
    return try step() ? int64(0) : nil
  }
}
