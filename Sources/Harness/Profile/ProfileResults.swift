// The results of a profile's workers, combined by phase.
package import BatchmarkEngine
package import Instruments
internal import Statistics

/// A profile of one cell.
package struct ProfileResults: Sendable {
  package var cell: Cell
  /// The number of rows in the source.
  package var rows: Int
  /// The command line, as typed.
  package var command = ""
  package var environment: [EnvironmentFact] = []
  /// False for a debug build.
  package var isComparable = true
  /// Instruments that do not work here, and why, in one sentence each.
  package var unavailable: [ProfileInstrument: String] = [:]
  /// Workers without a result, each with its instrument; `nil` for one without an instrument.
  package var failures: [(instrument: ProfileInstrument?, failure: FailedSample)] = []
  /// Whether it was cancelled before everything was measured.
  package var isInterrupted = false
  /// Stack samples per second.
  package var samplingRate = ProfileInstrument.standardSamplingRate
  /// jemalloc's heap profile in its original form; `nil` if there is none.
  package var heap: String?
  /// Notes of the samples, such as "address randomization stayed on".
  package private(set) var notes: [String] = []
  /// Samples by instrument; those without an instrument are under `nil`.
  private var samples: [ProfileInstrument?: [Sample]] = [:]

  package init(cell: Cell, rows: Int) {
    self.cell = cell
    self.rows = rows
  }

  package mutating func add(_ sample: Sample, _ instrument: ProfileInstrument?) {
    samples[instrument, default: []].append(sample)
    for note in sample.allNotes where !notes.contains(note) { notes.append(note) }
  }

  /// The number of stack samples in the main phase, for each worker that took any.
  var stackSamplesOfMainPhase: [Int] {
    (samples[.stacks] ?? []).map { sample in
      sample.phases.filter(\.phase.isMain).reduce(0) { $0 + ($1.profile?.stacks ?? [:]).values.reduce(0, +) }
    }
  }

  /// The heap's peak in the main phase, above the level at its start; `nil` if it was not metered.
  var heapPeakBytes: Int64? { samples[.allocations]?.first?.mainPhase?.metrics[.heapPeak] }

  /// How often the stages were timed.
  package var timedRounds: Int { samples[.stages]?.count ?? 0 }

  /// The recorded phases, in order.
  package var phases: [ProfiledPhase] {
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
      // Take the lower of two middle values, so that every figure is one that was measured.
      if !timed.isEmpty { result.times = timed[(timed.count - 1) / 2] }
      result.allocations = measured(.allocations).first?.profile?.stages
      if let counted = measured(.statements).first {
        let works = measured(.statements).lazy.compactMap(\.profile?.statements).flatMap(\.self)
          .filter { $0.work != nil }
        result.statements = counted.profile?.statements?.map { cost in
          var cost = cost
          cost.work = cost.work ?? works.first { $0.sql == cost.sql }?.work
          return cost
        }
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
      result.peakStacks = measured(.peak).first?.profile?.peakStacks
      if phase.isMain {
        result.heapPeakBytes = heapPeakBytes
        result.heapTimeline = samples[.allocations]?.first?.heap ?? []
      }
      return result
    }
  }

  /// Why an instrument has no figures; `nil` if it has.
  package func gap(of instrument: ProfileInstrument) -> String? {
    if let reason = unavailable[instrument] { return reason }
    if samples[instrument] != nil { return nil }
    return failures.first { $0.instrument == instrument }?.failure.reason ?? "the profile was interrupted before"
  }
}

/// The results for one phase.
package struct ProfiledPhase: Sendable, Hashable {
  package var phase: Phase
  /// The rows that the phase handled.
  package var rows: Int
  /// The median of its time without any instrument.
  package var plainSeconds: Double?
  /// The time of every stage, from the worker with the median time.
  package var times: StageFigures?
  /// The allocations of every stage.
  package var allocations: StageFigures?
  /// Every SQL text, the longest time first.
  package var statements: [SQLCost]?
  /// The phase's time while statements were recorded.
  package var statementsSeconds: Double?
  /// Samples by stack, summed over all workers.
  package var stacks: [String: Int]?
  package var lostStacks = 0
  /// The number of workers with sampled stacks.
  package var stackWorkers = 0
  /// The median of its time while stacks were sampled.
  package var stacksSeconds: Double?
  /// Bytes allocated by stack, from jemalloc's heap profile.
  package var heapStacks: [String: Int]?
  /// Bytes allocated when the heap was at its peak, by the stack that allocated them.
  package var peakStacks: [String: Int]?
  /// The heap's peak by the allocation meter, above the level at the start of the phase.
  package var heapPeakBytes: Int64?
  /// The heap over the phase, with its stages.
  package var heapTimeline: [HeapPoint] = []

  package var stackSamples: Int { (stacks ?? [:]).values.reduce(0, +) }

  /// The names of all stages, in the order in which they first began.
  package var stageNames: [String] {
    let timed = times?.stages.map(\.name) ?? []
    return timed + (allocations?.stages.map(\.name) ?? []).filter { !timed.contains($0) }
  }
}

extension ProfileResults {
  /// Enough samples to estimate shares: a share of 10 % is then known to within 2 percentage points.
  package static let enoughSamples = 1_000
  /// The most workers that sample stacks.
  package static let mostStackWorkers = 20

  /// Whether another worker should sample stacks: the main phase has too few samples, and, going by the first worker,
  /// the allowed number of workers can bring enough.
  var wantsMoreStacks: Bool {
    let counts = stackSamplesOfMainPhase
    guard let first = counts.first, counts.count < ProfileResults.mostStackWorkers else { return false }
    return counts.reduce(0, +) < ProfileResults.enoughSamples
      && first * ProfileResults.mostStackWorkers >= ProfileResults.enoughSamples
  }

  /// The number of allocations in the heap profile; `nil` if there is none, or if its format is unknown.
  package var heapSamples: Int? { heap.flatMap(HeapProfile.samples) }
}
