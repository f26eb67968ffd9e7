// Ctrl-C, kill and power failure: no measurement is lost, and resuming only measures what is missing.
import Foundation
import MissionTags
import Testing

@Suite("A6 · interrupted and resumed", .tags(.a6))
struct InterruptTests {
  private static let cells = ["{engine: faulty, strategy: slow}", "{engine: sqlite, strategy: insert}"]
  /// Two cells, the exact passes, six rounds.
  private static let samples = 2 * (passes - 1 + 6)

  /// Starts a run that stops at a gate once its journal has some samples, and waits for that.
  private func begin(_ workspace: Workspace) async throws -> Running {
    try workspace.writeScenario(cells: InterruptTests.cells, rounds: 6)
    try workspace.write("", to: "gate")
    let running = try Program.faulty.start(["run", "small.yml", "--out", "out"], in: workspace.path)
    while (try? workspace.samples("out").count) ?? 0 < 3 {
      guard running.isRunning else {
        Issue.record("\(try await running.end().errors)")
        break
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    return running
  }

  private func resume(_ workspace: Workspace, keeping before: [String]) async throws {
    try FileManager.default.removeItem(atPath: workspace.path + "/gate")
    #expect(before.count >= 3 && before.count < InterruptTests.samples)
    let resumed = try await Program.faulty.run(["run", "--resume", "--out", "out"], in: workspace.path)
    #expect(resumed.status == 0, "\(resumed.errors)")
    let after = try workspace.samples("out")
    #expect(Array(after.prefix(before.count)) == before)
    #expect(after.count == InterruptTests.samples)
    #expect(Set(after).count == InterruptTests.samples)
    #expect(!(try workspace.report("out")).contains("Interrupted"))
    #expect(!workspace.exists("out/stores"))
    let measured = resumed.errors.split(separator: "\n").count { $0.contains("] small/") }
    #expect(measured == InterruptTests.samples - before.count)
  }

  @Test("Ctrl-C leaves a partial report and says how to resume", arguments: [SIGINT, SIGTERM, SIGQUIT])
  func interrupt(signal: Int32) async throws {
    let workspace = try Workspace()
    let running = try await begin(workspace)
    running.send(signal)
    let result = try await running.end()
    #expect(result.status == 130, "\(result.errors)")
    let before = try workspace.samples("out")
    #expect(result.errors.contains("samples") && result.errors.contains("kept; continue with "))
    #expect(result.errors.contains("run --resume --out \(workspace.path)/out"))
    // On a busy machine, TERM and QUIT leave little or no time for the report. Then the message is different.
    let isHurried = result.errors.contains("interrupted: the samples taken are kept; continue with ")
    #expect(!isHurried || signal != SIGINT)
    if !isHurried {
      #expect(
        result.errors.contains(
          "interrupted: \(before.count) of \(InterruptTests.samples) samples \(before.count == 1 ? "is" : "are") kept"))
      #expect(try workspace.report("out").contains("Interrupted:"))
      #expect(!workspace.exists("out/stores"))
    }
    try await resume(workspace, keeping: before)
  }

  @Test("A killed run loses only the sample in progress, even with a torn last line")
  func killed() async throws {
    let workspace = try Workspace()
    let running = try await begin(workspace)
    let worker = try #require(try await workerAtGate(workspace), "no worker came to the gate")
    running.send(SIGKILL)
    #expect(try await running.end().status == -SIGKILL)
    #if os(Linux)
      #expect(try await ends(worker), "the worker goes on without its harness")
    #endif
    let before = try workspace.samples("out")
    try workspace.write(try workspace.text(of: "out/journal.jsonl") + "{\"sample\":{\"cel", to: "out/journal.jsonl")
    try await resume(workspace, keeping: before)
  }

  /// The process at the gate, if there is one.
  private func workerAtGate(_ workspace: Workspace) async throws -> String? {
    for _ in 0..<6_000 {
      if let worker = try? workspace.text(of: "gate.worker"), !worker.isEmpty { return worker }
      try await Task.sleep(for: .milliseconds(10))
    }
    return nil
  }

  /// Whether the worker ends although the gate is still there.
  private func ends(_ worker: String) async throws -> Bool {
    for _ in 0..<1_000 {
      // A process that no one has waited for yet is a zombie.
      let state = try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8)
      if state == nil || state?.contains(") Z ") == true { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test("Resuming works from another folder, and is refused when it would be another run")
  func otherRun() async throws {
    let workspace = try Workspace()
    let running = try await begin(workspace)
    running.send(SIGINT)
    #expect(try await running.end().status == 130)
    let before = try workspace.samples("out")

    let others: [(arguments: [String], program: Program)] = [
      (["run", "small.yml", "--rounds", "9"], .faulty), (["run", "--only", "insert"], .faulty),
      (["run"], .batchmark),
    ]
    for (arguments, program) in others {
      let result = try await program.run(arguments + ["--resume", "--out", "out"], in: workspace.path)
      // The plain executable does not even have the engine.
      #expect([4, 65].contains(result.status), "\(result.errors)")
      #expect(result.status == 4 || program.path == Program.batchmark.path)
    }
    let scenario = try workspace.text(of: "small.yml")
    try workspace.write(scenario.replacingOccurrences(of: "rows: 60", with: "rows: 61"), to: "small.yml")
    let changed = try await Program.faulty.run(["run", "--resume", "--out", "out"], in: workspace.path)
    #expect(changed.status == 4)
    #expect(changed.errors.contains("was changed since"))
    #expect(try workspace.samples("out") == before)

    try workspace.write(scenario, to: "small.yml")
    try FileManager.default.removeItem(atPath: workspace.path + "/gate")
    let elsewhere = try await Program.faulty.run(
      ["run", "--resume", "--out", workspace.path + "/out"], in: NSTemporaryDirectory())
    #expect(elsewhere.status == 0, "\(elsewhere.errors)")
    #expect(try workspace.samples("out").count == InterruptTests.samples)
  }

  @Test("Resuming a folder without a run is refused")
  func nothingToResume() async throws {
    let workspace = try Workspace()
    let result = try await Program.batchmark.run(["run", "--resume", "--out", "none"], in: workspace.path)
    #expect(result.status == 66)
    #expect(result.errors.contains("none/journal.jsonl cannot be read"))
    #expect(!workspace.exists("none"))
  }
}
