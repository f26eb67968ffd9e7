// Shared by all instruments that use SQLite's meter: each subtracts two readings, and reports what the meter missed.
internal import BatchmarkEngine
internal import SQLiteDriver

/// An instrument that computes a phase's figures from the meter's readings before and after it.
protocol MeterInstrument: Instrument {
  associatedtype Reading

  var readings: MeterReadings<Reading> { get set }

  init(readings: MeterReadings<Reading>)

  static func read(_ meter: SQLiteMeter) -> Reading

  /// A reading of another process, from what its meter published.
  static func read(_ readings: [MeterReading]) -> Reading

  /// Peaks that another process did not reach in the phase, for meters whose peaks cannot be reset: zero if nothing
  /// happened that could have a peak, `nil` if the peak is unknown.
  static func stalePeaks(from before: Reading, to after: Reading) -> [MetricID: Int64?]

  /// The figures of a phase.
  mutating func figures(from before: Reading, to after: Reading) -> [MetricID: Int64]
}

/// The meter, its reading at the start of the phase, and whether it sees all of the engine's work: a partial figure
/// would be too small and look good.
struct MeterReadings<Reading> {
  let meter: SQLiteMeter
  /// `nil` in the load phase, when there is no store yet.
  var before: Reading?
  let context: InstrumentContext
  /// Peaks of another process that are unknown in some phase.
  var unknownPeaks: Set<MetricID> = []
  /// The process that had the store open, if not this one.
  private var process: MeasuredProcess?
  private let connectionsBefore: ConnectionCounters
  private var storePath: String?
  private var openedBeforeEngine = 0
  private var isEngineUnseen = false

  init(in context: InstrumentContext) throws {
    self.context = context
    meter = try SQLiteMeter.attach()
    connectionsBefore = meter.connections()
  }

  mutating func engineOpens(storeAt path: String) {
    storePath = path
    openedBeforeEngine = meter.connections(of: path).opened
  }

  mutating func engineHasOpened(storeAt path: String) {
    process = context.process
    if process != nil { return }
    if meter.connections(of: path).opened == openedBeforeEngine { isEngineUnseen = true }
  }

  /// Whether syncs of directories are among the figures.
  var countsDirectorySyncs: Bool {
    process.map { $0.readings().allSatisfy(\.countsDirectories) } ?? meter.countsDirectorySyncs
  }

  /// Why the figures for files are incomplete; empty if they are complete.
  func filesAbsence(_ metrics: [MetricDeclaration]) -> [MetricAbsence] {
    if let process {
      return process.filesGap(storePath: storePath).map { [MetricAbsence(metrics.map(\.id), because: $0)] } ?? []
    }
    if isEngineUnseen { return [MetricAbsence(metrics.map(\.id), because: unseenEngine)] }
    guard meter.connections().unmetered > connectionsBefore.unmetered else { return [] }
    return [
      MetricAbsence(
        metrics.map(\.id),
        because: "the figures of files are not known: a connection, or a database that it attached, did not go "
          + "through SQLite's default VFS, which is metered")
    ]
  }

  /// Why the figures for statements are incomplete; empty if they are complete.
  ///
  /// Call it after the engine has closed its store.
  func statementsAbsence(_ metrics: [MetricDeclaration]) -> [MetricAbsence] {
    if let process {
      return process.statementsGap(storePath: storePath).map { [MetricAbsence(metrics.map(\.id), because: $0)] } ?? []
    }
    if isEngineUnseen { return [MetricAbsence(metrics.map(\.id), because: unseenEngine)] }
    let subject = "the figures of statements and page caches are not known: "
    if meter.connections().untraced > connectionsBefore.untraced {
      return [MetricAbsence(metrics.map(\.id), because: subject + "a connection's trace was taken by another hook")]
    }
    guard let storePath, meter.connections(of: storePath).open > 0 else { return [] }
    return [
      MetricAbsence(
        metrics.map(\.id),
        because: subject + "the engine left a connection open, and whether its trace was taken shows as it closes")
    ]
  }
}

private let unseenEngine =
  "the figures of files, statements and page caches are not known: the engine opened its store through another SQLite "
  + "library, or in another process"

extension MeterInstrument {
  static var pass: Pass { .counters }

  init(in context: InstrumentContext) throws { self.init(readings: try MeterReadings(in: context)) }

  static func stalePeaks(from before: Reading, to after: Reading) -> [MetricID: Int64?] { [:] }

  var remarks: [String] { [] }

  /// Another process's peaks that are unknown in some phase.
  var processAbsence: [MetricAbsence] { MetricAbsence.peaks(readings.unknownPeaks) }

  mutating func engineOpens(storeAt path: String) { readings.engineOpens(storeAt: path) }

  mutating func engineHasOpened(storeAt path: String) { readings.engineHasOpened(storeAt: path) }

  mutating func phaseBegins(_ phase: Phase) {
    if let process = readings.context.process {
      process.markPeaks()
      readings.before = Self.read(process.readings())
      return
    }
    readings.meter.markPeak()
    readings.before = phase == .load ? nil : Self.read(readings.meter)
  }

  mutating func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    guard let before = readings.before else { return [:] }
    guard let process = readings.context.process else { return figures(from: before, to: Self.read(readings.meter)) }
    let after = Self.read(process.readings())
    var figures = figures(from: before, to: after)
    for (metric, peak) in Self.stalePeaks(from: before, to: after) {
      figures[metric] = peak
      if peak == nil { readings.unknownPeaks.insert(metric) }
    }
    return figures
  }
}

extension MeterInstrument where Reading == SQLiteCounters {
  static func read(_ meter: SQLiteMeter) -> SQLiteCounters { meter.counters() }

  static func read(_ readings: [MeterReading]) -> SQLiteCounters { SQLiteCounters(readings) }
}
