// `--export FORMAT=FILE` of `run` and `check`: complete files at the user's path, with the rules of all exports.
import Foundation
import MissionTags
import Reports
import Testing

@Suite("A5 A7 · exports for other tools", .tags(.a5, .a7))
struct ExchangeCommandTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.writeScenario()
    let budgets = "budgets: [insert.syncs <= 1_000, insert.statements <= 1]\n"
    try workspace.write(workspace.text(of: "small.yml") + "\n" + budgets, to: "small.yml")
  }

  private func batchmark(_ arguments: String...) async throws -> Program.Result {
    try await Program.batchmark.run(arguments, in: workspace.path)
  }

  @Test("run writes every format, and check does so for stored results, by the current budgets")
  func everyFormat() async throws {
    let exports = ExchangeFormat.allCases.flatMap { ["--export", "\($0.rawValue)=\($0.rawValue).txt"] }
    let run = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", "out"] + exports, in: workspace.path)
    // A budget is broken, but the files still exist.
    #expect(run.status == 1, "\(run.errors)")
    let results = try ResultsFile.read(workspace.path + "/out/results.json")
    for format in ExchangeFormat.allCases {
      #expect(try workspace.text(of: format.rawValue + ".txt") == format.text(results), "\(format)")
    }
    #expect(try workspace.text(of: "junit.txt").contains("tests=\"3\" failures=\"1\""))

    let report = try await batchmark("report", "out", "--export", "bencher=again.json")
    #expect(report.status == 0 && report.output.isEmpty, "\(report.errors)")
    #expect(try workspace.text(of: "again.json") == workspace.text(of: "bencher.txt"))
    let few = try await batchmark("report", "out", "--export", "bencher=-", "--metrics", "syncs,heap_peak")
    #expect(few.output.contains("\"syncs\"") && !few.output.contains("\"statements\""), "\(few.errors)")
    let wrong = try await batchmark("report", "out", "--export", "bencher=-", "--metrics", "sync")
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean 'syncs'?"), "\(wrong.errors)")
    let latency = try await batchmark("report", "out", "--export", "bencher=-", "--metrics", "latency.read.p99")
    #expect(latency.status == 64 && latency.errors.contains("that is no latency"), "\(latency.errors)")
    #expect(try await batchmark("report", "out", "--metrics", "syncs").status == 64)

    let scenario = try workspace.text(of: "small.yml").replacing("statements <= 1]", with: "statements <= 1_000_000]")
    try workspace.write(scenario, to: "small.yml")
    let check = try await batchmark(
      "check", "out", "--export", "junit=now.xml", "--export", "bencher=now.json")
    #expect(check.status == 0, "\(check.errors)")
    #expect(try workspace.text(of: "now.xml").contains("tests=\"3\" failures=\"0\""))
    #expect(try workspace.text(of: "now.json") == workspace.text(of: "bencher.txt"))
  }

  @Test("An export to standard output is alone there; the verdicts of check are written to standard error")
  func standardOutput() async throws {
    let run = try await batchmark("run", "small.yml", "--quick", "--out", "out", "--export", "openmetrics=-")
    #expect(run.status == 1 && run.output.hasPrefix("# TYPE batchmark_") && run.output.hasSuffix("# EOF\n"))
    let check = try await batchmark("check", "out", "--export", "junit=-")
    #expect(check.status == 1 && check.output.hasPrefix("<?xml") && check.output.hasSuffix("</testsuites>\n"))
    #expect(check.errors.contains("BROKEN"))
  }

  @Test("An existing file, or one that is read, is not overwritten, and nothing is measured")
  func refusals() async throws {
    try workspace.write("mine", to: "there.json")
    let there = try await batchmark("run", "small.yml", "--quick", "--out", "out", "--export", "bencher=there.json")
    #expect(there.status == 73 && !workspace.exists("out"))
    #expect(there.errors.contains("--export bencher=") && there.errors.contains("with --force"), "\(there.errors)")
    let input = try await batchmark(
      "run", "small.yml", "--quick", "--out", "out", "--force", "--export", "junit=small.yml")
    #expect(input.status == 73 && input.errors.contains("it is the scenario file small.yml, which is read"))
    let twice = try await batchmark(
      "run", "small.yml", "--quick", "--out", "out", "--export", "junit=a", "--export", "bencher=a")
    #expect(twice.status == 64 && twice.errors.contains("two exports write to"))
    let first = try await batchmark(
      "run", "small.yml", "--quick", "--out", "out", "--force", "--export", "bencher=there.json")
    #expect(first.status == 1)
    #expect(try workspace.text(of: "there.json") != "mine")
    for file in ["out/results.json", "small.yml"] {
      let check = try await batchmark("check", "out", "--force", "--export", "junit=\(file)")
      #expect(check.status == 73 && check.errors.contains("which is read"), "\(check.errors)")
    }
    #expect(try await batchmark("check", "out", "--export", "junit=there.json").status == 73)
  }

  @Test(
    "An invalid export is refused with the list of formats",
    arguments: [
      ("benchr=a", "found the format 'benchr'; expected one of bencher, github-action-benchmark, google-benchmark, "),
      ("benchr=a", "did you mean 'bencher'?"),
      (
        "junit",
        "'junit' is invalid for '--export <format=file>': found no file; expected FORMAT=FILE, as in --export junit=results.txt"
      ),
      ("junit=", "found no file"),
    ])
  func wrong(export: String, words: String) async throws {
    for command in [["run", "small.yml"], ["check", "out"]] {
      let result = try await Program.batchmark.run(command + ["--export", export], in: workspace.path)
      #expect(result.status == 64 && result.errors.contains(words), "\(result.errors)")
    }
  }
}
