// The instruments of a pass: attached before a sample, read around each phase, and detached after it.
internal import BatchmarkEngine
internal import Instruments
internal import SQLiteDriver
internal import Support

/// Measures phases with the instruments of one pass, without knowing their figures.
///
/// In the timing pass there are only two clocks, and what a cell asks to attach. In pairs of workers that take turns, there is
/// also a probe of the processor's speed.
final class PassInstruments {
  let pass: Pass
  private let context = InstrumentContext()
  private var instruments: [any Instrument] = []
  /// In the counters pass, what watches the WAL grow.
  private var meter: SQLiteMeter?
  private var probesSpeed: Bool
  private let profile: ProfileInstruments?
  /// How a process that does the work is started with a meter; nil if nothing would read the meter.
  let processMetering: ProcessMetering?

  /// - Parameters:
  ///   - pass: Decides on the instruments.
  ///   - attachment: What is attached in the timing pass; the other passes have their own instruments.
  ///   - probesSpeed: Whether the operation's phase is timed with a probe of the processor's speed.
  ///   - profile: What a profile looks at besides; nil for a sample.
  ///   - processMetering: What a process is started with that does the work in this one's place.
  /// - Throws: What keeps an instrument from working here.
  init(
    _ pass: Pass, attached attachment: Attachment? = nil, probesSpeed: Bool = false,
    profile: ProfileInstruments? = nil, processMetering: ProcessMetering? = nil
  ) throws {
    self.processMetering = processMetering
    self.pass = pass
    self.probesSpeed = probesSpeed
    self.profile = profile
    instruments = try InstrumentList.attach(pass, in: context)
    switch pass {
    case .timing: try attach(attachment)
    case .counters: meter = try SQLiteMeter.attach()
    case .memory:
      if let recorder = profile?.recorder { try context.memorySampler().follow { recorder.current } }
    }
  }

  /// Attaches an instrument that is not read.
  private func attach(_ attachment: Attachment?) throws {
    switch attachment {
    case nil, .nothing: break
    case .meteringVFS: _ = try SQLiteMeter.attach()
    case .sampler: _ = try context.memorySampler()
    case .allocationMeter: _ = try AllocationMeter.required()
    case .speedProbe: probesSpeed = true
    }
  }

  /// Stops what runs beside the sample.
  func stop() { context.stop() }

  /// Takes the instruments off after the last phase.
  ///
  /// - Returns: The figures that do not hold after all, and what a reader has to know of the others.
  func detach() -> (absences: [MetricAbsence], remarks: [String]) {
    var absences: [MetricAbsence] = []
    for index in instruments.indices { absences += instruments[index].detach() }
    return (absences, instruments.flatMap(\.remarks))
  }

  /// Who is notified of stages; nil but in a profile.
  var stages: StageRecorder? { profile?.recorder }

  /// The process that does the work from now on and is measured instead of this one; nil for this one again.
  func measure(_ process: MeasuredProcess?) { context.process = process }

  /// Runs the body as a phase and appends what it took; the body returns its result and the rows it handled.
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
    case .counters, .memory: (result, measurement.rows) = try read(&measurement, work)
    }
    measurement.profile = profile?.profile(of: phase)
    phases.append(measurement)
    return result
  }

  private func time<T>(_ measurement: inout PhaseMeasurement, _ body: () throws -> T) throws -> T {
    // Outermost, because reading it takes longer than the clocks. Where two workers share a processor, the other one's time
    // is not part of it.
    let before = TimeSlices.now()
    let process = context.process
    func currentInterference() -> Interference { process?.interference ?? Interference.now() }
    func cpuSeconds() -> Double? { process.map(\.cpuSeconds) ?? ProcessTime.cpuSeconds() }
    let interference = currentInterference()
    let cpu = cpuSeconds()
    // Only in a profile, where the time of other threads may be a cause.
    let threadCPU = profile == nil || process != nil ? nil : ProcessTime.threadSeconds()
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
    if let threadCPU { measurement.threadCPUSeconds = ProcessTime.threadSeconds() - threadCPU }
    if let cpu, let now = cpuSeconds() { measurement.cpuSeconds = now - cpu }
    measurement.interference = currentInterference().since(interference)
    let after = TimeSlices.now()
    measurement.wallSeconds = Double(end - start) / 1e9
    measurement.readingSeconds = Double((after - before) - (end - start)) / 1e9
    return result
  }

  /// The first instrument begins last and ends first, so that nothing that the others do is in its figures.
  private func read<T>(_ measurement: inout PhaseMeasurement, _ body: () throws -> T) throws -> T {
    for index in instruments.indices.reversed() { try instruments[index].phaseBegins(measurement.phase) }
    let result = try body()
    for index in instruments.indices {
      measurement.metrics.merge(try instruments[index].phaseEnds(measurement.phase)) { $1 }
    }
    return result
  }

  /// Opens the engine's store, and notifies the instruments before and after.
  ///
  /// An engine that opens its store in a phase has opened it when that ends: then ``engineHasOpened(storeAt:)`` is called.
  func opening<Session>(
    storeAt path: String, inPhase isLater: Bool = false, _ open: () throws -> Session
  ) rethrows -> Session {
    for index in instruments.indices { instruments[index].engineOpens(storeAt: path) }
    let session = try open()
    if !isLater { engineHasOpened(storeAt: path) }
    return session
  }

  /// Notifies the instruments that the engine has its store open.
  func engineHasOpened(storeAt path: String) {
    for index in instruments.indices { instruments[index].engineHasOpened(storeAt: path) }
  }

  /// Bytes that were written until now through SQLite; nil but in the counters pass.
  var bytesWritten: Int64? {
    if let process = context.process { return process.bytesWritten }
    return meter?.counters().bytesWritten
  }

  /// Statements that another process has run until now; nil where this one does the work, or where they are not counted.
  var statements: Int64? { pass == .counters ? context.process?.statements : nil }

  /// From here on the WAL's size is noted at every 50th part of the rows.
  func watchGrowth(of tables: [String], rows: Int) { meter?.watchGrowth(of: tables, rows: rows) }

  /// What was noted since ``watchGrowth(of:rows:)``, and last how it stands now; watching ends.
  ///
  /// Nothing of another process, whose rows this one does not see.
  func growth(rows: Int) -> [GrowthPoint] {
    let points = meter?.growth(rows: rows) ?? []
    return context.process == nil ? points : []
  }

  /// The heap over the last phase; memory pass only.
  func heapTimeline() throws -> [HeapPoint] {
    pass == .memory && context.process == nil ? try context.memorySampler().heapTimeline : []
  }
}
