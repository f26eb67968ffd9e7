// An interrupted command leaves nothing outside of its output folder.
import Foundation
import MissionTags
import SQLiteDriver
import Testing

@Suite("A6 · nothing is left behind", .tags(.a6))
struct LeftoverTests {
  /// A folder for temporary files in the workspace.
  private static func temporaryFolder(_ workspace: Workspace) throws -> [String: String] {
    let folder = workspace.path + "/temporary"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return ["TMPDIR": folder]
  }

  /// Runs a command and sends it a signal as soon as it has a temporary folder.
  ///
  /// A separate thread looks for it, because a task may wait for its turn for longer than the command runs.
  private func run(_ arguments: [String], in workspace: Workspace, until signal: Int32) async throws -> Program.Result {
    let folder = workspace.path + "/temporary"
    let running = try Program.batchmark.start(
      arguments, in: workspace.path, environment: try LeftoverTests.temporaryFolder(workspace))
    let isSignalled = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while running.isRunning {
          if (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == false {
            running.send(signal)
            return continuation.resume(returning: true)
          }
          usleep(500)
        }
        continuation.resume(returning: false)
      }
    }
    let result = try await running.end()
    #expect(isSignalled, "it ended before it was seen to need a folder: \(result.errors)")
    return result
  }

  @Test("A signal ends a command that reads a private copy, and the copy is removed at once", .timeLimit(.minutes(30)))
  func copy() async throws {
    let workspace = try Workspace()
    try await workspace.makeStoreWithLog("app.sqlite", rows: 5_000)
    for signal in [SIGINT, SIGHUP, SIGTERM] {
      #expect(try await run(["inspect", "app.sqlite", "--values"], in: workspace, until: signal).status == 130)
      if signal != SIGTERM { #expect(workspace.names(in: "temporary") == []) }
    }
    #expect(workspace.names().contains("app.sqlite-wal"))
  }

  @Test(
    "A signal ends commands that have a private folder, with their workers and the folder's contents",
    .timeLimit(.minutes(30)), arguments: ["doctor", "plan"], [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func folder(command: String, signal: Int32) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let arguments = [command] + (command == "plan" ? ["small.yml"] : [])
    #expect(try await run(arguments, in: workspace, until: signal).status == 130)
    // TERM ends a command within 2 seconds. On a busy machine the next command removes what is left.
    if signal == SIGTERM, !workspace.names(in: "temporary").isEmpty {
      _ = try await Program.batchmark.run(
        ["list"], in: workspace.path, environment: try LeftoverTests.temporaryFolder(workspace))
    }
    #expect(workspace.names(in: "temporary") == [])
    #expect(await workspace.processes() == [])
  }

  @Test(
    "Leftovers of a killed command are swept by the next one, and files in use are left alone", .timeLimit(.minutes(30))
  )
  func sweeping() async throws {
    let workspace = try Workspace()
    #expect(try await run(["doctor"], in: workspace, until: SIGKILL).status == -SIGKILL)
    let left = workspace.names(in: "temporary")
    #expect(left.count == 1)

    try workspace.writeScenario()
    let plan = try Program.batchmark.start(
      ["plan", "small.yml", "--pairs", "1000"], in: workspace.path,
      environment: try LeftoverTests.temporaryFolder(workspace))
    while workspace.names(in: "temporary") == left || workspace.names(in: "temporary").isEmpty {
      try await Task.sleep(for: .milliseconds(1))
    }
    let inUse = workspace.names(in: "temporary")
    #expect(inUse.count == 1 && inUse != left)
    // The plan may restore removed files, but not this one.
    let kept = "temporary/\(inUse.first ?? "")/kept"
    try workspace.write("", to: kept)
    let other = try await Program.batchmark.run(
      ["list"], in: workspace.path, environment: try LeftoverTests.temporaryFolder(workspace))
    #expect(other.status == 0, "\(other.errors)")
    #expect(workspace.names(in: "temporary") == inUse)
    #expect(workspace.exists(kept))
    #expect(plan.isRunning)
    plan.send(SIGTERM)
    #expect(try await plan.end().status == 130)
    #expect(workspace.names(in: "temporary") == [])
  }
}

extension LeftoverTests {
  @Test("A worker's private copy of a store is removed with the sample's folder, even when the worker is killed")
  func workers() async throws {
    let workspace = try Workspace()
    try await workspace.makeStoreWithLog("app.sqlite", rows: 60)
    try workspace.write("", to: "gate")
    try workspace.writeScenario(
      cells: ["{engine: faulty, strategy: slow}"], source: "{store: app.sqlite, entity: Quake}", rounds: 6)
    let running = try Program.faulty.start(
      ["run", "small.yml", "--out", "out"], in: workspace.path,
      environment: try LeftoverTests.temporaryFolder(workspace))
    while running.isRunning && !workspace.exists("gate.worker") { try await Task.sleep(for: .milliseconds(5)) }
    running.send(SIGKILL)
    _ = try await running.end()
    #expect(await workspace.processes() == [])
    #expect(workspace.names(in: "temporary") == [])
  }

  @Test("A worker copies a store into its sample's folder, and the copy of a killed worker is swept")
  func workersFolder() async throws {
    let workspace = try Workspace()
    try await workspace.makeStoreWithLog("app.sqlite", rows: 60)
    try workspace.writeScenario(source: "{store: app.sqlite, entity: Quake}")
    // Making a folder for a copy also removes folders next to it that no process holds.
    let left = "\"$BATCHMARK_DIRECTORY/objectgraph-private-of-one-that-was-killed\""
    let result = try await Program.batchmark.run(
      [
        "run", "small.yml", "--quick", "--out", "out", "--prepare", "mkdir \(left)", "--cleanup",
        "test -d \(left) && echo left >> looks || echo swept >> looks",
      ], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let looks = try workspace.text(of: "looks").split(separator: "\n")
    #expect(looks.count == 3 && looks.allSatisfy { $0 == "swept" }, "\(looks)")
  }

  @Test("A feed of a killed command never gets its name, and is swept by the next command")
  func feeds() async throws {
    let workspace = try Workspace()
    let path = workspace.path
    let running = try Program.batchmark.start(
      ["generate", "--rows", Program.isDebugBuild ? "300_000" : "2_000_000", "--out", "feed.csv"], in: path)
    // A separate thread looks for it, because a task may wait for its turn for longer than the command runs.
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while running.isRunning {
          if (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == false { break }
          usleep(200)
        }
        running.send(SIGKILL)
        continuation.resume()
      }
    }
    #expect(try await running.end().status == -SIGKILL)
    #expect(workspace.names().map { $0.hasPrefix(".feed.csv.") } == [true], "\(workspace.names())")
    let next = try await Program.batchmark.run(["generate", "--rows", "2", "--out", "feed.csv"], in: workspace.path)
    #expect(next.status == 0, "\(next.errors)")
    #expect(workspace.names() == ["feed.csv"])
    let again = try await Program.batchmark.run(["generate", "--rows", "2", "--out", "feed.csv"], in: workspace.path)
    #expect(again.status == 73)
    #expect(again.errors == "batchmark: feed.csv cannot be written: it exists already; name another file\n")
    #expect(workspace.names() == ["feed.csv"])
  }

  @Test("An unfinished export is swept by the next one to the same file")
  func exports() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    // No process has the first number; the second is this process.
    try workspace.write("half", to: ".all.json.999999999.partial")
    try workspace.write("half", to: ".all.json.\(getpid()).partial")
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out", "--export-json", "all.json"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(workspace.names().filter { $0.hasSuffix(".partial") } == [".all.json.\(getpid()).partial"])
    #expect(workspace.exists("all.json"))
  }
}

extension Workspace {
  /// Makes a store with this many earthquakes, and a log with changes that are not in the store.
  func makeStoreWithLog(_ name: String, rows: Int) async throws {
    try writeScenario(
      cells: ["{engine: objectgraph, strategy: save}"], source: "{generate: {rows: \(rows)}}", to: "made.yml")
    let made = try await Program.batchmark.run(
      ["run", "made.yml", "--quick", "--keep-stores", "--out", "made"], in: path)
    let store = names(in: "made/stores").first { $0.hasSuffix(".sqlite") } ?? "none"
    guard made.status == 0 else { throw Unmade(errors: made.errors) }
    let connection = try Connection(path: "\(path)/made/stores/\(store)", access: .readWrite)
    try connection.execute("PRAGMA journal_mode = wal")
    try connection.execute("UPDATE ZQUAKE SET ZPLACE = 'only in the log' WHERE Z_PK = 1")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: "\(path)/made/stores/\(store)\(suffix)", toPath: "\(path)/\(name)\(suffix)")
    }
    try connection.close()
    try FileManager.default.removeItem(atPath: path + "/made")
  }

  private struct Unmade: Error {
    let errors: String
  }

  /// The processes that still run in this folder after they had time to end; none if the system does not tell.
  ///
  /// - Parameter patience: How often to look, every 10 milliseconds.
  /// - Returns: Their numbers.
  func processes(patience: Int = 1_000) async -> [String] {
    var found: [String] = []
    for _ in 0..<patience {
      found = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { number in
        guard Int(number) != nil else { return false }
        let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")
        return folder.map { $0 == path || $0.hasPrefix(path + "/") } ?? false
      }
      if found.isEmpty { break }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return found
  }
}
