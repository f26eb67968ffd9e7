// `--format json` of commands that measure nothing: one document on standard output, and the same status as with text.
internal import ArgumentParser
import Foundation
import MissionTags
import Reports
import Scenarios
import Testing

@testable import BatchmarkCLI

@Suite("A16 · --format json without a measurement", .tags(.a16))
struct JSONFormatTests {
  /// Runs a command with and without JSON, checks that its status and standard error are the same, and returns the
  /// document.
  private func alike(_ words: [String], _ schema: String, in workspace: Workspace) async throws -> JSONDocument {
    let text = try await Program.batchmark.run(words, in: workspace.path)
    let document = try await JSONDocument(of: words, as: schema, in: workspace.path)
    #expect(document.status == text.status, "\(words): \(document.errors)")
    #expect(document["status"] as? Int == Int(text.status), "\(words)")
    #expect(document["schemaVersion"] as? Int == 1, "\(words)")
    if words[0] != "doctor" { #expect(document.errors == text.errors, "\(words)") }
    return document
  }

  @Test("Every command has --format")
  func everyCommand() throws {
    // They print a file, a schema or text anyway.
    let others: Set<String> = ["baseline", "engines", "history", "help", "schema", "topics"]
    let commands = HelpTests.commands(below: RootCommand.self, path: []).filter { command in
      !others.contains(command.path.last ?? "")
    }
    try #require(!commands.isEmpty)
    for command in commands {
      let help = RootCommand.helpMessage(for: command.type)
      #expect(help.contains("--format"), "\(command.path)")
    }
  }

  @Test(
    "Every document has a schema that names the version and the exit status", arguments: SchemaCommand.File.allCases)
  func everyDocument(file: SchemaCommand.File) throws {
    guard let document = file.document else { return }
    let schema = document.schema
    #expect(schema.required.contains("schemaVersion") && schema.required.contains("status"), "\(file)")
    #expect(schema.title?.isEmpty == false && schema.properties.count > 2, "\(file)")
  }

  @Test("Scenarios, engines, metrics, keys and forecasts of runs are machine-readable")
  func scenarios() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: sav}"], to: "bad.yml")
    try workspace.writeScenario()
    let checked = try await alike(["validate", "small.yml", "bad.yml", "none.yml"], "validate", in: workspace)
    #expect(checked.status == 66 && checked.texts("files", "file") == ["small.yml", "bad.yml", "none.yml"])
    let files = checked.list("files")
    #expect(files[0]["cells"] as? [String] == ["small/sqlite/insert"] && files[0]["rows"] as? Int == 60)
    #expect((files[1]["errors"] as? [String])?.first?.hasPrefix("bad.yml:1") == true)
    #expect(files[2]["scenario"] == nil)
    let listed = try await alike(["list", "small.yml"], "list", in: workspace)
    #expect(listed.texts("engines", "name") == ["sqlite"] && listed.texts("scenarios", "scenario") == ["small"])
    #expect(try await alike(["list", "--metrics"], "list", in: workspace).texts("metrics", "metric").contains("syncs"))
    #expect(try await alike(["list", "--keys"], "list", in: workspace).texts("keys", "key").contains("save_every"))
    let forecast = try await alike(["run", "small.yml", "--dry-run"], "forecast", in: workspace)
    #expect(forecast.texts("cells", "cell") == ["small/sqlite/insert"] && forecast["seconds"] == nil)
    let planned = try #require(forecast.list("cells").first)
    #expect(planned["rows"] as? Int == 60 && planned["rounds"] as? Int == 2)
    let divided = try await alike(["run", "small.yml", "--dry-run", "--shard", "all/2"], "forecast", in: workspace)
    #expect(divided.texts("division", "scenario") == ["small"])
  }

  @Test("The machine, the statistics and missing engines are machine-readable")
  func machine() async throws {
    let workspace = try Workspace()
    let doctor = try await alike(["doctor"], "doctor", in: workspace)
    #expect(doctor.texts("checks", "name").contains("build"))
    #expect(doctor.texts("checks", "verdict").contains("fail") == (doctor.status == 70))
    let statistics = try await alike(["selftest", "--simulations", "0"], "selftest", in: workspace)
    #expect(Set(statistics.texts("checks", "verdict")) == ["ok"] && statistics["live"] == nil)
    try workspace.write(
      """
      engines:
        - name: none
          command: [./no-such-program]

      """, to: "engines.yml")
    let options = ["--engines", "engines.yml"]
    let engines = try await alike(["engines", "list"] + options, "engines-list", in: workspace)
    #expect(engines.texts("engines", "name") == ["none"] && engines.list("engines")[0]["missing"] is String)
    let broken = try await alike(["engines", "check"] + options, "engines-check", in: workspace)
    #expect(broken.status == 66 && broken.list("engines")[0]["rules"] == nil)
  }
}

extension JSONFormatTests {
  @Test("The article for programs has every key of every document")
  func article() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = package.appending(path: "Sources/BatchmarkCLI/BatchmarkCLI.docc/ReadingByProgram.md")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
    for word in SchemaCommand.File.allCases {
      guard let document = word.document else { continue }
      let columns = rows.map { $0.split(separator: "|") }.filter {
        $0.count > 2 && $0[1].contains("`\(word.rawValue)`")
      }
      let keys = try #require(columns.first, "\(word)")[2]
      for key in document.schema.properties.keys where key != "schemaVersion" && key != "status" {
        #expect(keys.contains("`\(key)`"), "\(word): \(key)")
      }
    }
  }

  @Test("Two documents for one standard output are refused, and so is a scenario that has no file")
  func refusals() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    for words in [
      ["run", "small.yml", "--export-csv", "-"], ["check", "x", "--export", "junit=-"], ["init", "--out", "-"],
      ["anonymize", "x.sqlite"], ["report", "x", "--export", "junit=y"], ["watch", "--json", "-"],
    ] {
      let program = words[0] == "watch" ? ["--", "true"] : []
      let result = try await Program.batchmark.run(words + ["--format", "json"] + program, in: workspace.path)
      #expect(result.status == 64 && result.output.isEmpty, "\(words): \(result.errors)")
      #expect(result.errors.contains("--format json"), "\(words): \(result.errors)")
    }
  }

  @Test("A history's runs, series and changes are machine-readable, with the commands for details", .tags(.a11))
  func history() async throws {
    let history = try HistoryWorkspace(commits: 24)
    try history.addStep(at: 12)
    let place = ["--history", "runs"]
    let runs = try await alike(["history", "list"] + place, "history-list", in: history.workspace)
    #expect(runs.texts("runs", "commit") == history.commits)
    let found = try await alike(["history", "check"] + place, "history-check", in: history.workspace)
    let change = try #require(found.list("changes").first)
    #expect(found.status == 1 && change["commit"] as? String == history.commits[12])
    #expect(change["state"] as? String == "unexpected" && change["metric"] as? String == "times_reference")
    let next = try #require(change["next"] as? [String: String])
    #expect(next["confirm"]?.contains(" pair --base-ref ") == true && next["accept"]?.contains("--reason") == true)
    let series = try await alike(["history", "show"] + place, "history-show", in: history.workspace)
    #expect(series.list("series").count == 1)
    let points = try #require(series.list("series")[0]["points"] as? [[String: Any]])
    #expect(points.count == 24 && points[12]["change"] as? String == "unexpected" && points[11]["change"] == nil)
    let pruned = try await alike(
      ["history", "prune", "--keep", "20", "--dry-run"] + place, "history-prune", in: history.workspace)
    #expect((pruned["files"] as? [String])?.count == 4 && pruned["isDryRun"] as? Bool == true)
    let accept = ["history", "accept", String(history.commits[12].prefix(12)), "--reason", "checks more"]
    let accepted = try await alike(accept + place, "history-accept", in: history.workspace)
    #expect(accepted.texts("changes", "cell") == ["quakes/objectgraph/save"])
    let after = try await alike(["history", "check"] + place, "history-check", in: history.workspace)
    #expect(after.status == 0 && after.list("changes")[0]["reason"] as? String == "checks more")
  }

  @Test("A document describes the scenario file that was written")
  func scenarioFiles() async throws {
    let workspace = try Workspace()
    let first = try await JSONDocument(of: ["init", "--out", "first.yml"], as: "scenario-file", in: workspace.path)
    #expect(first.status == 0 && first["file"] as? String == "first.yml" && workspace.exists("first.yml"))
    #expect((first["cells"] as? [String])?.isEmpty == false)
    let checked = try await JSONDocument(of: ["validate", "first.yml"], as: "validate", in: workspace.path)
    #expect(checked.list("files")[0]["cells"] as? [String] == first["cells"] as? [String])
  }
}
