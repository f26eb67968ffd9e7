// The size of the WAL against the rows of one phase, recorded at regular intervals and at the end.
package import SQLiteDriver

/// The WAL at one moment of the operation's phase.
package struct GrowthPoint: Codable, Sendable, Hashable {
  /// Rows passed to SQLite so far.
  package var rows: Int
  /// The size of the WAL file, in bytes.
  package var walBytes: Int64
  /// Frames written to the WAL since the phase began.
  package var walFrames: Int64
  /// Checkpoints that moved pages since then.
  package var checkpoints: Int64

  package init(rows: Int, walBytes: Int64, walFrames: Int64, checkpoints: Int64) {
    self.rows = rows
    self.walBytes = walBytes
    self.walFrames = walFrames
    self.checkpoints = checkpoints
  }
}

extension SQLiteMeter {
  /// Starts recording the WAL after every 2 % of the rows that will be changed in the tables.
  package func watchGrowth(of tables: [String], rows: Int) {
    let marks = 50
    watchGrowth(of: tables, at: (1...marks).map { rows * $0 / marks })
  }

  /// Stops, and returns the points; the last one is the present WAL.
  ///
  /// For a single transaction, only the last point shows its size: the frames are written at commit, after the last
  /// row.
  package func growth(rows: Int) -> [GrowthPoint] {
    endGrowth(rows: rows).map {
      GrowthPoint(rows: $0.rows, walBytes: $0.walBytes, walFrames: $0.walFrames, checkpoints: $0.checkpoints)
    }
  }
}
