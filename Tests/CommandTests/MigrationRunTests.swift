// D11: the shipped suite of migrations, run like a user would.
import Analysis
import BatchmarkEngine
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

@Suite("D11 · migrations from the command line", .tags(.d11))
struct MigrationRunTests {
  private let suite =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Scenarios/migration.yml"

  @Test("The shipped suite runs, each kind of change beside its reference, with the figures of files and statements")
  func shipped() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(
      ["run", suite, "--quick", "--only", "rows=1000", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
    #expect(scenario.cells.count == 22 && scenario.operation == .migrate)
    for cell in scenario.cells {
      let phase = try #require(cell.summary(of: .migrate))
      #expect(phase.rows == 1_000 && phase.timesReference.figure != nil && cell.failures.isEmpty, "\(cell.cell.id)")
      // The store is opened in the phase and still metered.
      for metric in [MetricID.walPeak, .databaseBytes, .statements] {
        #expect(phase[metric].figure.map { $0 > 0 } == true, "\(cell.cell.id): \(metric)")
      }
    }
    let report = try workspace.report("out")
    for part in ["The migration changes the store of 1,000 rows", "a copy of each table that changes", "Rows migrated"]
    {
      #expect(report.contains(part), "\(part)")
    }
  }
}
