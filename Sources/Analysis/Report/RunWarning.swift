// What a reader must know before the figures of a run. Warnings are typed, so that all outputs agree and tests can
// check for each one. Reports supply the text.
package import Harness
internal import Instruments
package import BatchmarkEngine

/// A problem of a run that makes its figures less reliable.
package enum RunWarning: Sendable, Hashable {
  /// The executable was built without optimization.
  case debugBuild
  /// Only one round was taken, and time budgets were not judged.
  case quickRun
  /// A quick run left out this many slow cells of sweeps.
  case leftOutCells(Int)
  /// Cells of a missing engine were left out.
  case absentEngine(AbsentEngine)
  /// No sample has a memory pass, as in builds without jemalloc, such as those with sanitizers.
  case noMemoryPass
  /// Syncing 4 KiB is so slow that durable commits mostly wait.
  case slowSyncs(seconds: Double)
  /// Samples were not taken.
  case missingSamples(cell: Cell, missing: Int, planned: Int)
  /// Samples failed, and their rounds were excluded for every cell.
  case failedSamples(cell: Cell, failed: Int, planned: Int, roundsSetAside: Int)
  /// An exact metric differed between samples.
  case differingFigure(cell: Cell, phase: Phase, metric: MetricID, values: [Int64])
  /// A cell got fewer rounds than planned, although it did not have enough.
  case stoppedEarly(cell: Cell, rounds: Int, planned: Int, reason: EarlyStop)
  /// There are too few timed samples for an interval.
  case fewRounds(cell: Cell, samples: Int)
  /// The interval is wide. `halfWidth` is half of it as a share of the median, and `aim` is the largest acceptable
  /// value.
  case noisyTime(cell: Cell, halfWidth: Double, aim: Double, samples: Int)
  /// The first round took much longer than the others.
  case slowFirstRound(cell: Cell, timesMedian: Double)
  /// Some timed samples waited for a processor, or lost one to the machine's host, for a share of their time.
  case disturbedSamples(cell: Cell, disturbed: Int, samples: Int)
  /// The clock of the process that does the work shows less time than was measured, and some samples are excluded for
  /// that.
  case ownClock(cell: Cell, own: Double, wall: Double, setAside: Int, samples: Int)
  /// Some timed samples had to read pages from a device: memory is short, or files were not in the cache.
  case memoryPressure(cell: Cell, pressed: Int, samples: Int)
  /// The phase is so short that single events of the machine dominate its time.
  case shortTime(cell: Cell, seconds: Double, rows: Int)
  /// A limit of the WAL is so small that the same pages are written repeatedly.
  case smallWALLimit(cell: Cell, timesDatabase: Double, databaseBytes: Int64)
  /// A cell and its concurrent readers and writers are more processes than there are processors.
  case fewProcessors(cell: Cell, processes: Int, processors: Int)
  /// More concurrent operations began late, after the next one was due, than a stall explains.
  case unkeptRate(cell: Cell, operations: OperationClass, late: Int, due: Int)

  /// The stable word for each kind in results.json.
  package enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
    case debugBuild = "debug_build"
    case quickRun = "quick_run"
    case leftOutCells = "left_out_cells"
    case absentEngine = "absent_engine"
    case noMemoryPass = "no_memory_pass"
    case missingSamples = "missing_samples"
    case failedSamples = "failed_samples"
    case differingFigure = "differing_figure"
    case stoppedEarly = "stopped_early"
    case fewRounds = "few_rounds"
    case shortTime = "short_time"
    case noisyTime = "noisy_time"
    case slowFirstRound = "slow_first_round"
    case disturbedSamples = "disturbed_samples"
    case ownClock = "own_clock"
    case memoryPressure = "memory_pressure"
    case slowSyncs = "slow_syncs"
    case smallWALLimit = "small_wal_limit"
    case fewProcessors = "few_processors"
    case unkeptRate = "unkept_rate"
  }

  package var kind: Kind {
    switch self {
    case .debugBuild: .debugBuild
    case .quickRun: .quickRun
    case .leftOutCells: .leftOutCells
    case .absentEngine: .absentEngine
    case .noMemoryPass: .noMemoryPass
    case .slowSyncs: .slowSyncs
    case .missingSamples: .missingSamples
    case .failedSamples: .failedSamples
    case .differingFigure: .differingFigure
    case .stoppedEarly: .stoppedEarly
    case .fewRounds: .fewRounds
    case .noisyTime: .noisyTime
    case .slowFirstRound: .slowFirstRound
    case .disturbedSamples: .disturbedSamples
    case .ownClock: .ownClock
    case .memoryPressure: .memoryPressure
    case .shortTime: .shortTime
    case .smallWALLimit: .smallWALLimit
    case .fewProcessors: .fewProcessors
    case .unkeptRate: .unkeptRate
    }
  }

  /// The cell of the warning; `nil` if it is about the whole run.
  package var cell: Cell? {
    switch self {
    case .debugBuild, .quickRun, .leftOutCells, .absentEngine, .noMemoryPass, .slowSyncs: nil
    case .missingSamples(let cell, _, _), .failedSamples(let cell, _, _, _), .differingFigure(let cell, _, _, _),
      .stoppedEarly(let cell, _, _, _), .fewRounds(let cell, _), .noisyTime(let cell, _, _, _),
      .slowFirstRound(let cell, _),
      .disturbedSamples(let cell, _, _), .ownClock(let cell, _, _, _, _), .memoryPressure(let cell, _, _),
      .shortTime(let cell, _, _),
      .smallWALLimit(let cell, _, _), .fewProcessors(let cell, _, _), .unkeptRate(let cell, _, _, _):
      cell
    }
  }
}

/// A warning in results.json.
package struct WarningRecord: Codable, Sendable, Hashable {
  package var kind: String
  /// The cell's id; `nil` if it is about the whole run.
  package var cell: String?
  package var seen: String
  /// What to do next.
  package var advice: String

  package init(kind: String, cell: String?, seen: String, advice: String) {
    self.kind = kind
    self.cell = cell
    self.seen = seen
    self.advice = advice
  }
}
