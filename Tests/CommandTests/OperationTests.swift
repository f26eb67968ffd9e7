// D8: the shipped scenarios that update and delete, run like a user would.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("D8 · updates and deletes from the command line", .tags(.d8))
struct OperationTests {
  private let scenarios =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Scenarios"

  @Test("Each shipped scenario runs, and all of its cells leave the same rows", arguments: ["update", "delete"])
  func shipped(operation: String) async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      [
        "run", "\(scenarios)/batch-\(operation).yml", "--quick", "--set", "rows=400", "--only", "save_every=1000",
        "--only",
        "sqlite/\(operation)", "--out", "out",
      ], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
    #expect(scenario.contentHash != nil && scenario.cells.count == 3)
    #expect(scenario.operation.rawValue == operation && scenario.rows == 400)
    let phase = scenario.operation.phase
    for cell in scenario.cells {
      let changed = try #require(cell.summary(of: phase)?.rows)
      #expect(changed > 20 && changed < 380)
      #expect(cell.samples.allSatisfy { $0.contents.rows == (phase == .delete ? 400 - changed : 400) })
      // The growth of the WAL is recorded by changed rows.
      #expect(cell.samples.first { $0.pass == .counters }?.growth.last?.rows == changed)
    }
  }

  @Test("The shipped fetches all give the same rows, and are compared with a SELECT", .tags(.a1))
  func fetching() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      ["run", "\(scenarios)/fetching.yml", "--quick", "--set", "rows=400", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
    #expect(scenario.contentHash != nil && scenario.cells.count == 13)
    let rows = Set(scenario.cells.map { $0.summary(of: .fetch)?.rows })
    #expect(rows.count == 1 && rows.first.map { ($0 ?? 0) > 20 && ($0 ?? 400) < 400 } == true)
    #expect(scenario.cells.allSatisfy { $0.summary(of: .fetch)?.timesReference.figure != nil && $0.failures.isEmpty })
    let report = try workspace.report("out")
    for part in [
      "## Time\n", "Where rows are fetched, prepare and fetch take the place", "`sqlite/select`", "Rows fetched",
    ] {
      #expect(report.contains(part), "\(part)")
    }
  }

  @Test(
    "Every cell links the shipped relationships alike, and the report says which cells link afterwards", .tags(.b8))
  func relationships() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      ["run", "\(scenarios)/relationships.yml", "--quick", "--set", "rows=400", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
    #expect(scenario.contentHash != nil && scenario.cells.count == 9)
    let links = Set(scenario.cells.flatMap(\.samples).map(\.contents.links))
    #expect(links.count == 1)
    #expect(links.first??.first?.linkedRows == 400 && links.first??.first?.objects == 10)
    for cell in scenario.cells {
      let isLater = cell.tradeoffs.contains("no relationships, which are linked afterwards")
      #expect(isLater == !["save", "insert"].contains(cell.cell.strategy), "\(cell.cell.id)")
    }
    #expect(
      try workspace.report("out").contains("Every sample ended with the same links: 400 rows by `network`"))
  }
}

extension OperationTests {
  @Test("If a word could mean many cells, twenty are named")
  func manyCells() async throws {
    let workspace = try Workspace()
    for command in [
      ["run", "\(scenarios)/pragmas.yml"], ["pair", "this", "this", "--scenario", "\(scenarios)/pragmas.yml"],
    ] {
      let result = try await Program.batchmark.run(command + ["--only", "saev", "--out", "out"], in: workspace.path)
      #expect(result.status == 64 && result.errors.hasSuffix(" more\n"), "\(result.errors)")
      // Parameters within a cell's name are separated by commas without spaces.
      let named = result.errors.split(separator: "; the cells are ").last?.split(separator: ", ") ?? []
      #expect(named.count == 20 && Set(named).count == 20, "\(result.errors)")
    }
  }

  @Test("Every engine starts a change from the same files, and writes the same to them")
  func equalStart() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      ["run", "\(scenarios)/batch-update.yml", "--quick", "--set", "rows=3_000", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let cells = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first).cells
    for phase in [Phase.prepare, .update] {
      for metric in [MetricID.walFrames, .walPeak, .walBytesWritten, .bytesWritten, .syncs] {
        for parameters in ["", "save_every=1000"] {
          let oneByOne = cells.filter { !["batch-update", "update-many"].contains($0.cell.strategy) }
          let figures = oneByOne.filter { $0.cell.parametersText == parameters }.map {
            $0.summary(of: phase)?.metrics[metric]
          }
          // GRDB only has a cell without parameters.
          #expect(
            figures.count == (parameters.isEmpty ? 3 : 2) && Set(figures).count == 1,
            "\(phase) \(metric) \(parameters): \(figures)")
        }
      }
    }
  }

  @Test("A page behind the last row makes the file invalid, and its offset is named")
  func behindTheLast() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      ["run", "\(scenarios)/sort-and-page.yml", "--set", "rows=100", "--set", "offset=100", "--out", "out"],
      in: workspace.path)
    #expect(result.status == 65)
    #expect(
      result.errors.contains(
        "found no row to fetch among the 100 of the source; expected a smaller 'offset', or a 'where' that is true of "
          + "more rows, not by code from 100, at most 50"), "\(result.errors)")
  }

  @Test("A predicate that matches no row makes the file invalid, before anything is measured")
  func nothingToDo() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      ["run", "\(scenarios)/batch-delete.yml", "--set", "rows=100", "--set", "where=magnitude > 99", "--out", "out"],
      in: workspace.path)
    #expect(result.status == 65)
    #expect(
      result.errors.contains("batch-delete.yml: found no row to delete among the 100 of the source"), "\(result.errors)"
    )
    #expect(!workspace.exists("out"))
  }

  @Test("list sorts strategies by operation, and validate counts the matching rows")
  func listAndValidate() async throws {
    let workspace = try Workspace()
    let list = try await Program.batchmark.run(
      ["list", "\(scenarios)/batch-update.yml", "\(scenarios)/batch-delete.yml"], in: workspace.path)
    #expect(list.output.contains("  with operation: update\n  save  "))
    #expect(list.output.contains("  with operation: delete\n  delete "))
    #expect(
      list.output.contains("batch-update.yml): update where magnitude >= 0.5, generated earthquakes"), "\(list.output)")
    let validate = try await Program.batchmark.run(["validate", "\(scenarios)/batch-delete.yml"], in: workspace.path)
    #expect(validate.status == 0 && validate.output.contains(" 9 cells, 100,000 rows, "))
    #expect(validate.output.hasSuffix(" of them to delete\n"))
  }
}
