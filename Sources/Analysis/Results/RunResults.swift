// Everything a run found, in the shape of results.json: reports and comparisons are functions of this alone.
package import Harness
package import Instruments
package import Scenarios

/// A whole run.
///
/// The JSON schema's version goes up when a reader of the old shape would misread the new one.
package struct RunResults: Codable, Sendable {
  package static let currentSchemaVersion = 1

  package var schemaVersion: Int
  package var run: RunRecord
  /// What the run was measured on, in the order to show.
  package var environment: [EnvironmentFact]
  package var scenarios: [ScenarioResults]
  /// What a reader is warned of, in words; worked out from the rest when the file is written, and empty before.
  package var warnings: [WarningRecord] = []
  /// Of a merged run the machines of its shards; nil for a run of one machine.
  package var machines: [MergedMachine]?
  /// What a partial merge lacks; nil for a run that is whole.
  package var absent: AbsentShards?

  package init(run: RunRecord, environment: [EnvironmentFact], scenarios: [ScenarioResults]) {
    schemaVersion = RunResults.currentSchemaVersion
    self.run = run
    self.environment = environment
    self.scenarios = scenarios
  }

  /// The run as a scenario's figures have it: on the machine that measured them.
  package func run(of scenario: ScenarioResults) -> RunRecord {
    var run = run
    run.machine = scenario.machine ?? run.machine
    return run
  }
}

/// One scenario's part of a run.
package struct ScenarioResults: Codable, Sendable {
  package var name: String
  package var description: String
  package var file: String
  package var fingerprint: String
  /// Where the rows came from, in words.
  package var source: String
  /// Rows the source gave.
  package var rows: Int
  /// The merge policy's word in scenario files; nil when the scenario has none.
  package var mergePolicy: String?
  /// What was done to rows that were there already; nil when the rows were inserted.
  package var change: ChangeRecord?
  /// How many times the rows were ingested.
  package var repeats: Int
  /// Pragmas as every store answered them.
  package var pragmas: [StorePragma]
  /// Timed rounds asked for.
  package var rounds: Int
  /// The hash all cells share; nil when they disagree or no sample succeeded.
  package var contentHash: String?
  package var cells: [CellResults]
  /// What the figures must keep to.
  package var budgets: [Budget]
  /// Settings of the command line, with which the scenario's file is read as it was for the run.
  package var settings: [ScenarioOverride]
  /// How many cells a quick run left out.
  package var leftOut = 0
  /// The cells that may be compared with one another; worked out when the file is written, as are the findings.
  package var groups: [EqualWork] = []
  /// What the figures allow to conclude.
  package var findings: [Finding] = []
  /// What the file that the model was read from leaves open, in whole sentences.
  package var modelRemarks: [String] = []
  /// What it was measured on, where it is a part of a merged run; else that of the run.
  package var machine: String?

  package init(
    name: String, description: String, file: String, fingerprint: String, source: String, rows: Int,
    mergePolicy: String?, change: ChangeRecord? = nil, repeats: Int = 1, pragmas: [StorePragma], rounds: Int,
    contentHash: String?, cells: [CellResults], budgets: [Budget] = [], settings: [ScenarioOverride] = []
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
  /// The fewest and the most timed rounds that its cells have: those asked for, but for cells that stopped before.
  package var roundsOfCells: ClosedRange<Int> {
    let taken = cells.map { cell in cell.stop == nil ? rounds : cell.samples.count { $0.pass == .timing } }
    return (taken.min() ?? rounds)...(taken.max() ?? rounds)
  }

  /// What the scenario measured.
  package var operation: Operation.Kind { change?.operation ?? .insert }
}

/// What a scenario did to rows that were there already, in words.
package struct ChangeRecord: Codable, Sendable, Hashable {
  package var operation: Operation.Kind
  /// The predicate that chose the rows; nil for all of them.
  package var condition: String?
  /// `magnitude = 5.5`, one for each attribute that was set.
  package var assignments: [String]

  package init(operation: Operation.Kind, condition: String?, assignments: [String]) {
    self.operation = operation
    self.condition = condition
    self.assignments = assignments
  }

  /// Nil for an insert.
  package init?(_ operation: Operation) {
    if operation == .insert { return nil }
    self.init(
      operation: operation.kind, condition: operation.condition.map { "\($0)" },
      assignments: operation.assignments.map { "\($0)" })
  }
}

/// One cell's part of a scenario.
package struct CellResults: Codable, Sendable {
  package var cell: Cell
  package var summary: String
  /// What the strategy does in a few words; nil where it does not say.
  package var gloss: String?
  /// What a user of this strategy goes without.
  package var givesUp: [String]
  package var phases: [PhaseSummary]
  /// Every sample that succeeded, in the order it was taken.
  package var samples: [Sample]
  package var failures: [FailedSample]
  /// Samples planned but not taken, because the run was interrupted.
  package var missing: Int
  /// Why it has fewer rounds than were asked for; nil where it has all.
  package var stop: EarlyStop?
  /// What its samples took, worker and all; nil where nobody looked.
  package var durations: [PassDuration]?

  package init(
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
  package func summary(of phase: Phase) -> PhaseSummary? { phases.first { $0.phase == phase } }
}

/// A phase over all samples of a cell.
package struct PhaseSummary: Codable, Sendable {
  package var phase: Phase
  /// Rows the phase handled in each sample.
  package var rows: Int
  /// Timed samples behind the times.
  package var samples: Int
  /// Wall time in seconds: the median and its interval.
  package var wall: Estimate?
  package var cpuMedian: Double?
  package var rowsPerSecond: Double?
  /// The median of the per-round ratios to the reference's wall time, with its interval; nil without a reference.
  package var timesReference: Estimate?
  /// The median over the samples of the metric's pass; exact ones are the same in all of them.
  package var metrics: [MetricID: Int64]
  /// Exact metrics that nevertheless differed between samples, with the values seen.
  package var disagreements: [MetricID: [Int64]]

  package init(
    phase: Phase, rows: Int, samples: Int, wall: Estimate?, cpuMedian: Double?, rowsPerSecond: Double?,
    timesReference: Estimate?, metrics: [MetricID: Int64], disagreements: [MetricID: [Int64]]
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
package struct Estimate: Codable, Sendable, Hashable {
  package var median: Double
  package var low: Double?
  package var high: Double?

  package init(median: Double, low: Double? = nil, high: Double? = nil) {
    self.median = median
    self.low = low
    self.high = high
  }
}
