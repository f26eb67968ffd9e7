// What a worker answers: the figures of one sample, phase by phase, in one line of JSON.
package import BatchmarkEngine
package import Instruments
package import Statistics

/// The result of one sample.
package struct Sample: Codable, Sendable {
  package var cell: String
  package var pass: Pass
  package var round: Int
  package var phases: [PhaseMeasurement]
  /// The WAL's growth over the ingest phase, or that of the update or delete; counters pass only.
  package var growth: [GrowthPoint]
  /// The heap over that phase; memory pass only.
  package var heap: [HeapPoint]
  /// What the store holds at the end.
  package var contents: StoredContents
  /// Pragmas as the store answered them when read back.
  package var pragmas: [StorePragma]
  /// What the sample ran without, and why ("address randomization stayed on: not permitted here").
  package var notes: [String]
  /// Figures that its instruments could not measure, and why; nil for none.
  package var absences: [MetricAbsence]?
  /// The engine's notes on the run, in whole clauses, shown beside the cell's figures; `nil` for none.
  package var engineNotes: [String]?
  /// Version and source id of the SQLite library that the worker ran with.
  package var sqlite: String
  /// Version and source id of the SQLite that the cell's program says it uses; nil for other engines, for programs that do
  /// not say it, and in results of earlier versions.
  package var programSQLite: String?
  /// What the cell's program says it is: its library with the version, and its runtime; nil for other engines, and in
  /// results of earlier versions.
  package var programVersion: String?
  /// The fingerprint of the scenario as the worker read it.
  package var fingerprint: String
  /// For every trial how often this worker handed over in the middle of what was measured; nil where it was not asked to
  /// take turns, or cannot.
  package var handovers: [Int]?
  /// What readers and writers did beside the operation; nil where there were none.
  package var concurrent: ConcurrentMeasurement?
  /// How long each request of the operation took, if it had several and the engine reports them; timing pass only.
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
/// What its pass does not measure is absent, never zero.
package struct PhaseMeasurement: Codable, Sendable, Hashable {
  package var phase: Phase
  /// Rows the phase handled.
  package var rows: Int
  package var wallSeconds: Double?
  /// The time by the clock of the other process that did the work; nil if this process did it, or that one did not
  /// report it.
  package var ownSeconds: Double?
  /// User and system time of the whole process.
  package var cpuSeconds: Double?
  /// The part of it that the working thread took; nil if it was not measured, and for another process.
  package var threadCPUSeconds: Double?
  package var metrics: [MetricID: Int64]
  /// How other processes disturbed the phase; timing pass only.
  package var interference: Interference?
  /// What the harness spent on its readings around the phase, in seconds; no part of ``wallSeconds``.
  package var readingSeconds: Double?
  /// The wall times of the trials whose middle one ``wallSeconds`` is; nil where trials were not asked for.
  package var trialWallSeconds: [Double]?
  /// The mean time of a fixed piece of work while the phase ran, as a measure of the processor's speed; nil if it was
  /// not probed or is unknown.
  package var probeSeconds: Double?
  /// The same for every trial.
  package var trialProbeSeconds: [Double]?
  /// What a profile's instrument saw; nil in samples.
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

  /// How long the phase waited for a processor or lost one to the machine's host, in seconds; 0 where that is not known.
  package var disturbedSeconds: Double {
    (interference?.runDelaySeconds ?? 0) + (interference?.stolenSeconds ?? 0)
  }
}

extension Sample {
  /// All notes on the sample: its own, the reasons for missing figures, and the engine's.
  package var allNotes: [String] { notes + (absences ?? []).map(\.reason) + (engineNotes ?? []) }

  /// How much shorter the own clock of a process may be before the time is not that of its work.
  private static let clockShare = 0.02
  private static let clockSeconds = 0.002

  /// Whether the operation took longer than the clock of the process that did the work says, by more than asking it takes.
  package var isLongerThanItsClock: Bool {
    guard pass == .timing, let wall = mainPhase?.wallSeconds, let own = mainPhase?.ownSeconds else { return false }
    return wall - own > max(Sample.clockSeconds, Sample.clockShare * wall)
  }
}

/// What a store held when the sample ended, checked against the source.
package struct StoredContents: Codable, Sendable, Hashable {
  package var rows: Int
  /// Covers entity and attribute values only, whatever their order: no key, no version.
  package var contentHash: String
  /// Rows whose attribute is null, by attribute name.
  package var nulls: [String: Int]
  /// How many rows have each version counter (`Z_OPT`).
  package var versions: [Int: Int]
  /// The database file after the checkpoint, in bytes.
  package var databaseBytes: Int64
  /// Covers each row's values together with its version counter.
  package var versionedHash: String
  /// The indexes of the model's tables, by name: `Z_Quake_by_place: an index of ZQUAKE (ZPLACE)`.
  package var indexes: [String] = []
  /// What the rows are linked to, by link; nil where they stand alone.
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
  /// The measurement of each phase whose wall time is in the middle, with the wall times of all.
  ///
  /// The lower of two middle ones, so that every figure is one that was measured.
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
