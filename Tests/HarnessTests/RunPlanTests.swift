// The plan: which samples it takes, and an order in which drift affects all cells alike.
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@Suite("A2 · the plan interleaves", .tags(.a2))
struct RunPlanTests {
  @Test("Each cell is taken once in each exact pass and once in each timed round")
  func complete() throws {
    let plan = plan(try scenario(rounds: 5))
    #expect(plan.samples.count == 3 * (1 + 1 + 5))
    #expect(Set(plan.samples.map(\.key)).count == plan.samples.count)
    for pass in Pass.allCases {
      let rounds = Set(plan.samples.filter { $0.pass == pass }.map(\.round))
      #expect(rounds == Set(1...(pass == .timing ? 5 : 1)))
    }
  }

  @Test("A round takes every cell once before any cell again")
  func interleaved() throws {
    let plan = plan(try scenario(rounds: 20))
    let timed = plan.samples.filter { $0.pass == .timing }
    for round in 1...20 {
      let cells = timed[((round - 1) * 3)..<(round * 3)]
      #expect(cells.allSatisfy { $0.round == round })
      #expect(Set(cells.map(\.cell)).count == 3)
    }
  }

  @Test("Rounds differ in their order, and every cell is first in some round")
  func shuffled() throws {
    let timed = plan(try scenario(rounds: 60)).samples.filter { $0.pass == .timing }
    let orders = stride(from: 0, to: timed.count, by: 3).map { timed[$0..<($0 + 3)].map(\.cell.strategy) }
    #expect(Set(orders).count == 6)
    #expect(Set(orders.map(\.first)).count == 3)
  }

  @Test("The same seed gives the same order, another seed another")
  func seeded() throws {
    let scenario = try scenario(rounds: 10)
    #expect(plan(scenario, seed: 1).samples == plan(scenario, seed: 1).samples)
    #expect(plan(scenario, seed: 1).samples != plan(scenario, seed: 2).samples)
    #expect(plan(scenario, seed: 1).fingerprint == plan(scenario, seed: 1).fingerprint)
    #expect(plan(scenario, seed: 1).fingerprint != plan(scenario, seed: 2).fingerprint)
  }

  @Test("A quick run takes one timed round")
  func quick() throws {
    let plan = plan(try scenario(rounds: 10), isQuick: true)
    #expect(plan.samples.count == 3 * 3)
  }

  @Test("Scenarios follow one another, and the exact passes of each come first")
  func order() throws {
    let plan = plan(try scenario("one", rounds: 2), try scenario("two", rounds: 2))
    let passes = plan.samples.map { "\($0.cell.scenario) \($0.pass.rawValue)" }
    var changes: [String] = []
    for pass in passes where changes.last != pass { changes.append(pass) }
    #expect(
      changes == ["one memory", "one counters", "one timing", "two memory", "two counters", "two timing"])
  }
}
