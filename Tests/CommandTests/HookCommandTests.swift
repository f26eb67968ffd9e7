// A6: commands around samples, from end to end.
import Foundation
import Harness
import MissionTags
import Reports
import Testing

@Suite("A6 · hooks", .tags(.a6))
struct HookCommandTests {
  @Test("--prepare and --cleanup run around every sample of every pass, in the folder of the command")
  func hooks() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let result = try await Program.batchmark.run(
      [
        "run", "small.yml", "--quick", "--out", "out", "--prepare",
        "test -d \"$BATCHMARK_DIRECTORY\" && echo $BATCHMARK_CELL $BATCHMARK_PASS $BATCHMARK_ROUND >> before",
        "--cleanup", "test -f \"$BATCHMARK_DIRECTORY/store.sqlite\" && echo $BATCHMARK_PASS >> after",
      ], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    let samples = try workspace.samples("out").map { $0 + "\n" }.joined()
    #expect(try workspace.text(of: "before") == samples)
    #expect(try workspace.text(of: "after").split(separator: "\n").count == passes)
    // The commands are part of the run's identity; resuming it runs them again.
    let resumed = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--resume", "--out", "out", "--prepare", "true"], in: workspace.path)
    #expect(resumed.status == 4)
  }

  @Test("Commands inherit their three streams, and nothing else that the run has open or inherited")
  func descriptors() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    // POSIX shells only know descriptors with a single digit.
    let given = "exec bash -c 'exec 7</dev/null 300</dev/null; exec \"$0\" \"$@\"' \"$0\" \"$@\""
    let result = try await Program.batchmark.after(given).run(
      ["run", "small.yml", "--quick", "--out", "out", "--prepare", "ls /dev/fd/ > descriptors"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    // The last one belongs to the listed folder.
    #expect(try workspace.text(of: "descriptors") == "0\n1\n2\n3\n")
  }

  @Test("A command that fails fails its samples, with status 3 and a sentence in the report")
  func failing() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out", "--prepare", "echo no cache to drop; exit 9"], in: workspace.path)
    #expect(result.status == 3)
    let sentence = "the command to prepare, run before the sample, ended with status 9: echo no cache to drop; exit 9"
    #expect(result.errors.contains(sentence))
    let report = try workspace.report("out")
    #expect(report.contains(sentence) && report.contains("no cache to drop\n"))
  }

  @Test("pair runs the commands too, and names the side")
  func pair() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let result = try await Program.batchmark.run(
      [
        "pair", "this", "this", "--scenario", "small.yml", "--out", "out", "--looks", "12", "--trials", "1",
        "--no-placebo", "--prepare", "echo $BATCHMARK_SIDE >> sides",
      ], in: workspace.path)
    #expect([0, 1, 5, 6].contains(result.status), "\(result.errors)")
    let sides = try workspace.text(of: "sides").split(separator: "\n")
    #expect(sides.count { $0 == "base" } == sides.count { $0 == "head" } && Set(sides) == ["base", "head"])
  }
}
