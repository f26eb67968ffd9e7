// Signals, including systems that refuse what a program takes for granted.
import Foundation
import MissionTags
import Testing

@Suite("A6 · signals", .tags(.a6))
struct SignalTests {
  /// Waits until the run's worker is at the gate.
  private func begin(_ workspace: Workspace, after lines: String, _ more: [String] = []) async throws -> Running {
    try workspace.writeScenario(cells: ["{engine: faulty, strategy: slow}"], rounds: 6)
    try workspace.write("", to: "gate")
    let running = try Program.faulty.after(lines).start(
      ["run", "small.yml", "--out", "out"] + more, in: workspace.path)
    while !workspace.exists("gate.worker") {
      guard running.isRunning else {
        Issue.record("\(try await running.end().errors)")
        break
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    return running
  }

  @Test(
    "A signal that was ignored at the start stays ignored, and TERM still ends the program",
    .timeLimit(.minutes(30)), arguments: [(SIGINT, "INT"), (SIGHUP, "HUP"), (SIGQUIT, "QUIT")])
  func ignored(signal: Int32, name: String) async throws {
    let workspace = try Workspace()
    let running = try await begin(workspace, after: "trap '' \(name) TERM")
    for _ in 1...3 { running.send(signal) }
    // It continues to measure.
    try FileManager.default.removeItem(atPath: workspace.path + "/gate")
    let before = try workspace.samples("out").count
    while running.isRunning, try workspace.samples("out").count <= before {
      try await Task.sleep(for: .milliseconds(1))
    }
    try workspace.write("", to: "gate")
    running.send(SIGTERM)
    let result = try await running.end()
    // The last sample may already have passed the gate.
    #expect(result.status == 130 || result.status == 0, "\(result.errors)")
    #expect(try workspace.samples("out").count > before)
  }

  @Test("If its output is no longer read, a command ends with 141 and no message")
  func closedPipe() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    for words in ["run small.yml --out out", "list --metrics", "help run"] {
      // The reader ends before the program begins.
      let command = "{ sleep 1; \"$0\" \(words); echo $? > status; } | true"
      let result = try await Running(
        "/bin/sh", ["-c", command, Program.batchmark.path], in: workspace.path, allowsDebug: true, environment: [:]
      ).end()
      #expect(try workspace.text(of: "status") == "141\n", "\(words): \(result.errors)")
      #expect(!result.errors.contains("standard output") && !result.errors.contains("pipe"), "\(result.errors)")
    }
    #expect(workspace.exists("out/report.md"))
  }

  @Test("TERM does not wait for a cleanup command that never ends, and ends it too", .timeLimit(.minutes(30)))
  func hangingCleanup() async throws {
    let workspace = try Workspace()
    let running = try await begin(workspace, after: "", ["--cleanup", "test ! -f gate.worker || sleep 1000"])
    running.send(SIGTERM)
    #expect(try await running.end().status == 130)
    #expect(await workspace.processes() == [])
  }
}

extension SignalTests {
  @Test("The second Ctrl-C ends a run at once, with all of its processes", .timeLimit(.minutes(30)))
  func twice() async throws {
    let workspace = try Workspace()
    let running = try await begin(
      workspace, after: "", ["--cleanup", "test ! -f gate.worker || { touch cleaning; sleep 1000; }"])
    running.send(SIGINT)
    while running.isRunning && !workspace.exists("cleaning") { try await Task.sleep(for: .milliseconds(1)) }
    running.send(SIGINT)
    #expect(try await running.end().status == 130)
    #expect(await workspace.processes() == [])
  }

  @Test("TERM ends a command that measures nothing", .timeLimit(.minutes(30)))
  func computing() async throws {
    let workspace = try Workspace()
    let running = try Program.batchmark.start(["selftest", "--simulations", "1000000"], in: workspace.path)
    try await running.isWatching()
    running.send(SIGTERM)
    #expect(try await running.end().status == 130)
  }

  @Test(
    "TERM ends a command even if no thread could be started for it", .timeLimit(.minutes(30)),
    .enabled(if: Program.canLimitProcesses, "needs a user with limits, or root and setpriv"))
  func withoutThreads() async throws {
    let workspace = try Workspace()
    let running = try Program.batchmark.withoutProcesses().start(
      ["selftest", "--simulations", "1000000"], in: workspace.path)
    while running.isRunning, running.commandName != "batchmark" { try await Task.sleep(for: .milliseconds(1)) }
    running.send(SIGTERM)
    #expect(try await running.end().status == -SIGTERM)
  }
}

extension Running {
  /// The current name of the process; a shell becomes the program.
  var commandName: String? {
    #if os(Linux)
      (try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8))?.split(separator: "\n").first.map(
        String.init)
    #else
      "batchmark"
    #endif
  }

  /// Waits until its second thread exists.
  func isWatching() async throws {
    #if os(Linux)
      while isRunning, (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/task").count) ?? 0 < 2 {
        try await Task.sleep(for: .milliseconds(1))
      }
    #endif
  }
}
