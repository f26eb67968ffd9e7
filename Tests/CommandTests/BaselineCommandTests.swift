// A7: named baselines, and several of them at once.
import BatchmarkEngine
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

@Suite("A7 · baselines by name", .tags(.a7))
struct BaselineCommandTests {
  private func batchmark(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Result {
    try await Program.batchmark.run(arguments, in: workspace.path)
  }

  /// Removes the mark of a debug build from results.
  private func release(_ workspace: Workspace, _ file: String) throws {
    let text = try workspace.text(of: file)
    try workspace.write(text.replacing("\"isComparable\" : false", with: "\"isComparable\" : true"), to: file)
  }

  @Test("A run is kept by name, compared by it with the newest run, listed, shown and removed")
  func wholeLife() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    let run = try await batchmark(
      workspace, "run", "small.yml", "--quick", "--out", "Reports/one", "--save-baseline", "main")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try workspace.text(of: "Reports/baselines/main.json") == workspace.text(of: "Reports/one/results.json"))
    // It is kept unchanged and never overwritten without an explicit option.
    let again = try await batchmark(
      workspace, "run", "small.yml", "--quick", "--out", "Reports/two", "--save-baseline", "main")
    #expect(again.status == 73 && !workspace.exists("Reports/two"), "\(again.errors)")
    #expect(again.errors.contains("it exists already"), "\(again.errors)")

    for file in ["Reports/baselines/main.json", "Reports/one/results.json"] { try release(workspace, file) }
    var grown = try ResultsFile.read(workspace.path + "/Reports/one/results.json")
    let phase = try #require(
      grown.scenarios[0].cells[0].phases.firstIndex { $0.metrics[.syncs] != nil && $0.phase == .ingest })
    grown.scenarios[0].cells[0].phases[phase].metrics[.syncs]? += 100
    try FileManager.default.createDirectory(atPath: workspace.path + "/Reports/two", withIntermediateDirectories: true)
    try workspace.write(try ResultsFile.render(grown), to: "Reports/two/results.json")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 4e9)], ofItemAtPath: workspace.path + "/Reports/two/results.json")
    let newest = try await batchmark(workspace, "compare", "main")
    #expect(newest.status == 1, "\(newest.errors)")
    #expect(newest.output.hasPrefix("# REGRESSION: Reports/two/results.json against main\n"))
    let named = try await batchmark(workspace, "compare", "main", "Reports/one")
    #expect(named.status == 0 && named.output.hasPrefix("# PASS: Reports/one against main\n"), "\(named.errors)")

    let list = try await batchmark(workspace, "baseline", "list")
    #expect(list.status == 0 && list.output.contains("| main | "), "\(list.output)")
    let shown = try await batchmark(workspace, "baseline", "show", "main")
    #expect(shown.output.contains("sqlite/insert") && shown.output.contains("wall time"), "\(shown.output)")
    #expect(try await batchmark(workspace, "baseline", "remove", "main").status == 0)
    #expect(workspace.names(in: "Reports/baselines") == [])
    #expect(try await batchmark(workspace, "baseline").output == "There are no baselines yet.\n")
    mkfifo(workspace.path + "/pipe", 0o600)
    let pipe = try await batchmark(workspace, "baseline", "list", "--baselines", "pipe")
    #expect(
      pipe.status == 66
        && pipe.errors == "batchmark: pipe is a named pipe and no folder of baselines; name another with --baselines\n",
      "\(pipe.errors)")
  }

  @Test("One result is judged by several others at once, and the worst decides")
  func several() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{engine: sqlite, strategy: insert}"])
    let run = try await batchmark(
      workspace, "run", "small.yml", "--quick", "--out", "head", "--save-baseline", "same", "--baselines", "kept")
    #expect(run.status == 0, "\(run.errors)")
    for file in ["kept/same.json", "head/results.json"] { try release(workspace, file) }
    var less = try ResultsFile.read(workspace.path + "/head/results.json")
    let phase = try #require(
      less.scenarios[0].cells[0].phases.firstIndex { $0.metrics[.syncs] != nil && $0.phase == .ingest })
    less.scenarios[0].cells[0].phases[phase].metrics[.syncs]? -= 1
    try workspace.write(try ResultsFile.render(less), to: "kept/less.json")
    let result = try await batchmark(workspace, "compare", "same", "less", "head", "--baselines", "kept")
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.output.hasPrefix("# REGRESSION: head against 2 baselines\n"), "\(result.output)")
    #expect(result.output.contains("\n## PASS: head against same\n"))
    #expect(result.output.contains("\n## REGRESSION: head against less\n"))
    #expect(result.output.contains("\n### small/sqlite/insert\n"))

    less.scenarios[0].fingerprint = "other"
    try workspace.write(try ResultsFile.render(less), to: "kept/other.json")
    let other = try await batchmark(workspace, "compare", "same", "other", "head", "--baselines", "kept")
    #expect(other.status == 4)
    #expect(other.errors.contains("not comparable with other: the scenario small asks another question"))
    #expect(other.output.hasPrefix("# PASS: head against 2 baselines\n"), "\(other.output)")
  }
}

extension BaselineCommandTests {
  @Test("A file that is not a baseline, and an unknown name, are refused, and the known baselines are listed")
  func refusals() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let none = try await batchmark(workspace, "compare", "main", "head")
    #expect(none.status == 66)
    #expect(none.errors.contains("main: found neither a baseline in Reports/baselines nor a run of that name"))
    #expect(none.errors.contains("keep one with 'run --save-baseline NAME'"))
    let alone = try await batchmark(workspace, "compare", "main")
    #expect(alone.status == 66 && alone.errors.contains("found no run in Reports to compare with main"))
    for name in ["", "a/b", ".hidden", "a b", String(repeating: "a", count: 101)] {
      let refused = try await batchmark(workspace, "run", "small.yml", "--quick", "--save-baseline", name)
      #expect(refused.status == 64 && refused.errors.contains("expected a name of ASCII letters"), "\(name)")
    }
    #expect(workspace.names() == ["small.yml"])
    try FileManager.default.createDirectory(atPath: workspace.path + "/kept", withIntermediateDirectories: true)
    try workspace.write("{}", to: "kept/main.json")
    let near = try await batchmark(workspace, "baseline", "remove", "main", "mein", "--baselines", "kept")
    #expect(near.status == 66 && near.errors.contains("the baselines are main; did you mean 'main'?"), "\(near.errors)")
    #expect(workspace.exists("kept/main.json"))
    let broken = try await batchmark(workspace, "baseline", "list", "--baselines", "kept")
    #expect(broken.status == 65 && broken.errors.contains("kept/main.json: not a results file"), "\(broken.errors)")
  }

  @Test("No baseline is kept of a run in which a sample failed")
  func failed() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let run = try await batchmark(
      workspace, "run", "small.yml", "--rounds", "1", "--prepare", "test $BATCHMARK_PASS != timing", "--out", "out",
      "--save-baseline", "main")
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("no baseline is kept of a run that is not whole"))
    #expect(!workspace.exists("Reports"))
  }

  @Test("A baseline never takes the place of a scenario that the run reads, not even with --force")
  func inputs() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(to: "small.json.yml")
    try FileManager.default.moveItem(
      atPath: workspace.path + "/small.json.yml", toPath: workspace.path + "/small.json")
    let text = try workspace.text(of: "small.json")
    let run = try await batchmark(
      workspace, "run", "small.json", "--quick", "--save-baseline", "small", "--baselines", ".", "--force")
    #expect(run.status != 0 && workspace.names() == ["small.json"], "\(run.errors)")
    #expect(try workspace.text(of: "small.json") == text)
  }
}
