// A9: `profile` from end to end, with the executable of the tests.
import BatchmarkEngine
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Testing

@Suite("A9 · profile", .tags(.a9))
struct ProfileCommandTests {
  /// The records of a CSV file, by column name.
  ///
  /// Only the last field may contain commas.
  private func records(_ text: String) -> [[String: String]] {
    let lines = text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { line in
      Dictionary(zip(header.map(String.init), line.map(String.init))) { first, _ in first }
    }
  }

  private func profile(
    _ cell: String, rows: Int = 300, rounds: Int = 1, options: [String] = [], in workspace: Workspace
  ) async throws -> Program.Result {
    try await Program.batchmark.run(
      ["profile", "small.yml", "--cell", cell, "--rounds", "\(rounds)", "--set", "rows=\(rows)", "--out", "out"]
        + options,
      in: workspace.path)
  }

  @Test("A save's stages are all there, in order")
  func save() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save, save_every: 100}", "{strategy: batch-dictionary}"])
    let result = try await profile("save[save_every=100]", in: workspace)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(
      workspace.names(in: "out").filter { !$0.hasSuffix(".folded") && $0 != "heap.prof" && !$0.hasSuffix(".svg") }
        == (Jemalloc.isLinked ? ["heap.csv"] : []) + ["profile.html", "profile.md", "stages.csv", "statements.csv"])
    #expect(workspace.exists("out/stages.svg"))
    let stages = records(try workspace.text(of: "out/stages.csv")).filter { $0["phase"] == "ingest" }
    #expect(
      stages.filter { $0["kind"] == "stage" }.map { $0["stage"] } == [
        "objectCreation", "willSaveNotification", "pendingChanges", "willSaveCallbacks", "validation",
        "conflictsWithCache", "request", "keyReservation", "insertions", "commit", "permanentIDs", "rowCache",
        "didSaveCallbacks", "didSaveNotification",
      ])
    #expect(stages.filter { $0["kind"] == "stage" }.allSatisfy { $0["turns"] == "3" })
    #expect(stages.suffix(3).map { $0["kind"] } == ["other", "tracer", "phase"])
    #expect(result.output.contains("insertions") && result.output.contains("out/profile.md"))
  }

  @Test(
    "The stages' allocations add up to the phase's, and less than a twentieth belongs to no stage",
    .enabled(if: Jemalloc.isLinked, "this build, for a sanitizer, has no jemalloc"),
    arguments: ["save", "batch-objects", "batch-dictionary", "batch-managed-object"])
  func allocations(strategy: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: \(strategy)}"])
    let result = try await profile(strategy, in: workspace)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let stages = records(try workspace.text(of: "out/stages.csv")).filter { $0["phase"] == "ingest" }
    let allocations = stages.compactMap { $0["allocations"].flatMap { Int($0) } }
    let total = try #require(allocations.last)
    #expect(allocations.count == stages.count && allocations.dropLast().reduce(0, +) == total)
    let other = try #require(stages.first { $0["kind"] == "other" }?["allocations"].flatMap { Int($0) })
    #expect(total > 0 && other * 20 <= total)
  }

  @Test(
    "The stages of a batch insert occur once per row",
    arguments: ["batch-objects", "batch-dictionary", "batch-managed-object"])
  func batch(strategy: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: \(strategy)}"])
    let result = try await profile(strategy, in: workspace)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let stages = records(try workspace.text(of: "out/stages.csv")).filter { $0["phase"] == "ingest" }
    let names = stages.filter { $0["kind"] == "stage" }.compactMap { $0["stage"] }
    let rows =
      strategy == "batch-objects"
      ? ["conversion", "binding", "stepping"] : ["handler", "conversion", "binding", "stepping"]
    #expect(
      names == (strategy == "batch-objects" ? ["dictionaryCreation"] : []) + ["preparation"] + rows + [
        "commit", "release",
      ])
    #expect(stages.first { $0["stage"] == "binding" }?["turns"] == "300")
  }
}

extension ProfileCommandTests {
  @Test("A profile counts statements as a run's counters do, for every engine")
  func statements() async throws {
    for cell in ["{strategy: save, history: on}", "{engine: sqlite, strategy: insert}"] {
      let workspace = try Workspace()
      try workspace.writeScenario(cells: [cell], source: "{generate: {rows: 300}}")
      let run = try await Program.batchmark.run(["run", "small.yml", "--quick", "--out", "run"], in: workspace.path)
      #expect(run.status == 0, "\(run.errors)")
      let results = try ResultsFile.read("\(workspace.path)/run/results.json")
      let ingest = try #require(results.scenarios.first?.cells.first?.summary(of: .ingest)).metrics
      let result = try await profile("small", in: workspace)
      #expect(result.status == 0, "\(result.errors)")
      let statements = records(try workspace.text(of: "out/statements.csv")).filter { $0["phase"] == "ingest" }
      func sum(_ column: String) -> Int64 { statements.compactMap { $0[column].flatMap { Int64($0) } }.reduce(0, +) }
      #expect(sum("runs") == ingest[.statements] && sum("vm_steps") == ingest[.vmSteps], "\(cell)")
      // A save stores fifty rows per statement.
      let rowsAStep = cell.contains("save") ? 50 : 1
      #expect(statements.contains { $0["runs"].flatMap { Int($0) } ?? 0 >= 300 / rowsAStep })
    }
  }

  @Test("The merge phase has its own stages, and a sentence explains every gap")
  func merge() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save, merge: changes}"])
    let result = try await profile("save", in: workspace)
    #expect(result.status == 0, "\(result.errors)")
    let stages = records(try workspace.text(of: "out/stages.csv"))
    #expect(
      stages.filter { $0["phase"] == "merge" && $0["kind"] == "stage" }.map { $0["stage"] } == ["merging", "reading"])
    #expect(stages.contains { $0["phase"] == "checkpoint" && $0["stage"] == "checkpoint" && $0["kind"] == "stage" })
    let page = try workspace.text(of: "out/profile.md")
    #expect(page.contains("## Ingest") && page.contains("## Merge"))
    #expect(page.contains("Not comparable") == Program.isDebugBuild)
    #expect(workspace.exists("out/heap.prof") != page.contains("There is no heap profile: "))
    #expect(
      workspace.exists("out/heap-peak.folded") != page.contains("What is there at the heap's highest is not known: "))
    if let obstacle = StackSampler.obstacle {
      #expect(page.contains(obstacle) && result.errors.contains(obstacle))
    } else {
      #expect(page.contains("Where the thread was") || page.contains("over before a stack was sampled"))
    }
  }

  @Test("Stacks of some length lead from main into SQLite", .enabled(if: StackSampler.obstacle == nil))
  func stacks() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}"])
    let result = try await profile("save", rows: 8_000, options: ["--sampling-rate", "5000"], in: workspace)
    #expect(result.status == 0, "\(result.errors)")
    let folded = try workspace.text(of: "out/ingest.folded").split(separator: "\n")
    #expect(folded.allSatisfy { $0.split(separator: " ").last.flatMap { Int($0) } ?? 0 > 0 })
    #expect(folded.contains { $0.contains("ManagedObjectContext.save") })
    #expect(folded.contains { $0.contains("sqlite3_step") || $0.contains("[libsqlite3") })
    #expect(!folded.contains { $0.contains("noteStack") })
    let samples = folded.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    let page = try workspace.text(of: "out/profile.md")
    #expect(page.contains("5,000 times a second"))
    #expect(samples >= 1_000 || page.contains("samples of stacks**, where 1,000 are enough"), "\(samples)")
  }
}

extension ProfileCommandTests {
  @Test("A worker that fails is named with its reason, and the status is 3")
  func failure() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{engine: faulty, strategy: error}"])
    let result = try await Program.faulty.run(
      ["profile", "small.yml", "--rounds", "1", "--out", "out"], in: workspace.path)
    #expect(result.status == 3)
    #expect(result.errors.contains("the time of stages: failed: the engine refuses to store anything"))
    #expect(try workspace.text(of: "out/profile.md").contains("the engine refuses to store anything"))
  }

  @Test("Invalid arguments are named, and nothing is written")
  func usage() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{strategy: batch-dictionary}"])
    let cases: [(arguments: [String], status: Int32, words: String)] = [
      (["small.yml"], 64, "choose it with --cell"),
      (["small.yml", "--cell", "sav"], 64, "--cell sav: found no such cell"),
      (["small.yml", "--cell", "save", "--rounds", "0"], 64, "--rounds 0"),
      (
        ["small.yml", "--cell", "save", "--sampling-rate", "10001"], 64,
        "--sampling-rate 10001: expected samples a second, from 10 to 10000"
      ),
      (["small.yml", "--cell", "save", "--sampling-rate", "9"], 64, "--sampling-rate 9"),
      (["small.yml", "--cell", "save", "--sampling-rate", "often"], 64, "'often'"), (["none.yml"], 66, "none.yml"),
      ([], 64, "scenario"),
    ]
    for (arguments, status, words) in cases {
      let result = try await Program.batchmark.run(["profile", "--out", "out"] + arguments, in: workspace.path)
      #expect(result.status == status && result.errors.contains(words), "\(arguments): \(result.errors)")
    }
    #expect(!workspace.exists("out"))
  }

  @Test("A debug build makes no profile", .enabled(if: Program.isDebugBuild))
  func debugBuild() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let debug = try await Program.batchmark.run(
      ["profile", "small.yml", "--out", "out"], in: workspace.path, allowsDebug: false)
    #expect(debug.status == 64 && debug.errors.contains("release"))
    #expect(!workspace.exists("out"))
  }
}
