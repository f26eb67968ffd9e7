// What the instruments over SQLite's meter share: each subtracts two readings of it, and says what the meter did not see.
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

/// The meter, what it said when the phase began, and whether it sees all that the engine does.
struct MeterReadings<Reading> {
  let meter: SQLiteMeter
  var coverage: MeterCoverage
  /// Nil in the load phase: there is no store yet.
  var before: Reading?

  init() throws {
    meter = try SQLiteMeter.attach()
    coverage = MeterCoverage(meter)
  }
}

extension MeterInstrument {
  static var pass: Pass { .counters }

  init(in context: InstrumentContext) throws { self.init(readings: try MeterReadings()) }

  mutating func engineOpens(storeAt path: String) { readings.coverage.engineOpens(storeAt: path) }

  mutating func engineHasOpened(storeAt path: String) { readings.coverage.engineHasOpened(storeAt: path) }

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
