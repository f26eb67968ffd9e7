// The answer of a worker: the figures of one sample, phase by phase, in one line of JSON.
package import BatchmarkEngine
package import Instruments
package import Statistics

/// The result of one sample.
package struct Sample: Codable, Sendable {
  package var cell: String
  package var pass: Pass
  package var round: Int
  package var phases: [PhaseMeasurement]
  /// The WAL's growth over the ingest phase, or the update or delete; counters pass only.
  package var growth: [GrowthPoint]
  /// The heap over the same phase; memory pass only.
  package var heap: [HeapPoint]
  /// The contents of the store at the end.
  package var contents: StoredContents
  /// The pragmas, as read back from the store.
  package var pragmas: [StorePragma]
  /// The conditions that the sample ran without, and why ("address randomization stayed on: not permitted here").
  package var notes: [String]
  /// Figures that its instruments could not measure, and why; `nil` for none.
  package var absences: [MetricAbsence]?
  /// The engine's notes on the run, in whole clauses, shown next to the cell's figures; `nil` for none.
  package var engineNotes: [String]?
  /// The version and source id of the worker's SQLite library.
  package var sqlite: String
  /// The version and source id of the SQLite that the cell's program reports; `nil` for other engines, for programs
  /// that do not report it, and in results of earlier versions.
  package var programSQLite: String?
  /// The library and runtime that the cell's program reports, with their versions; `nil` for other engines, and in
  /// results of earlier versions.
  package var programVersion: String?
  /// The fingerprint of the scenario that the worker read.
  package var fingerprint: String
  /// How often this worker handed over the processor during the measured work, for each trial; `nil` if it takes no
  /// turns.
  package var handovers: [Int]?
  /// The operations of concurrent readers and writers; `nil` if there were none.
  package var concurrent: ConcurrentMeasurement?
  /// The latency of each request of the operation, if it had several and the engine reports them; timing pass only.
  package var requests: LatencyHistogram?

  package init(
    cell: String, pass: Pass, round: Int, phases: [PhaseMeasurement], growth: [GrowthPoint] = [],
    heap: [HeapPoint] = [], contents: StoredContents, pragmas: [StorePragma], notes: [String], sqlite: String,
    fingerprint: String
  ) {
    self.cell = cell
    self.pass = pass
    self.round = round
    self.phases = phases
    self.growth = growth
    self.heap = heap
    self.contents = contents
    self.pragmas = pragmas
    self.notes = notes
    self.sqlite = sqlite
    self.fingerprint = fingerprint
  }
}

/// The figures of one phase of one sample.
///
/// Metrics that its pass does not measure are absent, never zero.
package struct PhaseMeasurement: Codable, Sendable, Hashable {
  package var phase: Phase
  /// The number of rows that the phase handled.
  package var rows: Int
  package var wallSeconds: Double?
  /// The time by the clock of the other process that did the work; `nil` if this process did it, or the other one did
  /// not report it.
  package var ownSeconds: Double?
  /// User and system time of the whole process.
  package var cpuSeconds: Double?
  /// The part of it spent in the working thread; `nil` if it was not measured, and for another process.
  package var threadCPUSeconds: Double?
  package var metrics: [MetricID: Int64]
  /// How much other processes disturbed the phase; timing pass only.
  package var interference: Interference?
  /// The harness's time for its readings around the phase, in seconds; not part of ``wallSeconds``.
  package var readingSeconds: Double?
  /// The wall times of all trials, with the median ``wallSeconds``; `nil` without trials.
  package var trialWallSeconds: [Double]?
  /// The mean time of a fixed piece of work during the phase, a measure of the processor's speed; `nil` if it was not
  /// probed or is unknown.
  package var probeSeconds: Double?
  /// The same for every trial.
  package var trialProbeSeconds: [Double]?
  /// The record of a profile's instrument; `nil` in samples.
  package var profile: PhaseProfile?

  package init(
    phase: Phase, rows: Int, wallSeconds: Double? = nil, cpuSeconds: Double? = nil, metrics: [MetricID: Int64] = [:],
    interference: Interference? = nil
  ) {
    self.phase = phase
    self.rows = rows
    self.wallSeconds = wallSeconds
    self.cpuSeconds = cpuSeconds
    self.metrics = metrics
    self.interference = interference
  }

  /// How long the phase waited for a processor or lost one to the machine's host, in seconds; 0 if unknown.
  package var disturbedSeconds: Double {
    (interference?.runDelaySeconds ?? 0) + (interference?.stolenSeconds ?? 0)
  }
}

extension Sample {
  /// All notes on the sample: its own, the reasons for missing figures, and the engine's.
  package var allNotes: [String] { notes + (absences ?? []).map(\.reason) + (engineNotes ?? []) }

  /// The largest difference from a program's own clock at which the time still counts as the time of its work.
  private static let clockShare = 0.02
  private static let clockSeconds = 0.002

  /// Whether the operation took longer than by the clock of the process that did the work, beyond the cost of
  /// communication.
  package var isLongerThanItsClock: Bool {
    guard pass == .timing, let wall = mainPhase?.wallSeconds, let own = mainPhase?.ownSeconds else { return false }
    return wall - own > max(Sample.clockSeconds, Sample.clockShare * wall)
  }
}

/// The contents of a store at the end of a sample, checked against the source.
package struct StoredContents: Codable, Sendable, Hashable {
  package var rows: Int
  /// A hash of entities and attribute values only, independent of their order.
  ///
  /// It covers neither keys nor versions.
  package var contentHash: String
  /// The number of rows with a null value, by attribute name.
  package var nulls: [String: Int]
  /// The number of rows with each version counter (`Z_OPT`).
  package var versions: [Int: Int]
  /// The size of the database file after the checkpoint, in bytes.
  package var databaseBytes: Int64
  /// A hash of each row's values together with its version counter.
  package var versionedHash: String
  /// The indexes of the model's tables, by name: `Z_Quake_by_place: an index of ZQUAKE (ZPLACE)`.
  package var indexes: [String] = []
  /// The links of the rows; `nil` if they have none.
  package var links: [StoredLinks]?

  package init(
    rows: Int, contentHash: String, nulls: [String: Int], versions: [Int: Int], databaseBytes: Int64,
    versionedHash: String
  ) {
    self.rows = rows
    self.contentHash = contentHash
    self.nulls = nulls
    self.versions = versions
    self.databaseBytes = databaseBytes
    self.versionedHash = versionedHash
  }
}

extension PhaseMeasurement {
  /// The measurement of each phase with the median wall time, with the wall times of all trials.
  ///
  /// Of two middle ones it is the lower, so that every figure is one that was measured.
  static func middle(of trials: [[PhaseMeasurement]]) -> [PhaseMeasurement] {
    guard let last = trials.last else { return [] }
    return last.map { measurement in
      let same = trials.compactMap { trial in trial.first { $0.phase == measurement.phase } }
      let ordered = same.sorted { ($0.wallSeconds ?? 0) < ($1.wallSeconds ?? 0) }
      guard measurement.phase != .load, !ordered.isEmpty else { return measurement }
      var middle = ordered[(ordered.count - 1) / 2]
      middle.trialWallSeconds = same.compactMap(\.wallSeconds)
      let probes = same.compactMap(\.probeSeconds)
      middle.trialProbeSeconds = probes.count == same.count ? probes : nil
      return middle
    }
  }
}
