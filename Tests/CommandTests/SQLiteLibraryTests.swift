// Another SQLite instead of the system's: which file workers load, and the messages if it is not a library.
import Analysis
import BatchmarkEngine
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

#if os(Linux)
  @Suite(
    "A13 · another SQLite", .tags(.a13),
    .enabled(if: LoadedSQLite.path != nil && !LoadedSQLite.isLinkedIn, "SQLite is a part of the executable here"))
  struct SQLiteLibraryTests {
    private let workspace: Workspace

    init() throws {
      workspace = try Workspace()
      try workspace.writeScenario(cells: ["{engine: sqlite, strategy: insert}"], source: "{generate: {rows: 200}}")
      // The same library under another name, like one built from other sources.
      let system = try #require(LoadedSQLite.path)
      try FileManager.default.copyItem(atPath: system, toPath: workspace.path + "/libother.so")
    }

    private func batchmark(_ arguments: String...) async throws -> Program.Result {
      try await Program.batchmark.run(arguments, in: workspace.path)
    }

    @Test("This process knows the file that its SQLite was loaded from")
    func own() throws {
      let path = try #require(LoadedSQLite.path)
      #expect(path.contains("libsqlite3") && FileManager.default.fileExists(atPath: path))
    }

    @Test("Workers load the file, and nothing else changes")
    func run() async throws {
      func loaded(_ lines: String) async throws -> Program.Result {
        try await Program.batchmark.after("export LD_PRELOAD='\(workspace.path)/libother.so'; " + lines)
          .run(["worker", "library"], in: workspace.path)
      }
      let facts = try await loaded("true")
      #expect(facts.output.contains("libother.so") && facts.output.contains(#""isLinkedIn":false"#), "\(facts.output)")
      // Only one library is mapped, and not the system's, which has the same name for linkers.
      let mapped = try await loaded("export LD_TRACE_LOADED_OBJECTS=1")
      #expect(mapped.output.contains("libother.so") && !mapped.output.contains("libsqlite3.so"), "\(mapped.output)")
      let result = try await batchmark("run", "small.yml", "--sqlite", "libother.so", "--quick", "--out", "out")
      #expect(result.status == 0, "\(result.errors)")
      let results = try ResultsFile.read("\(workspace.path)/out/results.json")
      let samples = results.scenarios.flatMap(\.cells).flatMap(\.samples)
      let identity = try #require(results.environment.first { $0.name == "SQLite" }).value
      #expect(!samples.isEmpty && samples.allSatisfy { $0.sqlite == identity })
      #expect(results.environment.first { $0.name == "SQLite file" }?.value.hasSuffix("/libother.so") == true)
      // The sources are the same, but not the library.
      let resumed = try await batchmark("run", "--resume", "--out", "out")
      #expect(resumed.status == 4 && resumed.errors.contains("it was started with SQLite"), "\(resumed.errors)")
    }

    @Test("A missing file, or one that is not SQLite, is reported in one sentence")
    func mistakes() async throws {
      try workspace.write("no library\n", to: "text.so")
      let cases = [
        ("none.so", 66, "none.so: found no such file; expected a shared library of SQLite, libsqlite3.so"),
        ("text.so", 66, "text.so: found a file that is no shared library of SQLite; expected one"),
      ]
      for (file, status, sentence) in cases {
        let result = try await batchmark("run", "small.yml", "--sqlite", file, "--quick", "--out", "none")
        #expect(result.status == status && result.errors.contains(sentence), "\(result.status) \(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: workspace.path + "/none"))
      }
    }

    @Test("Two libraries are compared in pairs, each side with its own")
    func pair() async throws {
      let result = try await batchmark(
        "pair", "--base-sqlite", "libother.so", "--head-sqlite", try #require(LoadedSQLite.path), "--scenario",
        "small.yml", "--exact-only", "--out", "pair")
      #expect(result.status == 0, "\(result.status) \(result.errors) \(result.output)")
      let results = try PairFile.read("\(workspace.path)/pair/pair.json")
      #expect(results.base.sqliteFile == URL(filePath: workspace.path + "/libother.so").resolvingSymlinksInPath().path)
      #expect(
        results.base.name.contains("this build with SQLite 3.") && results.head.sqliteFile != results.base.sqliteFile)
      let wrong = try await batchmark("pair", "--base-ref", "main", "--base-sqlite", "libother.so")
      #expect(wrong.status == 64 && wrong.errors.contains("leave out --base-sqlite"), "\(wrong.errors)")
    }
  }
#endif
