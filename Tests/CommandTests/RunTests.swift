// `run` from end to end: reports, kept stores, real feeds, and a user's own engine.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import StoreFixtures
import Testing

@Suite("A1 A5 A6 · run", .tags(.a1, .a5, .a6))
struct RunTests {
  private static let allCells = [
    "{strategy: save, save_every: 7}", "{strategy: batch-objects}", "{strategy: batch-dictionary}",
    "{strategy: batch-managed-object}", "{engine: sqlite, strategy: insert}",
  ]

  private static let peerCells = [
    "{engine: sqlite, strategy: insert-many}", "{engine: grdb, strategy: statement}",
    "{engine: grdb, strategy: record}", "{engine: grdb, strategy: codable}",
  ]

  @Test("Every strategy starts from the same WAL: one request costs the syncs and frames of the reference", .tags(.a4))
  func sameStart() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: RunTests.allCells.dropFirst() + RunTests.peerCells)
    let result = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let cells = try #require(try results(workspace, "out").scenarios.first).cells
    let ingests = cells.compactMap { $0.summary(of: .ingest)?.metrics }
    #expect(ingests.count == 8)
    for metric in [MetricID.walSyncs, .databaseSyncs, .walFrames, .walPeak, .walBytesWritten, .bytesWritten] {
      #expect(Set(ingests.map { $0[metric] }).count == 1, "\(metric.rawValue): \(ingests.map { $0[metric] })")
    }
    // A connection's first sync of its WAL syncs the directory too; every engine has written before it is measured.
    for (cell, ingest) in zip(cells, ingests) {
      #expect(ingest[.directorySyncs] == 0, "\(cell.cell.id)")
      #expect(ingest[.syncs] == ingest[.walSyncs].map { $0 + (ingest[.directorySyncs] ?? 0) }, "\(cell.cell.id)")
    }
  }

  @Test(
    "A run in a GitHub job adds its answer to the job's summary, without pictures; a pipe is refused", .tags(.a6))
  func stepSummary() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    try workspace.write("# Earlier\n", to: "summary.md")
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out"], in: workspace.path,
      environment: ["GITHUB_STEP_SUMMARY": workspace.path + "/summary.md"])
    #expect(result.status == 0, "\(result.errors)")
    let comment = RunReport.comment(try results(workspace, "out"))
    #expect(try workspace.text(of: "summary.md") == "# Earlier\n" + comment)
    #expect(comment.contains("\n| Cell |") && !comment.contains("!["))
    mkfifo(workspace.path + "/pipe", 0o600)
    let refused = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "other"], in: workspace.path,
      environment: ["GITHUB_STEP_SUMMARY": "pipe"])
    #expect(refused.status == 73 && refused.errors.contains("pipe, which GITHUB_STEP_SUMMARY names, cannot be written"))
    #expect(!FileManager.default.fileExists(atPath: workspace.path + "/other"))
  }

  private func results(_ workspace: Workspace, _ folder: String) throws -> Report {
    try ResultsFile.read("\(workspace.path)/\(folder)/results.json")
  }

  @Test("All cells store the same rows; every report is written and its path is the last line")
  func allCells() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: RunTests.allCells + RunTests.peerCells, source: "{generate: {rows: 60, duplicates: 20%}}")
    let result = try await Program.batchmark.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasSuffix("\n\(workspace.path)/out/report.md\n"))
    #expect(result.output.contains("batch-managed-object"))
    #expect(
      workspace.names(in: "out") == [
        "charts", "growth.csv", "journal.jsonl", "latency-over-time.csv", "latency.csv", "report.html", "report.md",
        "results.json", "samples.csv", "summary.csv",
      ])
    let results = try results(workspace, "out")
    let scenario = try #require(results.scenarios.first)
    #expect(scenario.contentHash != nil)
    #expect(scenario.cells.count == 9)
    #expect(scenario.cells.allSatisfy { $0.samples.count == passes + 1 && $0.failures.isEmpty && $0.missing == 0 })
    #expect(results.run.isComparable != Program.isDebugBuild)
    // Files get whole lines, without overwritten ones.
    #expect(result.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("batchmark: ") })
    #expect(!result.errors.contains("\r"))
    let samples = 9 * (passes + 1)
    #expect(result.errors.contains("[\(samples)/\(samples)]"))
  }
}

extension RunTests {
  @Test("Without a standard output, the run does not write into one of its files instead")
  func closedOutput() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let command = "exec '\(Program.batchmark.path)' run small.yml --quick --out out >&-"
    let result = try await Running(
      "/bin/sh", ["-c", command], in: workspace.path, allowsDebug: true, environment: [:]
    ).end()
    #expect(result.status == 0, "\(result.errors)")
    #expect(try workspace.journal("out").map(\.kind) == ["header"] + Array(repeating: "sample", count: passes))
  }

  @Test(
    "Two runs agree exactly in every exact figure, wherever they write and however they are requested",
    arguments: [[], ["--set", "rows=60", "--set", "journal_mode=wal"]])
  func exact(settings: [String]) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: RunTests.allCells)
    for (folder, settings) in [("one", []), ("another-folder/below", settings)] {
      let result = try await Program.batchmark.run(
        ["run", "small.yml", "--quick", "--out", folder] + settings, in: workspace.path)
      #expect(result.status == 0, "\(result.errors)")
    }
    let one = try #require(try results(workspace, "one").scenarios.first)
    let other = try #require(try results(workspace, "another-folder/below").scenarios.first)
    #expect(one.contentHash == other.contentHash)
    for (first, second) in zip(one.cells, other.cells) {
      for (phase, again) in zip(first.phases, second.phases) {
        // A worker that changes a scenario makes caches before it loads rows, and another worker makes them while it
        // loads.
        if phase.phase == .load, !settings.isEmpty { continue }
        for (metric, value) in phase.metrics where metric.isExact && RunTests.repeats(metric) {
          #expect(again.metrics[metric] == value, "\(first.cell.id) \(phase.phase) \(metric.rawValue)")
        }
      }
    }
  }

  /// Without optimization the instruments also allocate, sometimes more and sometimes less.
  private static func repeats(_ metric: MetricID) -> Bool { metric.pass != .memory || !Program.isDebugBuild }

  @Test("Kept stores are complete SQLite files, one per cell")
  func keptStores() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--keep-stores", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      workspace.names(in: "out/stores") == ["small_objectgraph_save.sqlite", "small_sqlite_insert.sqlite"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: workspace.path + "/out/stores/small_sqlite_insert.sqlite"))
    #expect(bytes.starts(with: Data("SQLite format 3\0".utf8)))
    #expect(result.errors.contains("its store is \(workspace.path)/out/stores/small_sqlite_insert.sqlite"))
  }

  @Test("--only, --set and --rounds choose what is measured; nothing selected is wrong usage")
  func selection() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: RunTests.allCells)
    let arguments = ["run", "small.yml", "--only", "save", "--only", "sqlite", "--set", "rows=30", "--rounds", "1"]
    let result = try await Program.batchmark.run(arguments + ["--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try results(workspace, "out").scenarios.first)
    #expect(scenario.cells.map(\.cell.strategy) == ["save", "insert"])
    #expect(scenario.rows == 30)
    #expect(scenario.rounds == 1)

    let nothing = try await Program.batchmark.run(
      ["run", "small.yml", "--only", "saev", "--out", "other"], in: workspace.path)
    #expect(nothing.status == 64)
    #expect(nothing.errors.contains("--only saev: found no such cell"))
    #expect(!workspace.exists("other"))
  }
}

extension RunTests {
  @Test("The same seed takes the samples in the same order")
  func seed() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: RunTests.allCells, rounds: 1)
    for folder in ["one", "two"] {
      let arguments = ["run", "small.yml", "--seed", "11", "--out", folder]
      #expect(try await Program.batchmark.run(arguments, in: workspace.path).status == 0)
    }
    #expect(try workspace.samples("one") == workspace.samples("two"))
  }

  @Test(
    "The shipped overhead suite shows each instrument's cost and what stays in the timing pass", .tags(.a2),
    .enabled(if: Jemalloc.isLinked, "without jemalloc there is no allocation meter"))
  func overhead() async throws {
    let workspace = try Workspace()
    let suite = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../Scenarios/overhead.yml"
    let result = try await Program.batchmark.run(
      ["run", suite, "--set", "rows=200", "--rounds", "1", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try results(workspace, "out").scenarios.first)
    #expect(
      scenario.cells.map(\.cell.parametersText) == [
        "", "attached=metering_vfs", "attached=sampler", "attached=allocation_meter", "attached=speed_probe", "",
      ])
    #expect(scenario.cells.allSatisfy { $0.failures.isEmpty && $0.missing == 0 } && scenario.contentHash != nil)
    // Instruments that are attached to timed samples do not affect the other passes: their figures are those of the
    // plain cell.
    let figures = scenario.cells.prefix(5).map {
      $0.summary(of: .ingest)?.metrics.filter { $0.key.pass == .counters && $0.key.isExact }
    }
    #expect(Set(figures).count == 1 && figures.first??.isEmpty == false)
    let report = try workspace.report("out")
    #expect(report.contains("## What the harness costs"))
    for words in [
      "What stays in the timing pass", "The metering VFS", "The memory sampler", "The idle allocation meter",
      "The probe of the processor's speed",
    ] {
      #expect(report.contains(words), "\(words)")
    }
  }

  @Test("A user's own engine plugs in, even one that prints", .tags(.a10))
  func ownEngine() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: ["{engine: faulty, strategy: noisy}", "{engine: sqlite, strategy: insert}"])
    let result = try await Program.faulty.run(["run", "small.yml", "--quick", "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try results(workspace, "out").scenarios.first)
    #expect(scenario.cells.map(\.cell.engine) == ["faulty", "sqlite"])
    #expect(scenario.cells.first?.tradeoffs == ["reliability"])
    // The executable without the engine does not know it and leaves it out.
    let stranger = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "other"], in: workspace.path)
    #expect(stranger.status == 0)
    #expect(stranger.errors.contains("cells of the engine faulty are left out: this executable has no such engine"))
  }

  @Test(
    "Each cell stores all earthquakes of a feed, those without a magnitude too", .tags(.a8),
    arguments: (SampleFeed.months + SampleFeed.weeks).filter { $0.isOwn || isThorough || $0.rows < 1_600 })
  func feed(_ feed: SampleFeed) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: batch-objects}", "{engine: sqlite, strategy: insert}"])
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--feed", feed.path, "--out", "out"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let scenario = try #require(try results(workspace, "out").scenarios.first)
    #expect(scenario.rows == feed.rows)
    #expect(scenario.contentHash != nil)
    for sample in scenario.cells.flatMap(\.samples) {
      #expect(sample.contents.rows == feed.rows)
      #expect((sample.contents.nulls["magnitude"] ?? 0) == feed.withoutMagnitude)
    }
  }
}
