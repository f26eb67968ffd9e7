// The instruments of a pass: what is attached before a sample, read around each phase, and taken off after it.
internal import BatchmarkEngine
internal import Instruments
internal import SQLiteDriver
internal import Scenarios

/// Measures phases with the instruments of one pass.
///
/// In the timing pass there are two clocks and nothing else, but for what a cell asks to have attached; in pairs of
/// workers that take turns, also a probe of the processor's speed.
final class PassInstruments {
  let pass: Pass
  /// What was measured without, and why.
  private(set) var notes: [String] = []
  private var meter: SQLiteMeter?
  private var allocations: AllocationMeter?
  private var sampler: MemorySampler?
  private var probesSpeed: Bool
  private var storePath: String?
  private var framesBeforeWatching: Int64 = 0
  private let profile: ProfileInstruments?

  /// - Parameters:
  ///   - pass: Decides on the instruments.
  ///   - attachment: What is attached in the timing pass; the other passes have their own instruments.
  ///   - probesSpeed: Whether the operation's phase is timed with a probe of the processor's speed.
  ///   - profile: What a profile looks at besides; nil for a sample.
  /// - Throws: ``SampleError/instrument(_:)`` when an instrument cannot work here.
  init(
    _ pass: Pass, attached attachment: Attachment? = nil, probesSpeed: Bool = false,
    profile: ProfileInstruments? = nil
  ) throws {
    self.pass = pass
    self.probesSpeed = probesSpeed
    self.profile = profile
    switch pass {
    case .timing: try attach(attachment)
    case .counters: meter = try SQLiteMeter.attach()
    case .memory:
      let loaded = try PassInstruments.loadedMeter()
      allocations = loaded
      try SQLiteLibrary.markAllocations(by: loaded.mark)
      if !ResidentSet.resetPeak() {
        notes.append("rss_peak_bytes is the whole process's: the kernel does not let its peak be reset")
      }
      try startSampler()
    }
  }

  /// Has an instrument there that is asked nothing.
  private func attach(_ attachment: Attachment?) throws {
    switch attachment {
    case nil, .nothing: break
    case .meteringVFS: _ = try SQLiteMeter.attach()
    case .sampler: try startSampler()
    case .allocationMeter: _ = try PassInstruments.loadedMeter()
    case .speedProbe: probesSpeed = true
    }
  }

  private func startSampler() throws {
    let sampler = MemorySampler()
    try sampler.start()
    self.sampler = sampler
  }

  private static func loadedMeter() throws -> AllocationMeter {
    guard let loaded = AllocationMeter.loaded else {
      throw SampleError.instrument(
        "the allocation meter is not loaded, so the heap's peak cannot be exact; build with scripts/bench, which "
          + "puts its library beside the executable")
    }
    return loaded
  }

  func stop() { sampler?.stop() }

  /// Who is told of stages; nil but in a profile.
  var stages: StageRecorder? { profile?.recorder }

  /// Runs the body as a phase and appends what it took; the body tells its result and the rows it handled.
  func measure<T>(
    _ phase: Phase, into phases: inout [PhaseMeasurement], _ body: () throws -> (T, rows: Int)
  ) throws -> T {
    var measurement = PhaseMeasurement(phase: phase, rows: 0)
    func work() throws -> (T, rows: Int) {
      guard let profile else { return try body() }
      return try profile.follow(phase, body)
    }
    let result: T
    switch pass {
    case .timing: (result, measurement.rows) = try time(&measurement, work)
    case .counters: (result, measurement.rows) = try count(&measurement, work)
    case .memory: (result, measurement.rows) = try weigh(&measurement, work)
    }
    measurement.profile = profile?.profile(of: phase)
    phases.append(measurement)
    return result
  }

  private func time<T>(_ measurement: inout PhaseMeasurement, _ body: () throws -> T) throws -> T {
    // Outermost, because reading it takes longer than the clocks. Where two workers share a processor, the other one's time
    // is no part of it.
    let before = TimeSlices.now()
    let interference = Interference.now()
    let cpu = ProcessTime.cpuSeconds()
    let isProbed = probesSpeed && measurement.phase.isMain
    if isProbed { try SpeedProbe.start() }
    let start = TimeSlices.now()
    let result: T
    do {
      result = try body()
    } catch {
      if isProbed { _ = SpeedProbe.stop() }
      throw error
    }
    let end = TimeSlices.now()
    if isProbed { measurement.probeSeconds = SpeedProbe.stop() }
    measurement.cpuSeconds = ProcessTime.cpuSeconds() - cpu
    measurement.interference = Interference.now().since(interference)
    let after = TimeSlices.now()
    measurement.wallSeconds = Double(end - start) / 1e9
    measurement.readingSeconds = Double((after - before) - (end - start)) / 1e9
    return result
  }

  private func count<T>(_ measurement: inout PhaseMeasurement, _ body: () throws -> T) throws -> T {
    guard let meter, measurement.phase != .load else { return try body() }
    meter.markPeak()
    let (before, timesBefore) = (meter.counters(), meter.times())
    let result = try body()
    let (after, timesAfter) = (meter.counters(), meter.times())
    measurement.metrics = Metric.values(of: after, since: before)
    measurement.metrics.merge(Metric.values(of: timesAfter, since: timesBefore)) { $1 }
    if after.walCommits - before.walCommits > after.walCommitsWithBacklog - before.walCommitsWithBacklog {
      measurement.metrics[.walBacklogPeak] = nil
      note("wal_backlog_peak_frames is not known: this locking mode takes no locks that would tell when to look")
    }
    measurement.metrics[.databaseBytes] = storePath.flatMap { FileSize.bytes(of: $0) }
    return result
  }

  private func weigh<T>(_ measurement: inout PhaseMeasurement, _ body: () throws -> T) throws -> T {
    guard let allocations, let sampler else { return try body() }
    // Every phase begins without the pages that an earlier one had and nobody uses.
    Jemalloc.purge()
    _ = ResidentSet.resetPeak()
    sampler.resetPeaks()
    allocations.resetPeak()
    let before = allocations.figuresByOwner()
    let result = try body()
    let after = allocations.figuresByOwner()
    sampler.sample()
    measurement.metrics = [
      .heapPeak: after.all.peakBytes - before.all.liveBytes,
      .heapPeakSQLite: after.marked.peakBytes - before.marked.liveBytes,
      .heapPeakRest: after.unmarked.peakBytes - before.unmarked.liveBytes,
      .allocations: after.all.allocations - before.all.allocations,
      .allocatedBytes: after.all.allocatedBytes - before.all.allocatedBytes,
      .allocationsSQLite: after.marked.allocations - before.marked.allocations,
    ]
    let peaks = sampler.peaks
    measurement.metrics[.jemallocAllocatedPeak] = peaks.allocated
    measurement.metrics[.jemallocResidentPeak] = peaks.resident
    measurement.metrics[.jemallocActivePeak] = peaks.active
    measurement.metrics[.jemallocRetainedPeak] = peaks.retained
    measurement.metrics[.residentSetPeak] = [ResidentSet.peak(), peaks.residentSet].compactMap { $0 }.max()
    // After everything was read, so that it is in no phase.
    Jemalloc.purge()
    let settled = Jemalloc.statistics()
    measurement.metrics[.jemallocAllocatedAfter] = settled?.allocated
    measurement.metrics[.jemallocActiveAfter] = settled?.active
    measurement.metrics[.jemallocResidentAfter] = settled?.resident
    return result
  }

  private func note(_ note: String) {
    if !notes.contains(note) { notes.append(note) }
  }

  /// From here on the WAL's size is noted at every 50th part of the rows.
  func watchGrowth(of tables: [String], storePath: String, rows: Int) {
    self.storePath = storePath
    let marks = (1...SampleTaker.growthMarks).map { rows * $0 / SampleTaker.growthMarks }
    framesBeforeWatching = meter?.counters().walFrames ?? 0
    meter?.watchGrowth(of: tables, at: marks)
  }

  /// What was noted since ``watchGrowth(of:storePath:rows:)``, and last how it stands now; watching ends.
  ///
  /// The last point is what a single transaction needs: its frames are written when it commits, after its last row.
  func growth(rows: Int) -> [GrowthPoint] {
    guard let meter else { return [] }
    let counters = meter.counters()
    let points = meter.growth().map { GrowthPoint(rows: $0.rows, walBytes: $0.walBytes, walFrames: $0.walFrames) }
    meter.stopWatching()
    return points + [
      GrowthPoint(rows: rows, walBytes: counters.walSize, walFrames: counters.walFrames - framesBeforeWatching)
    ]
  }
}
