// `pair --base-ref`: revisions are built in a temporary folder, with a compiler that is a shell script here.
import Foundation
import Testing

@testable import BatchmarkCLI

@Suite("A2 A6 · builds of revisions", .tags(.a2, .a6))
struct RevisionTests {
  /// A repository of one commit with a file `marker`, and a folder for temporary files.
  private func repository(compiler: String) throws -> (Workspace, environment: [String: String]) {
    let workspace = try Workspace()
    try workspace.writeScenario()
    try workspace.write("committed", to: "marker")
    for words in [["init", "--quiet"], ["add", "marker"], ["commit", "--quiet", "-m", "first"]] {
      _ = try #require(
        ToolProcess.lines(of: ["git", "-C", workspace.path, "-c", "user.name=a", "-c", "user.email=a@b.c"] + words))
    }
    try workspace.write("changed since", to: "marker")
    for folder in ["bin", "temporary"] {
      try FileManager.default.createDirectory(atPath: "\(workspace.path)/\(folder)", withIntermediateDirectories: true)
    }
    try workspace.write("#!/bin/sh\n\(compiler)\n", to: "bin/swift")
    chmod(workspace.path + "/bin/swift", 0o755)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (workspace, ["PATH": "\(workspace.path)/bin:\(path)", "TMPDIR": workspace.path + "/temporary"])
  }

  private let words = ["pair", "--base-ref", "HEAD", "--scenario", "small.yml", "--out", "out"]

  @Test("The compiler gets the revision's files; when it fails, nothing is left, and the repository knows of nothing")
  func failing() async throws {
    let (workspace, environment) = try repository(compiler: "cat \"$3/marker\" >> seen; echo no such module; exit 9")
    let result = try await Program.batchmark.run(words, in: workspace.path, environment: environment)
    #expect(result.status == 65)
    #expect(result.errors.contains("no such module\n"))
    #expect(result.errors.contains("--product batchmark failed with status 9; it says why above"))
    #expect(try workspace.text(of: "seen") == "committed")
    #expect(workspace.names(in: "temporary") == [])
    #expect(!workspace.exists("out") && !workspace.exists(".git/worktrees"))
    #expect(try workspace.text(of: "marker") == "changed since")
  }

  @Test(
    "A signal ends the compiler too, and the folder goes; after a kill the next command sweeps it",
    .timeLimit(.minutes(30)), arguments: [SIGTERM, SIGKILL])
  func ended(signal: Int32) async throws {
    // It ends by itself when nobody ends it.
    let (workspace, environment) = try repository(
      compiler: "touch began; cd \"$3\"; i=0; while [ $((i+=1)) -lt 9999 ] && date > new; do sleep 0.01; done")
    let running = try Program.batchmark.start(words, in: workspace.path, environment: environment)
    while running.isRunning && !workspace.exists("began") { try await Task.sleep(for: .milliseconds(5)) }
    running.send(signal)
    #expect(try await running.end().status == (signal == SIGKILL ? -SIGKILL : 130))
    if signal == SIGKILL {
      // The compiler does not know that nobody waits for it.
      for _ in 1...100 {
        let numbers = await workspace.processes(patience: 1)
        if numbers.isEmpty { break }
        for number in numbers { kill(Int32(number) ?? 0, SIGKILL) }
      }
      #expect(await workspace.processes() == [])
      #expect(workspace.names(in: "temporary").count == 1)
      _ = try await Program.batchmark.run(["list"], in: workspace.path, environment: environment)
    }
    #expect(await workspace.processes() == [])
    #expect(workspace.names(in: "temporary") == [])
  }
}
