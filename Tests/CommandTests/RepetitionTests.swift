// Exact figures are exact: six workers with the same work report the same, in every figure of every phase.
import Engines
import Foundation
import Harness
import Instruments
import MissionTags
import BatchmarkEngine
import Scenarios
import StoreFixtures
import Support
import Testing

@Suite("A3 A4 · six of six", .tags(.a3, .a4))
struct RepetitionTests {

  /// The scenario files of the package that have cells with batch inserts, updates or deletes.
  private static let files: [String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Scenarios").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".yml") }.sorted().map { folder + "/" + $0 }.filter { file in
      (try? String(contentsOfFile: file, encoding: .utf8))?.contains("strategy: batch-") == true
    }
  }()

  private static let exactPasses: [Pass] = Jemalloc.isLinked ? [.counters, .memory] : [.counters]

  @Test("Each batch-insert style of the smoke suite allocates, writes, syncs and computes the same six times")
  func smoke() async throws {
    let file = try #require(RepetitionTests.files.first { $0.hasSuffix("/smoke.yml") })
    try await expectRepetition(of: file, rows: 500)
  }

  @Test(
    "Shipped batch cells repeat exactly too", .enabled(if: isThorough, "slow: scripts/test --all"), arguments: files)
  func shipped(file: String) async throws {
    try await expectRepetition(of: file, rows: 10_000)
  }

  /// Takes six samples of each batch cell in each exact pass.
  private func expectRepetition(of file: String, rows: Int) async throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let overrides = [ScenarioOverride(key: "rows", value: "\(rows)", origin: "--set rows=\(rows)")]
    let scenario = try ScenarioReader(schema: ScenarioSchema(BuiltInEngines.all)).read(
      text: text, file: file, overrides: overrides)
    let workspace = try Workspace()
    let executable = Program.batchmark.path
    let launcher = ProcessLauncher(
      executable: executable, arguments: { ["worker", $0.rawValue] },
      environment: WorkerEnvironment(
        meter: AllocationMeter.libraryPath(besideExecutable: executable),
        inheriting: ProcessInfo.processInfo.environment))
    let cells = scenario.cells.filter { $0.strategy.hasPrefix("batch-") }
    try #require(!cells.isEmpty)
    for cell in cells {
      for pass in RepetitionTests.exactPasses {
        var seen: [[[MetricID: Int64]]] = []
        for round in 1...6 {
          let directory = "\(workspace.path)/\(round)"
          try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
          let job = SampleJob(
            scenarioText: text, scenarioFile: file, overrides: overrides, cell: cell, pass: pass, round: round,
            directory: directory)
          // Use a separate thread: it waits, and there are few threads for tests.
          let outcome = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(
                with: Result { try launcher.take(job, limit: 600, cancellation: Cancellation()) })
            }
          }
          try FileManager.default.removeItem(atPath: directory)
          guard case .success(let sample) = outcome.result else {
            Issue.record("\(cell.id), \(pass.rawValue), round \(round): \(outcome)")
            return
          }
          seen.append(sample.phases.map { $0.metrics.filter(\.key.isExact) })
        }
        expectEqual(seen, "\(cell.id), \(pass.rawValue)")
      }
    }
  }

  /// Names the figures that differ.
  private func expectEqual(_ seen: [[[MetricID: Int64]]], _ name: String) {
    guard let first = seen.first else { return }
    #expect(first.joined().count > 5)
    for phase in first.indices {
      for metric in first[phase].keys.sorted(by: { $0.rawValue < $1.rawValue }) {
        let values = seen.map { $0[phase][metric] }
        #expect(Set(values).count == 1, "\(name), phase \(phase), \(metric.rawValue): \(values)")
      }
    }
  }
}
