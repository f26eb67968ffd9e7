// Takes the samples of a paired comparison: exact passes first, then pairs of workers that take their trials in turns,
// in random ABBA blocks, until the plan can decide.
internal import Instruments
package import BatchmarkEngine
package import Statistics
package import Support

/// One side of a comparison, ready to be measured.
package struct PairSide: Sendable {
  package var scenario: PlannedScenario
  package var launcher: any WorkerLauncher
  /// The fault that its workers inject; `nil` except in the self-test.
  package var fault: InjectedFault?

  package init(scenario: PlannedScenario, launcher: any WorkerLauncher, fault: InjectedFault? = nil) {
    self.scenario = scenario
    self.launcher = launcher
    self.fault = fault
  }
}

/// This many pairs have been taken of those needed for the next look.
package enum PairEvent: Sendable {
  case began(PairComparison, isPlacebo: Bool)
  /// So many pairs were taken of those needed for the next look.
  case pair(Int, of: Int, isConfirmation: Bool)
  case setAside(reason: String)
}

/// Measures comparisons, one after the other.
package struct PairRun: Sendable {
  private let rules: PairRules
  private let seed: UInt64
  private let processors: PairProcessors?
  private let passes: [Pass]
  private let directories: SampleDirectories
  private let cancellation: Cancellation

  /// - Parameters:
  ///   - rules: The rules of the comparisons, unless a scenario's gate overrides them. The result is `nil` for rules
  ///     that could never decide anything.
  ///   - seed: Decides the order within pairs and the padding of environments.
  ///   - processors: Where workers run; `nil` for any processor.
  ///   - passes: The exact passes to take.
  ///   - directories: The folders of the samples.
  ///   - cancellation: Ends it early.
  package init?(
    rules: PairRules, seed: UInt64, processors: PairProcessors?, passes: [Pass], directories: SampleDirectories,
    cancellation: Cancellation = Cancellation()
  ) {
    guard rules.isUsable else { return nil }
    self.rules = rules
    self.seed = seed
    self.processors = processors
    self.passes = passes
    self.directories = directories
    self.cancellation = cancellation
  }

  /// Exact samples of each side: two, to find figures that do not repeat.
  private static let exactRounds = 2

  /// How much is compared.
  package enum Extent: Sendable, Hashable {
    /// Exact figures, and times with as many looks as necessary.
    case whole
    /// Only times, with as many looks as necessary.
    case times
    /// Only times, for one look.
    case placebo
  }

  /// Compares the cells of the two sides.
  ///
  /// - Parameters:
  ///   - base: The side that head is compared with; its scenario has exactly one cell.
  ///   - head: Likewise. For a placebo, the same side again.
  ///   - extent: How much is compared.
  ///   - number: The comparison's number in the run, which seeds its order.
  ///   - progress: Called as it proceeds.
  /// - Returns: The comparison; `nil` for sides without a cell, and for a placebo if the gate does not judge times.
  /// - Throws: `CancellationError` if it was cancelled, ``OutputError`` if a sample's folder cannot be made.
  package func compare(
    _ base: PairSide, _ head: PairSide, extent: Extent = .whole, number: Int, progress: (PairEvent) -> Void
  ) throws -> PairComparison? {
    guard var comparison = PairComparison(of: base, head) else { return nil }
    let timeRules = comparison.timeRules(extent == .placebo ? rules.ofPlacebos : rules)
    if extent == .placebo && timeRules == nil { return nil }
    progress(.began(comparison, isPlacebo: extent == .placebo))
    if extent == .whole { try takeFigures(base, head, into: &comparison) }
    guard comparison.failures.isEmpty, let plan = timeRules?.plan else {
      return comparison
    }
    let own = seed(of: number)
    func wanted(_ pairs: [SamplePair]) -> Int? { PairRun.pairsForNextLook(pairs, by: plan) }
    comparison.pairs = try pairs(
      base, head, seed: own, until: wanted, isConfirmation: false, into: &comparison, progress: progress)
    // If other machines take pairs too, their pairs confirm the verdict.
    if rules.machines == nil,
      let verdict = plan.verdict(endingWith: PairDifferences(comparison.pairs).values),
      verdict.outcome.isSlower || verdict.outcome.isFaster, !verdict.needsNoConfirmation(margin: plan.margin)
    {
      comparison.confirmation = try pairs(
        base, head, seed: ~own, until: wanted, isConfirmation: true, into: &comparison, progress: progress)
    }
    return comparison
  }

  /// Compares only the exact figures of the sides.
  ///
  /// - Returns: The comparison; `nil` for sides without a cell.
  /// - Throws: As ``compare(_:_:extent:number:progress:)``.
  package func compareFigures(_ base: PairSide, _ head: PairSide) throws -> PairComparison? {
    guard var comparison = PairComparison(of: base, head) else { return nil }
    try takeFigures(base, head, into: &comparison)
    return comparison
  }

  /// Takes a fixed number of pairs of a side with itself, without judging them.
  ///
  /// - Parameters:
  ///   - side: Both sides of each pair; its scenario has exactly one cell.
  ///   - count: How many pairs are taken.
  ///   - number: Its number in the run, which seeds its order.
  ///   - progress: Called as it proceeds.
  /// - Returns: The pairs and what failed; `nil` for a side without a cell.
  /// - Throws: As ``compare(_:_:extent:number:progress:)``.
  package func takePairs(
    _ side: PairSide, count: Int, number: Int, progress: (PairEvent) -> Void
  ) throws -> (pairs: [SamplePair], failures: [PairFailure])? {
    guard let cell = side.scenario.scenario.cells.first else { return nil }
    var comparison = PairComparison(
      baseCell: cell, headCell: cell, baseFingerprint: side.scenario.scenario.fingerprint,
      headFingerprint: side.scenario.scenario.fingerprint)
    let pairs = try pairs(
      side, side, seed: seed(of: number), until: { $0.count < count ? count : nil }, isConfirmation: false,
      into: &comparison, progress: progress)
    return (pairs, comparison.failures)
  }

  /// The seed of a comparison's order.
  private func seed(of number: Int) -> UInt64 { seed &+ UInt64(bitPattern: Int64(number)) &* 0x9e37_79b9_7f4a_7c15 }

  /// How many pairs a plan needs before its next look; `nil` once it has a verdict.
  private static func pairsForNextLook(_ pairs: [SamplePair], by plan: SequentialPlan) -> Int? {
    guard case .goOn(let wanted) = plan.step(on: PairDifferences(pairs).values) else { return nil }
    return wanted
  }

  private func takeFigures(_ base: PairSide, _ head: PairSide, into comparison: inout PairComparison) throws {
    for pass in passes {
      for round in 1...PairRun.exactRounds {
        for isBase in [true, false] {
          switch try take(isBase ? base : head, comparison.cell(isBase: isBase), pass, round: round).result {
          case .success(let sample):
            if isBase { comparison.baseFigures.append(sample) } else { comparison.headFigures.append(sample) }
          case .failure(let failure): comparison.note(failure, isBase: isBase)
          }
        }
      }
    }
  }

  /// Takes pairs until no more are needed, or too many are lost.
  private func pairs(
    _ base: PairSide, _ head: PairSide, seed: UInt64, until wantedPairs: ([SamplePair]) -> Int?, isConfirmation: Bool,
    into comparison: inout PairComparison,
    progress: (PairEvent) -> Void
  ) throws -> [SamplePair] {
    var pairs: [SamplePair] = []
    // Disturbed pairs are taken again, but only up to a limit.
    let attempts = ((comparison.timeRules(rules) ?? rules).looks.last ?? 0) * 2
    var generator = SplitMix64(seed: seed)
    var failedPairs = 0
    for attempt in 1...max(attempts, 1) {
      guard let wanted = wantedPairs(pairs) else { return pairs }
      progress(.pair(pairs.count + 1, of: wanted, isConfirmation: isConfirmation))
      // Both workers of a pair get the same padding, so that it does not add to their difference.
      let padding = Int(generator.next(below: 4096))
      let orders = balancedOrders(alternatives: 2, rounds: rules.trials, seed: generator.next())
      let baseFirst = orders.map { $0.first == 0 }
      var samples: [Bool: Sample] = [:]
      let startsBase = generator.next(below: 2) == 0
      for (isBase, outcome) in try takePair(
        base, head, comparison, round: attempt, padding: padding, baseFirst: baseFirst, startsBase: startsBase)
      {
        switch outcome.result {
        case .success(let sample): samples[isBase] = sample
        case .failure(let failure):
          comparison.note(failure, isBase: isBase)
          progress(.setAside(reason: failure.reason))
        }
      }
      guard let baseSample = samples[true], let headSample = samples[false] else {
        failedPairs += 1
        if failedPairs >= BenchmarkRun.failuresBeforeGivingUp { return pairs }
        continue
      }
      let pair = SamplePair(base: baseSample, head: headSample, baseFirst: baseFirst)
      if let limit = rules.interferenceLimit, pair.interference > limit {
        comparison.disturbedPairs += 1
        progress(.setAside(reason: "a sample was disturbed"))
        continue
      }
      pairs.append(pair)
    }
    return pairs
  }

  /// Runs two workers that take their trials in turns.
  ///
  /// If one fails, the other is stopped, because it would otherwise wait forever. Chance decides which worker starts
  /// first and gets the first folder and pipe, so that the two differ only in their sides.
  ///
  /// - Returns: The outcome of each side; `nil` for one that was stopped.
  private func takePair(
    _ base: PairSide, _ head: PairSide, _ comparison: PairComparison, round: Int, padding: Int, baseFirst: [Bool],
    startsBase: Bool
  ) throws -> [Bool: SampleOutcome] {
    let folders = try (1...3).map { try directories.make(number: $0) }
    defer { for folder in folders { directories.remove(folder) } }
    let pipes = try TurnPipes(in: folders[2])
    defer { pipes.close() }
    let workers = zip([startsBase, !startsBase], folders).map { isBase, folder in
      let side = isBase ? base : head
      var job = job(of: side, comparison.cell(isBase: isBase), .timing, round: round, in: folder)
      job.processor = processors?.measured
      job.padding = padding
      job.turns = pipes.turns(
        isFirst: isBase == startsBase, goesFirst: baseFirst.map { $0 == isBase },
        processorsBetween: processors?.between ?? [])
      return PairWorker(isBase: isBase, side: side, job: job, trials: baseFirst.count)
    }
    let outcomes = PairWorker.take(workers[0], workers[1], cancellation: cancellation)
    try cancellation.check()
    return outcomes
  }

  /// Takes a sample of an exact pass.
  private func take(_ side: PairSide, _ cell: Cell, _ pass: Pass, round: Int) throws -> SampleOutcome {
    let directory = try directories.make(number: 1)
    defer { directories.remove(directory) }
    return try side.launcher.take(
      job(of: side, cell, pass, round: round, in: directory), limit: side.scenario.scenario.measure.sampleLimit,
      cancellation: cancellation)
  }

  private func job(of side: PairSide, _ cell: Cell, _ pass: Pass, round: Int, in directory: String) -> SampleJob {
    SampleJob(
      scenarioText: side.scenario.text, scenarioFile: side.scenario.scenario.file, overrides: side.scenario.overrides,
      cell: cell, pass: pass, round: round, directory: directory, fault: side.fault)
  }
}

extension PairRules {
  /// Whether these rules could ever show a change.
  package var isUsable: Bool { plan != nil }

  /// The plan of looks; `nil` for rules that could never decide anything.
  package var plan: SequentialPlan? {
    SequentialPlan(looks: looks, margin: margin, deadZone: deadZone, alpha: alpha, beta: beta)
  }
}

extension PairComparison {
  fileprivate mutating func note(_ failure: FailedSample, isBase: Bool) {
    var noted = PairFailure(
      isBase: isBase, pass: failure.pass, reason: failure.reason, standardError: failure.standardError)
    noted.isOtherFormat = failure.isOtherFormat
    failures.append(noted)
  }

  fileprivate func cell(isBase: Bool) -> Cell { isBase ? baseCell : headCell }
}

extension SamplePair {
  /// The larger of the two samples' shares of wall time spent waiting for a processor or lost to the host.
  fileprivate var interference: Double { max(base.interferenceShare, head.interferenceShare) }
}

extension Sample {
  /// The main phase of the cell, whatever its operation.
  package var mainPhase: PhaseMeasurement? {
    phases.first { $0.phase.isMain }
  }

  fileprivate var interferenceShare: Double {
    guard let phase = mainPhase, let wall = phase.wallSeconds, wall > 0 else { return 0 }
    return phase.disturbedSeconds / wall
  }
}

extension PairComparison {
  /// A comparison without pairs; `nil` for sides without a cell.
  fileprivate init?(of base: PairSide, _ head: PairSide) {
    let (base, head) = (base.scenario.scenario, head.scenario.scenario)
    guard let baseCell = base.cells.first, let headCell = head.cells.first else { return nil }
    self.init(
      baseCell: baseCell, headCell: headCell, baseFingerprint: base.fingerprint,
      headFingerprint: head.fingerprint, gate: head.gate)
  }
}
