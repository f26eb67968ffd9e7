// A2, A7: paired comparisons with functions as workers: order, verdicts, failures, disturbances, placebo.
import Analysis
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Scenarios
import Statistics
import Support
import Synchronization
import Testing

@Suite("A2 A7 · pairs", .tags(.a2, .a7))
struct PairTests {
  private let rules = PairRules(looks: SequentialPlan.defaultLooks, trials: 1)

  /// Noise from a seed.
  ///
  /// Both workers of a pair run at once, and either may draw first, so each side has its own generator.
  private final class Machine: Sendable {
    private let generator: Mutex<SplitMix64>
    init(_ seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }
    func side() -> Machine { Machine(generator.withLock { $0.next() }) }
    func unit() -> Double { generator.withLock { $0.nextUnit() } }
    func noise(_ size: Double) -> Double { 1 + size * (unit() - 0.5) }
  }

  /// A launcher with the given time of timed samples and the given counters.
  private func launcher(
    _ seconds: Double, machine: Machine, metrics: [MetricID: Int64] = [.syncs: 8, .allocations: 1_000],
    disturb: Double = 0, noise: Double = 0.02
  ) -> MockLauncher {
    let side = machine.side()
    return MockLauncher { job, number in
      var answer = sample(job.cell.id, job.pass, round: job.round, wall: seconds * side.noise(noise))
      if job.pass == .timing {
        answer.phases[0].interference = Interference(
          runDelaySeconds: number % 3 == 0 ? disturb * seconds : 0)
      } else {
        answer.phases[0].metrics = metrics
      }
      return .sample(answer)
    }
  }

  private func compare(
    _ base: any WorkerLauncher, _ head: any WorkerLauncher, rules: PairRules? = nil, extent: PairRun.Extent = .whole,
    seed: UInt64 = 7
  ) throws -> PairComparison {
    let folder = try TemporaryFolder()
    let run = try #require(
      PairRun(
        rules: rules ?? self.rules, seed: seed, processors: PairProcessors(measured: 1, between: [0, 1]),
        passes: [.memory, .counters],
        directories: try SampleDirectories(output: folder.path)))
    let side = planned(try scenario(strategies: ["save"]))
    let comparison = try run.compare(
      PairSide(scenario: side, launcher: base), PairSide(scenario: side, launcher: head), extent: extent,
      number: 1
    ) { _ in }
    return try #require(comparison)
  }

  private func results(
    _ comparisons: [PairComparison], placebos: [PairComparison] = [], isInterrupted: Bool = false
  ) -> PairResults {
    PairResults(
      run: RunRecord(
        batchmarkVersion: "1", command: "batchmark pair", started: "", finished: "", seed: 7, isQuick: false,
        isComparable: true, isInterrupted: isInterrupted), environment: [], rules: rules,
      base: PairSideRecord(name: "old", build: build(), overrides: []),
      head: PairSideRecord(name: "new", build: build("def"), overrides: []), comparisons: comparisons,
      placebos: placebos)
  }

  @Test("Sides that are alike pass, whatever the seed", arguments: 1...UInt64(8))
  func alike(seed: UInt64) throws {
    let machine = Machine(seed)
    let comparison = try compare(
      launcher(0.1, machine: machine), launcher(0.1, machine: machine), seed: seed)
    let time = comparison.time(rules)
    #expect(time.verdict == .pass && time.confirmation == nil)
    #expect(comparison.pairs.count == time.first?.pairs && comparison.confirmation.isEmpty)
    #expect(comparison.figures(rules).map(\.verdict) == [.pass, .pass])
    #expect(results([comparison]).status == .success)
  }

  @Test("A slow-down of 8 % is a regression, confirmed by fresh pairs; in reverse it is an improvement")
  func slower() throws {
    let machine = Machine(3)
    let worse = try compare(launcher(0.1, machine: machine), launcher(0.108, machine: machine))
    let time = worse.time(rules)
    #expect(time.verdict == .regression && time.confirmation?.outcome == .regression)
    #expect(worse.confirmation.count >= 12)
    let effect = ratio(fromLog: try #require(time.first?.effect))
    #expect(abs(effect - 1.08) < 0.01)
    #expect(results([worse]).status == .regression)
    let better = try compare(launcher(0.108, machine: machine), launcher(0.1, machine: machine))
    #expect(better.time(rules).verdict == .improved)
    #expect(results([better]).status == .success)
  }

  /// A comparison of sides with this slowdown, judged by rules of the form `figure=limit`.
  private func gated(
    _ slowdown: Double = 1, syncs: Int64 = 8, _ limits: (figure: String, limit: String)..., rules: PairRules? = nil
  ) throws -> PairComparison {
    let machine = Machine(3)
    var comparison = try compare(
      launcher(0.1, machine: machine),
      launcher(0.1 * slowdown, machine: machine, metrics: [.syncs: syncs, .allocations: 1_000]), rules: rules)
    let scenario = try scenario(strategies: ["save"])
    comparison.gate = Gate(
      try limits.map { try ScenarioSchema([]).gateRule($0.figure, limit: $0.limit, for: scenario) })
    return comparison
  }

  @Test("A custom limit judges an exact figure: by share, by number, in both directions, or not at all")
  func figureLimits() throws {
    func verdict(_ syncs: Int64, _ limit: String) throws -> (Verdict?, CommandStatus) {
      let comparison = try gated(syncs: syncs, ("syncs", limit))
      return (comparison.figures(rules).first { $0.metric == .syncs }?.verdict, results([comparison]).status)
    }
    #expect(try verdict(9, "10%") == (.regression, .regression))
    #expect(try verdict(9, "13%") == (.small, .success))
    #expect(try verdict(9, "1") == (.small, .success))
    #expect(try verdict(10, "1") == (.regression, .regression))
    #expect(try verdict(1, "50%") == (.improved, .success))
    #expect(try verdict(1, "±50%") == (.improved, .regression))
    #expect(try verdict(7, "±1") == (.pass, .success))
    #expect(try verdict(100, "none") == (nil, .success))
  }
}

extension PairTests {
  @Test("The time's margin comes from the rule, with a dead zone of a fifth of it and looks up to 400 pairs")
  func timeLimits() throws {
    let comparison = try gated(1.08, ("time", "20%"))
    #expect(comparison.time(rules).verdict == .small && results([comparison]).status == .success)
    #expect(try gated(1.08, ("time", "5%")).time(rules).fails)
    let own = try #require(try gated(1, ("time", "2%")).timeRules(PairRules()))
    #expect(own.deadZone == 0.004 && own.looks == [12, 18, 27, 40, 60, 90, 135, 200, 300, 400])
    #expect(try gated(1, ("time", "2%")).timeRules(rules)?.looks == SequentialPlan.defaultLooks, "chosen looks stay")
    let placebo = try gated(1, ("time", "2%")).timeRules(PairRules().ofPlacebos)
    #expect(placebo?.looks == [12] && placebo?.margin == 0.02)
    let unjudged = try gated(1.5, ("time", "none"))
    #expect(unjudged.time(rules).verdict == .pass && results([unjudged]).status == .success)
    #expect(unjudged.unjudged.map(\.text) == ["time=none"])
  }

  @Test("A gate on only the time or only figures leaves the other unjudged, and fails if nothing was compared")
  func judged() throws {
    let worse = try gated(1.5, syncs: 9, ("save.syncs", "0"), ("load.exact", "none"))
    var (time, figures) = (rules, rules)
    (time.judged, figures.judged) = (.time, .figures)
    #expect(worse.figures(time).isEmpty && worse.timeRules(figures) == nil)
    #expect(worse.time(time).fails && !worse.time(figures).fails && worse.fails(figures))
    var empty = try gated(1, ("load.exact", "none"))
    (empty.baseFigures, empty.headFigures) = ([], [])
    #expect(empty.comparesNothing(rules) && empty.comparesNothing(figures) && !empty.comparesNothing(time))
    empty.pairs = []
    #expect(empty.comparesNothing(time))
    var none = try gated(1, ("exact", "none"))
    #expect(!none.comparesNothing(rules))
    none.pairs = []
    #expect(none.comparesNothing(rules))
  }

  @Test("Improvements fail on request; a missing verdict passes if allowed")
  func policies() throws {
    let faster = try gated(0.9)
    #expect(results([faster]).status == .success)
    var strict = results([faster])
    strict.rules.failsOnImproved = true
    #expect(strict.status == .regression)
    let noisy = try compare(
      launcher(0.1, machine: Machine(2), noise: 1), launcher(0.1, machine: Machine(9), noise: 1),
      rules: PairRules(looks: [12], trials: 1))
    var told = results([noisy])
    told.rules = PairRules(looks: [12], trials: 1)
    #expect(told.status == .inconclusive)
    told.rules.allowed = [.inconclusive]
    #expect(told.status == .success)
    var nothing = results([])
    nothing.rules.allowed = [.inconclusive, .untrusted]
    #expect(nothing.status == .untrusted, "what was compared with nothing stays closed")
  }

  @Test("A change that fresh pairs do not confirm is inconclusive")
  func unconfirmed() throws {
    let machine = Machine(5)
    let side = machine.side()
    let slowAtFirst = MockLauncher { job, number in
      // The four exact samples come first.
      let seconds = job.pass == .timing && number < 4 + 12 ? 0.11 : 0.1
      return .sample(
        sample(
          job.cell.id, job.pass, round: job.round, wall: seconds * side.noise(0.02),
          metrics: job.pass == .timing ? [:] : [.syncs: 8, .allocations: 1_000]))
    }
    let comparison = try compare(launcher(0.1, machine: machine), slowAtFirst)
    #expect(comparison.time(rules).first?.outcome == .regression)
    #expect(comparison.time(rules).verdict == .inconclusive)
    #expect(results([comparison]).status == .inconclusive)
  }
}

extension PairTests {
  @Test("Workers take turns in blocks of opposite order, with equal padding, and are measured on one processor")
  func order() throws {
    let machine = Machine(1)
    let all = Mutex<[(isBase: Bool, job: SampleJob)]>([])
    func noting(_ isBase: Bool) -> MockLauncher {
      let side = machine.side()
      return MockLauncher { job, _ in
        all.withLock { $0.append((isBase, job)) }
        return .sample(sample(job.cell.id, job.pass, round: job.round, wall: 0.1 * side.noise(0.02)))
      }
    }
    var rules = rules
    rules.trials = 4
    let comparison = try compare(noting(true), noting(false), rules: rules)
    let taken = all.withLock { $0 }
    let exact = taken.filter { $0.job.pass != .timing }
    #expect(exact.map(\.isBase) == [true, false, true, false, true, false, true, false])
    #expect(exact.allSatisfy { $0.job.padding == nil && $0.job.processor == nil && $0.job.turns == nil })
    let timed = taken.filter { $0.job.pass == .timing }
    #expect(timed.count == 2 * comparison.pairs.count && timed.allSatisfy { $0.job.processor == 1 })
    let (bases, heads) = (timed.filter(\.isBase).map(\.job), timed.filter { !$0.isBase }.map(\.job))
    for (number, (base, head)) in zip(bases, heads).enumerated() {
      let (turns, others) = (try #require(base.turns), try #require(head.turns))
      #expect(base.padding == head.padding && base.directory != head.directory)
      #expect(turns.outbox == others.inbox && turns.inbox == others.outbox && turns.processorsBetween == [0, 1])
      #expect(turns.goesFirst == others.goesFirst.map { !$0 } && comparison.pairs[number].baseFirst == turns.goesFirst)
      #expect(turns.goesFirst[0] != turns.goesFirst[1] && turns.goesFirst[2] != turns.goesFirst[3])
    }
    #expect(Set(bases.map(\.padding)).count > 6)
    #expect(Set(bases.map { $0.turns?.goesFirst.first }).count == 2)
  }

  @Test("Differences that the processor's speed explains are subtracted, and a slow-down is not")
  func speed() throws {
    let machine = Machine(11)
    // Speeds differ by a factor of two between trials. Times follow them with the power 1.3.
    func side(_ seconds: Double, probe: Double = 1) -> MockLauncher {
      let side = machine.side()
      return MockLauncher { job, _ in
        var answer = sample(job.cell.id, job.pass, round: job.round, wall: seconds)
        let speeds = (0..<(job.turns?.goesFirst.count ?? 1)).map { _ in 1 + side.unit() }
        answer.phases[0].trialWallSeconds = speeds.map { speed in
          seconds * pow(speed, 1.3) * side.noise(0.04)
        }
        answer.phases[0].trialProbeSeconds = speeds.map { probe * 3e-6 * $0 }
        return .sample(answer)
      }
    }
    var rules = rules
    rules.trials = 6
    let same = try compare(side(0.1), side(0.1), rules: rules)
    let differences = PairDifferences(same.pairs)
    #expect(same.time(rules).verdict == .pass && same.pairs.count < 20)
    #expect(abs(try #require(differences.slope) - 1.3) < 0.1)
    let spreads = [differences.values, differences.measured].compactMap { robustStandardDeviation($0) }
    #expect(spreads[0] < spreads[1] / 5)
    #expect(try compare(side(0.1), side(0.105), rules: rules).time(rules).verdict == .regression)
    // Swapping the sides reverses every sign.
    let swapped = same.pairs.map { SamplePair(base: $0.head, head: $0.base, baseFirst: $0.baseFirst.map { !$0 }) }
    #expect(PairDifferences(swapped).values == differences.values.map { -$0 })
    // A probe that one side slows down does not measure the machine.
    let unfair = try compare(side(0.1), side(0.1, probe: 1.5), rules: rules)
    #expect(PairDifferences(unfair.pairs).slope == nil)
    // If one trial has no probe, nothing is corrected.
    var partly = same.pairs
    partly[2].head.phases[0].trialProbeSeconds = nil
    #expect(PairDifferences(partly).slope == nil)
    #expect(PairDifferences(partly).values == PairDifferences(partly).measured)
  }

  @Test(
    "A worker of a build without turns fails with a sentence, and the other does not wait for it",
    .timeLimit(.minutes(10)))
  func turnless() throws {
    let machine = Machine(4)
    let turnless = MockLauncher(takesTurns: false) { job, _ in
      .sample(sample(job.cell.id, job.pass, round: job.round, wall: 0.1))
    }
    let comparison = try compare(WaitingLauncher(launcher(0.1, machine: machine)), turnless)
    #expect(comparison.pairs.isEmpty && comparison.failures.allSatisfy { !$0.isBase })
    #expect(comparison.failures.first?.reason.contains("did not take turns") == true)
    #expect(results([comparison]).status == .failedSamples)
  }

  @Test("If one worker of a pair fails, the other is stopped instead of waiting endlessly", .timeLimit(.minutes(10)))
  func leftAlone() throws {
    let machine = Machine(4)
    let waiting = WaitingLauncher(launcher(0.1, machine: machine))
    let failing = MockLauncher { job, _ in
      job.pass == .timing
        ? .failure(FailedSample(job, reason: "the worker was killed by signal 9"))
        : .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let comparison = try compare(waiting, failing)
    #expect(comparison.pairs.isEmpty && !comparison.failures.isEmpty && comparison.failures.allSatisfy { !$0.isBase })
  }

  /// A worker that waits for its turn until it is stopped.
  private struct WaitingLauncher: WorkerLauncher {
    let exact: MockLauncher
    init(_ exact: MockLauncher) { self.exact = exact }

    func take(
      _ job: SampleJob, limit: Double, cancellation: Cancellation
    ) throws(CancellationError) -> SampleOutcome {
      guard job.turns != nil else { return try exact.take(job, limit: limit, cancellation: cancellation) }
      let isStopped = DispatchSemaphore(value: 0)
      cancellation.watched(by: { isStopped.signal() }) { isStopped.wait() }
      throw CancellationError()
    }
  }
}

extension PairTests {
  @Test("Exact figures alone decide: one more sync is a regression, a little more memory is only reported")
  func figures() throws {
    let machine = Machine(2)
    let base = launcher(0.1, machine: machine, metrics: [.syncs: 8, .heapPeak: 1_000_000, .vmSteps: 500])
    let head = launcher(0.1, machine: machine, metrics: [.syncs: 9, .heapPeak: 1_005_000, .vmSteps: 400])
    let comparison = try compare(base, head)
    let verdicts = Dictionary(uniqueKeysWithValues: comparison.figures(rules).map { ($0.metric, $0.verdict) })
    #expect(verdicts == [.syncs: .regression, .heapPeak: .small, .vmSteps: .improved])
    #expect(comparison.time(rules).verdict == .pass && results([comparison]).status == .regression)
  }

  @Test("A figure that varies on one side is not judged")
  func wobbling() throws {
    let machine = Machine(2)
    let wobbling = MockLauncher { job, number in
      .sample(sample(job.cell.id, job.pass, round: job.round, wall: 0.1, metrics: [.syncs: Int64(8 + number % 2)]))
    }
    let comparison = try compare(launcher(0.1, machine: machine, metrics: [.syncs: 8]), wobbling)
    #expect(comparison.figures(rules).map(\.verdict) == [.untrusted])
  }

  @Test("A failed sample invalidates its pair, and many leave the verdict untrusted")
  func failures() throws {
    let machine = Machine(4)
    let side = machine.side()
    let failing = MockLauncher { job, number in
      // This is after four exact samples.
      number == 6
        ? .failure(FailedSample(job, reason: "the worker was killed by signal 9"))
        : .sample(sample(job.cell.id, job.pass, round: job.round, wall: 0.1 * side.noise(0.02)))
    }
    let comparison = try compare(launcher(0.1, machine: machine), failing)
    #expect(comparison.failures.map(\.reason) == ["the worker was killed by signal 9"])
    #expect(!comparison.failures[0].isBase)
    #expect(comparison.time(rules).verdict == .untrusted)
    #expect(comparison.time(rules).distrust?.contains("1 of 13 pairs was lost") == true)
    #expect(results([comparison]).status == .failedSamples)
    let broken = MockLauncher { job, _ in .failure(FailedSample(job, reason: "no")) }
    let never = try compare(launcher(0.1, machine: machine), broken)
    #expect(never.pairs.isEmpty && !never.failures.isEmpty)
    #expect(results([never]).status == .failedSamples)
  }
}

extension PairTests {
  @Test("Disturbed pairs are repeated and counted only if the rules say so")
  func disturbances() throws {
    let machine = Machine(6)
    var strict = rules
    strict.interferenceLimit = 0.05
    let comparison = try compare(
      launcher(0.1, machine: machine, disturb: 0.5), launcher(0.1, machine: machine), rules: strict)
    #expect(comparison.disturbedPairs > 0 && comparison.pairs.count >= 12)
    #expect(
      comparison.pairs.allSatisfy { $0.base.mainPhase?.interference?.runDelaySeconds == 0 })
    let lenient = try compare(launcher(0.1, machine: machine, disturb: 0.5), launcher(0.1, machine: machine))
    #expect(lenient.disturbedPairs == 0)
  }

  @Test("If base differs from itself, no verdict is trusted; an interrupt comes before everything")
  func placebo() throws {
    let machine = Machine(8)
    let fine = try compare(launcher(0.1, machine: machine), launcher(0.1, machine: machine))
    let drifting = try compare(
      launcher(0.1, machine: machine), launcher(0.12, machine: machine), extent: .placebo)
    #expect(drifting.baseFigures.isEmpty)
    // It ends at the first look that allows a verdict.
    #expect(drifting.pairs.count == 12 && rules.ofPlacebos.looks == [12])
    #expect(results([fine], placebos: [fine]).status == .success)
    #expect(results([fine], placebos: [drifting]).status == .untrusted)
    #expect(results([fine, fine], placebos: [fine, drifting]).brokenPlacebos.map(\.comparison.pairs.count) == [12])
    // A placebo that is too noisy to pass neither fails nor passes.
    let noisy = try compare(
      launcher(0.1, machine: machine, noise: 1), launcher(0.1, machine: machine, noise: 1), extent: .placebo)
    let undecided = results([fine], placebos: [noisy])
    #expect(undecided.placeboVerdicts.map(\.verdict) == [.inconclusive])
    #expect(undecided.status == .success && !undecided.isPlaceboBroken)
    #expect(results([fine], placebos: [drifting], isInterrupted: true).status == .interrupted)
  }

  @Test("A comparison of times alone looks as often as needed, as the self-test must, and takes no counters")
  func times() throws {
    let machine = Machine(9)
    let comparison = try compare(
      launcher(0.1, machine: machine, noise: 0.1), launcher(0.1, machine: machine, noise: 0.1), extent: .times)
    #expect(comparison.baseFigures.isEmpty && comparison.headFigures.isEmpty)
    #expect(comparison.pairs.count > 12 && rules.looks.contains(comparison.pairs.count))
  }

  @Test(
    "The main phase of each operation is compared, fetches among them",
    arguments: BatchmarkEngine.Operation.Kind.allCases)
  func operations(operation: BatchmarkEngine.Operation.Kind) throws {
    let machine = Machine(11)
    func launcher() -> MockLauncher {
      let side = machine.side()
      return MockLauncher { job, _ in
        var answer = sample(
          job.cell.id, job.pass, round: job.round, wall: 0.1 * side.noise(0.02),
          metrics: job.pass == .timing ? [:] : [.syncs: 8, .allocations: 1_000])
        answer.phases[0].phase = operation.phase
        return .sample(answer)
      }
    }
    let comparison = try compare(launcher(), launcher())
    #expect(comparison.failures.isEmpty && comparison.time(rules).verdict == .pass)
    #expect(comparison.figures(rules).map(\.verdict) == [.pass, .pass])
    #expect(results([comparison]).status == .success)
  }
}

extension PairTests {
  @Test("Without any compared exact figure, no verdict is trusted")
  func noFigures() throws {
    let machine = Machine(12)
    func without() -> MockLauncher { launcher(0.1, machine: machine, metrics: [:]) }
    let comparison = try compare(without(), without())
    #expect(comparison.time(rules).verdict == .pass && comparison.figures(rules).isEmpty)
    #expect(results([comparison]).status == .untrusted && results([comparison]).overall == .untrusted)
  }

  @Test("Samples without a time, and a comparison of nothing, fail the gate")
  func nothingMeasured() throws {
    let timeless = MockLauncher { job, _ in
      var answer = sample(job.cell.id, job.pass, round: job.round)
      answer.phases[0].wallSeconds = nil
      return .sample(answer)
    }
    let comparison = try compare(timeless, timeless)
    #expect(comparison.pairs.isEmpty && comparison.failures.first?.reason.contains("0 times for 1 trials") == true)
    #expect(results([comparison]).status == .failedSamples)
    #expect(results([]).status == .untrusted)
    // Like in a file that somebody has changed.
    var altered = try compare(launcher(0.1, machine: Machine(1)), launcher(0.1, machine: Machine(2)))
    altered.pairs[3].head.phases[0].trialWallSeconds = nil
    #expect(altered.time(rules).verdict == .inconclusive)
    let machine = Machine(3)
    let fine = try compare(launcher(0.1, machine: machine), launcher(0.1, machine: machine))
    #expect(results([fine], placebos: [comparison]).status == .failedSamples)
  }

  @Test("Sides that store different rows are not comparable")
  func contents() throws {
    let machine = Machine(9)
    let side = machine.side()
    let other = MockLauncher { job, _ in
      .sample(sample(job.cell.id, job.pass, round: job.round, wall: 0.1 * side.noise(0.02), hash: "other"))
    }
    let comparison = try compare(launcher(0.1, machine: machine), other)
    #expect(!comparison.isOfOneContent && results([comparison]).status == .notComparable)
  }

  @Test("Rules that cannot show anything make no run")
  func rulesThatCannotTell() throws {
    let folder = try TemporaryFolder()
    let directories = try SampleDirectories(output: folder.path)
    for looks in [[], [3], [12, 12], [18, 12]] {
      #expect(
        PairRun(rules: PairRules(looks: looks), seed: 1, processors: nil, passes: [], directories: directories) == nil)
    }
  }
}
