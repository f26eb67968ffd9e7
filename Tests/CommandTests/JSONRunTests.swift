// `--format json` of commands that measure, and of commands that read results.
import Foundation
import Harness
import MissionTags
import Testing

@Suite("A16 · --format json with a measurement", .tags(.a16))
struct JSONRunTests {
  @Test("A run, its report, its budgets and a baseline of it are machine-readable", .tags(.a3))
  func run() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    let budgets = "budgets: [save.syncs <= 100000, insert.syncs <= 0]\n"
    try workspace.write(try workspace.text(of: "small.yml") + budgets, to: "small.yml")
    let run = ["run", "small.yml", "--quick", "--out", "out", "--save-baseline", "main"]
    let ran = try await JSONDocument(of: run, as: "run", in: workspace.path)
    #expect(ran.status == 1 && ran["status"] as? Int == 1, "\(ran.errors)")
    let files = try #require(ran["files"] as? [String: String])
    #expect(files["results"]?.hasSuffix("out/results.json") == true && workspace.exists("out/report.html"))
    #expect(ran.texts("budgets", "verdict") == ["HELD", "BROKEN"])
    let scenario = try #require(ran.list("scenarios").first)
    let cells = try #require(scenario["cells"] as? [[String: Any]])
    #expect(cells.map { $0["cell"] as? String } == ["small/objectgraph/save", "small/sqlite/insert"])
    #expect(cells.allSatisfy { ($0["wall"] as? [String: Any])?["figure"] != nil })

    let checked = try await JSONDocument(of: ["check", "out"], as: "check", in: workspace.path)
    #expect(checked.status == 1 && checked.texts("budgets", "verdict") == ["HELD", "BROKEN"], "\(checked.errors)")
    #expect(checked.list("budgets")[1]["limit"] as? Double == 0)
    let written = try await JSONDocument(of: ["report", "out"], as: "run", in: workspace.path)
    #expect(written.status == 0 && written.texts("budgets", "verdict") == ["HELD", "BROKEN"])
    let kept = try await JSONDocument(of: ["baseline", "list"], as: "baseline-list", in: workspace.path)
    #expect(kept.texts("baselines", "name") == ["main"] && kept.list("baselines")[0]["cells"] as? Int == 2)
    // A baseline is the results of a run.
    let shown = try await Program.batchmark.run(["baseline", "show", "main", "--format", "json"], in: workspace.path)
    #expect(try shown.output == workspace.text(of: "out/results.json"))
    let removed = try await JSONDocument(of: ["baseline", "remove", "main"], as: "baseline-remove", in: workspace.path)
    #expect(removed["removed"] as? [String] == ["main"])
  }

  @Test("The verdicts of a pair are machine-readable, from its report too", .tags(.a7))
  func pair() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    let words = ["pair", "this", "save_every=5", "--scenario", "small.yml", "--only", "save", "--out", "out"]
    let options = ["--exact-only", "--explain"]
    let pair = try await JSONDocument(of: words + options, as: "verdicts", in: workspace.path)
    #expect(pair.status == 1 && pair["verdict"] as? String == "REGRESSION", "\(pair.errors)")
    let cell = try #require(pair.list("cells").first)
    #expect(cell["cell"] as? String == "small/objectgraph/save[save_every=5]" && cell["time"] == nil)
    let figures = try #require(cell["figures"] as? [[String: Any]])
    let frames = try #require(figures.first { $0["metric"] as? String == "wal_frames" })
    #expect(frames["fails"] as? Bool == true && frames["verdict"] as? String == "REGRESSION")
    // The sentence is the same as in explanation.json.
    let path = try #require((pair["files"] as? [String: String])?["explanation"])
    #expect(path.hasSuffix("out/explanation.json") && workspace.exists("out/explanation.json"))
    #expect((cell["cause"] as? String)?.hasPrefix("ingest: ") == true, "\(cell)")
    let again = try await JSONDocument(of: ["report", "out"], as: "verdicts", in: workspace.path)
    #expect(again.status == 0 && again.list("cells")[0]["cause"] as? String == cell["cause"] as? String)
  }

  @Test("The noise of a machine and a profile are machine-readable", .tags(.a9))
  func planAndProfile() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    let plan = try await JSONDocument(
      of: ["plan", "small.yml", "--pairs", "7", "--trials", "1", "--budget", "1h"], as: "plan", in: workspace.path)
    #expect(plan.status == 0 && plan["margin"] as? Double == 0.05, "\(plan.errors)")
    #expect(plan.texts("cells", "cell") == ["small/objectgraph/save"] && plan.list("cells")[0]["noise"] is Double)
    let profile = try await JSONDocument(
      of: ["profile", "small.yml", "--rounds", "1", "--out", "out"], as: "profile", in: workspace.path)
    #expect(profile.status == 0 && profile["cell"] as? String == "small/objectgraph/save", "\(profile.errors)")
    let phases = profile.list("phases")
    #expect(phases.contains { ($0["statements"] as? [[String: Any]])?.isEmpty == false })
    #expect(phases.allSatisfy { ($0["stages"] as? [[String: Any]])?.last?["kind"] as? String == "phase" })
  }

  @Test("Merged shards are machine-readable as one run", .tags(.a12))
  func merge() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"], rounds: 1)
    for shard in ["1", "2"] {
      let words = ["run", "small.yml", "--seed", "1", "--rounds-per-shard", "--shard", shard + "/2", "--out", shard]
      #expect(try await JSONDocument(of: words, as: "run", in: workspace.path).status == 0)
    }
    let merged = try await JSONDocument(of: ["merge", "1", "2", "--out", "all"], as: "machines", in: workspace.path)
    #expect(merged.status == 0 && merged["machines"] as? Int == 2, "\(merged.errors)")
    #expect(merged.texts("scenarios", "scenario") == ["small"])
    let cells = try #require(merged.list("scenarios")[0]["cells"] as? [[String: Any]])
    #expect(cells.map { $0["reference"] as? String } == ["small/sqlite/insert"])
  }
}
