// `--until`, `--max-time` and `--min-rounds`: when cells have enough rounds.
import MissionTags
@testable import Harness
import HarnessFixtures
import Instruments
import BatchmarkEngine
import Scenarios
import Statistics
import Support
import Testing

@Suite("A2 A6 · rounds by precision and by time", .tags(.a2, .a6))
struct RoundRuleTests {
  /// A run with the given seconds of samples by cell, pass and round, including the worker.
  private func run(
    _ plan: RunPlan, upTo last: Int = .max, _ seconds: (_ strategy: String, _ round: Int) -> Double
  ) throws -> RunLedger {
    var ledger = RunLedger()
    var count = 0
    // Like in `BenchmarkRun`, cells are only left out between rounds.
    while let next = ledger.remaining(of: plan).first, count < last {
      let taken = seconds(next.cell.strategy, next.pass == .timing ? next.round : 0)
      ledger.record(
        .sample(sample(next.cell.id, next.pass, round: next.round, wall: taken), seconds: taken))
      count += 1
    }
    return ledger
  }

  private func plan(_ rules: RoundRules, rounds: Int = 10, _ scenarios: Scenario...) throws -> RunPlan {
    let found = scenarios.isEmpty ? [try scenario(rounds: rounds)] : scenarios
    return RunPlan(scenarios: found.map(planned), seed: 7, isQuick: false, rules: rules)
  }

  private func rounds(_ ledger: RunLedger, _ strategy: String, of scenario: String = "quakes") -> Int {
    ledger.samples.count {
      $0.pass == .timing && $0.cell.hasPrefix(scenario + "/") && $0.cell.hasSuffix("/" + strategy)
    }
  }

  @Test("Rounds continue until each cell's interval is as narrow as requested, up to a hundred")
  func until() throws {
    let plan = try plan(RoundRules(until: 0.02))
    #expect(plan.samples.count { $0.pass == .timing } == 300)
    var noise = SplitMix64(seed: 3)
    let ledger = try run(plan) { strategy, _ in
      switch strategy {
      case "save": 1
      case "batch-objects": 1 + 0.05 * Double.random(in: -1...1, using: &noise)
      default: Double.random(in: 1...100, using: &noise)
      }
    }
    #expect(rounds(ledger, "save") == 6)
    #expect((11...64).contains(rounds(ledger, "batch-objects")))
    #expect(rounds(ledger, "batch-dictionary") == 100)
    let ends = plan.earlyStops(of: plan.scenarios[0], in: ledger)
    #expect(ends["quakes/objectgraph/save"] == RoundEnd(round: 6, reason: .narrow(halfWidth: 0)))
    guard case .narrow(let halfWidth)? = ends["quakes/objectgraph/batch-objects"]?.reason else {
      Issue.record("\(ends)")
      return
    }
    #expect(halfWidth <= 0.02)
    #expect(ends["quakes/objectgraph/batch-dictionary"] == nil)
    // The rule uses the same median and interval as the report.
    let walls = ledger.samples.filter { $0.pass == .timing && $0.cell.hasSuffix("/batch-objects") }
      .compactMap { $0.phases[0].wallSeconds }
    let interval = try #require(medianInterval(walls, confidence: 0.95))
    #expect((interval.upperBound - interval.lowerBound) / 2 / (median(walls) ?? 0) == halfWidth)
  }

  @Test("Requested rounds are the maximum, and --min-rounds is the minimum")
  func bounds() throws {
    #expect(rounds(try run(try plan(RoundRules(minRounds: 9, until: 0.02))) { _, _ in 1 }, "save") == 11)
    #expect(rounds(try run(try plan(RoundRules(minRounds: 12), rounds: 4)) { _, _ in 9 }, "save") == 12)
    var asked = planned(try scenario(rounds: 8))
    asked.overrides = [ScenarioOverride(key: "rounds", value: "8", origin: "--rounds 8")]
    let most = RunPlan(scenarios: [asked], seed: 1, isQuick: false, rules: RoundRules(until: 0.000_1))
    var seconds = 1.0
    let ledger = try run(most) { _, _ in
      seconds *= 1.1
      return seconds
    }
    #expect(rounds(ledger, "save") == 8)
    // A slow cell also gets at least the minimum number of rounds.
    #expect(rounds(try run(try plan(RoundRules(minRounds: 5), rounds: 8)) { _, _ in 2.5 }, "save") == 5)
    #expect(rounds(try run(try plan(RoundRules(minRounds: 2), rounds: 8)) { _, _ in 2.5 }, "save") == 3)
  }

  @Test("Time is shared equally, and the unused time of fast cells is given to slow ones")
  func shares() throws {
    // The two passes before take 2 s for each cell. Of 40 s, the fast cell needs 1 s for 10 rounds, and the others
    // share 33 s.
    let plan = try plan(RoundRules(maxSeconds: 40))
    let ledger = try run(plan) { strategy, round in
      round == 0 ? 1 : strategy == "save" ? 0.1 : strategy == "batch-objects" ? 2 : 4
    }
    #expect(rounds(ledger, "save") == 10)
    #expect(rounds(ledger, "batch-objects") == 8)
    #expect(rounds(ledger, "batch-dictionary") == 4)
    let total = ledger.seconds.values.reduce(0, +)
    #expect(total <= 40 && total > 36)
    let ends = plan.earlyStops(of: plan.scenarios[0], in: ledger)
    #expect(ends["quakes/objectgraph/save"] == nil)
    #expect(ends["quakes/objectgraph/batch-dictionary"]?.round == 4)
    // With enough time no cell stops, even a slow one. Without any, each cell gets one round, or the requested minimum.
    #expect(rounds(try run(try self.plan(RoundRules(maxSeconds: 300))) { _, _ in 2.5 }, "save") == 10)
    #expect(rounds(try run(try self.plan(RoundRules(maxSeconds: 1))) { _, _ in 2.5 }, "save") == 1)
    #expect(rounds(try run(try self.plan(RoundRules(maxSeconds: 1, minRounds: 3))) { _, _ in 2.5 }, "save") == 3)
  }
}

extension RoundRuleTests {
  @Test("A cell keeps its share of the time if single rounds fail, and an abandoned cell needs none")
  func failures() throws {
    /// The ledger of a run with samples of 10 s, in which `save` fails in these rounds and is given up after the last
    /// one if requested.
    func run(_ plan: RunPlan, failing: Set<Int>, isGivenUp: Bool) -> RunLedger {
      var ledger = RunLedger()
      for next in plan.samples {
        let ends = plan.earlyStops(of: plan.scenarios[0], in: ledger)
        if next.pass == .timing, let end = ends[next.cell.id], next.round > end.round { continue }
        if isGivenUp, next.cell.strategy == "save", next.round > failing.max() ?? 0 { continue }
        let fails = next.pass == .timing && next.cell.strategy == "save" && failing.contains(next.round)
        ledger.record(
          fails
            ? .failure(failure(next.cell.id, round: next.round), seconds: 10)
            : .sample(sample(next.cell.id, next.pass, round: next.round, wall: 10), seconds: 10))
      }
      return ledger
    }
    // Two passes take 20 s, so 80 s remain.
    let plan = try plan(RoundRules(maxSeconds: 100), try scenario(strategies: ["save"], rounds: 20))
    let ledger = run(plan, failing: [2, 5, 8], isGivenUp: false)
    #expect(
      plan.earlyStops(of: plan.scenarios[0], in: ledger)
        == ["quakes/objectgraph/save": RoundEnd(round: 8, reason: .timeShare(seconds: 80))])
    #expect(ledger.seconds.values.reduce(0, +) == 100)
    // Four passes take 40 s and the cell that is given up takes 30 s, so 30 s remain.
    let two = try self.plan(
      RoundRules(maxSeconds: 100), try scenario(strategies: ["save", "batch-objects"], rounds: 20))
    let other = run(two, failing: [1, 2, 3], isGivenUp: true)
    #expect(rounds(other, "batch-objects") == 3)
    #expect(other.seconds.values.reduce(0, +) == 100)
  }

  @Test("Scenarios share the time by their cells, and a later one gets the rest of an earlier one")
  func scenarios() throws {
    let (fast, slow) = (try scenario("fast", rounds: 10), try scenario("slow", rounds: 10))
    let plan = try plan(RoundRules(maxSeconds: 60), fast, slow)
    var isFast = true
    var ledger = RunLedger()
    while let next = ledger.remaining(of: plan).first {
      isFast = next.cell.scenario == "fast"
      let seconds = isFast ? 0.1 : 2.0
      ledger.record(.sample(sample(next.cell.id, next.pass, round: next.round, wall: seconds), seconds: seconds))
    }
    #expect(rounds(ledger, "save", of: "fast") == 10)
    // 60 s minus 3.6 s minus 12 s for exact passes: 14.8 s for each cell.
    #expect(rounds(ledger, "save", of: "slow") == 7)
    #expect(ledger.seconds.values.reduce(0, +) <= 60)
  }

  @Test("A run that is interrupted anywhere ends like an uninterrupted one")
  func resumed() throws {
    for rules in [RoundRules(maxSeconds: 60), RoundRules(until: 0.03), RoundRules(maxSeconds: 90, until: 0.01)] {
      let plan = try plan(rules)
      func seconds(_ strategy: String, _ round: Int) -> Double {
        var noise = SplitMix64(seed: UInt64(round * 3 + strategy.count))
        return Double(strategy.count) / 4 * Double.random(in: 0.9...1.1, using: &noise)
      }
      let whole = try run(plan, seconds)
      for place in stride(from: 1, to: whole.samples.count, by: 7) {
        var ledger = try run(plan, upTo: place, seconds)
        // Like after reading a journal.
        ledger = RunLedger(ledger.samples.map { .sample($0, seconds: ledger.seconds[$0.key]) })
        while let next = ledger.remaining(of: plan).first {
          let taken = seconds(next.cell.strategy, next.pass == .timing ? next.round : 0)
          ledger.record(.sample(sample(next.cell.id, next.pass, round: next.round, wall: taken), seconds: taken))
        }
        #expect(ledger.samples.map(\.key) == whole.samples.map(\.key), "\(rules), \(place)")
      }
    }
  }

  @Test(
    "Shares use all of the time, and no cell gets more than another one that needs it",
    arguments: [
      Sharing(seconds: 10, needs: [1, 2, 30], share: 7), Sharing(seconds: 30, needs: [10, 10, 10], share: 30),
      Sharing(seconds: 29, needs: [10, 10, 10], share: 29.0 / 3), Sharing(seconds: 0, needs: [1, 1], share: 0),
      Sharing(seconds: 5, needs: [], share: 5), Sharing(seconds: 9, needs: [2, 8, 8], share: 3.5),
    ])
  func share(_ sharing: Sharing) {
    #expect(TimeShares.share(of: sharing.seconds, sharing.needs) == sharing.share)
  }

  struct Sharing {
    var seconds: Double
    var needs: [Double]
    var share: Double
  }

  @Test("Each cell has each position of a round equally often")
  func balanced() throws {
    let plan = try plan(RoundRules(), rounds: 12)
    let timed = plan.samples.filter { $0.pass == .timing }
    for place in 0..<3 {
      let cells = stride(from: place, to: timed.count, by: 3).map { timed[$0].cell }
      #expect(Dictionary(grouping: cells) { $0 }.mapValues(\.count).values.allSatisfy { $0 == 4 })
    }
  }
}
