// How long SQLite waited for its files in a phase: syncs and checkpoints.
package import BatchmarkEngine
internal import SQLiteDriver
internal import Support

/// Reads the metering VFS's times, which never repeat exactly.
struct WaitInstrument: MeterInstrument {
  static let metrics = [
    MetricDeclaration(.syncTime, .nanoseconds, .sampled, in: pass, "time in syncs of any file"),
    MetricDeclaration(.longestSync, .nanoseconds, .sampled, in: pass, "the longest sync"),
    MetricDeclaration(
      .checkpointTime, .nanoseconds, .sampled, in: pass, needsWAL: true, "time in checkpoints"),
    MetricDeclaration(
      .longestCheckpoint, .nanoseconds, .sampled, in: pass, needsWAL: true,
      "the longest checkpoint, for which a commit may have had to wait"),
  ]

  var readings: MeterReadings<SQLiteTimes>

  static func read(_ meter: SQLiteMeter) -> SQLiteTimes { meter.times() }

  static func read(_ readings: [MeterReading]) -> SQLiteTimes { SQLiteTimes(readings) }

  static func stalePeaks(from before: SQLiteTimes, to after: SQLiteTimes) -> [MetricID: Int64?] {
    func known(_ before: SpentTime, _ after: SpentTime) -> Int64? { after.total == before.total ? 0 : nil }
    var stale: [MetricID: Int64?] = [:]
    if after.syncs.longest == before.syncs.longest {
      stale.updateValue(known(before.syncs, after.syncs), forKey: .longestSync)
    }
    if after.checkpoints.longest == before.checkpoints.longest {
      stale.updateValue(known(before.checkpoints, after.checkpoints), forKey: .longestCheckpoint)
    }
    return stale
  }

  func figures(from before: SQLiteTimes, to after: SQLiteTimes) -> [MetricID: Int64] {
    [
      .syncTime: WaitInstrument.nanoseconds(after.syncs.total - before.syncs.total),
      .longestSync: WaitInstrument.nanoseconds(after.syncs.longest),
      .checkpointTime: WaitInstrument.nanoseconds(after.checkpoints.total - before.checkpoints.total),
      .longestCheckpoint: WaitInstrument.nanoseconds(after.checkpoints.longest),
    ]
  }

  /// The duration, clamped to the range of `Int64`: another process may have published any value.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? (seconds < 0 ? .min : .max) : whole.addingClamped(attoseconds / 1_000_000_000)
  }

  func detach() -> [MetricAbsence] { readings.filesAbsence(WaitInstrument.metrics) + processAbsence }
}

extension MetricID {
  /// Time in syncs of any file, in nanoseconds.
  package static let syncTime = MetricID("sync_time_ns")
  /// The longest sync, in nanoseconds.
  package static let longestSync = MetricID("longest_sync_ns")
  /// Time in checkpoints, in nanoseconds.
  package static let checkpointTime = MetricID("checkpoint_time_ns")
  /// The longest checkpoint, in nanoseconds; a commit may have had to wait for it.
  package static let longestCheckpoint = MetricID("longest_checkpoint_ns")
}
