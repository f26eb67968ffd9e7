// Everything a run found, in the shape of results.json: reports and comparisons are functions of this alone.
public import Scenarios
public import Workloads

/// A whole run.
///
/// The JSON schema's version goes up when a reader of the old shape would misread the new one.
public struct RunResults: Codable, Sendable {
  public static let currentSchemaVersion = 1

  public var schemaVersion: Int
  public var run: RunRecord
  /// What the run was measured on, in the order to show.
  public var environment: [EnvironmentFact]
  public var scenarios: [ScenarioResults]
  /// What a reader is warned of, in words; worked out again from the rest whenever the file is written, and nil in older
  /// files.
  public var warnings: [WarningRecord]?

  public init(run: RunRecord, environment: [EnvironmentFact], scenarios: [ScenarioResults]) {
    schemaVersion = RunResults.currentSchemaVersion
    self.run = run
    self.environment = environment
    self.scenarios = scenarios
  }
}

/// When and how a run was made.
public struct RunRecord: Codable, Sendable {
  /// Unique to the run; made once, and kept by a run that is resumed.
  public var runID: String
  /// What the scenario's repository stood at when the run began; nil outside a repository.
  public var commit: RepositoryCommit?
  /// What the run was measured on, in a few words.
  public var machine: String
  /// What the executable was built with.
  public var toolchain: String
  public var batchmarkVersion: String
  /// The command line, as typed.
  public var command: String
  /// UTC, ISO 8601.
  public var started: String
  public var finished: String
  /// Orders the rounds; the same seed gives the same order.
  public var seed: UInt64
  public var isQuick: Bool
  /// False for a debug build: such figures must not be compared with any.
  public var isComparable: Bool
  /// Whether the run was interrupted before every sample was taken.
  public var isInterrupted: Bool
  /// The median of syncs of 4 KiB where the stores were, in seconds; nil where it was not measured.
  public var syncSeconds: Double?

  public init(
    batchmarkVersion: String, command: String, started: String, finished: String, seed: UInt64, isQuick: Bool,
    isComparable: Bool, isInterrupted: Bool, runID: String = "", commit: RepositoryCommit? = nil,
    machine: String = "", toolchain: String = ""
  ) {
    self.runID = runID
    self.commit = commit
    self.machine = machine
    self.toolchain = toolchain
    self.batchmarkVersion = batchmarkVersion
    self.command = command
    self.started = started
    self.finished = finished
    self.seed = seed
    self.isQuick = isQuick
    self.isComparable = isComparable
    self.isInterrupted = isInterrupted
  }
}

/// A commit of a git repository, and whether files that it tracks were changed since.
public struct RepositoryCommit: Codable, Sendable, Hashable, CustomStringConvertible {
  /// The commit's full hash.
  public var id: String
  public var isDirty: Bool

  public init(id: String, isDirty: Bool) {
    self.id = id
    self.isDirty = isDirty
  }

  /// The hash, with `-dirty` behind it where files were changed, as `git describe --dirty` has it.
  public var description: String { isDirty ? id + "-dirty" : id }
}

/// One thing worth knowing about the machine or the build.
public struct EnvironmentFact: Codable, Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One scenario's part of a run.
public struct ScenarioResults: Codable, Sendable {
  public var name: String
  public var description: String
  public var file: String
  public var fingerprint: String
  /// Where the rows came from, in words.
  public var source: String
  /// Rows the source gave.
  public var rows: Int
  /// The merge policy's word in scenario files; nil when the scenario has none.
  public var mergePolicy: String?
  /// What was done to rows that were there already; nil when the rows were inserted.
  public var change: ChangeRecord?
  /// How many times the rows were ingested; nil in older results.
  public var repeats: Int?
  /// Pragmas as every store answered them.
  public var pragmas: [StorePragma]
  /// Timed rounds asked for.
  public var rounds: Int
  /// The hash all cells share; nil when they disagree or no sample succeeded.
  public var contentHash: String?
  public var cells: [CellResults]
  /// What the figures must keep to; nil where there are none, and in older results.
  public var budgets: [Budget]?
  /// Settings of the command line, with which the scenario's file is read as it was for the run; nil where there were
  /// none, and in older results.
  public var settings: [ScenarioOverride]?
  /// How many cells a quick run left out; nil where it left out none, and in older results.
  public var leftOut: Int?
  /// What the file that the model was read from leaves open, in whole sentences; nil where nothing, and in older results.
  public var modelRemarks: [String]?

  public init(
    name: String, description: String, file: String, fingerprint: String, source: String, rows: Int,
    mergePolicy: String?, change: ChangeRecord? = nil, repeats: Int? = nil, pragmas: [StorePragma], rounds: Int,
    contentHash: String?, cells: [CellResults], budgets: [Budget]? = nil, settings: [ScenarioOverride]? = nil
  ) {
    self.name = name
    self.description = description
    self.file = file
    self.fingerprint = fingerprint
    self.source = source
    self.rows = rows
    self.mergePolicy = mergePolicy
    self.change = change
    self.repeats = repeats
    self.pragmas = pragmas
    self.rounds = rounds
    self.contentHash = contentHash
    self.cells = cells
    self.budgets = budgets
    self.settings = settings
  }
}

extension ScenarioResults {
  /// What the scenario measured.
  public var operation: ScenarioOperation { change?.operation ?? .insert }
}

/// What a scenario did to rows that were there already, in words.
public struct ChangeRecord: Codable, Sendable, Hashable {
  public var operation: ScenarioOperation
  /// The predicate that chose the rows; nil for all of them.
  public var condition: String?
  /// `magnitude = 5.5`, one for each attribute that was set.
  public var assignments: [String]

  public init(operation: ScenarioOperation, condition: String?, assignments: [String]) {
    self.operation = operation
    self.condition = condition
    self.assignments = assignments
  }

  init(_ change: RowChange) {
    self.init(
      operation: change.operation, condition: change.condition.map { "\($0)" },
      assignments: change.assignments.map { "\($0)" })
  }
}

/// One cell's part of a scenario.
public struct CellResults: Codable, Sendable {
  public var cell: Cell
  public var summary: String
  /// What a user of this strategy goes without.
  public var givesUp: [String]
  public var phases: [PhaseSummary]
  /// Every sample that succeeded, in the order it was taken.
  public var samples: [Sample]
  public var failures: [FailedSample]
  /// Samples planned but not taken, because the run was interrupted.
  public var missing: Int
  /// Why it has fewer rounds than were asked for; nil where it has all, and in older results.
  public var stop: EarlyStop?

  public init(
    cell: Cell, summary: String, givesUp: [String], phases: [PhaseSummary], samples: [Sample],
    failures: [FailedSample], missing: Int
  ) {
    self.cell = cell
    self.summary = summary
    self.givesUp = givesUp
    self.phases = phases
    self.samples = samples
    self.failures = failures
    self.missing = missing
  }

  /// The summary of a phase.
  public func summary(of phase: Phase) -> PhaseSummary? { phases.first { $0.phase == phase } }
}

/// A phase over all samples of a cell.
public struct PhaseSummary: Codable, Sendable {
  public var phase: Phase
  /// Rows the phase handled in each sample.
  public var rows: Int
  /// Timed samples behind the times.
  public var samples: Int
  /// Wall time in seconds: the median and its interval.
  public var wall: Estimate?
  public var cpuMedian: Double?
  public var rowsPerSecond: Double?
  /// The median of the per-round ratios to the reference's wall time, with its interval; nil without a reference.
  public var timesReference: Estimate?
  /// The median over the samples of the metric's pass; exact ones are the same in all of them.
  public var metrics: [Metric: Int64]
  /// Exact metrics that nevertheless differed between samples, with the values seen.
  public var disagreements: [Metric: [Int64]]

  public init(
    phase: Phase, rows: Int, samples: Int, wall: Estimate?, cpuMedian: Double?, rowsPerSecond: Double?,
    timesReference: Estimate?, metrics: [Metric: Int64], disagreements: [Metric: [Int64]]
  ) {
    self.phase = phase
    self.rows = rows
    self.samples = samples
    self.wall = wall
    self.cpuMedian = cpuMedian
    self.rowsPerSecond = rowsPerSecond
    self.timesReference = timesReference
    self.metrics = metrics
    self.disagreements = disagreements
  }
}

/// A median with its interval; the bounds are nil when there are too few samples for one.
public struct Estimate: Codable, Sendable, Hashable {
  public var median: Double
  public var low: Double?
  public var high: Double?

  public init(median: Double, low: Double? = nil, high: Double? = nil) {
    self.median = median
    self.low = low
    self.high = high
  }
}

/// A sample whose worker died, hung, failed, or stored the wrong rows.
public struct FailedSample: Codable, Sendable, Hashable {
  public var cell: String
  public var pass: Pass
  public var round: Int
  /// What happened, in one sentence.
  public var reason: String
  /// The last of what the worker wrote to standard error.
  public var standardError: String

  public init(cell: String, pass: Pass, round: Int, reason: String, standardError: String) {
    self.cell = cell
    self.pass = pass
    self.round = round
    self.reason = reason
    self.standardError = standardError
  }
}
