// The write-ahead log in a phase: its size, the bytes written to it, its commits, and checkpoints.
package import BatchmarkEngine
internal import SQLiteDriver

/// Reads the metering VFS's figures for write-ahead logs.
struct WALInstrument: MeterInstrument {
  static let metrics = [
    declared(.walPeak, .bytes, "the WAL file at its largest"),
    declared(.walFinal, .bytes, "the WAL file at the end of the phase"),
    declared(.walBytesWritten, .bytes, "bytes written to the WAL, over all its restarts"),
    declared(.walBytesRewritten, .bytes, "of those, bytes written over frames that the same transaction had added"),
    declared(.walFrames, .frames, "frames added to the WAL"),
    declared(.walRestarts, .count, "how often the WAL was begun or restarted from its beginning"),
    declared(.walCommits, .count, "transactions committed to the WAL"),
    declared(.walCommitPeak, .frames, "the most frames that one of them added"),
    declared(
      .walBacklogPeak, .frames, "the most frames that a commit left in the WAL and no checkpoint had moved yet"),
    declared(.walSyncs, .count, "syncs of the WAL"),
    declared(.checkpoints, .count, "checkpoints that moved pages"),
    declared(.checkpointedPages, .pages, "pages that checkpoints moved into the database file"),
    declared(.sharedMemoryCalls, .count, "calls about the WAL's index in shared memory"),
  ]

  private static func declared(_ id: MetricID, _ unit: MetricUnit, _ help: String) -> MetricDeclaration {
    MetricDeclaration(id, unit, in: pass, needsWAL: true, help)
  }

  var readings: MeterReadings<SQLiteCounters>
  private var missesBacklog = false

  init(readings: MeterReadings<SQLiteCounters>) { self.readings = readings }

  static func stalePeaks(from before: SQLiteCounters, to after: SQLiteCounters) -> [MetricID: Int64?] {
    var stale: [MetricID: Int64?] = [:]
    let ofCommits: Int64? = after.walCommits == before.walCommits ? 0 : nil
    if after.walPeak == before.walPeak && before.walSize < before.walPeak { stale.updateValue(nil, forKey: .walPeak) }
    if after.walCommitPeak == before.walCommitPeak { stale.updateValue(ofCommits, forKey: .walCommitPeak) }
    if after.walBacklogPeak == before.walBacklogPeak && after.walCommits == after.walCommitsWithBacklog {
      stale.updateValue(ofCommits, forKey: .walBacklogPeak)
    }
    return stale
  }

  mutating func figures(from before: SQLiteCounters, to after: SQLiteCounters) -> [MetricID: Int64] {
    func growth(_ counter: (SQLiteCounters) -> Int64) -> Int64 { counter(after) - counter(before) }
    var figures: [MetricID: Int64] = [
      .walPeak: after.walPeak, .walFinal: after.walSize, .walBytesWritten: growth(\.walBytesWritten),
      .walBytesRewritten: growth(\.walBytesRewritten),
      .walFrames: growth(\.walFrames), .walRestarts: growth(\.walRestarts), .walCommits: growth(\.walCommits),
      .walCommitPeak: after.walCommitPeak, .walSyncs: growth(\.wal.syncs), .checkpoints: growth(\.checkpoints),
      .checkpointedPages: growth(\.checkpointedPages), .sharedMemoryCalls: growth(\.sharedMemory.calls),
    ]
    if growth(\.walCommits) > growth(\.walCommitsWithBacklog) {
      missesBacklog = true
    } else {
      figures[.walBacklogPeak] = after.walBacklogPeak
    }
    return figures
  }

  func detach() -> [MetricAbsence] {
    let backlog = MetricAbsence(
      [.walBacklogPeak], because: "this locking mode takes no locks, which say when to look", isOfEveryPhase: false
    )
    return readings.filesAbsence(WALInstrument.metrics) + processAbsence + (missesBacklog ? [backlog] : [])
  }
}

extension MetricID {
  /// The largest size of the WAL file, in bytes.
  package static let walPeak = MetricID("wal_peak_bytes")
  /// The size of the WAL file at the end of the phase, in bytes.
  package static let walFinal = MetricID("wal_final_bytes")
  /// Bytes written to the WAL, over all of its restarts.
  package static let walBytesWritten = MetricID("wal_bytes_written")
  /// The part of these bytes that added no frame: pages that a transaction rewrote in place after the cache had spilled
  /// them, and headers of frames whose checksums changed because of that.
  package static let walBytesRewritten = MetricID("wal_bytes_rewritten")
  /// Frames added to the WAL.
  package static let walFrames = MetricID("wal_frames")
  /// How often the WAL was created or restarted.
  package static let walRestarts = MetricID("wal_restarts")
  /// Transactions committed to the WAL.
  package static let walCommits = MetricID("wal_commits")
  /// The most frames that a transaction added.
  package static let walCommitPeak = MetricID("wal_commit_peak_frames")
  /// The most frames in the WAL after a commit that no checkpoint had moved yet.
  package static let walBacklogPeak = MetricID("wal_backlog_peak_frames")
  /// Syncs of the WAL.
  package static let walSyncs = MetricID("wal_syncs")
  /// Checkpoints that moved pages.
  package static let checkpoints = MetricID("checkpoints")
  /// Pages that checkpoints moved into the database file.
  package static let checkpointedPages = MetricID("checkpointed_pages")
  /// Calls that use the WAL's index in shared memory: parts mapped, locks, barriers.
  package static let sharedMemoryCalls = MetricID("shm_calls")
}
