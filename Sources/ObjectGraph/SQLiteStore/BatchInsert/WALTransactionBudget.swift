// How much an open transaction may still write to a limited write-ahead log.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Counts the pages of one transaction, so that it can be committed before the log exceeds its limit.
///
/// The log's length shows how many pages SQLite has written, but not how many changed pages it holds in memory. So each
/// row counts with the most pages that a row can change. When the limit would be reached, the whole file may still fit:
/// a transaction has each page in the log only once, however often it changes. Only if the file does not fit, the pages
/// are written and the log is measured. The budget is then reduced by what was actually written, and the rows use the
/// rest.
struct WALTransactionBudget {
  /// The most pages that one row can change in one tree: the page it splits, two neighbors, a new one, and their
  /// parent.
  private static let pagesPerTree = 5
  /// What the commit itself adds: keys and, with history, the transaction and its strings.
  private static let pagesPerCommit = 8

  private let connection: Connection
  private let pageSize: Int
  /// The number of trees: the table, its indexes, and those of history.
  private let trees: Int
  /// Whether SQLite can write changed pages before the commit on request.
  private let canFlush: Bool
  private var capacity = 0
  /// The log's length when the transaction began.
  private var bytesBefore: Int64 = 0
  /// The number of pages in the log, or the most that there can be.
  private var used = 0
  /// Pages that may have changed since then.
  private var pending = 0
  /// SQLite's page counter when the log was last measured.
  private var count: UInt32 = 0
  /// Whether the transaction must be committed.
  private(set) var isSpent = false

  /// - Parameters:
  ///   - pageSize: The size of a page in bytes.
  ///   - tables: The tables that a row is written to.
  ///   - connection: The writer.
  /// - Throws: SQLite's error.
  init(pageSize: Int, tables: [String], _ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    self.pageSize = pageSize
    var trees = 0
    for table in tables {
      trees += 1 + Int(try connection.scalar("SELECT count(*) FROM pragma_index_list('\(table)')") ?? 0)
    }
    self.trees = trees
    canFlush = try connection.scalar("PRAGMA cache_spill") != 0
  }

  /// The number of pages at which the transaction is committed, so that the last rows need not be counted one by one.
  private var enough: Int { capacity / 4 * 3 }

  /// The most pages that the transaction has written or may have changed.
  var pages: Int { used + max(pending, written) }

  /// Pages written since the log was last measured; a page that was written twice counts twice.
  private var written: Int { Int(connection.pagesWritten &- count) }

  /// Prepares for a transaction that is about to begin.
  ///
  /// - Parameters:
  ///   - bytes: The length of the log, which was truncated or is full of pages that a reader needs.
  ///   - frames: How many pages the transaction may add.
  mutating func begin(behind bytes: Int64, frames: Int) {
    bytesBefore = bytes
    capacity = max(0, frames - WALTransactionBudget.pagesPerCommit)
    count = connection.pagesWritten
    used = 0
    pending = 0
    isSpent = false
  }

  /// Counts a row that was stored.
  mutating func take(_ row: RowSnapshot, history: HistoryRecorder?) throws(SQLiteError) {
    pending += trees * (WALTransactionBudget.pagesPerTree + row.longBytes / pageSize)
    // Pages that did not fit into memory are already written: a row may have replaced a much longer one.
    if pages < capacity { return }
    let pagesInFile = Int(try connection.scalar("PRAGMA page_count") ?? .max)
    if pagesInFile < enough {
      used = pagesInFile
      count = connection.pagesWritten
      pending = 0
      return
    }
    // History collects runs of rows and writes them when necessary.
    try history?.flush()
    if canFlush { try connection.flushPages() }
    used = pagesInLog
    count = connection.pagesWritten
    pending = 0
    isSpent = used >= enough
  }

  private var pagesInLog: Int {
    // This includes pages that others have written in between.
    guard canFlush, let bytes = connection.logFileBytes else { return pages }
    return max(0, Int(bytes - max(bytesBefore, 32))) / (pageSize + 24)
  }
}

extension RowSnapshot {
  /// The bytes of texts and data; all other values are small compared with a page.
  fileprivate var longBytes: Int {
    var bytes = 0
    for slot in 0..<count {
      switch self[slot] {
      case .string(let text): bytes += text.utf8.count
      case .binary(let data): bytes += data.count
      case .uri(let uri): bytes += uri.absoluteString.utf8.count
      default: break
      }
    }
    return bytes
  }
}
