// `report`: makes the files of a report again from stored results.
import Foundation
import MissionTags
import Testing

@Suite("A5 A6 · report", .tags(.a5, .a6))
struct ReportCommandTests {
  @Test("Every file of a run is made again byte for byte, from its results alone")
  func run() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    let measured = try await Program.batchmark.run(["run", "small.yml", "--out", "out"], in: workspace.path)
    #expect(measured.status == 0, "\(measured.errors)")
    let names = [
      "report.md", "report.html", "summary.csv", "samples.csv", "growth.csv", "latency.csv", "latency-over-time.csv",
      "results.json",
    ]
    let pictures = workspace.names(in: "out/charts").map { "charts/" + $0 }
    #expect(pictures.contains("charts/small-ranking.svg"))
    let before = try (names + pictures).map { try workspace.text(of: "out/" + $0) }
    for name in names + pictures where name != "results.json" {
      try FileManager.default.removeItem(atPath: "\(workspace.path)/out/\(name)")
    }
    let again = try await Program.batchmark.run(["report", "out"], in: workspace.path)
    #expect(again.status == 0 && again.output == "out/report.html\n", "\(again.errors)")
    #expect(try (names + pictures).map { try workspace.text(of: "out/" + $0) } == before)
  }

  @Test("A folder without results ends with 66, and invalid results with 65")
  func refused() async throws {
    let workspace = try Workspace()
    #expect(try await Program.batchmark.run(["report", "none"], in: workspace.path).status == 66)
    try FileManager.default.createDirectory(atPath: workspace.path + "/out", withIntermediateDirectories: true)
    #expect(try await Program.batchmark.run(["report", "out"], in: workspace.path).status == 66)
    try workspace.write("{}", to: "out/results.json")
    #expect(try await Program.batchmark.run(["report", "out"], in: workspace.path).status == 65)
    #expect(workspace.names(in: "out") == ["results.json"])
    let file = try await Program.batchmark.run(["report", "out/results.json"], in: workspace.path)
    #expect(file.status == 64 && file.errors.contains("expected the folder of a run or a comparison"), "\(file.errors)")
  }

  @Test("If a run is needed, the folder of a comparison is named as one")
  func comparison() async throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(atPath: workspace.path + "/out", withIntermediateDirectories: true)
    try workspace.write("{}", to: "out/pair.json")
    for command in [["report", "out", "--export", "junit=cells.xml"], ["check", "out"], ["history", "add", "out"]] {
      let result = try await Program.batchmark.run(command, in: workspace.path)
      #expect(result.status == 66, "\(command)")
      #expect(
        result.errors.contains("out: found the folder of a comparison; expected that of a run: for other tools, "),
        "\(result.errors)")
    }
    #expect(!workspace.exists("cells.xml"))
  }

  @Test("compare writes a page on request, and never over a file; inspect writes one to standard output")
  func pages() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let measured = try await Program.batchmark.run(
      ["run", "small.yml", "--keep-stores", "--quick", "--out", "out"], in: workspace.path)
    #expect(measured.status == 0, "\(measured.errors)")
    let words = ["compare", "out", "out", "--html", "page.html"]
    let compared = try await Program.batchmark.run(words, in: workspace.path)
    // Figures of a debug build are not comparable, and the page says so.
    #expect(compared.status == (Program.isDebugBuild ? 4 : 0), "\(compared.errors)")
    #expect(try workspace.text(of: "page.html").hasPrefix("<!DOCTYPE html>"))
    let again = try await Program.batchmark.run(words, in: workspace.path)
    #expect(again.status == 73 && again.errors.contains("page.html cannot be written: it exists already"))
    let store = try #require(workspace.names(in: "out/stores").first { $0.hasSuffix(".sqlite") })
    let inspected = try await Program.batchmark.run(
      ["inspect", "out/stores/\(store)", "--format", "html"], in: workspace.path)
    #expect(inspected.status == 0 && inspected.output.hasPrefix("<!DOCTYPE html>"), "\(inspected.errors)")
  }
}
