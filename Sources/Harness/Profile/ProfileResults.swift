// What the workers of a profile saw, put together by phase.
public import Instruments
public import Scenarios
internal import Statistics
public import Workloads

/// A profile of one cell.
public struct ProfileResults: Sendable {
  /// A worker that saw nothing.
  public struct Failure: Sendable, Hashable {
    /// What it was to look at; nil for one without an instrument.
    public var instrument: ProfileInstrument?
    public var failure: WorkerFailure

    public init(instrument: ProfileInstrument?, failure: WorkerFailure) {
      self.instrument = instrument
      self.failure = failure
    }
  }

  public var cell: Cell
  /// Rows of the source.
  public var rows: Int
  /// What the user typed.
  public var command = ""
  public var environment: [EnvironmentFact] = []
  /// False for a debug build.
  public var isComparable = true
  /// Instruments that do not work here, and why, in one sentence each.
  public var unavailable: [ProfileInstrument: String] = [:]
  public var failures: [Failure] = []
  /// Whether it was ended before all was measured.
  public var isInterrupted = false
  /// How often stacks were sampled, a second.
  public var samplingRate = ProfileInstrument.standardSamplingRate
  /// jemalloc's heap profile as it wrote it; nil without one.
  public var heap: String?
  /// What the samples noted ("address randomisation stayed on").
  public private(set) var notes: [String] = []
  /// Samples by what they looked at; those without an instrument are under nil.
  private var samples: [ProfileInstrument?: [Sample]] = [:]

  public init(cell: Cell, rows: Int) {
    self.cell = cell
    self.rows = rows
  }

  public mutating func add(_ sample: Sample, _ instrument: ProfileInstrument?) {
    samples[instrument, default: []].append(sample)
    for note in sample.notes where !notes.contains(note) { notes.append(note) }
  }

  /// Samples of stacks in the main phase, of each worker that took them.
  var stackSamplesOfMainPhase: [Int] {
    (samples[.stacks] ?? []).map { sample in
      sample.phases.filter(\.phase.isMain).reduce(0) { $0 + ($1.profile?.stacks ?? [:]).values.reduce(0, +) }
    }
  }

  /// How often the stages were timed.
  public var timedRounds: Int { samples[.stages]?.count ?? 0 }

  /// The phases that were followed, in their order.
  public var phases: [ProfiledPhase] {
    Phase.allCases.compactMap { phase in
      func measured(_ instrument: ProfileInstrument?) -> [PhaseMeasurement] {
        (samples[instrument] ?? []).flatMap(\.phases).filter { $0.phase == phase }
      }
      let followed = ProfileInstrument.allCases.flatMap { measured($0) }.filter { $0.profile != nil }
      guard let first = followed.first else { return nil }
      var result = ProfiledPhase(phase: phase, rows: first.rows)
      result.plainSeconds = median(measured(nil).compactMap(\.wallSeconds))
      let timed = measured(.stages).compactMap { $0.profile?.stages }
        .sorted { $0.totalNanoseconds < $1.totalNanoseconds }
      // The lower of two middle ones, so that every figure is one that was measured.
      if !timed.isEmpty { result.times = timed[(timed.count - 1) / 2] }
      result.allocations = measured(.allocations).first?.profile?.stages
      if let counted = measured(.statements).first {
        result.statements = counted.profile?.statements
        result.statementsSeconds = counted.wallSeconds
      }
      let sampled = measured(.stacks)
      for profile in sampled.compactMap(\.profile) {
        result.stacks = (result.stacks ?? [:]).merging(profile.stacks ?? [:], uniquingKeysWith: +)
        result.lostStacks += profile.lostStacks ?? 0
      }
      result.stackWorkers = sampled.count
      result.stacksSeconds = median(sampled.compactMap(\.wallSeconds))
      result.heapStacks = measured(.heap).first?.profile?.heapStacks
      return result
    }
  }

  /// Why an instrument has no figures; nil where it has.
  public func gap(of instrument: ProfileInstrument) -> String? {
    if let reason = unavailable[instrument] { return reason }
    if samples[instrument] != nil { return nil }
    return failures.first { $0.instrument == instrument }?.failure.reason ?? "the profile was interrupted before"
  }
}

/// What was seen of one phase.
public struct ProfiledPhase: Sendable, Hashable {
  public var phase: Phase
  /// Rows it handled.
  public var rows: Int
  /// The median of its time without any instrument.
  public var plainSeconds: Double?
  /// Every stage's time, of the worker whose time is in the middle.
  public var times: StageFigures?
  /// What every stage allocated.
  public var allocations: StageFigures?
  /// Every SQL text, the longest time first.
  public var statements: [SQLCost]?
  /// The phase's time while statements were followed.
  public var statementsSeconds: Double?
  /// Samples by stack, of all workers together.
  public var stacks: [String: Int]?
  public var lostStacks = 0
  /// Workers whose stacks were sampled.
  public var stackWorkers = 0
  /// The median of its time while they were.
  public var stacksSeconds: Double?
  /// Bytes allocated by stack, by jemalloc's heap profile.
  public var heapStacks: [String: Int]?

  public init(phase: Phase, rows: Int) {
    self.phase = phase
    self.rows = rows
  }

  public var stackSamples: Int { (stacks ?? [:]).values.reduce(0, +) }

  /// The names of all stages, in the order of their first beginning.
  public var stageNames: [String] {
    let timed = times?.stages.map(\.name) ?? []
    return timed + (allocations?.stages.map(\.name) ?? []).filter { !timed.contains($0) }
  }
}
