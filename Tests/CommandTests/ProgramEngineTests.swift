// Engines that are programs through the executable: what is counted of them from outside, and what is absent.
import Analysis
import BatchmarkEngine
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

#if os(Linux)
  private let python = "/usr/bin/python3"

  @Suite(
    "A13 · runs of programs", .tags(.a13),
    .enabled(if: FileManager.default.isExecutableFile(atPath: python), "there is no Python here"))
  struct ProgramEngineTests {
    private static let rows: Int64 = 500

    private let workspace: Workspace

    init() throws {
      workspace = try Workspace()
      let engine = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scenarios/engines/python/sqlite3_engine.py").path
      try workspace.write(
        """
        engines:
          - name: snake
            command: [\(python), \(engine)]
            environment: {PYTHONDONTWRITEBYTECODE: "1"}

        """, to: "engines.yml")
      try workspace.writeScenario(
        cells: [
          "{engine: sqlite, strategy: insert}", "{engine: snake, strategy: save}",
          "{engine: snake, strategy: batch, save_every: 100}",
        ], source: "{generate: {rows: \(ProgramEngineTests.rows)}}")
    }

    private func batchmark(_ arguments: String...) async throws -> Program.Result {
      try await Program.batchmark.run(arguments, in: workspace.path)
    }

    @Test("A program's statements, commits and bytes are counted to the unit beside those of the reference")
    func counted() async throws {
      let result = try await batchmark("run", "small.yml", "--engines", "engines.yml", "--quick", "--out", "out")
      #expect(result.status == 0, "\(result.errors)")
      let cells = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first).cells
      let hashes = Set(cells.flatMap(\.samples).map(\.contents.contentHash))
      #expect(cells.count == 3 && hashes.count == 1)
      let figures = try cells.map { try #require($0.summary(of: .ingest)).metrics }
      let rows = ProgramEngineTests.rows
      #expect(figures[1][.statements] == rows + 2 && figures[2][.statements] == rows + 2 * 5)
      #expect(figures[1][.walCommits] == 1 && figures[2][.walCommits] == 5)
      // The reference counts its keys itself, which is two statements and a page.
      #expect(figures[0][.statements] == rows + 4)
      #expect(figures[0][.walFrames] == figures[1][.walFrames].map { $0 + 1 })
      for metric in [MetricID.syncs, .directorySyncs, .walSyncs, .checkpoints, .databaseBytesWritten, .sorts] {
        #expect(figures[0][metric] == figures[1][metric] && figures[1][metric] != nil, "\(metric)")
      }
      #expect(figures[1][.cacheHits] == nil && figures[0][.cacheHits] != nil)
      guard Jemalloc.isLinked else { return }
      #expect(try #require(figures[1][.allocations]) > rows)
      #expect(try #require(figures[1][.residentSetPeak]) > 1 << 20)
      #expect(figures[1][.jemallocAllocatedPeak] == nil && figures[0][.jemallocAllocatedPeak] != nil)
    }

    @Test("Its strategies are listed and checked with the file of engines, and unknown without it")
    func listed() async throws {
      let listed = try await batchmark("list", "--engines", "engines.yml")
      #expect(listed.status == 0 && listed.output.contains("executemany for all rows"), "\(listed.errors)")
      let known = try await batchmark("validate", "small.yml", "--engines", "engines.yml")
      #expect(known.status == 0, "\(known.errors)")
      let unknown = try await batchmark("validate", "small.yml")
      #expect(unknown.status == 65 && unknown.errors.contains("snake"), "\(unknown.status) \(unknown.errors)")
    }
  }
#endif
