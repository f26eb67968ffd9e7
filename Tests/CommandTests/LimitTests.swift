// Small machines: below each documented minimum, there is a sentence and a status; above it, the run works.
import Foundation
import MissionTags
import Testing

@Suite("A6 · limits", .tags(.a6))
struct LimitTests {
  private func run(_ program: Program, in workspace: Workspace, environment: [String: String] = [:]) async throws
    -> Program.Result
  {
    try workspace.writeScenario(
      cells: ["{engine: objectgraph, strategy: save}"], rounds: 1)
    return try await program.run(["run", "small.yml", "--out", "out"], in: workspace.path, environment: environment)
  }

  /// Checks that it exited with a sentence.
  private func expectSentence(
    _ result: Program.Result, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
    #expect(result.errors.contains("batchmark: "), "\(result)", sourceLocation: sourceLocation)
    #expect(!result.errors.contains("Fatal error"), "\(result)", sourceLocation: sourceLocation)
  }

  @Test("Too low a limit of open files is reported, and a sufficient one is accepted", .timeLimit(.minutes(30)))
  func openFiles() async throws {
    let none = try await run(Program.batchmark.after("ulimit -n 4"), in: try Workspace())
    expectSentence(none, status: 73)
    #expect(none.errors.contains("Too many open files"))
    let few = try await run(Program.batchmark.after("ulimit -n 8"), in: try Workspace())
    expectSentence(few, status: 3)
    let workspace = try Workspace()
    let selfTest = try await Program.batchmark.after("ulimit -n 8").run(
      ["selftest", "--live", "--placebos", "1", "--slowdowns", "0", "--faults", "0", "--out", "out"],
      in: workspace.path)
    expectSentence(selfTest, status: 3)
    #expect(selfTest.errors.contains("1 of 1 comparison has no pair, since samples failed, and shows nothing"))
    #expect(few.errors.contains("the worker could not be started: Too many open files"))
    let enough = try await run(Program.batchmark.after("ulimit -n 12"), in: try Workspace())
    #expect(enough.status == 0, "\(enough.errors)")
  }

  @Test("A stack or an address space that is too small is reported before anything is done", .timeLimit(.minutes(30)))
  func memory() async throws {
    let stack = try await run(Program.batchmark.after("ulimit -s 256"), in: try Workspace())
    #expect(stack.status == 70)
    #expect(
      stack.errors
        == "batchmark: found a limit of 256.0 KiB for the stack; expected at least 512.0 KiB: raise it (ulimit -s)\n")
    let space = try await run(Program.batchmark.after("ulimit -v 400000"), in: try Workspace())
    #expect(space.status == 70)
    #expect(space.errors.contains("for the address space; expected at least 512.0 MiB: raise it (ulimit -v)"))
    let enough = try await run(Program.batchmark.after("ulimit -s 512; ulimit -v 524288"), in: try Workspace())
    #expect(enough.status == 0, "\(enough.errors)")
  }

  @Test("A file that would become too large is reported")
  func fileSize() async throws {
    let result = try await run(Program.batchmark.after("ulimit -f 1"), in: try Workspace())
    expectSentence(result, status: 73)
    #expect(result.errors.contains("File too large"), "\(result.errors)")
  }

  @Test(
    "If no more processes can be started, every sample fails with the system's message", .timeLimit(.minutes(30)),
    .enabled(if: Program.canLimitProcesses, "needs a user with limits, or root and setpriv"))
  func processes() async throws {
    let workspace = try Workspace()
    chmod(workspace.path, 0o777)
    let result = try await run(Program.batchmark.withoutProcesses(), in: workspace)
    #expect(result.status == 3, "\(result.errors)")
    #expect(result.errors.contains("the worker could not be started: Resource temporarily unavailable"))
    #expect(workspace.exists("out/report.md"))
  }
}
