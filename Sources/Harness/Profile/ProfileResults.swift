// What the workers of a profile saw, put together by phase.
package import BatchmarkEngine
package import Instruments
internal import Statistics

/// A profile of one cell.
package struct ProfileResults: Sendable {
  package var cell: Cell
  /// Rows of the source.
  package var rows: Int
  /// What the user typed.
  package var command = ""
  package var environment: [EnvironmentFact] = []
  /// False for a debug build.
  package var isComparable = true
  /// Instruments that do not work here, and why, in one sentence each.
  package var unavailable: [ProfileInstrument: String] = [:]
  /// Workers that saw nothing, each with what it was to look at; nil for one without an instrument.
  package var failures: [(instrument: ProfileInstrument?, failure: FailedSample)] = []
  /// Whether it was ended before all was measured.
  package var isInterrupted = false
  /// How often stacks were sampled, a second.
  package var samplingRate = ProfileInstrument.standardSamplingRate
  /// jemalloc's heap profile as it wrote it; nil without one.
  package var heap: String?
  /// What the samples noted ("address randomization stayed on").
  package private(set) var notes: [String] = []
  /// Samples by what they looked at; those without an instrument are under nil.
  private var samples: [ProfileInstrument?: [Sample]] = [:]

  package init(cell: Cell, rows: Int) {
    self.cell = cell
    self.rows = rows
  }

  package mutating func add(_ sample: Sample, _ instrument: ProfileInstrument?) {
    samples[instrument, default: []].append(sample)
    for note in sample.allNotes where !notes.contains(note) { notes.append(note) }
  }

  /// Samples of stacks in the main phase, of each worker that took them.
  var stackSamplesOfMainPhase: [Int] {
    (samples[.stacks] ?? []).map { sample in
      sample.phases.filter(\.phase.isMain).reduce(0) { $0 + ($1.profile?.stacks ?? [:]).values.reduce(0, +) }
    }
  }

  /// The heap's highest level in the main phase, above the one it began with; nil where it was not metered.
  var heapPeakBytes: Int64? { samples[.allocations]?.first?.mainPhase?.metrics[.heapPeak] }

  /// How often the stages were timed.
  package var timedRounds: Int { samples[.stages]?.count ?? 0 }

  /// The phases that were followed, in their order.
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
      // The lower of two middle ones, so that every figure is one that was measured.
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

  /// Why an instrument has no figures; nil where it has.
  package func gap(of instrument: ProfileInstrument) -> String? {
    if let reason = unavailable[instrument] { return reason }
    if samples[instrument] != nil { return nil }
    return failures.first { $0.instrument == instrument }?.failure.reason ?? "the profile was interrupted before"
  }
}

/// What was seen of one phase.
package struct ProfiledPhase: Sendable, Hashable {
  package var phase: Phase
  /// Rows it handled.
  package var rows: Int
  /// The median of its time without any instrument.
  package var plainSeconds: Double?
  /// Every stage's time, of the worker whose time is in the middle.
  package var times: StageFigures?
  /// What every stage allocated.
  package var allocations: StageFigures?
  /// Every SQL text, the longest time first.
  package var statements: [SQLCost]?
  /// The phase's time while statements were followed.
  package var statementsSeconds: Double?
  /// Samples by stack, of all workers together.
  package var stacks: [String: Int]?
  package var lostStacks = 0
  /// Workers whose stacks were sampled.
  package var stackWorkers = 0
  /// The median of its time while they were.
  package var stacksSeconds: Double?
  /// Bytes allocated by stack, by jemalloc's heap profile.
  package var heapStacks: [String: Int]?
  /// Bytes that were there when the heap was at its highest, by the stack that allocated them.
  package var peakStacks: [String: Int]?
  /// The same level by the allocation meter, above the one at the beginning of the phase.
  package var heapPeakBytes: Int64?
  /// The heap over the phase, with the stages.
  package var heapTimeline: [HeapPoint] = []

  package var stackSamples: Int { (stacks ?? [:]).values.reduce(0, +) }

  /// The names of all stages, in the order of their first beginning.
  package var stageNames: [String] {
    let timed = times?.stages.map(\.name) ?? []
    return timed + (allocations?.stages.map(\.name) ?? []).filter { !timed.contains($0) }
  }
}

extension ProfileResults {
  /// As many samples as shares can be read from: one of a tenth is then known to within 2 % of all.
  package static let enoughSamples = 1_000
  /// Workers that are sent for them.
  package static let mostStackWorkers = 20

  /// Whether another worker is to sample stacks: the main phase has too few, and so many workers as are sent at the most
  /// would bring enough, as the first one shows.
  var wantsMoreStacks: Bool {
    let counts = stackSamplesOfMainPhase
    guard let first = counts.first, counts.count < ProfileResults.mostStackWorkers else { return false }
    return counts.reduce(0, +) < ProfileResults.enoughSamples
      && first * ProfileResults.mostStackWorkers >= ProfileResults.enoughSamples
  }

  /// The number of allocations in the heap profile; nil without one, and for text of another format.
  package var heapSamples: Int? { heap.flatMap(HeapProfile.samples) }
}
