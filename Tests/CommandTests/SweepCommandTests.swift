// Sweeps from the command line: every cell's worker has the source and store for its values.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A1 A6 · sweeps from the command line", .tags(.a1, .a6))
struct SweepCommandTests {
  private static let cells = ["{strategy: save}", "{strategy: batch-dictionary}", "{engine: sqlite, strategy: insert}"]

  private func workspace(_ sweep: String) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: SweepCommandTests.cells, source: "{generate: {seed: 3}}", store: "{synchronous: normal}")
    let more = "\(sweep)\nbudgets: [save.wall <= 100 s]\n"
    try workspace.write(try workspace.text(of: "small.yml") + more, to: "small.yml")
    return workspace
  }

  @Test("Each cell has the rows, duplicates and pragmas of its own values")
  func values() async throws {
    let workspace = try workspace(
      """
      sweep: {rows: [20, 60], duplicates: [0%, 50%], journal_mode: [wal, delete], save_every: [7, all]}
      exclude: [{rows: 20, duplicates: 50%}, {strategy: batch-dictionary, rows: 60}]
      """)
    let result = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
    #expect(scenario.cells.count == 20)
    for cell in scenario.cells {
      let conditions = cell.cell.conditions
      #expect(cell.samples.count == passes && cell.failures.isEmpty)
      let rows = try #require(cell.summary(of: .ingest)?.rows)
      #expect(conditions["rows"] == ParameterValue.count(rows), "\(cell.cell.id)")
      let pragmas = try #require(cell.samples.first?.pragmas)
      let journal = pragmas.first { $0.name == "journal_mode" }?.value
      #expect(conditions["journal_mode"]?.description == journal, "\(cell.cell.id)")
      #expect(cell.summary(of: .ingest)?.timesReference.figure != nil, "\(cell.cell.id)")
      let stored = try #require(cell.samples.first?.contents.rows)
      #expect(conditions["duplicates"]?.description == "0%" ? stored == rows : stored < rows)
    }
    let hashes = Set(scenario.cells.flatMap(\.samples).map(\.contents.contentHash))
    #expect(hashes.count == 3)
    let report = try workspace.report("out")
    #expect(report.contains("[duplicates=0%,journal_mode=wal,rows=20]"))
    #expect(report.contains("Every sample ended with the same attributes as the others with the same swept values"))
    #expect(report.contains("wal, delete"))
  }

  @Test("A setting replaces a sweep, and a word selects one value of it")
  func selection() async throws {
    let workspace = try workspace("sweep: {rows: [20, 200_000], cache_size: [-500, -1_000]}")
    let list = try await Program.batchmark.run(["list", "small.yml"], in: workspace.path)
    #expect(list.status == 0 && list.output.contains("  swept: cache_size -500, -1000; rows 20, 200000\n"))
    #expect(list.output.contains("small/sqlite/insert[cache_size=-1000,rows=200000]"))
    let valid = try await Program.batchmark.run(["validate", "small.yml"], in: workspace.path)
    #expect(valid.output == "small.yml: ok, scenario small, 12 cells, up to 200,000 rows\n")
    let one = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--only", "cache_size=-500", "--set", "rows=30", "--out", "one"],
      in: workspace.path)
    #expect(one.status == 0, "\(one.errors)")
    let cells = try #require(try ResultsFile.read("\(workspace.path)/one/results.json").scenarios.first).cells
    #expect(cells.map(\.cell.parametersText) == ["cache_size=-500", "cache_size=-500", "cache_size=-500"])
    #expect(cells.allSatisfy { $0.summary(of: .ingest)?.rows == 30 })
    // A quick run leaves out the cells with many rows, and says so.
    let quick = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "quick"], in: workspace.path)
    #expect(quick.status == 0, "\(quick.errors)")
    let few = try #require(try ResultsFile.read("\(workspace.path)/quick/results.json").scenarios.first)
    #expect(few.cells.count == 6 && few.cells.allSatisfy { $0.cell.conditions["rows"] == .count(20) })
    #expect(quick.errors.contains("6 cells with more than 100,000 rows were left out"), "\(quick.errors)")
  }

  @Test("Every shipped suite is valid for the engines of this build")
  func shipped() async throws {
    let scenarios =
      URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
      + "/Scenarios"
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["validate", scenarios], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count >= 18 && lines.allSatisfy { $0.contains(".yml: ok, scenario ") }, "\(result.output)")
  }

  @Test("The sides of a pair may have different settings beside a sweep, and each swept value is compared with itself")
  func pair() async throws {
    let workspace = try workspace("sweep: {rows: [20, 40]}")
    let result = try await Program.batchmark.run(
      [
        "pair", "this", "cache_size=-4000", "--scenario", "small.yml", "--only", "insert", "--looks", "7", "--trials",
        "1",
        "--no-placebo", "--out", "out",
      ], in: workspace.path)
    #expect([0, 1, 5, 6].contains(result.status), "\(result.errors)")
    #expect(result.output.contains("sqlite/insert[rows=20]"), "\(result.output)")
    #expect(result.output.contains("sqlite/insert[rows=40]"), "\(result.output)")
  }
}
