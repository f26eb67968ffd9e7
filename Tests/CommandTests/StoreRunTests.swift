// `run --store`: a store of Core Data, stored again by every strategy, from the command line to the report.
import BatchmarkEngine
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import StoreFixtures
import Testing

@Suite("A8 D10 · run --store", .tags(.a8, .d10))
struct StoreRunTests {
  @Test(
    "Without a scenario every strategy stores all rows of the store again, with one hash, in every pass",
    arguments: SampleStore.all(.cars).filter { $0.isOwn || isThorough })
  func everyStrategy(store: SampleStore) async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      ["run", "--store", store.path, "--quick", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let results = try ResultsFile.read("\(workspace.path)/out/results.json")
    let scenario = try #require(results.scenarios.first)
    #expect(scenario.rows == store.rows)
    #expect(scenario.source == "store \(store.name), all entities")
    #expect(scenario.contentHash != nil)
    #expect(
      scenario.cells.map { "\($0.cell.engine)/\($0.cell.strategy)" } == [
        "objectgraph/save", "objectgraph/batch-objects", "objectgraph/batch-objects", "objectgraph/batch-dictionary",
        "objectgraph/batch-dictionary", "objectgraph/batch-managed-object", "objectgraph/batch-managed-object",
        "sqlite/insert", "sqlite/insert", "sqlite/insert-many", "grdb/statement", "grdb/record", "grdb/codable",
      ])
    #expect(scenario.cells.allSatisfy { $0.samples.count == passes && $0.failures.isEmpty })
    // Strategies that set keys together with the values give up no relationships. Those that relate objects afterwards
    // say so.
    let tradeoffs = Dictionary(
      scenario.cells.map { ("\($0.cell.engine)/\($0.cell.strategy)", $0.tradeoffs) },
      uniquingKeysWith: { first, _ in first })
    #expect(tradeoffs["sqlite/insert-many"]?.contains { $0.contains("linked afterwards") } == false)
    #expect(tradeoffs["objectgraph/batch-objects"]?.contains("no relationships, which are linked afterwards") == true)
    // The log is observed throughout all rows, although they belong to several tables.
    for cell in scenario.cells {
      let growth = try #require(cell.samples.first { $0.pass == .counters }).growth
      #expect(growth.map(\.rows) == (1...50).map { store.rows * $0 / 50 } + [store.rows], "\(cell.cell.id)")
    }
    // No file has budgets for it.
    let check = try await Program.batchmark.run(["check", "out"], in: workspace.path)
    #expect(check.status == 4 && check.errors.contains("a run of --store without a scenario file"), "\(check.errors)")
    let report = try workspace.report("out")
    #expect(report.contains("Every sample whose rows are related ended with the same links"))
    #expect(report.contains("no relationships"))
  }

  @Test("A missing store ends with 66, a file that is not a store with 65, and nothing is measured")
  func refusals() async throws {
    let workspace = try Workspace()
    try workspace.write("no store", to: "text.sqlite")
    for (path, status) in [("none.sqlite", 66), ("text.sqlite", 65), (".", 65)] as [(String, Int32)] {
      let result = try await Program.batchmark.run(["run", "--store", path, "--out", "out"], in: workspace.path)
      #expect(result.status == status, "\(path): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(!workspace.names(in: ".").contains("out"))
    }
  }
}
