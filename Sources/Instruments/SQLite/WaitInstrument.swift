// How long SQLite waited for its files in a phase: syncs and checkpoints.
internal import SQLiteDriver

/// Reads the metering VFS's times, which are never the same twice.
struct WaitInstrument: Instrument {
  static let pass = Pass.counters

  static let metrics = [
    MetricDeclaration(.syncTime, .nanoseconds, .sampled, in: pass, "time in syncs of any file"),
    MetricDeclaration(.longestSync, .nanoseconds, .sampled, in: pass, "the longest sync"),
    MetricDeclaration(
      .checkpointTime, .nanoseconds, .sampled, in: pass, needsWAL: true, "time in checkpoints"),
    MetricDeclaration(
      .longestCheckpoint, .nanoseconds, .sampled, in: pass, needsWAL: true,
      "the longest checkpoint, for which a commit may have had to wait"),
  ]

  private let meter: SQLiteMeter
  private var before: SQLiteTimes?

  private var coverage: MeterCoverage

  init(in context: InstrumentContext) throws {
    meter = try SQLiteMeter.attach()
    coverage = MeterCoverage(meter)
  }

  mutating func engineOpens(storeAt path: String) { coverage.engineOpens(storeAt: path) }

  mutating func engineHasOpened(storeAt path: String) { coverage.engineHasOpened(storeAt: path) }

  mutating func phaseBegins(_ phase: Phase) {
    meter.markPeak()
    // There is no store yet.
    before = phase == .load ? nil : meter.times()
  }

  func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    guard let before else { return [:] }
    let after = meter.times()
    return [
      .syncTime: WaitInstrument.nanoseconds(after.syncs.total - before.syncs.total),
      .longestSync: WaitInstrument.nanoseconds(after.syncs.longest),
      .checkpointTime: WaitInstrument.nanoseconds(after.checkpoints.total - before.checkpoints.total),
      .longestCheckpoint: WaitInstrument.nanoseconds(after.checkpoints.longest),
    ]
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  func detach() -> [MetricAbsence] { coverage.filesAbsence(WaitInstrument.metrics) }
}

extension MetricID {
  /// Time in syncs of any file, in nanoseconds.
  public static let syncTime = MetricID("sync_time_ns")
  /// The longest sync, in nanoseconds.
  public static let longestSync = MetricID("longest_sync_ns")
  /// Time in checkpoints, in nanoseconds.
  public static let checkpointTime = MetricID("checkpoint_time_ns")
  /// The longest checkpoint, in nanoseconds, for which a commit may have had to wait.
  public static let longestCheckpoint = MetricID("longest_checkpoint_ns")
}
