// Engines that are programs, run through the executable: what is counted from outside, and what is absent.
import Analysis
import BatchmarkEngine
import Foundation
import Instruments
import MissionTags
import Reports
import Testing

@testable import BatchmarkCLI
@testable import Harness

#if os(Linux)
  private let python = "/usr/bin/python3"

  @Suite(
    "A13 · runs of programs", .tags(.a13),
    .enabled(if: FileManager.default.isExecutableFile(atPath: python), "there is no Python here"))
  struct ProgramEngineTests {
    private static let rows: Int64 = 500
    private static let pythonEngine = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Scenarios/engines/python/sqlite3_engine.py").path

    private let workspace: Workspace

    init() throws {
      workspace = try Workspace()
      try workspace.write(
        """
        engines:
          - name: snake
            command: [\(python), \(ProgramEngineTests.pythonEngine)]
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

    @Test("A program's statements, commits and bytes are counted exactly, beside those of the reference")
    func counted() async throws {
      let result = try await batchmark("run", "small.yml", "--engines", "engines.yml", "--quick", "--out", "out")
      #expect(result.status == 0, "\(result.errors)")
      let results = try ResultsFile.read("\(workspace.path)/out/results.json")
      let cells = try #require(results.scenarios.first).cells
      // A history needs these to confirm a change of a program's cell.
      #expect(results.run.enginesFile == "engines.yml" && cells[0].samples.allSatisfy { $0.programVersion == nil })
      #expect(cells.dropFirst().flatMap(\.samples).allSatisfy { $0.programVersion?.hasPrefix("sqlite3 ") == true })
      let hashes = Set(cells.flatMap(\.samples).map(\.contents.contentHash))
      #expect(cells.count == 3 && hashes.count == 1)
      let figures = try cells.map { try #require($0.summary(of: .ingest)).metrics }
      let rows = ProgramEngineTests.rows
      #expect(figures[1][.statements] == rows + 2 && figures[2][.statements] == rows + 2 * 5)
      #expect(figures[1][.walCommits] == 1 && figures[2][.walCommits] == 5)
      // The reference counts its keys itself, which takes two statements and a page.
      #expect(figures[0][.statements] == rows + 4)
      #expect(figures[0][.walFrames] == figures[1][.walFrames].map { $0 + 1 })
      for metric in [MetricID.syncs, .directorySyncs, .walSyncs, .checkpoints, .databaseBytesWritten, .sorts] {
        #expect(figures[0][metric] == figures[1][metric] && figures[1][metric] != nil, "\(metric)")
      }
      for metric in [MetricID.cacheHits, .cacheWrites, .sharedMemoryCalls, .walBacklogPeak, .fullScans] {
        #expect(figures[0][metric] != nil && figures[1][metric] != nil, "\(metric)")
      }
      guard Jemalloc.isLinked else { return }
      #expect(try #require(figures[1][.allocations]) > rows)
      #expect(try #require(figures[1][.residentSetPeak]) > 1 << 20)
      #expect(figures[1][.jemallocAllocatedPeak] == nil && figures[0][.jemallocAllocatedPeak] != nil)
    }

    @Test("A program that crashes while it is metered is reported as in the timing pass, by its signal alone")
    func crash() async throws {
      try workspace.write(
        """
        import os, sqlite3, sys
        import batchmark_engine, sqlite3_engine
        class Crashing(sqlite3_engine.SQLite3):
            def insert(self, key):
                if "LD_PRELOAD" in os.environ: os.kill(os.getpid(), 11)
                return super().insert(key)
        hello = batchmark_engine.hello("crashing", "1", sqlite3_engine.STRATEGIES, sqlite3.connect(":memory:"))
        batchmark_engine.serve(hello, Crashing)

        """, to: "crashing.py")
      let folder = URL(filePath: ProgramEngineTests.pythonEngine).deletingLastPathComponent().path
      try workspace.write(
        """
        engines:
          - name: snake
            command: [\(python), crashing.py]
            environment: {PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: "\(folder)"}

        """, to: "crashing.yml")
      let result = try await batchmark(
        "run", "small.yml", "--only", "snake/save", "--engines", "crashing.yml", "--quick", "--out", "out")
      let problem = "the engine snake: the program was ended by signal 11 during 'go'; expected an answer\n"
      for pass in ["memory", "counters"] where pass == "counters" || Jemalloc.isLinked {
        #expect(result.errors.contains("small/snake/save, \(pass) round 1: failed: \(problem)"), "\(result.errors)")
      }
      #expect(result.status == 3, "\(result.status)")
    }

    @Test("A program's strategies are listed and checked with the file of engines, and unknown without it")
    func listed() async throws {
      let listed = try await batchmark("list", "--engines", "engines.yml")
      #expect(listed.status == 0 && listed.output.contains("executemany for all rows"), "\(listed.errors)")
      let known = try await batchmark("validate", "small.yml", "--engines", "engines.yml")
      #expect(known.status == 0, "\(known.errors)")
      let unknown = try await batchmark("validate", "small.yml")
      #expect(unknown.status == 0 && unknown.output.contains("1 cell"), "\(unknown.status) \(unknown.errors)")
      #expect(unknown.errors.contains("cells of the engine snake are left out"), "\(unknown.errors)")
      #expect(unknown.errors.contains("--engines FILE") && unknown.errors.split(separator: "\n").count == 1)
    }
  }

  extension ProgramEngineTests {
    @Test("Missing engines are left out with a line, in the report too, and nothing else is an error")
    func absent() async throws {
      try workspace.write(
        """
        engines:
          - {name: snake, command: [no-such-python], install: apt-get install it}

        """, to: "missing.yml")
      let result = try await batchmark("run", "small.yml", "--engines", "missing.yml", "--quick", "--out", "out")
      #expect(result.status == 0, "\(result.errors)")
      let line =
        "cells of the engine snake are left out: found no command 'no-such-python'; expected a program; "
        + "install it: apt-get install it"
      #expect(result.errors.contains(line), "\(result.errors)")
      let results = try ResultsFile.read("\(workspace.path)/out/results.json")
      let scenario = try #require(results.scenarios.first)
      #expect(scenario.cells.count == 1 && scenario.absentEngines?.map(\.name) == ["snake"])
      #expect(results.foundWarnings.contains { $0.kind == .absentEngine })
      let only = try String(contentsOfFile: workspace.path + "/small.yml", encoding: .utf8)
        .replacing("  - {engine: sqlite, strategy: insert}\n", with: "")
      try workspace.write(only, to: "only.yml")
      let none = try await batchmark("run", "only.yml", "--quick", "--out", "none")
      #expect(none.status == 66 && none.errors.contains("no cell but those of the engine snake"), "\(none.errors)")
    }

    @Test("An engine is not started for another one whose name begins with its name")
    func longerName() async throws {
      try workspace.write(
        """
        engines:
          - {name: snake, command: [sh, -c, "touch \(workspace.path)/started; exit 1"]}
          - name: snake-2
            command: [\(python), \(ProgramEngineTests.pythonEngine)]
            environment: {PYTHONDONTWRITEBYTECODE: "1"}

        """, to: "two.yml")
      try workspace.writeScenario(cells: ["{engine: snake-2, strategy: save}"])
      let known = try await batchmark("validate", "small.yml", "--engines", "two.yml")
      #expect(known.status == 0 && known.errors.isEmpty, "\(known.errors)")
      #expect(!workspace.exists("started"))
    }

    @Test("The engines' strategies are listed, and missing parts are named")
    func engines() async throws {
      let listed = try await batchmark("engines", "list", "--engines", "engines.yml")
      #expect(listed.status == 0 && listed.output.hasPrefix("snake (sqlite3 "), "\(listed.output) \(listed.errors)")
      #expect(listed.output.contains("executemany for all rows"))
      try workspace.write("engines: [{name: adder, command: [no-such-adder]}]\n", to: "missing.yml")
      let missing = try await batchmark("engines", "list", "--engines", "missing.yml")
      #expect(
        missing.status == 0 && missing.output.hasPrefix("adder is not here: found no command"), "\(missing.output)")
      let checked = try await batchmark("engines", "check", "adder", "--engines", "missing.yml")
      #expect(
        checked.status == 66 && checked.errors.contains("the engine adder: found no command"), "\(checked.errors)")
      let none = try await batchmark("engines", "check", "--engines", "missing.yml")
      #expect(none.status == 66 && none.errors.contains("found none of 1 engine"), "\(none.errors)")
      let noFile = try await batchmark("engines", "list", "--engines", "none.yml")
      #expect(noFile.status == 66 && noFile.errors.contains("expected a file of engines"), "\(noFile.errors)")
      let other = try await batchmark("engines", "check", "viper", "--engines", "engines.yml")
      #expect(
        other.status == 64 && other.errors.contains("found the engine 'viper'; expected one of"), "\(other.errors)")
    }

    @Test("A check counts the rules that hold, those about transactions among them")
    func check() async throws {
      let checked = try await batchmark("engines", "check", "--engines", "engines.yml")
      #expect(checked.status == 0, "\(checked.output) \(checked.errors)")
      let words = checked.output.split(separator: " ")
      #expect(checked.output.hasSuffix("rules are kept\n") && checked.output.split(separator: "\n").count == 1)
      #expect(words.dropLast(3).last == words.dropLast(5).last, "\(checked.output)")
    }

    @Test("A program that ends after its work fails with its status, in a run and in a check of its rules")
    func ending() async throws {
      let helpers = URL(filePath: ProgramEngineTests.pythonEngine).deletingLastPathComponent().path
      try workspace.write(
        """
        import os, sqlite3, time, batchmark_engine, sqlite3_engine
        class Ending(sqlite3_engine.SQLite3):
            def insert(self, key):
                start = time.perf_counter()
                rows = super().insert(key)
                os.close(3)
                os.write(4, b'{"done": {"rows": %d, "seconds": %f}}\\n' % (rows, time.perf_counter() - start))
                os._exit(3)
        batchmark_engine.serve(
            batchmark_engine.hello("ending", "1", sqlite3_engine.STRATEGIES[:1], sqlite3.connect(":memory:")), Ending)
        """, to: "ending.py")
      try workspace.write(
        """
        engines:
          - name: snake
            command: [\(python), ending.py]
            environment: {PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: \(helpers)}

        """, to: "ending.yml")
      let sentence = "the program ended with status 3 during 'checkpoint'"
      try workspace.writeScenario(
        cells: ["{engine: snake, strategy: save}"], source: "{generate: {rows: \(ProgramEngineTests.rows)}}")
      let run = try await batchmark("run", "small.yml", "--engines", "ending.yml", "--quick", "--out", "out")
      #expect(run.status == 3, "\(run.errors)")
      let cells = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first).cells
      let reason = cells.flatMap(\.failures).first { $0.pass == .timing }?.reason
      #expect(reason?.contains(sentence) == true, "\(cells.flatMap(\.failures))")
      let checked = try await batchmark("engines", "check", "--engines", "ending.yml")
      #expect(checked.status == 3 && checked.output.contains(sentence), "\(checked.output) \(checked.errors)")
    }

    @Test("The script for parts of a run continues a part with engines from a file", .tags(.a12))
    func partScript() async throws {
      let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Documentation/Examples/Fleet/part.sh").path
      for _ in 1...2 {
        let part = try await Program(at: "/usr/bin/env").run(
          [
            "bash", script, Program.batchmark.path, "out", "1/1", "small.yml", "--quick", "--engines", "engines.yml",
          ], in: workspace.path)
        #expect(part.status == 0, "\(part.errors)")
      }
    }

    @Test("A named engine that is missing, or ends before its hello, ends with 66; those after it are checked")
    func checkOfMissing() async throws {
      let engines = try workspace.text(of: "engines.yml")
      try workspace.write(
        engines.replacing(
          "engines:\n",
          with: "engines:\n  - {name: adder, command: [sh, -c, exit 1]}\n  - {name: boa, command: [no-boa]}\n"),
        to: "three.yml")
      let checked = try await batchmark("engines", "check", "adder", "boa", "snake", "--engines", "three.yml")
      #expect(checked.status == 66, "\(checked.errors)")
      #expect(checked.output.hasPrefix("snake (") && checked.output.hasSuffix("rules are kept\n"), "\(checked.output)")
      #expect(
        checked.errors.contains("the engine adder: ") && checked.errors.contains("the engine boa: "),
        "\(checked.errors)")
    }

    @Test(
      "Budgets of a program's cells are judged again with the file of engines; without it, those of other cells alone")
    func budgets() async throws {
      let scenario = try workspace.text(of: "small.yml")
      try workspace.write(scenario + "budgets: [save.wal_commits == 1, insert.syncs <= 100]\n", to: "small.yml")
      for (out, engines) in [("out", ["--engines", "engines.yml"]), ("alone", [])] {
        let run = try await Program.batchmark.run(
          ["run", "small.yml", "--quick", "--out", out] + engines, in: workspace.path)
        #expect(run.status == 0, "\(run.errors)")
      }
      let judged = try await batchmark("check", "out", "--engines", "engines.yml")
      #expect(judged.status == 0 && judged.output.contains("HELD        save.wal_commits == 1: "), "\(judged.errors)")
      let unknown = try await batchmark("check", "out")
      #expect(unknown.status == 66 && unknown.errors.contains("found no engine snake, whose cells are in out; "))
      #expect(unknown.errors.contains("--engines FILE"), "\(unknown.errors)")
      // Cells that the run left out are not judged, and the check does not pass.
      let alone = try await batchmark("check", "alone")
      #expect(alone.status == 4 && alone.output.contains("HELD        insert.syncs <= 100: "), "\(alone.errors)")
      #expect(alone.errors.contains("cells that a budget is about, since their engines were not here"))
    }

    @Test("Two settings of a program are compared in pairs")
    func pair() async throws {
      let result = try await batchmark(
        "pair", "this", "save_every=50", "--scenario", "small.yml", "--engines", "engines.yml", "--only", "snake/save",
        "--exact-only", "--out", "pair")
      #expect(
        result.status == 1 && result.errors.isEmpty || result.output.contains("statements"),
        "\(result.status) \(result.errors) \(result.output)")
    }
  }

  extension ProgramEngineTests {
    @Test("A pair of two builds says that both sides run the same program")
    func pairOfBuilds() async throws {
      let products = URL(filePath: Program.batchmark.path).deletingLastPathComponent().path
      for (name, product) in [("other", "batchmark"), ("libCAllocationMeter.so", "libCAllocationMeter.so")] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(workspace.path)/\(name)", withDestinationPath: "\(products)/\(product)")
      }
      func errors(_ cells: String) async throws -> String {
        try await batchmark(
          "pair", Program.batchmark.path, "./other", "--scenario", "small.yml", "--engines", "engines.yml", "--only",
          cells, "--exact-only", "--out", cells.replacing("/", with: "-")
        ).errors
      }
      let note = "note: both sides run snake as engines.yml has it now, so that a change of the program does not show; "
      #expect(try await errors("snake/save").contains(note))
      #expect(try await !errors("sqlite/insert").contains(note))
    }

    @Test(
      "Readers beside a program are processes; as threads they are refused, and the other engines go on", .tags(.a15))
    func beside() async throws {
      try workspace.writeScenario(
        cells: ["{engine: sqlite, strategy: insert}", "{engine: snake, strategy: save}"],
        source: "{generate: {rows: \(ProgramEngineTests.rows)}}",
        store: "{journal_mode: wal}\nbeside: {readers: 1, rate: 200/s}")
      func cells(_ place: String) async throws -> [CellReport] {
        _ = try await batchmark(
          "run", "small.yml", "--engines", "engines.yml", "--quick", "--set", "in=\(place)", "--out", place)
        return try #require(try ResultsFile.read("\(workspace.path)/\(place)/results.json").scenarios.first).cells
      }
      for cell in try await cells("processes") {
        #expect(cell.failures.isEmpty && cell.latencies?.count == 1, "\(cell.failures.map(\.reason))")
      }
      let threads = try await cells("threads")
      #expect(threads.first?.failures.isEmpty == true && threads.first?.latencies?.first?.place == .threads)
      #expect(threads.last?.samples.isEmpty == true)
      let reason = try #require(threads.last?.failures.first).reason
      #expect(reason.contains("the engine snake is a program"), "\(reason)")
      #expect(reason.contains("beside: {in: processes}"), "\(reason)")
    }
  }

  extension ProgramEngineTests {
    @Test(
      "A program with a managed heap has no heap figures, with the reason, and is not the one with the least memory",
      .enabled(if: Jemalloc.isLinked, "without jemalloc there is no memory pass"))
    func managedHeap() async throws {
      let folder = URL(filePath: ProgramEngineTests.pythonEngine).deletingLastPathComponent().path
      try workspace.write(
        """
        import sqlite3, batchmark_engine, sqlite3_engine
        offer = batchmark_engine.hello("managed", "1", sqlite3_engine.STRATEGIES, sqlite3.connect(":memory:"))
        batchmark_engine.serve(dict(offer, heap="managed"), sqlite3_engine.SQLite3)

        """, to: "managed.py")
      try workspace.write(
        """
        engines:
          - name: snake
            command: [\(python), managed.py]
            environment: {PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: \(folder)}

        """, to: "managed.yml")
      let result = try await batchmark("run", "small.yml", "--engines", "managed.yml", "--quick", "--out", "out")
      #expect(result.status == 0, "\(result.errors)")
      let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
      let program = try #require(scenario.cells.first { $0.cell.engine == "snake" }).main
      for metric in [MetricID.heapPeak, .allocations, .allocatedBytes, .heapPeakSQLite] {
        #expect(program[metric].reason?.contains("manages a heap of its own") == true, "\(metric): \(program[metric])")
      }
      #expect(try #require(program.metrics[.residentSetPeak]) > 1 << 20)
      // There are no findings about the reference alone.
      #expect(scenario.cells.contains { $0.main.metrics[.heapPeak] != nil })
      #expect(!ScenarioAnalysis(scenario).scenario.findings.contains { $0.kind == .leanest })
    }
  }

  extension ProgramEngineTests {
    @Test(
      "A program that stores its rows in a forked process has no memory figures, with the reason",
      .enabled(if: Jemalloc.isLinked, "without jemalloc there is no memory pass"))
    func forked() async throws {
      let folder = URL(filePath: ProgramEngineTests.pythonEngine).deletingLastPathComponent().path
      try workspace.write(
        """
        import os, sqlite3
        import batchmark_engine, sqlite3_engine
        class Forking(sqlite3_engine.SQLite3):
            def insert(self, key):
                child = os.fork()
                if child == 0:
                    self.connection = sqlite3.connect(self.job["store"], isolation_level=None)
                    super().insert(key)
                    self.connection.close()
                    os._exit(0)
                os.waitpid(child, 0)
                return len(self.rows)
        batchmark_engine.serve(batchmark_engine.hello("forking", "1", sqlite3_engine.STRATEGIES), Forking)

        """, to: "forking.py")
      try workspace.write(
        """
        engines:
          - name: snake
            command: [\(python), forking.py]
            environment: {PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: \(folder)}

        """, to: "forking.yml")
      let result = try await batchmark("run", "small.yml", "--engines", "forking.yml", "--quick", "--out", "out")
      #expect(result.status == 0, "\(result.errors)")
      let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
      let cells = scenario.cells.filter { $0.cell.engine == "snake" }
      #expect(cells.count == 2)
      for cell in cells.map(\.main) {
        for metric in [MetricID.heapPeak, .allocations, .allocatedBytes, .residentSetPeak] {
          #expect(cell[metric].reason?.contains("its memory is not counted") == true, "\(metric): \(cell[metric])")
        }
        // SQLite's work is counted in every process.
        #expect(try #require(cell.metrics[.statements]) > 0)
      }
    }
  }

  extension ProgramEngineTests {
    private static let compiler = "/usr/bin/cc"

    /// Builds the repository's engine in C and declares it.
    private func buildC() throws {
      let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scenarios/engines/c").path
      let build = Process()
      build.executableURL = URL(filePath: ProgramEngineTests.compiler)
      build.arguments = ["-O2", "-o", workspace.path + "/engine", sources + "/sqlite_engine.c", "-lsqlite3"]
      try build.run()
      build.waitUntilExit()
      try #require(build.terminationStatus == 0)
      try workspace.write(
        """
        engines:
          - {name: c, command: [./engine]}
          - name: snake
            command: [\(python), \(ProgramEngineTests.pythonEngine)]
            environment: {PYTHONDONTWRITEBYTECODE: "1"}

        """, to: "c.yml")
    }

    @Test(
      "SQLite's counts for a program in C equal those of the reference exactly, whatever the operation",
      .enabled(if: FileManager.default.isExecutableFile(atPath: compiler), "there is no compiler of C here"),
      arguments: [
        "operation: fetch\nwhere: magnitude >= 1\norder: code",
        "operation: update\nwhere: magnitude >= 1\nset: {place: reviewed}", "operation: delete\nwhere: magnitude >= 1",
      ])
    func alike(operation: String) async throws {
      try buildC()
      let isFetch = operation.contains("fetch")
      let strategy = isFetch ? "select" : operation.contains("update") ? "update" : "delete"
      try workspace.writeScenario(
        cells: [
          "{engine: sqlite, strategy: \(strategy)}", "{engine: c, strategy: \(strategy)}",
          "{engine: snake, strategy: \(isFetch ? "fetch" : "save")}",
        ], source: "{generate: {rows: \(ProgramEngineTests.rows), duplicates: 0%}}")
      try workspace.write(try workspace.text(of: "small.yml") + operation + "\n", to: "small.yml")
      let result = try await batchmark("run", "small.yml", "--engines", "c.yml", "--quick", "--out", "out")
      #expect(result.status == 0, "\(result.errors)")
      let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
      #expect(
        scenario.cells.count == 3 && Set(scenario.cells.flatMap(\.samples).map(\.contents.contentHash)).count == 1)
      let figures = try scenario.cells.map { try #require($0.summary(of: $0.mainPhase)).metrics }
      // With many more rows, the steps of COMMIT are missing: the meter does not see the cost of a statement that runs
      // once after a statement that ran repeatedly.
      let metrics: [MetricID] = [
        .statements, .vmSteps, .sorts, .fullScanSteps, .bytesRead, .readCalls, .bytesWritten, .writeCalls, .walFrames,
        .walCommits, .walBytesWritten, .syncs, .checkpoints, .databaseBytesWritten,
      ]
      for metric in metrics {
        #expect(figures[0][metric] == figures[1][metric] && figures[1][metric] != nil, "\(metric)")
      }
      #expect(figures[0][.statements] == figures[2][.statements])
    }

    @Test(
      "SQLite's counts for an insert of a program in C equal the reference's, except for counting keys",
      .enabled(if: FileManager.default.isExecutableFile(atPath: compiler), "there is no compiler of C here"))
    func inserted() async throws {
      try buildC()
      try workspace.writeScenario(
        cells: ["{engine: sqlite, strategy: insert}", "{engine: c, strategy: insert}"],
        source: "{generate: {rows: \(ProgramEngineTests.rows), duplicates: 0%}}")
      let result = try await batchmark("run", "small.yml", "--engines", "c.yml", "--quick", "--out", "out")
      #expect(result.status == 0, "\(result.errors)")
      let scenario = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first)
      let figures = try scenario.cells.map { try #require($0.summary(of: .ingest)).metrics }
      let metrics: [MetricID] = [
        .statements, .vmSteps, .walFrames, .writeCalls, .walCommits, .syncs, .checkpoints, .sorts, .fullScanSteps,
        .bytesRead,
        .readCalls, .databaseBytesWritten,
      ]
      let more = try metrics.map { try #require(figures[0][$0]) - (try #require(figures[1][$0])) }
      #expect(more == [2, 26, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test(
      "Rows that are read before or after the request are detected if statements are counted",
      arguments: [
        (
          "def open(self):\n    super().open()\n    self.early = super().fetch()\ndef fetch(self): return self.early",
          "the worker ran no statement to its end, and 500 rows were handed over"
        ),
        (
          "def fetch(self): return self.connection.execute('SELECT Z_PK FROM ZQUAKE ORDER BY Z_PK').fetchall()\n"
            + "def values(self, row):\n    sql = self.job['select'].replace('ORDER', 'WHERE Z_PK = ? ORDER')\n"
            + "    return self.connection.execute(sql, row).fetchone()",
          "when the phase fetch had ended, 500 statements were run; expected all work"
        ),
      ])
    func untimely(methods: String, sentence: String) async throws {
      try workspace.write(
        """
        import sqlite3, batchmark_engine, sqlite3_engine
        class Untimely(sqlite3_engine.SQLite3):
        \(methods.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
        greeting = batchmark_engine.hello("untimely", "1", sqlite3_engine.STRATEGIES)
        batchmark_engine.serve(greeting, Untimely)
        """, to: "untimely.py")
      let helpers = URL(filePath: ProgramEngineTests.pythonEngine).deletingLastPathComponent().path
      try workspace.write(
        """
        engines:
          - name: snake
            command: [\(python), untimely.py]
            environment: {PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: \(helpers)}

        """, to: "engines.yml")
      try workspace.writeScenario(
        cells: ["{engine: sqlite, strategy: select}", "{engine: snake, strategy: fetch}"],
        source: "{generate: {rows: \(ProgramEngineTests.rows), duplicates: 0%}}")
      try workspace.write(try workspace.text(of: "small.yml") + "operation: fetch\n", to: "small.yml")
      let result = try await batchmark("run", "small.yml", "--engines", "engines.yml", "--quick", "--out", "out")
      #expect(result.status == 3, "\(result.errors)")
      let cells = try #require(try ResultsFile.read("\(workspace.path)/out/results.json").scenarios.first).cells
      #expect(cells.flatMap(\.failures).map(\.pass) == [.counters])
      #expect(cells.flatMap(\.failures).first?.reason.contains(sentence) == true, "\(cells.flatMap(\.failures))")
    }
  }

  extension ProgramEngineTests {
    @Test("Rules that one mistake breaks share a line")
    func sharedMistake() {
      let locked = "the program answered 'checkpoint' with an error: database table is locked"
      let broken = [
        ConformanceOutcome(strategy: nil, rule: "it ends when its requests do", problem: "it goes on"),
        ConformanceOutcome(strategy: "save", rule: "one row is stored", problem: locked),
        ConformanceOutcome(strategy: "save", rule: "whole doubles stay REAL", problem: "found an integer"),
        ConformanceOutcome(strategy: "save", rule: "10,000 rows are stored", problem: locked),
        ConformanceOutcome(strategy: "batch", rule: "one row is stored", problem: locked),
      ]
      #expect(
        EnginesCheckCommand.lines(of: broken) == [
          "it ends when its requests do: it goes on",
          "save: one row is stored (and 1 other rule): \(locked)",
          "save: whole doubles stay REAL: found an integer",
          "batch: one row is stored: \(locked)",
        ])
    }
  }
#endif
