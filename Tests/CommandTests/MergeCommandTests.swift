// A12: a run divided among machines and merged, from end to end.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A12 · shards and merge", .tags(.a12))
struct MergeCommandTests {
  /// A folder with three scenarios, each with one cell except for the second.
  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(atPath: workspace.path + "/suites", withIntermediateDirectories: true)
    for (name, rows) in [("a", 60), ("b", 200), ("c", 90)] {
      let cells =
        name == "b"
        ? ["{strategy: save}", "{engine: sqlite, strategy: insert}"] : ["{engine: sqlite, strategy: insert}"]
      try workspace.writeScenario(cells: cells, source: "{generate: {rows: \(rows)}}", to: "suites/\(name).yml")
      let text = try workspace.text(of: "suites/\(name).yml")
      try workspace.write(text.replacing("scenario: small", with: "scenario: \(name)"), to: "suites/\(name).yml")
    }
    return workspace
  }

  private func batchmark(
    _ workspace: Workspace, _ arguments: [String], shard: String? = nil
  ) async throws -> Program.Result {
    let program = shard.map { Program.batchmark.after("export BATCHMARK_SHARD=\($0)") } ?? Program.batchmark
    return try await program.run(arguments, in: workspace.path)
  }

  private func run(_ workspace: Workspace, _ shard: String, _ folder: String, _ more: String...) async throws {
    let result = try await batchmark(
      workspace, ["run", "suites", "--quick", "--shard", shard, "--allow-empty", "--out", folder] + more)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("Shards give every cell once, the same files in any order, and one machine's results except for times")
  func whole() async throws {
    let workspace = try workspace()
    for index in 1...3 { try await run(workspace, "\(index)/4", "s\(index)") }
    // The fourth has nothing to do.
    let refused = try await batchmark(workspace, ["run", "suites", "--quick", "--shard", "4/4", "--out", "s4"])
    #expect(refused.status == 64 && refused.errors.contains("--allow-empty"), "\(refused.errors)")
    try await run(workspace, "4/4", "s4")
    #expect(try workspace.text(of: "s4/report.md").contains("# Shard 4/4 has nothing to measure"))
    #expect(try ResultsFile.read(workspace.path + "/s4/results.json").scenarios.isEmpty)
    let merged = try await batchmark(workspace, ["merge", "s1", "s2", "s3", "s4", "--out", "merged"])
    #expect(merged.status == 0, "\(merged.errors)")
    let other = try await batchmark(workspace, ["merge", "s4/results.json", "s2", "s1", "s3", "--out", "other"])
    #expect(other.status == 0, "\(other.errors)")
    for name in workspace.names(in: "merged") where name != "charts" {
      #expect(try workspace.text(of: "merged/\(name)") == workspace.text(of: "other/\(name)"), "\(name)")
    }
    let alone = try await batchmark(workspace, ["run", "suites", "--quick", "--out", "alone"])
    #expect(alone.status == 0, "\(alone.errors)")
    let results = try ["merged", "alone"].map { try ResultsFile.read("\(workspace.path)/\($0)/results.json") }
    #expect(results[0].scenarios.map(\.name) == ["a", "b", "c"])
    #expect(
      results[0].scenarios.flatMap(\.cells).map(\.cell.id) == results[1].scenarios.flatMap(\.cells).map(\.cell.id))
    for (one, same) in zip(results[0].scenarios, results[1].scenarios) {
      #expect(one.contentHash == same.contentHash && one.fingerprint == same.fingerprint)
      for (cell, equal) in zip(one.cells, same.cells) {
        for metric in [MetricID.syncs, .walFrames, .statements, .vmSteps] {
          #expect(cell.main.metrics[metric] == equal.main.metrics[metric], "\(cell.cell.id) \(metric.rawValue)")
        }
      }
    }
    // The report says where each part was measured.
    let report = try workspace.report("merged")
    #expect(report.contains("The scenarios were divided among 4 shards."))
    #expect(results[0].machines?.map(\.shard.description) == ["1/4", "2/4", "3/4", "4/4"])
    #expect(results[0].machines?.map(\.scenarios) == [["b"], ["c"], ["a"], []])
    #expect(results[0].machines?.allSatisfy { $0.machine == results[1].run.machine } == true)
    #expect(try workspace.text(of: "merged/summary.csv").split(whereSeparator: \.isNewline).count > 4)
    let again = try await batchmark(workspace, ["merge", "merged", "--out", "again"])
    #expect(again.status == 4 && again.errors.contains("merged is a merged run"), "\(again.errors)")
  }

  @Test("Parts that do not belong together are refused with every reason, and nothing is written")
  func refusals() async throws {
    let workspace = try workspace()
    for index in 1...2 { try await run(workspace, "\(index)/3", "s\(index)") }
    try await run(workspace, "1/2", "half")
    try await run(workspace, "3/3", "seeded", "--seed", "5")
    try await run(workspace, "3/3", "rows", "--set", "rows=30")
    try await run(workspace, "3/3", "two", "--only", "a", "--only", "b")
    try await run(workspace, "1/3", "one", "--only", "a")
    let plain = try await batchmark(workspace, ["run", "suites", "--quick", "--only", "a", "--out", "plain"])
    #expect(plain.status == 0)
    func refused(_ shards: [String], _ messages: String...) async throws {
      let result = try await batchmark(workspace, ["merge"] + shards + ["--out", "merged"])
      #expect(result.status == 4, "\(shards): \(result.errors)")
      for message in messages { #expect(result.errors.contains(message), "\(shards): \(result.errors)") }
      #expect(!workspace.exists("merged"))
    }
    try await refused(["s1", "s2"], "shard 3 of 3 is missing; run it, or merge what there is with --partial")
    try await refused(
      ["s1", "s2", "s2"], "s2 and s2 are both shard 2/3; leave one of them out", "shard 3 of 3 is missing")
    try await refused(["s1", "half"], "s1 is of another run than half: it is shard 1/3, and the other is shard 1/2")
    try await refused(["s1", "s2", "plain"], "plain is no shard; expected a run with --shard")
    try await refused(["s1", "s2", "seeded"], "seeded is of another run than s1: its seed is 5")
    try await refused(["s1", "s2", "rows"], "rows is of another run than s1: its scenario a has other rows")
    try await refused(["s1", "two"], "two is of another run than s1: it lacks the scenario c")
    try await refused(["one", "two"], "two is of another run than one: it has the scenario b")
    let text = try workspace.text(of: "s2/results.json")
    try workspace.write(text.replacing("\"executable\" : \"", with: "\"executable\" : \"0"), to: "build.json")
    try await refused(["s1", "build.json"], "build.json is of another run than s1: it was measured by the build 0")
    for (key, verb) in [("programSQLite", "used SQLite"), ("programVersion", "is")] {
      for (shard, version) in [("s1", "3.40.1"), ("s2", "3.99.0")] {
        let results = try workspace.text(of: "\(shard)/results.json")
        try workspace.write(
          results.replacing("\"pragmas\" : [", with: "\"\(key)\" : \"\(version)\",\n\"pragmas\" : ["),
          to: "\(shard).json")
      }
      try await refused(
        ["s1.json", "s2.json"], "s2.json is of another run than s1.json: its program of the engine ",
        " \(verb) 3.99.0, and the other's 3.40.1")
    }
    for count in ["0", "-1", "9223372036854775807"] {
      try workspace.write(text.replacing("\"count\" : 3", with: "\"count\" : \(count)"), to: "count.json")
      try await refused(
        ["count.json"], "count.json says that it is shard 2/\(count); expected one from 1/1 to 10000/10000")
    }
    try workspace.write(String(text.prefix(text.count / 2)), to: "cut.json")
    let cut = try await batchmark(workspace, ["merge", "s1", "cut.json", "--out", "merged"])
    #expect(cut.status == 65 && !workspace.exists("merged"), "\(cut.errors)")
    #expect(try await batchmark(workspace, ["merge", "s1", "none", "--out", "merged"]).status == 66)
    let existing = try await batchmark(workspace, ["merge", "s1", "--out", "s2"])
    #expect(existing.status == 73 && existing.errors.contains("/s2 exists already; remove it"), "\(existing.errors)")

    // The page is larger than the limit.
    let full = try await Program.batchmark.after("trap '' XFSZ; ulimit -f 16")
      .run(["merge", "s2", "s1", "--partial", "--out", "full"], in: workspace.path)
    #expect(full.status == 73 && full.errors.contains("report.html: cannot write"), "\(full.errors)")
    #expect(!workspace.exists("full"))

    let partial = try await batchmark(workspace, ["merge", "s2", "s1", "--partial", "--out", "part"])
    #expect(partial.status == 0 && partial.errors.contains("1 of 3 shards is missing"), "\(partial.errors)")
    #expect(
      try workspace.text(of: "part/report.md").contains(
        "**Incomplete: shard 3 of 3 was not merged**, so that `a` is missing."))
  }

  @Test("A scheduler's variables choose the part, an invalid part is refused, and a dry run shows the division")
  func choosing() async throws {
    let workspace = try workspace()
    let automatic = try await batchmark(
      workspace, ["run", "suites", "--quick", "--shard", "auto", "--out", "s2"], shard: "2/3")
    #expect(automatic.status == 0, "\(automatic.errors)")
    let results = try ResultsFile.read(workspace.path + "/s2/results.json")
    #expect(results.run.shard?.shard == Shard("2/3") && results.scenarios.map(\.name) == ["c"])
    let resumed = try await batchmark(workspace, ["run", "--resume", "--out", "s2"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try ResultsFile.read(workspace.path + "/s2/results.json").run.shard == results.run.shard)
    for (shard, message) in [
      ("0/3", "--shard 0/3: expected K/N"), ("4/3", "--shard 4/3: expected K/N"),
      ("auto", "found none of the variables"),
      ("all/3", "--shard all/3: expected"), ("all", "--shard all: expected K/N"),
      ("auto/x", "--shard auto/x: expected"),
    ] {
      let refused = try await batchmark(workspace, ["run", "suites", "--quick", "--shard", shard, "--out", "x"])
      #expect(refused.status == 64 && !workspace.exists("x"), "\(refused.errors)")
      #expect(refused.errors.contains(message) || shard == "all/3", "\(refused.errors)")
    }
    let division = try await batchmark(workspace, ["run", "suites", "--quick", "--dry-run", "--shard", "all/4"])
    #expect(division.output.contains("| 1/4 | b | 2 |"), "\(division.output)")
    #expect(division.output.contains("| 4/4 | none | 0 |"), "\(division.output)")
    let one = try await batchmark(workspace, ["run", "suites", "--quick", "--dry-run", "--shard", "2/4"])
    #expect(one.output.contains("# 1 cell,"), "\(one.output)")
    // With times, the division may be different: here a took longest.
    var earlier = results
    earlier.scenarios[0].name = "a"
    earlier.scenarios[0].cells[0].cell.scenario = "a"
    earlier.scenarios[0].cells[0].durations = earlier.scenarios[0].cells[0].durations?.map {
      PassDuration(pass: $0.pass, samples: $0.samples, seconds: 1_000)
    }
    try workspace.write(try ResultsFile.render(earlier), to: "earlier.json")
    let timed = try await batchmark(
      workspace, ["run", "suites", "--quick", "--dry-run", "--shard", "all/3", "--durations", "earlier.json"])
    #expect(timed.output.contains("| 1/3 | "), "\(timed.output)")
  }
}
