// `list`, `validate`, `generate` and `doctor`.
import Engines
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A1 A8 A10 · list, validate, generate, doctor", .tags(.a1, .a8, .a10))
struct OtherCommandTests {
  @Test("list shows engines, strategies, parameters, and the cells of scenarios; for a file, only what its cells use")
  func list() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save, save_every: 5}"])
    let one = try await Program.batchmark.run(["list", "small.yml"], in: workspace.path)
    #expect(one.status == 0, "\(one.errors)")
    // The engine, its strategy, the common parameters, the scenario and its cell.
    let starts = one.output.split(separator: "\n").map { $0.split(separator: " ").first.map(String.init) ?? "" }
    #expect(
      starts == ["objectgraph", "save", "every", "small", "small/objectgraph/save[save_every=5]"], "\(one.output)")
    try FileManager.default.createDirectory(atPath: workspace.path + "/Scenarios", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: workspace.path + "/small.yml", toPath: workspace.path + "/Scenarios/earthquakes.yml")
    let result = try await Program.batchmark.run(["list"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    for word in [
      "objectgraph", "batch-dictionary", "request_size=all", "merge=none|changes|history", "sqlite",
      "rows_per_step=50", "grdb", "  codable ",
      "every strategy (reader=none|pinned, attached=none|metering_vfs|sampler|allocation_meter|speed_probe)",
      "small/objectgraph/save[save_every=5]",
    ] {
      #expect(result.output.contains(word))
    }
    try workspace.write("scenario: [", to: "broken.yml")
    let broken = try await Program.batchmark.run(["list", "."], in: workspace.path)
    #expect(broken.status == 65)
    #expect(broken.output.contains("small/objectgraph/save[save_every=5]"))
    #expect(broken.errors.contains("broken.yml:"))
  }

  @Test("list --metrics describes each metric on a line, with its unit, its pass and whether it repeats")
  func metrics() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["list", "--metrics"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let latencies = OperationClass.allCases.flatMap { operations in
      LatencyFigure.allCases.map { MetricID.latency(operations, $0) }
    }
    #expect(lines.map { $0[0] } == ["metric"] + (MetricID.allCases + latencies).map(\.rawValue))
    #expect(lines.contains { $0.starts(with: ["heap_peak_bytes", "bytes", "memory", "exact", "live", "heap"]) })
    #expect(lines.contains { $0.starts(with: ["sync_time_ns", "nanoseconds", "counters", "sampled"]) })
    let more = try await Program.batchmark.run(["list", "--metrics", "small.yml"], in: workspace.path)
    #expect(
      more.status == 64 && more.errors.contains("found small.yml, while --metrics and --keys list"), "\(more.errors)")
  }

  @Test("list --keys shows every key with its place, value, default and meaning")
  func keys() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["list", "--keys"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.first?.prefix(4) == ["key", "where", "value", "default"])
    for start in [
      ["scenario", "scenario", "name", "-", "-"], ["seed", "generate", "0", "to"], ["journal_mode", "store", "wal,"],
      ["save_every", "cell", "number"], ["rounds", "measure"], ["pattern", "attribute", "regular"],
    ] {
      #expect(lines.contains { $0.starts(with: start) }, "\(start)")
    }
    for arguments in [["--format", "markdown"], ["--keys", "--metrics"], ["--keys", "--format", "html"]] {
      #expect(try await Program.batchmark.run(["list"] + arguments, in: workspace.path).status == 64)
    }
  }
}

extension OtherCommandTests {
  @Test("The scenario reference has the table of keys that list --keys prints")
  func keysOfTheReference() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["list", "--keys", "--format", "markdown"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.deletingLastPathComponent()
      .appending(path: "Sources/BatchmarkCLI/BatchmarkCLI.docc/KeyReference.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(page.range(of: "<!-- keys -->\n"))
    let end = try #require(page.range(of: "<!-- /keys -->\n"))
    #expect(
      page[begin.upperBound..<end.lowerBound] == result.output,
      "Put between the marks what batchmark list --keys --format markdown prints.")
  }

  @Test("topics explains every exit status, figures, and scenarios by an example that runs")
  func topics() async throws {
    let workspace = try Workspace()
    let help = try await Program.batchmark.run(["help", "topics"], in: workspace.path)
    #expect(help.status == 0)
    for topic in ["scenarios", "statuses", "figures"] { #expect(help.output.contains("'\(topic)'")) }

    let scenarios = try await Program.batchmark.run(["topics", "scenarios"], in: workspace.path)
    let lines = scenarios.output.split(separator: "\n").filter { $0.hasPrefix("    ") }
    try workspace.write(lines.map { $0.dropFirst(4) + "\n" }.joined(), to: "contacts.yml")
    let validated = try await Program.batchmark.run(["validate", "contacts.yml"], in: workspace.path)
    #expect(validated.output == "contacts.yml: ok, scenario contacts, 3 cells, 20,000 rows\n", "\(validated.errors)")

    let statuses = try await Program.batchmark.run(["topics", "statuses"], in: workspace.path)
    let numbers = statuses.output.split(separator: "\n").dropLast().compactMap {
      Int32($0.prefix(3).filter(\.isNumber))
    }
    #expect(numbers == CommandStatus.allCases.map(\.rawValue))
    #expect(statuses.output.contains("the first of 130, 141, 70, 73, 66, 65, 64, 3, 6, 4, 1, 5."))

    let figures = try await Program.batchmark.run(["topics", "figures"], in: workspace.path)
    #expect(
      figures.output.contains("heap peak") && figures.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
    #expect(try await Program.batchmark.run(["topics", "cells"], in: workspace.path).status == 64)
  }

  @Test("validate shows every mistake with file, line and column, and checks sources too")
  func validate() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let good = try await Program.batchmark.run(["validate", "small.yml"], in: workspace.path)
    #expect(good.status == 0)
    #expect(good.output == "small.yml: ok, scenario small, 1 cell, 60 rows\n")

    try workspace.writeScenario(cells: ["{strategy: sav}", "{strategy: save, save_every: 0}"], to: "bad.yml")
    let bad = try await Program.batchmark.run(["validate", "small.yml", "bad.yml"], in: workspace.path)
    #expect(bad.status == 65)
    #expect(bad.output.hasPrefix("small.yml: ok"))
    let lines = bad.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("batchmark: bad.yml:1") })

    try workspace.writeScenario(source: "{feed: none.csv}", to: "feed.yml")
    #expect(try await Program.batchmark.run(["validate", "feed.yml"], in: workspace.path).status == 66)
    #expect(try await Program.batchmark.run(["validate", "none.yml"], in: workspace.path).status == 66)
  }

  @Test("A generated feed is read back as the rows the generator gives", arguments: ["csv", "geojson", "jsonl"])
  func generate(format: String) async throws {
    let workspace = try Workspace()
    let options = ["--rows", "1_000", "--seed", "7", "--duplicates", "10%"]
    let result = try await Program.batchmark.run(
      ["generate", "--format", format, "--out", "feed"] + options, in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    try workspace.writeScenario(source: "{generate: {rows: 1_000, seed: 7, duplicates: 10%}}")
    for (folder, arguments) in [("generated", []), ("fed", ["--feed", "feed"])] {
      let run = try await Program.batchmark.run(
        ["run", "small.yml", "--quick", "--out", folder] + arguments, in: workspace.path)
      #expect(run.status == 0, "\(run.errors)")
    }
    func hashes(_ folder: String) throws -> Set<String> {
      let samples = try workspace.journal(folder).filter { $0.kind == "sample" }
      return Set(samples.compactMap { ($0.value["contents"] as? [String: Any])?["contentHash"] as? String })
    }
    #expect(try hashes("generated").count == 1)
    #expect(try hashes("generated") == hashes("fed"))
  }
}

extension OtherCommandTests {
  @Test("generate writes to standard output, and never over a file")
  func generateOutput() async throws {
    let workspace = try Workspace()
    let out = try await Program.batchmark.run(["generate", "--rows", "3"], in: workspace.path)
    #expect(out.status == 0)
    #expect(out.output.split(separator: "\n").count == 4)
    #expect(out.output.hasPrefix("time,latitude,longitude,depth,mag,"))
    try workspace.write("mine", to: "feed")
    let taken = try await Program.batchmark.run(["generate", "--rows", "3", "--out", "feed"], in: workspace.path)
    #expect(taken.status == 73)
    #expect(try workspace.text(of: "feed") == "mine")
    let nowhere = try await Program.batchmark.run(["generate", "--out", "none/feed"], in: workspace.path)
    #expect(nowhere.status == 73)
  }

  @Test(
    "schema prints the schema of the named kind of file as JSON",
    arguments: ["scenario", "results", "pair", "history"])
  func schema(file: String) async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["schema", file], in: workspace.path)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let schemas = [
      "scenario": ScenarioSchema(BuiltInEngines.all).jsonSchema, "results": StoredSchemas.results.withDefinitions(),
      "pair": StoredSchemas.pair.withDefinitions(), "history": StoredSchemas.history.withDefinitions(),
    ]
    let expected = try JSONSerialization.jsonObject(with: JSONEncoder().encode(try #require(schemas[file])))
    let printed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    #expect(try #require(printed as? NSDictionary) == #require(expected as? NSDictionary))
    #expect((printed as? [String: Any])?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test("schema with an unknown word names the four valid ones")
  func unknownSchema() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["schema", "report"], in: workspace.path)
    #expect(result.status == 64 && result.output.isEmpty)
    for word in ["'report'", "scenario", "results", "pair", "history"] { #expect(result.errors.contains(word)) }
  }

  @Test("doctor says what works here, line by line")
  func doctor() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["doctor"], in: workspace.path)
    #expect([0, 70].contains(result.status))
    let lines = result.output.split(separator: "\n")
    #expect(lines.count >= 10)
    #expect(lines.allSatisfy { ["ok  ", "warn", "fail"].contains($0.prefix(4)) || $0.hasPrefix("      ") })
    for word in ["build", "allocator", "memory pass", "SQLite", "hashing", "address", "file system", "sync"] {
      #expect(result.output.contains(word), "\(word)")
    }
    #expect(result.output.contains("fail") == (result.status == 70))
    #expect(workspace.names().isEmpty)
  }
}
