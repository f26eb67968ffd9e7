// Rows that are counted as they change, to note the write-ahead log at certain counts.
internal import CSQLite

/// Tables whose changed rows are counted together, and what was noted at certain counts.
struct GrowthWatch {
  /// The tables' names as C text.
  private let tables: [[CChar]]
  var isWatching = false
  private(set) var points: [WALPoint] = []
  private let rowCounts: [Int]
  private var rows = 0

  init(tables: [String], rowCounts: [Int]) {
    self.tables = tables.map { Array($0.utf8CString) }
    self.rowCounts = Set(rowCounts.filter { $0 > 0 }).sorted()
  }

  /// Whether rows of the table are to be counted now.
  func watches(_ table: UnsafePointer<CChar>?) -> Bool {
    isWatching && tables.contains { sqlite3_stricmp(table, $0) == 0 }
  }

  /// Counts a row, and notes the log when the count is one to note.
  mutating func countRow(_ now: SQLiteCounters, since before: (walFrames: Int64, checkpoints: Int64)) {
    rows += 1
    guard points.count < rowCounts.count, rowCounts[points.count] == rows else { return }
    points.append(WALPoint(rows: rows, now, since: before))
  }
}

extension WALPoint {
  init(rows: Int, _ now: SQLiteCounters, since before: (walFrames: Int64, checkpoints: Int64)) {
    self.init(
      rows: rows, walBytes: now.walSize, walFrames: now.walFrames - before.walFrames,
      checkpoints: now.checkpoints - before.checkpoints)
  }
}
