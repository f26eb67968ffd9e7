// What a worker answers: the figures of one sample, phase by phase, in one line of JSON.
public import Instruments
public import Scenarios

extension Operation.Kind {
  /// The phase that the operation is measured as.
  public var phase: Phase {
    switch self {
    case .insert: .ingest
    case .update: .update
    case .delete: .delete
    case .fetch: .fetch
    }
  }
}

/// The result of one sample.
public struct Sample: Codable, Sendable {
  public var cell: String
  public var pass: Pass
  public var round: Int
  public var phases: [PhaseMeasurement]
  /// The WAL's growth over the ingest phase, or that of the update or delete; counters pass only.
  public var growth: [GrowthPoint]
  /// The heap over that phase; memory pass only.
  public var heap: [HeapPoint]
  /// What the store holds at the end.
  public var contents: StoredContents
  /// Pragmas as the store answered them when read back.
  public var pragmas: [StorePragma]
  /// What the sample ran without, and why ("address randomisation stayed on: not permitted here").
  public var notes: [String]
  /// Version and source id of the SQLite library that the worker ran with.
  public var sqlite: String
  /// The fingerprint of the scenario as the worker read it.
  public var fingerprint: String
  /// For every trial how often this worker handed over in the middle of what was measured; nil where it was not asked to
  /// take turns, or cannot.
  public var handovers: [Int]?

  public init(
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
public struct PhaseMeasurement: Codable, Sendable, Hashable {
  public var phase: Phase
  /// Rows the phase handled.
  public var rows: Int
  public var wallSeconds: Double?
  /// User and system time of the whole process.
  public var cpuSeconds: Double?
  public var metrics: [MetricID: Int64]
  /// What others did to the phase; timing pass only.
  public var interference: Interference?
  /// What the harness spent on its readings around the phase, in seconds; no part of ``wallSeconds``.
  public var readingSeconds: Double?
  /// The wall times of the trials whose middle one ``wallSeconds`` is; nil where trials were not asked for.
  public var trialWallSeconds: [Double]?
  /// What a fixed piece of work took on average while the phase ran, as a measure of the processor's speed; nil where it
  /// was not probed or could not be told.
  public var probeSeconds: Double?
  /// The same for every trial.
  public var trialProbeSeconds: [Double]?
  /// What a profile's instrument saw; nil in samples.
  public var profile: PhaseProfile?

  public init(
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

  /// How long the phase waited for a processor or lost one to the machine's host, in seconds; 0 where nobody tells.
  public var disturbedSeconds: Double {
    (interference?.runDelaySeconds ?? 0) + (interference?.stolenSeconds ?? 0)
  }
}

/// What a store held when the sample ended, checked against the source.
public struct StoredContents: Codable, Sendable, Hashable {
  public var rows: Int
  /// Covers entity and attribute values only, whatever their order: no key, no version.
  public var contentHash: String
  /// Rows whose attribute is null, by attribute name.
  public var nulls: [String: Int]
  /// How many rows have each version counter (`Z_OPT`).
  public var versions: [Int: Int]
  /// The database file after the checkpoint, in bytes.
  public var databaseBytes: Int64
  /// Covers each row's values together with its version counter.
  public var versionedHash: String
  /// The indexes of the model's tables, by name: `Z_Quake_by_place: an index of ZQUAKE (ZPLACE)`.
  public var indexes: [String] = []
  /// What the rows are linked to, by link; nil where they stand alone.
  public var links: [StoredLinks]?

  public init(
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
