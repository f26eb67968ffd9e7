// The figures of one side for the search for causes, from its exact passes and profiles.
internal import BatchmarkEngine
internal import Harness
internal import Statistics

/// What is known about a side.
struct SideFigures: Sendable {
  /// Exact figures of the operation's phase, over the samples of a side.
  var metrics: [MetricID: FigureRange] = [:]
  /// Statements by their normalized text, trial by trial.
  var statements: [StatementTrial] = []
  /// Stages, trial by trial.
  var stages: [StageTrial] = []
  /// The allocations of every stage.
  var stageAllocations: [String: FigureRange] = [:]
  /// Samples by stack.
  var stacks: [String: Int] = [:]
  /// Bytes that a trial allocates, by stack, as estimated by jemalloc's profiler.
  var allocatedBytes: [String: Int] = [:]

  /// The statements of one trial.
  struct StatementTrial: Sendable {
    /// The phase's time.
    var nanoseconds: Double
    var statements: [String: StatementFigures]
  }

  /// The stages of one trial, in nanoseconds.
  struct StageTrial: Sendable {
    /// The phase's time.
    var nanoseconds: Double
    /// The time of all threads.
    var cpuNanoseconds: Double?
    /// The time of the working thread.
    var threadNanoseconds: Double?
    /// The time that other processes took from it.
    var disturbedNanoseconds = 0.0
    /// Every stage's own time.
    var stages: [String: Double] = [:]

    /// The time without any processor working for it.
    var waitNanoseconds: Double? {
      cpuNanoseconds.map { max(0, nanoseconds - $0 - disturbedNanoseconds) }
    }

    var otherThreadsNanoseconds: Double? {
      guard let cpuNanoseconds, let threadNanoseconds else { return nil }
      return max(0, cpuNanoseconds - threadNanoseconds)
    }
  }

  /// The phase's time in nanoseconds; `nil` if neither stages nor statements were timed.
  var phaseNanoseconds: Double? { median(stages.map(\.nanoseconds)) ?? median(statements.map(\.nanoseconds)) }
}

/// The runs of one statement in one trial.
struct StatementFigures: Sendable, Hashable {
  var runs: Int64 = 0
  var vmSteps: Int64 = 0
  var nanoseconds: Int64 = 0
  /// `nil` if the side's build does not count it.
  var work: SQLWork?
  var purpose = ""

  init(runs: Int64 = 0, vmSteps: Int64 = 0, nanoseconds: Int64 = 0, work: SQLWork? = nil, purpose: String = "") {
    self.runs = runs
    self.vmSteps = vmSteps
    self.nanoseconds = nanoseconds
    self.work = work
    self.purpose = purpose
  }

  mutating func add(_ cost: SQLCost) {
    runs += cost.runs
    vmSteps += cost.vmSteps
    nanoseconds += cost.nanoseconds
    guard let other = cost.work else { return }
    var sum = work ?? SQLWork()
    sum.preparations += other.preparations
    sum.repreparations += other.repreparations
    sum.rows += other.rows
    sum.fullScanSteps += other.fullScanSteps
    sum.sorts += other.sorts
    sum.automaticIndexRows += other.automaticIndexRows
    sum.preparationNanoseconds = sum.preparationNanoseconds ?? other.preparationNanoseconds
    sum.plan = sum.plan ?? other.plan
    work = sum
  }
}

extension SideFigures {
  /// - Parameters:
  ///   - samples: The samples of the exact passes.
  ///   - trials: The trials of the profiles.
  init(samples: [Sample], trials: [ProfiledTrial]) {
    var values: [MetricID: [Int64]] = [:]
    for (metric, value) in samples.compactMap(\.mainPhase).flatMap(\.metrics) {
      values[metric, default: []].append(value)
    }
    metrics = values.compactMapValues { FigureRange($0) }
    var allocations: [String: [Int64]] = [:]
    var heapTrials = 0
    for trial in trials {
      let seconds = trial.phase.wallSeconds.map { $0 * 1e9 }
      switch trial.instrument {
      case .statements:
        guard let seconds, let costs = trial.phase.profile?.statements else { continue }
        statements.append(StatementTrial(nanoseconds: seconds, statements: SideFigures.merged(costs)))
      case .stages:
        guard let seconds, let stages = trial.phase.profile?.stages else { continue }
        self.stages.append(StageTrial(trial.phase, stages, nanoseconds: seconds))
      case .allocations:
        for stage in trial.phase.profile?.stages?.stages ?? [] {
          allocations[stage.name, default: []].append(stage.allocations)
        }
      case .stacks: stacks.merge(trial.phase.profile?.stacks ?? [:], uniquingKeysWith: +)
      case .heap:
        heapTrials += 1
        allocatedBytes.merge(trial.phase.profile?.heapStacks ?? [:], uniquingKeysWith: +)
      case .peak: continue
      }
    }
    allocatedBytes = allocatedBytes.mapValues { $0 / max(heapTrials, 1) }
    stageAllocations = allocations.compactMapValues { FigureRange($0) }
  }

  private static func merged(_ costs: [SQLCost]) -> [String: StatementFigures] {
    var merged: [String: StatementFigures] = [:]
    // Use a fixed order, so that a text shared by several statements always gets the same plan.
    for cost in costs.sorted(by: { ($1.runs, $0.sql) < ($0.runs, $1.sql) }) {
      let sql = NormalizedSQL(cost.sql)
      var figures = merged[sql.text] ?? StatementFigures()
      figures.purpose = sql.purpose
      figures.add(cost)
      merged[sql.text] = figures
    }
    return merged
  }
}

extension SideFigures.StageTrial {
  fileprivate init(_ phase: PhaseMeasurement, _ figures: StageFigures, nanoseconds: Double) {
    self.nanoseconds = nanoseconds
    cpuNanoseconds = phase.cpuSeconds.map { $0 * 1e9 }
    threadNanoseconds = phase.threadCPUSeconds.map { $0 * 1e9 }
    disturbedNanoseconds = phase.disturbedSeconds * 1e9
    for stage in figures.stages { stages[stage.name] = figures.ownNanoseconds(of: stage) }
  }
}

/// The minimum and maximum of a figure over the trials of a side.
struct FigureRange: Sendable, Hashable {
  var low: Int64
  var high: Int64

  /// `nil` without values.
  init?(_ values: [Int64]) {
    guard let low = values.min(), let high = values.max() else { return nil }
    (self.low, self.high) = (low, high)
  }

  /// A figure that is the same in all trials.
  init(_ value: Int64) { (low, high) = (value, value) }

  var width: Int64 { high - low }
  /// The value in the middle of the range.
  var middle: Int64 { low + width / 2 }

  /// Whether it is certainly larger.
  ///
  /// The ranges must be disjoint, and the gap between them must be wider than either one: a difference as large as that
  /// between trials of one side proves nothing.
  func isAbove(_ other: FigureRange) -> Bool {
    low > other.high && low - other.high > max(width, other.width)
  }
}
