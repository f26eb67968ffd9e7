// A1 A6: choosing cells, and the forecast of a run.
import BatchmarkEngine
import BatchmarkEngine
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

@Suite("A1 A6 · choosing and planning", .tags(.a1, .a6))
struct PlannedRunTests {
  private func batchmark(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Result {
    try await Program.batchmark.run(arguments, in: workspace.path)
  }

  private static let cells = [
    "{strategy: save, tags: [slow]}", "{strategy: save, save_every: 7}", "{strategy: batch-objects}",
    "{engine: sqlite, strategy: insert, tags: [quick]}",
  ]

  @Test("--only and --skip combine, and a choice of no cell is refused with the list of cells")
  func choosing() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: PlannedRunTests.cells)
    func cells(_ arguments: String...) async throws -> [String] {
      let result = try await Program.batchmark.run(["run", "small.yml", "--dry-run"] + arguments, in: workspace.path)
      #expect(result.status == 0, "\(result.errors)")
      return result.output.split(separator: "\n").filter { $0.hasPrefix("| small/") }
        .map { String($0.dropFirst("| small/".count).prefix { $0 != " " }) }
    }
    #expect(try await cells("--only", "save").count == 2)
    #expect(try await cells("--only", "sa*", "--skip", "/7\\]$/") == ["objectgraph/save"])
    #expect(
      try await cells("--skip", "tag:slow", "--skip", "batch-*") == ["objectgraph/save[save_every=7]", "sqlite/insert"])
    #expect(try await cells("--only", "tag:quick", "--only", "batch-objects").count == 2)
    for (arguments, message) in [
      (["--only", "sav?e"], "--only sav?e: found no such cell; the cells are small/objectgraph/save"),
      (["--skip", "tag:none"], "--skip tag:none: found no such cell; the cells are"),
      (["--skip", "*"], "--skip *: found no cell left to measure"),
      (["--only", "/(/"], "--only: found /(/, which is no regular expression"),
    ] {
      let refused = try await Program.batchmark.run(["run", "small.yml", "--quick"] + arguments, in: workspace.path)
      #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
    }
    let names = workspace.names()
    #expect(names == ["small.yml"])
  }

  @Test("A dry run measures nothing, and shows the cells' times in the newest run that has them")
  func dryRun() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: PlannedRunTests.cells)
    let unknown = try await batchmark(workspace, "run", "small.yml", "--dry-run")
    #expect(unknown.status == 0, "\(unknown.errors)")
    #expect(unknown.output.hasPrefix("# 4 cells, \(4 * (passes - 1 + 2)) samples\n"), "\(unknown.output)")
    #expect(unknown.output.contains("How long it takes is not known"))
    #expect(workspace.names() == ["small.yml"])

    let run = try await batchmark(
      workspace, "run", "small.yml", "--quick", "--only", "save", "--out", "Reports/one")
    #expect(run.status == 0, "\(run.errors)")
    let known = try await batchmark(workspace, "run", "small.yml", "--dry-run", "--rounds", "20")
    #expect(known.output.contains("It takes about"), "\(known.output)")
    #expect(known.output.contains("as the samples of `Reports/one/results.json` did"), "\(known.output)")
    #expect(known.output.contains("Of 2 cells nothing is known."), "\(known.output)")
    let more = try await batchmark(workspace, "run", "small.yml", "--dry-run", "--set", "rows=600", "--only", "save")
    #expect(more.output.contains("60 rows, in proportion"), "\(more.output)")
    let limited = try await batchmark(
      workspace, "run", "small.yml", "--dry-run", "--max-time", "1s", "--rounds", "9000")
    #expect(limited.output.contains("It takes about 1.0 s"), "\(limited.output)")
    for arguments in [
      ["--out", "x", "--resume"], ["--save-baseline", "x"], ["--export-json", "x"], ["--open"], ["--keep-stores"],
    ] {
      let refused = try await Program.batchmark.run(["run", "small.yml", "--dry-run"] + arguments, in: workspace.path)
      #expect(refused.status == 64 && refused.errors.contains("--dry-run measures nothing"), "\(refused.errors)")
    }
  }

  @Test(
    "A run takes rounds until its times have the requested precision, and resumes with the same rules")
  func rules() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{engine: sqlite, strategy: insert}"])
    // The limit is so wide that few rounds are enough, even on a busy machine.
    let run = try await batchmark(workspace, "run", "small.yml", "--until", "100%", "--out", "out")
    #expect(run.status == 0, "\(run.errors)")
    let results = try ResultsFile.read(workspace.path + "/out/results.json")
    let cell = results.scenarios[0].cells[0]
    let rounds = cell.samples.count { $0.pass == .timing }
    #expect([6, 8, 11, 15, 20, 27, 36, 48, 64, 86].contains(rounds) && cell.missing == 0, "\(rounds)")
    guard case .narrow(let halfWidth)? = cell.stop else {
      Issue.record("\(String(describing: cell.stop))")
      return
    }
    #expect(halfWidth <= 1)
    #expect(results.run.rounds == RoundRules(until: 1))
    #expect(cell.durations?.first { $0.pass == .timing }?.samples == rounds)
    #expect(cell.durations?.allSatisfy { $0.mean > 0 } == true)
    #expect(!results.foundWarnings.contains { $0.kind == .stoppedEarly })
    let resumed = try await batchmark(workspace, "run", "--resume", "--out", "out")
    #expect(resumed.status == 0, "\(resumed.errors)")
    // The journal records the time of each sample.
    let again = try ResultsFile.read(workspace.path + "/out/results.json").scenarios[0].cells[0]
    #expect(again.stop == cell.stop && again.durations == cell.durations)
    for arguments in [
      ["--until", "2"], ["--until", "0%"], ["--max-time", "5"], ["--min-rounds", "0"], ["--quick", "--until", "2%"],
      ["--quick", "--max-time", "5m"], ["--quick", "--min-rounds", "3"],
    ] {
      let refused = try await Program.batchmark.run(["run", "small.yml"] + arguments, in: workspace.path)
      #expect(refused.status == 64, "\(arguments): \(refused.errors)")
    }
  }
}

extension PlannedRunTests {
  @Test("A warning about fewer than 6 rounds comes before anything is measured, and 6 rounds raise none")
  func fewRounds() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: PlannedRunTests.cells)
    func errors(_ arguments: String...) async throws -> String {
      let result = try await Program.batchmark.run(["run", "small.yml", "--dry-run"] + arguments, in: workspace.path)
      #expect(result.status == 0, "\(result.errors)")
      return result.errors
    }
    #expect(try await errors("--rounds", "5").contains("5 rounds give no interval"))
    #expect(try await errors("--rounds", "5").contains("take 6 or more with --rounds"))
    #expect(try await errors().contains("2 rounds give no interval"))
    for arguments in [["--rounds", "6"], ["--quick"], ["--precision", "5%"]] {
      let result = try await Program.batchmark.run(["run", "small.yml", "--dry-run"] + arguments, in: workspace.path)
      #expect(result.status == 0 && !result.errors.contains("no interval"), "\(arguments): \(result.errors)")
    }
  }
}
