// A2, A7: `selftest` and `plan` from end to end, with the executable of the tests.
import BatchmarkEngine
import Engines
import Foundation
import Harness
import MissionTags
import Testing

@testable import BatchmarkCLI

/// An engine that has no batch inserts.
private struct OwnEngine: Engine {
  let name = "own"
  let strategies = [
    Strategy("insert", summary: "plain SQL", .insert { _, _ in throw CancellationError() })
  ]
}

@Suite("A2 A7 · selftest and plan", .tags(.a2, .a7))
struct SelfTestCommandTests {
  @Test("Known answers and simulations come out as promised, one line each")
  func known() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["selftest", "--simulations", "10"], in: workspace.path)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count >= 16 && lines.allSatisfy { $0.hasPrefix("ok    ") })
    #expect(lines.contains("ok    signed-rank test, 12 differences above zero: 0.000244"))
    #expect(lines.contains { $0.hasPrefix("ok    drift: 0 false alarms and 10 slow-downs found, of 10 each") })
  }

  @Test("Without a scenario, selftest compares a strategy that the first engine has", arguments: [true, false])
  func ownScenario(isBuiltIn: Bool) throws {
    let own = OwnEngine()
    let engines: [any Engine] = isBuiltIn ? BuiltInEngines.all + [own] : [own]
    let plan = try ScenarioLoading(engines: engines).plan(
      text: SelfTestCommand.text(for: engines), file: "selftest.yml")
    let cells = plan.scenario.cells.map(\.id)
    #expect(cells == [isBuiltIn ? "selftest/objectgraph/batch-dictionary" : "selftest/own/insert"])
  }

  @Test("Exact faults are found live every time; the journal is continued, and refuses another cell")
  func live() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: batch-dictionary}", "{strategy: save}"])
    func run(_ faults: Int, _ cell: String) async throws -> Program.Result {
      try await Program.batchmark.run(
        [
          "selftest", "--live", "--simulations", "0", "--placebos", "0", "--slowdowns", "0", "--faults", "\(faults)",
          "--scenario", "small.yml", "--only", cell, "--out", "live",
        ], in: workspace.path)
    }
    let first = try await run(1, "batch-dictionary")
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    #expect(first.output.contains("One more sync found: 1 of 1"))
    #expect(first.output.contains("`syncs`"))
    #expect(workspace.names(in: "live") == ["selftest.html", "selftest.jsonl", "selftest.md"])
    let second = try await run(2, "batch-dictionary")
    #expect(second.status == 0)
    #expect(second.output.contains("64 KiB held for 1 ms found: 2 of 2"))
    #expect(second.output.contains("One more statement a row found: 2 of 2"))
    let lines = try workspace.text(of: "live/selftest.jsonl").split(separator: "\n")
    #expect(lines.count == 1 + 6)
    let other = try await run(2, "save")
    #expect(other.status == 4 && other.errors.contains("is of another cell"), "\(other.errors)")
  }

  @Test("Ctrl-C keeps the completed trials and their page")
  func interrupt() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: batch-dictionary}"])
    let running = try Program.batchmark.start(
      [
        "selftest", "--live", "--simulations", "0", "--placebos", "0", "--slowdowns", "0", "--faults", "300",
        "--scenario", "small.yml", "--out", "live",
      ], in: workspace.path)
    while ((try? workspace.text(of: "live/selftest.jsonl"))?.split(separator: "\n").count ?? 0) < 2 {
      guard running.isRunning else { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    running.send(SIGINT)
    let result = try await running.end()
    #expect(result.status == 130 && result.errors.contains("continues from here"), "\(result.errors)")
    #expect(workspace.names(in: "live") == ["selftest.html", "selftest.jsonl", "selftest.md"])
  }
}

extension SelfTestCommandTests {
  @Test("A placebo and a slow-down are compared by their times")
  func times() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: batch-dictionary}"])
    let result = try await Program.batchmark.run(
      [
        "selftest", "--live", "--simulations", "0", "--placebos", "1", "--slowdowns", "1", "--faults", "0", "--trials",
        "1", "--looks", "12", "--scenario", "small.yml", "--out", "live",
      ], in: workspace.path)
    // A few microseconds of work may leave the verdict open, but both trials must have been taken.
    #expect([0, 5, 6].contains(result.status), "\(result.errors)")
    #expect(result.output.contains("| Nothing | 1 |") && result.output.contains("| 5 % more time | 1 |"))
  }

  @Test("plan shows noise, pairs and time of each cell, and shares a budget")
  func plan() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: batch-dictionary}", "{engine: sqlite, strategy: insert}"])
    let result = try await Program.batchmark.run(
      ["plan", "small.yml", "--pairs", "7", "--trials", "2", "--budget", "1h"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("| small/objectgraph/batch-dictionary | "))
    #expect(result.output.contains("| small/sqlite/insert | "))
    #expect(result.output.contains("## Within "))
  }

  @Test(
    "Invalid arguments are usage errors",
    arguments: [
      ["plan", "small.yml", "--budget", "soon"], ["plan", "small.yml", "--pairs", "3"],
      ["plan", "small.yml", "--trials", "0"], ["plan", "small.yml", "--margin", "5"],
      ["selftest", "--placebos", "-1"], ["selftest", "--trials", "0"],
      ["selftest", "--live", "--placebos", "9223372036854775807"], ["selftest", "--live", "--slowdowns", "100001"],
      ["selftest", "--live", "--faults", "100001"], ["selftest", "--simulations", "10000001"],
      ["selftest", "--live", "--scenario", "small.yml", "--only", "small"],
    ])
  func usage(arguments: [String]) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: batch-dictionary}", "{strategy: save}"])
    let result = try await Program.batchmark.run(arguments, in: workspace.path)
    #expect(result.status == 64, "\(arguments): \(result.output)\(result.errors)")
  }

  @Test(
    "Options for live comparisons are refused by name without --live",
    arguments: [
      ("--placebos", "30"), ("--slowdowns", "100"), ("--faults", "3"), ("--scenario", "small.yml"), ("--only", "save"),
      ("--trials", "2"), ("--margin", "2%"), ("--looks", "12,18"), ("--out", "live"),
    ])
  func unused(option: String, value: String) async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      ["selftest", "--simulations", "0", option, value], in: workspace.path)
    #expect(result.status == 64 && result.output.isEmpty, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("found \(option) without --live"), "\(result.errors)")
  }

  @Test("A debug build makes no live comparison and no plan", .enabled(if: Program.isDebugBuild))
  func debug() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: batch-dictionary}"])
    for arguments in [["selftest", "--live"], ["plan", "small.yml"]] {
      let result = try await Program.batchmark.run(arguments, in: workspace.path, allowsDebug: false)
      #expect(result.status != 0 && result.errors.contains("release"), "\(result.errors)")
    }
  }
}

extension SelfTestCommandTests {
  @Test("plan and pair accept a margin of 1%, and a smaller one is refused with the range")
  func leastMargin() throws {
    #expect(try SharedArguments.share("1%", "--margin", from: 1) == 0.01)
    let smaller = #expect(throws: CommandError.self) { try SharedArguments.share("0.9%", "--margin", from: 1) }
    #expect(smaller?.message == "--margin 0.9%: expected a percentage from 1% to 100%, as in 5%")
    let none = #expect(throws: CommandError.self) { try SharedArguments.share("0%", "--precision") }
    #expect(none?.message == "--precision 0%: expected a percentage above 0% and up to 100%, as in 5%")
  }
}
