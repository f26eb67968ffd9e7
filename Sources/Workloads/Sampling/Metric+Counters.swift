// What the SQLite meter counted in a phase, as metrics.
internal import SQLiteDriver

extension Metric {
  /// The metrics of a phase; its peaks were marked as it began.
  static func values(of after: SQLiteCounters, since before: SQLiteCounters) -> [Metric: Int64] {
    func growth(_ counter: (SQLiteCounters) -> Int64) -> Int64 { counter(after) - counter(before) }
    return [
      .walPeak: after.walPeak, .walFinal: after.walSize, .walBytesWritten: growth(\.walBytesWritten),
      .walFrames: growth(\.walFrames), .walGenerations: growth(\.walGenerations), .walCommits: growth(\.walCommits),
      .walCommitPeak: after.walCommitPeak, .walBacklogPeak: after.walBacklogPeak, .walSyncs: growth(\.wal.syncs),
      .checkpoints: growth(\.checkpoints), .checkpointedPages: growth(\.checkpointedPages),
      .sharedMemoryCalls: growth(\.sharedMemory.calls),
      .syncs: growth(\.syncs), .databaseSyncs: growth(\.database.syncs), .journalSyncs: growth(\.journal.syncs),
      .bytesWritten: growth(\.bytesWritten), .databaseBytesWritten: growth(\.database.bytesWritten),
      .journalBytesWritten: growth(\.journal.bytesWritten), .temporaryBytesWritten: growth(\.temporary.bytesWritten),
      .bytesRead: growth(\.bytesRead), .readCalls: growth(\.reads), .writeCalls: growth(\.writes),
      .vmSteps: growth(\.vmSteps), .statements: growth(\.statements), .sorts: growth(\.sorts),
      .fullScanSteps: growth(\.fullScanSteps),
      .cacheHits: growth(\.pageCache.hits), .cacheMisses: growth(\.pageCache.misses),
      .cacheWrites: growth(\.pageCache.writes), .cacheSpills: growth(\.pageCache.spills),
    ]
  }

  /// The times of a phase.
  static func values(of after: SQLiteTimes, since before: SQLiteTimes) -> [Metric: Int64] {
    [
      .syncTime: nanoseconds(after.syncs.total - before.syncs.total), .longestSync: nanoseconds(after.syncs.longest),
      .checkpointTime: nanoseconds(after.checkpoints.total - before.checkpoints.total),
      .longestCheckpoint: nanoseconds(after.checkpoints.longest),
    ]
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
