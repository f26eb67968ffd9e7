// A4: if the meter cannot see something of an engine, the figure is absent and the sample says why; it is never zero.
import Analysis
import Foundation
import Harness
import BatchmarkEngine
import Instruments
import MissionTags
import Reports
import Testing

@Suite("A4 · figures that cannot be measured are absent, with the reason", .tags(.a4))
struct AbsentCounterTests {
  /// The figures from one instrument's column through another, in the order of columns.
  private static func figures(_ first: MetricID, through last: MetricID) -> [MetricID] {
    let all = MetricID.allCases
    guard let start = all.firstIndex(of: first), let end = all.firstIndex(of: last) else { return [] }
    return Array(all[start...end])
  }

  private static let files = figures(.walPeak, through: .readCalls) + figures(.syncTime, through: .longestCheckpoint)
  private static let elsewhere =
    "the figures of files are not known: a connection, or a database that it attached, did not go through SQLite's default VFS"
  private static let statements = figures(.vmSteps, through: .cacheSpills)

  @Test(
    "An engine with another VFS (even of an attached database), its own trace or an open connection gives the reason",
    arguments: [
      ("other-vfs", files, elsewhere), ("attached-vfs", files, elsewhere),
      (
        "own-trace", statements,
        "the figures of statements and page caches are not known: a connection's trace was taken by another hook"
      ),
      (
        "left-open", statements,
        "the figures of statements and page caches are not known: the engine left a connection open"
      ),
      ("none", [], ""),
    ])
  func absent(strategy: String, missing: [MetricID], reason: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{engine: faulty, strategy: \(strategy)}"])
    let result = try await Program.faulty.run(["run", "small.yml", "--quick", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let results = try ResultsFile.read(workspace.path + "/out/results.json")
    let cell = try #require(results.scenarios.first?.cells.first)
    for phase in [Phase.ingest, .checkpoint, .verify] {
      let metrics = try #require(cell.summary(of: phase)).metrics.filter { $0.key.pass == .counters }
      let expected = MetricID.allCases.filter { $0.pass == .counters && !missing.contains($0) }
      #expect(Set(metrics.keys) == Set(expected), "\(phase)")
    }
    let samples = cell.samples.filter { $0.pass == .counters }
    #expect(!samples.isEmpty)
    for sample in samples {
      let absences = sample.absences ?? []
      #expect(absences.count == (reason.isEmpty ? 0 : 1), "\(absences)")
      #expect(absences.allSatisfy { $0.reason.hasPrefix(reason) && Set($0.metrics) == Set(missing) }, "\(absences)")
      #expect(!sample.notes.contains { $0.contains("not known") }, "\(sample.notes)")
    }
    if reason.isEmpty { return }
    #expect(try workspace.report("out").contains(reason))
    let summary = try workspace.text(of: "out/summary.csv").split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let ingest = try #require(summary.first { $0.contains("ingest") })
    for metric in missing {
      // Times in CSV files are in seconds.
      let name = metric.rawValue.hasSuffix("_ns") ? metric.rawValue.dropLast(2) + "s" : metric.rawValue[...]
      let column = try #require(summary[0].firstIndex(of: name))
      #expect(ingest[column].isEmpty, "\(metric.rawValue)")
    }
  }
}
