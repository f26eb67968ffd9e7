// A7: budgets from end to end: `run` judges them, and `check` judges stored results again.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

@Suite("A7 · budgets from end to end", .tags(.a7))
struct BudgetCommandTests {
  private static let cells = ["{strategy: save, save_every: 5}", "{engine: sqlite, strategy: insert}"]
  private static let referenceCell = "small/sqlite/insert"

  private func write(
    _ budgets: [String], to workspace: Workspace, rows: Int = 60, cells: [String] = BudgetCommandTests.cells,
    file: String = "small.yml"
  ) throws {
    try workspace.writeScenario(cells: cells, source: "{generate: {rows: \(rows)}}", to: file)
    let lines = budgets.map { "  - \($0)\n" }.joined()
    if !budgets.isEmpty { try workspace.write(try workspace.text(of: file) + "budgets:\n" + lines, to: file) }
  }

  private func check(_ workspace: Workspace, _ more: String..., environment: [String: String] = [:]) async throws
    -> Program.Result
  {
    try await Program.batchmark.run(["check", "out"] + more, in: workspace.path, environment: environment)
  }

  @Test("run judges budgets: all held is 0, a broken one is 1, and terminal, report and results show each")
  func run() async throws {
    let workspace = try Workspace()
    try write(
      ["save.wal_frames >= 2 * insert.wal_frames", "insert.wall <= 1 min", "small.heap_peak <= 1 GiB"], to: workspace)
    let held = try await Program.batchmark.run(["run", "small.yml", "--out", "held"], in: workspace.path)
    // Without jemalloc nothing measures the heap, so a budget for it is undecided.
    #expect(held.status == (passes == 3 ? 0 : 5), "\(held.errors)")
    #expect(held.output.contains("HELD        save.wal_frames >= 2 * insert.wal_frames: "))
    let report = try workspace.report("held")
    #expect(report.contains("\n## Budgets\n\n- **HELD** `save.wal_frames >= 2 * insert.wal_frames`: "))
    #expect(report.contains("`small.heap_peak <= 1 GiB`, `sqlite/insert`: "))
    #expect(report.contains("**HELD** `insert.wall <= 1 min`: "))
    #expect(report.contains("; too few rounds for an interval."))

    try write(["save.wal_frames <= insert.wal_frames"], to: workspace)
    let broken = try await Program.batchmark.run(["run", "small.yml", "--out", "broken"], in: workspace.path)
    #expect(broken.status == 1, "\(broken.errors)")
    #expect(broken.output.contains("BROKEN      save.wal_frames <= insert.wal_frames: "))
    #expect(broken.errors.contains("budgets broken: 1 of 1"))
    let results = try ResultsFile.read(workspace.path + "/broken/results.json")
    let scenario = try #require(results.scenarios.first)
    #expect(results.judgements(of: scenario).map(\.verdict) == [.broken])
    #expect(RunReport.markdown(results) == (try workspace.text(of: "broken/report.md")))
  }

  @Test("A quick run judges exact counters only, and cells that --only leaves out are not judged")
  func quick() async throws {
    let workspace = try Workspace()
    try write(["save.wall <= 0 s", "insert.syncs <= 0"], to: workspace)
    let quick = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--only", "save", "--out", "out"], in: workspace.path)
    #expect(quick.status == 0, "\(quick.errors)")
    #expect(quick.output.contains("NOT JUDGED  save.wall <= 0 s: a quick run gives no times to judge by"))
    #expect(
      quick.output.contains("NOT JUDGED  insert.syncs <= 0: \(BudgetCommandTests.referenceCell) was not measured"))
    #expect(quick.errors.contains("of a quick run only budgets on exact counters are judged"))
    // If a cell was never measured, the gate does not pass.
    let check = try await check(workspace)
    #expect(check.status == 4)
    #expect(
      check.errors.contains("out: found no results of \(BudgetCommandTests.referenceCell), which a budget is about"))
    try write(["save.wall <= 1 s"], to: workspace)
    let nothing = try await self.check(workspace)
    #expect(nothing.status == 5)
    #expect(nothing.errors.contains("no budget could be judged"))
  }

  @Test("check judges stored results by the file's current budgets, from a folder or a file, with settings")
  func stored() async throws {
    let workspace = try Workspace()
    try write([], to: workspace)
    let run = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--set", "save_every=6", "--out", "out"], in: workspace.path)
    #expect(run.status == 0, "\(run.errors)")
    let none = try await check(workspace)
    #expect(none.status == 4)
    #expect(none.errors.contains("small.yml: found no budgets"))

    try write(["insert.syncs <= 1_000"], to: workspace)
    let held = try await check(workspace)
    #expect(held.status == 0, "\(held.errors)")
    #expect(held.output.hasPrefix("small\n  HELD        insert.syncs <= 1_000: "))
    let file = try await Program.batchmark.run(["check", "out/results.json"], in: workspace.path)
    #expect(file.status == 0 && file.output == held.output)

    try write(["save.syncs <= insert.syncs", "insert.syncs < 1"], to: workspace, file: "other.yml")
    let broken = try await check(workspace, "--scenario", "other.yml")
    #expect(broken.status == 1, "\(broken.errors)")
    #expect(broken.output.contains("  BROKEN      insert.syncs < 1: "))
    // Nothing was measured or written.
    #expect(workspace.names() == ["other.yml", "out", "small.yml"])
  }
}

extension BudgetCommandTests {
  @Test("check refuses results that its budgets are not about: another question, scenario or cell, or a debug build")
  func refusals() async throws {
    let workspace = try Workspace()
    try write(["insert.syncs <= 1_000"], to: workspace)
    #expect(
      try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "out"], in: workspace.path).status == 0)

    try write(["insert.syncs <= 1_000"], to: workspace, rows: 61)
    let changed = try await check(workspace)
    #expect(changed.status == 4)
    #expect(changed.errors.contains("measures something else than the run"))

    try write(["insert.syncs <= 1_000"], to: workspace, cells: [BudgetCommandTests.cells[1]])
    let extra = try await check(workspace)
    #expect(extra.status == 4)
    #expect(
      extra.errors.contains("small.yml: found no cell small/objectgraph/save[save_every=5]; expected it, as in out"))

    try write(["insert.syncs <= 1_000"], to: workspace)
    let text = try workspace.text(of: "small.yml").replacing("scenario: small", with: "scenario: large")
    try workspace.write(text, to: "large.yml")
    let other = try await check(workspace, "--scenario", "large.yml")
    #expect(other.status == 4)
    #expect(other.errors.contains("large.yml: found the scenario large; expected one of out: small"))

    if Program.isDebugBuild {
      let debug = try await check(workspace, environment: ["BATCHMARK_ALLOW_DEBUG": "0"])
      #expect(debug.status == 4)
      #expect(debug.errors.contains("found results of a debug build"))
    }
  }

  @Test("Unreadable input has its own status: 65 for an invalid file, 66 for a missing one, 3 for failed samples")
  func unreadable() async throws {
    let workspace = try Workspace()
    try write(
      ["faulty.syncs <= 9", "insert.syncs <= 1_000"], to: workspace,
      cells: ["{engine: faulty, strategy: error}", BudgetCommandTests.cells[1]])
    let run = try await Program.faulty.run(["run", "small.yml", "--quick", "--out", "out"], in: workspace.path)
    #expect(run.status == 3)
    #expect(run.output.contains("UNDECIDED   faulty.syncs <= 9: "))
    let failed = try await Program.faulty.run(["check", "out"], in: workspace.path)
    #expect(failed.status == 3)
    #expect(failed.errors.contains("samples of small had failed"))
    // The file names an engine that this executable does not have.
    let strange = try await check(workspace)
    #expect(strange.status == 66, "\(strange.errors)")
    #expect(strange.errors.contains("small.yml: found no engine faulty, whose cells are in out; expected it here: "))

    try workspace.write("{}", to: "broken.json")
    #expect(try await Program.batchmark.run(["check", "broken.json"], in: workspace.path).status == 65)
    #expect(try await Program.batchmark.run(["check", "none.json"], in: workspace.path).status == 66)
    #expect(try await check(workspace, "--scenario", "none.yml").status == 66)
    try FileManager.default.removeItem(atPath: workspace.path + "/small.yml")
    let gone = try await check(workspace)
    #expect(gone.status == 66)
    #expect(gone.errors.contains("name the scenario's file with --scenario"))
  }

  @Test("A mistake in a budget stops a run before anything is measured")
  func mistake() async throws {
    let workspace = try Workspace()
    try write(["save.wal_peak <= 8 MB"], to: workspace)
    let result = try await Program.batchmark.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(result.status == 65)
    #expect(
      result.errors.contains("found the unit 'MB' for wal_peak, which is a number of bytes; expected one of B, KiB"))
    #expect(!workspace.exists("out"))
  }
}
