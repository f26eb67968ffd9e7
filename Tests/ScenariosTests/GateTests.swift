// A7: the key `gate` and the rules of the command line: their subjects, how far a figure may change, and which rule
// takes precedence.
import BatchmarkEngine
import Foundation
import MissionTags
import Scenarios
import Testing

@Suite("A7 · gates", .tags(.a7))
struct GateTests {
  private static let save = "quakes/objectgraph/save[save_every=100]"

  /// The valid scenario with a gate, whose lines begin at line 20, column 3.
  private static func scenario(_ lines: String...) -> String {
    validScenario + "\ngate:\n" + lines.map { "  \($0)" }.joined(separator: "\n")
  }

  private func rule(_ line: String) throws -> GateRule {
    try #require(try read(GateTests.scenario(line)).gate.rules.first)
  }

  @Test("A rule covers the time, every exact figure or one, for all or some cells, in a phase")
  func subjects() throws {
    let all = GateRule(
      text: "heap_peak: 1%", origin: .scenario, phase: "ingest", subject: .figure("heap_peak_bytes"),
      limit: GateLimit(.share(0.01)))
    #expect(try rule("heap_peak: 1%") == all)
    let one = try rule("save.merge.syncs: 0")
    #expect(one.cells == [GateTests.save] && one.phase == "merge" && one.subject == .figure("syncs"))
    let phase = try rule("load.exact: none")
    #expect(phase.cells == nil && phase.phase == "load" && phase.subject == .exact && phase.limit == nil)
    let cell = try rule("sqlite/insert.time: 3%")
    #expect(cell.cells == ["quakes/sqlite/insert"] && cell.phase == "ingest" && cell.subject == .time)
  }

  @Test(
    "Limits are shares or numbers with their unit, in one direction or both",
    arguments: [
      ("time: 2%", GateLimit(.share(0.02))), ("time: ±5%", GateLimit(.share(0.05), isTwoSided: true)),
      ("syncs: 3", GateLimit(.absolute(3))), ("syncs: +-1_000", GateLimit(.absolute(1000), isTwoSided: true)),
      ("heap_peak: 64 KiB", GateLimit(.absolute(65_536))), ("heap_peak: 0%", GateLimit(.share(0))),
      ("exact: 0.5%", GateLimit(.share(0.005))),
    ])
  func limits(line: String, limit: GateLimit) throws { #expect(try rule(line).limit == limit) }

  @Test(
    "An unknown figure, cell, phase or limit is reported with its place",
    arguments: [
      (
        "wall: 3%",
        "20:3: found the figure 'wall'; expected one of time, exact, plans, heap_peak, wal_peak, syncs, db; did you mean 'time'?"
      ),
      (
        "save.heap_peek: 1%",
        "20:3: found the figure 'heap_peek'; expected one of time, exact, plans, heap_peak, wal_peak, syncs, db; did you mean 'heap_peak'?"
      ),
      ("plans: 3", "20:10: found '3'; expected unchanged or none"),
      (
        "merge.plans: unchanged",
        "20:3: found the plans of the phase 'merge'; expected plans alone, the plans of ingest: those of no other phase are asked for"
      ),
      ("time: 0.5%", "20:9: found '0.5%'; expected a percentage from 1% to 100%, such as 3%, or none"),
      ("time: 5", "20:9: found '5'; expected a percentage from 1% to 100%, such as 3%, or none"),
      (
        "heap_peak: 64",
        "20:14: found '64'; expected a percentage such as 1%, a number such as 64 KiB, with ± before it for both "
          + "directions, or none"
      ),
      (
        "merge.time: 3%",
        "20:3: found the time of the phase 'merge'; expected time alone, the time of ingest: both sides take no other "
          + "phase by turns"
      ),
      (
        "save.latency.read.p99: 10%",
        "20:3: found the latency 'latency.read.p99' in a gate, which pair judges; expected time, exact or an exact figure here, "
          + "and for the latency a budget, such as budgets: [save.latency.read.p99 <= 50 ms]: pair has two builds take turns "
          + "within a sample, and operations beside one would wait for the other"
      ),
      (
        "save.marge.syncs: 1",
        "20:3: found the phase 'marge'; expected one of load, ingest, reingest, merge, checkpoint, verify; did you mean 'merge'?"
      ),
    ])
  func mistakes(line: String, complaint: String) {
    #expect(complaints(GateTests.scenario(line)) == ["Scenarios/x.yml:" + complaint])
  }
}

extension GateTests {
  @Test("The command line overrides the scenario, a cell all cells, a figure all figures, the later rule the earlier")
  func precedence() throws {
    let scenario = try read(
      GateTests.scenario("exact: 5%", "syncs: 4%", "save.exact: 3%", "save.syncs: 2%", "time: 4%"))
    var gate = scenario.gate
    func limit(_ column: String?, _ cell: String) -> GateLimit? {
      gate.rule(for: column, in: "ingest", of: cell)?.limit
    }
    let insert = "quakes/sqlite/insert"
    #expect(limit("syncs", GateTests.save) == GateLimit(.share(0.02)))
    #expect(limit("heap_peak_bytes", GateTests.save) == GateLimit(.share(0.03)))
    #expect(limit("syncs", insert) == GateLimit(.share(0.04)))
    #expect(limit("heap_peak_bytes", insert) == GateLimit(.share(0.05)))
    #expect(gate.rule(for: "syncs", in: "merge", of: insert) == nil)
    let ofCells = try read(GateTests.scenario("syncs: 4%", "save.exact: 3%")).gate
    #expect(ofCells.rule(for: "syncs", in: "ingest", of: GateTests.save)?.text == "save.exact: 3%")
    #expect(gate.rule(for: nil, of: insert)?.text == "time: 4%")
    gate.rules.append(try schema.gateRule("exact", limit: "7", for: scenario))
    #expect(limit("syncs", GateTests.save) == GateLimit(.absolute(7)) && limit(nil, insert) == GateLimit(.share(0.04)))
    gate.rules.append(try schema.gateRule("exact", limit: "none", for: scenario))
    #expect(gate.rule(for: "syncs", in: "ingest", of: insert)?.text == "exact=none" && limit("syncs", insert) == nil)
  }

  @Test("A rule that names a figure overrides one about all figures, in either order", arguments: [false, true])
  func figureBeforeAll(isReversed: Bool) throws {
    let (all, syncs) = ("exact: 5%", "syncs: 4%")
    let gate = try read(GateTests.scenario(isReversed ? syncs : all, isReversed ? all : syncs)).gate
    #expect(gate.rule(for: "syncs", in: "ingest", of: GateTests.save)?.text == "syncs: 4%")
    #expect(gate.rule(for: "heap_peak_bytes", in: "ingest", of: GateTests.save)?.text == "exact: 5%")
  }

  @Test("Plans of the operation's phase must match base or are not judged, and are not an exact figure")
  func plans() throws {
    let all = try rule("'*.plans': unchanged")
    #expect(all.cells == nil && all.subject == .plans && all.limit == GateLimit(.absolute(0), isTwoSided: true))
    let one = try rule("save.plans: none")
    #expect(one.cells == [GateTests.save] && one.limit == nil)
    let gate = try read(GateTests.scenario("plans: unchanged", "save.plans: none", "exact: 5%")).gate
    #expect(gate.plansRule(of: GateTests.save)?.text == "save.plans: none")
    #expect(gate.plansRule(of: "quakes/sqlite/insert")?.text == "plans: unchanged")
    #expect(gate.rule(for: nil, of: GateTests.save) == nil)
    #expect(gate.rule(for: "syncs", in: "ingest", of: GateTests.save)?.text == "exact: 5%")
    let stored = try JSONDecoder().decode(Gate.self, from: JSONEncoder().encode(gate))
    #expect(stored == gate)
  }
}

extension GateTests {
  @Test("A command-line rule about another scenario's cell does not affect this one's")
  func otherCells() throws {
    let scenario = try read(validScenario)
    #expect(try schema.gateRule("batch-objects.syncs", limit: "1", for: scenario).cells == [])
    let error = #expect(throws: GateArgumentError.self) { try schema.gateRule("tyme", limit: "3%", for: scenario) }
    #expect(error?.suggestion == "time")
  }
}
