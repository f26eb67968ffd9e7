// Moving the write-ahead log into the database file.
internal import CSQLite

/// How hard a checkpoint tries: https://www.sqlite.org/c3ref/wal_checkpoint_v2.html.
///
/// ```swift
/// let now = try connection.checkpoint(.passive)    // waits for nobody
/// let all = try connection.checkpoint(.truncate)   // waits as long as the busy timeout
/// ```
public enum CheckpointMode: Sendable, Hashable, CaseIterable {
  /// Moves what can be moved without waiting for locks.
  case passive
  /// Waits for writers and readers, then moves everything.
  case full
  /// Like `full`, and then waits until the next writer can restart the WAL.
  case restart
  /// Like `restart`, and then truncates the WAL to zero bytes.
  case truncate

  var flag: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .full: SQLITE_CHECKPOINT_FULL
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}

/// What a checkpoint did.
///
/// ```swift
/// let result = try connection.checkpoint(.full)
/// if !result.isComplete { print("\(result.logFrames - result.checkpointedFrames) frames are still in the log") }
/// ```
public struct CheckpointResult: Sendable, Hashable {
  /// Whether a reader, a writer or another checkpoint kept it from finishing.
  ///
  /// A passive checkpoint held up by a reader is not reported as busy: only its frames show it.
  public var isBusy: Bool
  /// Frames in the log; 0 after a truncation, -1 if the database is not in WAL mode.
  public var logFrames: Int
  /// How many of the frames are in the database file now; -1 if the database is not in WAL mode.
  public var checkpointedFrames: Int

  /// A result for code that replaces a checkpoint, such as a test.
  ///
  /// ```swift
  /// CheckpointResult(isBusy: false, logFrames: 12, checkpointedFrames: 12).isComplete  // true
  /// CheckpointResult(isBusy: false, logFrames: 12, checkpointedFrames: 7).isComplete   // false
  /// ```
  public init(isBusy: Bool, logFrames: Int, checkpointedFrames: Int) {
    self.isBusy = isBusy
    self.logFrames = logFrames
    self.checkpointedFrames = checkpointedFrames
  }

  /// Whether the whole log is in the database file.
  public var isComplete: Bool { !isBusy && logFrames == checkpointedFrames }
}

extension Connection {
  /// Checkpoints the main database.
  ///
  /// ```swift
  /// try connection.setPragma("journal_mode", to: "wal")
  /// let isEmptied = try connection.checkpoint(.truncate).isComplete
  /// ```
  ///
  /// - Parameter mode: How hard to try.
  /// - Returns: What it did; a checkpoint that was held up is not an error.
  /// - Throws: Any failure except ``ResultCode/busy``, which is part of the result; ``ResultCode/locked`` inside a
  ///   transaction of this connection that has written.
  public func checkpoint(_ mode: CheckpointMode = .passive) throws(SQLiteError) -> CheckpointResult {
    let handle = try openHandle()
    var log: Int32 = -1
    var checkpointed: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(handle, "main", mode.flag, &log, &checkpointed)
    let isBusy = ResultCode.busy ~= ResultCode(rawValue: code)
    guard code == SQLITE_OK || isBusy else { throw failure(code) }
    return CheckpointResult(isBusy: isBusy, logFrames: Int(log), checkpointedFrames: Int(checkpointed))
  }
  /// Checkpoints without waiting for locks, whatever the mode and the busy timeout.
  ///
  /// ```swift
  /// let result = try connection.checkpointWithoutWaiting(.truncate)
  /// if result.isBusy { print("a reader blocks the checkpoint: try again later") }
  /// ```
  ///
  /// - Throws: The same errors as ``checkpoint(_:)``.
  public func checkpointWithoutWaiting(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
    let handle = try openHandle()
    let timeout = try scalar("PRAGMA busy_timeout") ?? 0
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, Int32(clamping: timeout)) }
    return try checkpoint(mode)
  }
}
