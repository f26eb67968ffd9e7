// Limits the write-ahead log during a request: empties it between transactions, and reports on it at the end.
internal import CoreDataModel
internal import SQLiteDriver

/// Keeps the log within a size over the transactions of one request.
struct WALBudget {
  private let connection: Connection
  private let pageSize: Int
  private let limitFrames: Int
  /// How much one transaction may write.
  var room: WALTransactionBudget
  private(set) var report: WriteAheadLogReport
  /// Frames in the log before the transaction.
  private var framesBefore = 0
  private var frames = 0
  /// How many frames the transaction may add.
  private var allowance = 0
  /// Whether the last attempt to empty the log failed.
  private var isHeldUp = false

  /// - Returns: `nil` for a store without a write-ahead log.
  init?(limit: Int, layout: EntityLayout, _ writer: StoreWriter) throws(SQLiteError) {
    connection = writer.connection
    guard try connection.pragma("journal_mode") == "wal" else { return nil }
    pageSize = Int(try connection.scalar("PRAGMA page_size") ?? 4096)
    // The log has a header, and each page has one: https://www.sqlite.org/walformat.html.
    limitFrames = max(0, limit - 32) / (pageSize + 24)
    room = try WALTransactionBudget(
      pageSize: pageSize, tables: [layout.tableName] + (writer.history == nil ? [] : ["ACHANGE"]), connection)
    report = WriteAheadLogReport(limitBytes: limit)
  }

  /// Moves the log into the database file and truncates it, so that its length shows what the next transaction writes.
  ///
  /// A reader may hold this up. It waits for the reader once, up to the busy timeout, and then no longer until the log
  /// could be emptied again. Until then, each transaction may be as long as the log: small ones would write the same
  /// pages repeatedly into a log that keeps them all.
  mutating func empty() throws(SQLiteError) {
    var result = try connection.checkpointWithoutWaiting(.truncate)
    if result.isBusy, !isHeldUp { result = try connection.checkpoint(.truncate) }
    isHeldUp = result.isBusy
    report.checkpoints += 1
    if isHeldUp { report.heldUpCheckpoints += 1 }
    framesBefore = isHeldUp ? max(frames, result.logFrames) : 0
    allowance = max(limitFrames, framesBefore)
    room.begin(behind: isHeldUp ? connection.logFileBytes ?? 0 : 0, frames: allowance)
  }

  /// Records a committed transaction: its rows are safe, so errors here are left to the next attempt.
  mutating func committed() {
    let result = try? connection.checkpoint(.passive)
    // SQLite reports nothing while another connection is checkpointing.
    frames = result.map(\.logFrames).flatMap { $0 < 0 ? nil : $0 } ?? framesBefore + room.pages
    report.transactions += 1
    report.highWaterBytes = max(report.highWaterBytes, frames == 0 ? 0 : 32 + frames * (pageSize + 24))
    if frames - framesBefore > allowance { report.oversizedTransactions += 1 }
  }
}
