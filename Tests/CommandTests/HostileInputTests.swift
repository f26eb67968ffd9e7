// A6: malicious names, paths, patterns and files, and a build with a missing part.
import Engines
import Foundation
import Harness
import Instruments
import MissionTags
import Testing

@testable import BatchmarkCLI

@Suite("A6 · hostile inputs", .tags(.a6))
struct HostileInputTests {
  @Test("A message has the beginning and the end of a name of ten megabytes")
  func longNames() throws {
    let name = String(repeating: "ä", count: 10_000_000)
    let error = CommandError(.invalidFile, "found '\(name)'; expected a name")
    #expect(error.message.utf8.count < 20_000)
    #expect(error.message.hasPrefix("found 'ää") && error.message.hasSuffix("ää'; expected a name"))
    #expect(error.message.contains("ä… (10000025 characters) …ä"))
    #expect(CommandError(.usage, "short").message == "short")
  }

  @Test(
    "A path that the system would truncate or reject is refused at its location",
    arguments: [
      ("{feed: \"rows.csv\\0.txt\"}", ": found the path 'rows.csv\\0.txt'; expected a path without the character \\0"),
      ("{store: \"App.sqlite\\0\"}", ": found the path 'App.sqlite\\0'; expected a path without the character \\0"),
      ("{feed: \(String(repeating: "x", count: 100_000))}", "found a path of 100000 bytes; expected at most"),
    ])
  func paths(source: String, message: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(source: source)
    try workspace.write("code,magnitude,place,time\na,1,b,2026-01-01T00:00:00Z\n", to: "rows.csv")
    let result = try await Program.batchmark.run(["validate", "small.yml"], in: workspace.path)
    #expect(result.status == 65 && result.errors.contains(message), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("A file of zeros is refused as results, and as the folder of a run")
  func zeros() async throws {
    let workspace = try Workspace()
    try Data(count: 100_000).write(to: URL(fileURLWithPath: workspace.path + "/zeros"))
    let compared = try await Program.batchmark.run(["compare", "zeros", "zeros"], in: workspace.path)
    #expect(compared.status == 65)
    #expect(
      compared.errors.contains("zeros: not a results file: binary data; name a results.json"), "\(compared.errors)")
    let written = try await Program.batchmark.run(["report", "zeros"], in: workspace.path)
    #expect(written.status == 64 && written.errors.contains("zeros is a plain file"), "\(written.errors)")
  }

  @Test("validate warns of a pattern that takes too long on hard texts, and of no other")
  func patterns() async throws {
    let workspace = try Workspace()
    try workspace.write(
      """
      scenario: small
      model:
        Note:
          attributes:
            code: {type: string, pattern: "us[0-9a-z]+"}
            text: {type: string, pattern: "(x+x+)+y"}
      entity: Note
      source: {feed: rows.csv}
      cells: [{strategy: save}]
      """, to: "small.yml")
    try workspace.write("code,text\nus1,xxy\n", to: "rows.csv")
    let result = try await Program.batchmark.run(["validate", "small.yml"], in: workspace.path)
    #expect(result.status == 0 && result.output == "small.yml: ok, scenario small, 1 cell, 1 row\n")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1 && lines.first?.contains("warning: Note.text: the pattern (x+x+)+y is costly for") == true)
    #expect(result.errors.contains("so use a pattern without a repetition inside a repetition"))
  }

  @Test("doctor says what to do if the meter's library is not beside the executable")
  func meter() throws {
    guard Jemalloc.isLinked else { return }
    let workspace = try Workspace()
    let checks = Batchmark.$engines.withValue(BuiltInEngines.all) {
      Doctor.workerChecks(meterBeside: workspace.path + "/batchmark")
    }
    #expect(checks.map(\.verdict) == [.fail] && checks.first?.name == "meter")
    #expect(checks.first?.finding.hasSuffix("so heap peaks cannot be measured") == true)
    #expect(checks.first?.advice?.hasPrefix("build the whole package") == true)
  }
}
