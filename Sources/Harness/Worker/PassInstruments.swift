// The instruments of a pass: attached before a sample, read around each phase, and detached afterwards.
internal import BatchmarkEngine
internal import Instruments
internal import SQLiteDriver
internal import Support

/// Measures phases with the instruments of one pass, without knowing their figures.
///
/// The timing pass has only two clocks and the attachment of the cell. If a pair of workers takes turns, there is also
/// a probe of the processor's speed.
final class PassInstruments {
  let pass: Pass
  private let context = InstrumentContext()
  private var instruments: [any Instrument] = []
  /// Records the growth of the WAL in the counters pass.
  private var meter: SQLiteMeter?
  private var probesSpeed: Bool
  private let profile: ProfileInstruments?
  /// How to start a program with a meter; `nil` if nothing would read the meter.
  let processMetering: ProcessMetering?

  /// - Parameters:
  ///   - pass: The pass, which determines the instruments.
  ///   - attachment: What to attach in the timing pass; the other passes have their own instruments.
  ///   - probesSpeed: Whether the operation's phase is timed with a probe of the processor's speed.
  ///   - profile: The instrument of a profile; `nil` for a sample.
  ///   - processMetering: How to start another process that does the work.
  /// - Throws: The error of an instrument that does not work here.
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

  /// Stops everything that runs alongside the sample.
  func stop() { context.stop() }

  /// Detaches the instruments after the last phase.
  ///
  /// - Returns: The figures that turned out to be invalid, and remarks on the others.
  func detach() -> (absences: [MetricAbsence], remarks: [String]) {
    var absences: [MetricAbsence] = []
    for index in instruments.indices { absences += instruments[index].detach() }
    return (absences, instruments.flatMap(\.remarks))
  }

  /// The observer of stages; `nil` except in a profile.
  var stages: StageRecorder? { profile?.recorder }

  /// Measures another process, which does the work from now on; `nil` for this process again.
  func measure(_ process: MeasuredProcess?) { context.process = process }

  /// Runs the body as a phase and appends its measurement.
  ///
  /// The body returns its result and the number of rows it handled.
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
    // Read this outermost, because it takes longer than the clocks. If two workers share a processor, the other one's
    // time is not part of it.
    let before = TimeSlices.now()
    let process = context.process
    func currentInterference() -> Interference { process?.interference ?? Interference.now() }
    func cpuSeconds() -> Double? { process.map(\.cpuSeconds) ?? ProcessTime.cpuSeconds() }
    let interference = currentInterference()
    let cpu = cpuSeconds()
    // Only in a profile, where other threads may use much of the time.
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
    // The time of a program's child that no one waited for is lost when the child ends.
    if let cpu, let now = cpuSeconds(), now >= cpu { measurement.cpuSeconds = now - cpu }
    measurement.interference = currentInterference().since(interference)
    let after = TimeSlices.now()
    measurement.wallSeconds = Double(end - start) / 1e9
    measurement.readingSeconds = Double((after - before) - (end - start)) / 1e9
    return result
  }

  /// The first instrument begins last and ends first, so that its figures do not include the work of the others.
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
  /// If an engine opens its store during a phase, the store is open at the end of the phase. Call
  /// ``engineHasOpened(storeAt:)`` then.
  func opening<Session>(
    storeAt path: String, inPhase isLater: Bool = false, _ open: () throws -> Session
  ) rethrows -> Session {
    for index in instruments.indices { instruments[index].engineOpens(storeAt: path) }
    let session = try open()
    if !isLater { engineHasOpened(storeAt: path) }
    return session
  }

  /// Notifies the instruments that the engine has opened its store.
  func engineHasOpened(storeAt path: String) {
    for index in instruments.indices { instruments[index].engineHasOpened(storeAt: path) }
  }

  /// The bytes written so far through SQLite; `nil` except in the counters pass.
  var bytesWritten: Int64? {
    if let process = context.process { return process.bytesWritten }
    return meter?.counters().bytesWritten
  }

  /// The statements that another process has run so far; `nil` if this process does the work, or if they are not
  /// counted.
  var statements: Int64? { pass == .counters ? context.process?.statements : nil }

  /// Starts recording the WAL's size at every 50th part of the rows.
  func watchGrowth(of tables: [String], rows: Int) { meter?.watchGrowth(of: tables, rows: rows) }

  /// The sizes since ``watchGrowth(of:rows:)``, ending with the current one; recording ends.
  ///
  /// Empty for another process, because this one does not see its rows.
  func growth(rows: Int) -> [GrowthPoint] {
    let points = meter?.growth(rows: rows) ?? []
    return context.process == nil ? points : []
  }

  /// The heap over the last phase; memory pass only.
  func heapTimeline() throws -> [HeapPoint] {
    pass == .memory && context.process == nil ? try context.memorySampler().heapTimeline : []
  }
}
