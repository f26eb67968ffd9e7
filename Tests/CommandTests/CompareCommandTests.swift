// A7: `compare` from end to end, on results of real runs.
import BatchmarkEngine
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

@Suite("A7 · compare", .tags(.a7))
struct CompareCommandTests {
  /// Runs the scenario into a folder and removes the mark of a debug build from its results.
  private func run(_ workspace: Workspace, _ folder: String, _ more: String...) async throws {
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", folder] + more, in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let text = try workspace.text(of: folder + "/results.json")
    try workspace.write(
      text.replacing("\"isComparable\" : false", with: "\"isComparable\" : true"), to: folder + "/results.json")
  }

  @Test(
    "A run compared with itself passes, and is named as one run; another build's growth is a regression that the page names"
  )
  func verdicts() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    try await run(workspace, "base")
    let same = try await Program.batchmark.run(["compare", "base", "base/results.json"], in: workspace.path)
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.output.hasPrefix("# PASS: base/results.json against base\n"))
    #expect(same.output.contains("\n**Both are the same run**, which cannot show a change.\n"))
    #expect(
      same.errors
        == "batchmark: base/results.json and base are the same run, which cannot show a change: name another run\n")

    var grown = try ResultsFile.read(workspace.path + "/base/results.json")
    let syncs = try #require(
      grown.scenarios[0].cells[0].phases.firstIndex { $0.metrics[.syncs] != nil && $0.phase == .ingest })
    grown.scenarios[0].cells[0].phases[syncs].metrics[.syncs]? += 100
    try workspace.write(try ResultsFile.render(grown), to: "head.json")
    let worse = try await Program.batchmark.run(["compare", "base", "head.json"], in: workspace.path)
    #expect(worse.status == 1, "\(worse.errors)")
    #expect(worse.output.hasPrefix("# REGRESSION: head.json against base\n"))
    #expect(worse.output.contains("\n## small/objectgraph/save\n"))
    #expect(worse.output.contains("| syncs | ingest | "))
    let back = try await Program.batchmark.run(["compare", "head.json", "base"], in: workspace.path)
    #expect(back.status == 0)
    #expect(back.output.hasPrefix("# IMPROVED: base against head.json\n"))
  }

  @Test("Incomparable results end with 4 and a sentence, and unreadable ones with their own status")
  func refusals() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    try await run(workspace, "base")
    try await run(workspace, "one", "--only", "insert")
    let missing = try await Program.batchmark.run(["compare", "base", "one"], in: workspace.path)
    #expect(missing.status == 4)
    #expect(missing.errors.contains("not comparable: head has no cell small/objectgraph/save, which base has"))
    #expect(missing.output.hasPrefix("# Not comparable: one with base\n"))
    try await run(workspace, "rows", "--set", "rows=70")
    let other = try await Program.batchmark.run(["compare", "base", "rows"], in: workspace.path)
    #expect(other.status == 4)
    #expect(other.errors.contains("not comparable: the scenario small asks another question"))

    let text = try workspace.text(of: "base/results.json")
    try workspace.write(text.replacing("\"schemaVersion\" : 3", with: "\"schemaVersion\" : 7"), to: "later.json")
    #expect(try await Program.batchmark.run(["compare", "base", "later.json"], in: workspace.path).status == 4)
    try workspace.write(text.replacing("\"isComparable\" : true", with: "\"isComparable\" : false"), to: "debug.json")
    let debug = try await Program.batchmark.run(["compare", "debug.json", "base"], in: workspace.path)
    #expect(debug.status == 4)
    #expect(debug.errors.contains("not comparable: base is of a debug build"))
    #expect(try await Program.batchmark.run(["compare", "base", "none"], in: workspace.path).status == 66)
    try workspace.write("[]", to: "broken.json")
    #expect(try await Program.batchmark.run(["compare", "broken.json", "base"], in: workspace.path).status == 65)
  }
}
