// What the instruments over SQLite's meter share: each subtracts two readings of it, and says what the meter did not see.
internal import BatchmarkEngine
internal import SQLiteDriver

/// An instrument whose figures of a phase follow from what the meter says before it and after it.
protocol MeterInstrument: Instrument {
  associatedtype Reading

  var readings: MeterReadings<Reading> { get set }

  init(readings: MeterReadings<Reading>)

  static func read(_ meter: SQLiteMeter) -> Reading

  /// The figures of a phase.
  mutating func figures(from before: Reading, to after: Reading) -> [MetricID: Int64]
}

/// The meter, what it said when the phase began, and whether it sees all that the engine does: a figure of a part would be
/// too small, and look like a good one.
struct MeterReadings<Reading> {
  let meter: SQLiteMeter
  /// Nil in the load phase: there is no store yet.
  var before: Reading?
  private let connectionsBefore: ConnectionCounters
  private var storePath: String?
  private var openedBeforeEngine = 0
  private var isEngineUnseen = false

  init() throws {
    meter = try SQLiteMeter.attach()
    connectionsBefore = meter.connections()
  }

  mutating func engineOpens(storeAt path: String) {
    storePath = path
    openedBeforeEngine = meter.connections(of: path).opened
  }

  mutating func engineHasOpened(storeAt path: String) {
    if meter.connections(of: path).opened == openedBeforeEngine { isEngineUnseen = true }
  }

  /// Why the figures of files are not whole, if they are not.
  func filesAbsence(_ metrics: [MetricDeclaration]) -> [MetricAbsence] {
    if isEngineUnseen { return [MetricAbsence(metrics.map(\.id), because: unseenEngine)] }
    guard meter.connections().unmetered > connectionsBefore.unmetered else { return [] }
    return [
      MetricAbsence(
        metrics.map(\.id),
        because: "the figures of files are not known: a connection did not go through SQLite's default VFS, which is "
          + "metered")
    ]
  }

  /// Why the figures of statements are not whole, if they are not; to be asked when the engine has closed its store.
  func statementsAbsence(_ metrics: [MetricDeclaration]) -> [MetricAbsence] {
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

  init(in context: InstrumentContext) throws { self.init(readings: try MeterReadings()) }

  mutating func engineOpens(storeAt path: String) { readings.engineOpens(storeAt: path) }

  mutating func engineHasOpened(storeAt path: String) { readings.engineHasOpened(storeAt: path) }

  mutating func phaseBegins(_ phase: Phase) {
    readings.meter.markPeak()
    readings.before = phase == .load ? nil : Self.read(readings.meter)
  }

  mutating func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    readings.before.map { figures(from: $0, to: Self.read(readings.meter)) } ?? [:]
  }
}

extension MeterInstrument where Reading == SQLiteCounters {
  static func read(_ meter: SQLiteMeter) -> SQLiteCounters { meter.counters() }
}
