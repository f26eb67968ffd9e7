// A8: sources with too many rows or too long texts are refused before any row is made.
import Foundation
import MissionTags
import Testing

@Suite("A8 · large sources", .tags(.a8))
struct LargeSourceTests {
  private func workspace(_ name: String, rows: String, more: String = "") throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(
      """
      scenario: large
      model:
        Thing: {attributes: {name: {type: string, optional: true}, size: {type: int64, optional: true}}}
      entity: Thing
      source:
        synthetic:
          entities: {Thing: {rows: \(rows), attributes: {name: {\(name)}, size: {}}}}
      \(more)
      cells: [{engine: sqlite, strategy: \(more.isEmpty ? "insert" : "update")}]
      measure: {rounds: 1, warm_up: 0}

      """, to: "large.yml")
    return workspace
  }

  @Test(
    "Rows and text that take long to make are validated without being made, and their needs are shown",
    .timeLimit(.minutes(10)),
    arguments: [
      ("lengths: 1_000_000", "100_000_000", "", "at least 91.0 TiB of memory and 91.0 TiB of disk"),
      (
        "lengths: {1_000_000_000: 90_000_000}, nulls: 10_000_000, distinct: 90_000_000", "100_000_000", "",
        "TiB of disk"
      ),
      ("lengths: {500_000_000: 5}, distinct: 5", "5", "", "at least 2.3 GiB of memory and 2.3 GiB of disk"),
      (
        "lengths: [1, 2]", "90_000_000", "operation: update\nset: {size: 1}",
        "at least 1.6 GiB of memory and 815.4 MiB of disk"
      ),
    ])
  func validated(name: String, rows: String, more: String, needs: String) async throws {
    let workspace = try workspace(name, rows: rows, more: more)
    // With this little memory the rows could not be made.
    let result = try await Program.batchmark.after("ulimit -v 1500000").run(
      ["validate", "large.yml"], in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("\(rows.replacing("_", with: ",")) rows that take at least"), "\(result.output)")
    #expect(result.output.contains(needs), "\(result.output)")
  }

  @Test("A run of more than the machine's memory or disk holds is refused before anything is made")
  func refused() async throws {
    let workspace = try workspace("lengths: 1_000_000", rows: "100_000_000")
    let commands = [["run", "large.yml"], ["pair", "this", "this", "--scenario", "large.yml"]]
    for command in commands.map({ $0 + ["--out", "out"] }) {
      let result = try await Program.batchmark.run(command, in: workspace.path)
      #expect(result.status == 65, "\(result.errors)")
      #expect(
        result.errors.contains(
          "large.yml: found 100000000 rows that take at least 91.0 TiB of memory; expected at most the "),
        "\(result.errors)")
      #expect(result.errors.contains("of this machine: fewer rows, shorter values, or a machine with more memory"))
      #expect(!workspace.exists("out"))
    }
    let made = try await Program.batchmark.run(
      ["generate", "large.yml", "--out", "rows.csv"], in: workspace.path)
    #expect(made.status == 65 && !workspace.exists("rows.csv"), "\(made)")
  }

  @Test("Too few values for the requested number of different ones are found without making the rows")
  func tooFew() async throws {
    let workspace = try workspace("lengths: {1: 50_000_000}, distinct: 50_000_000", rows: "50_000_000")
    let result = try await Program.batchmark.run(["validate", "large.yml"], in: workspace.path)
    #expect(result.status == 65, "\(result)")
    let small = try self.workspace("lengths: [1, 1]", rows: "1_000")
    let ok = try await Program.batchmark.run(["validate", "large.yml"], in: small.path)
    #expect(ok.status == 0 && ok.output == "large.yml: ok, scenario large, 1 cell, 1,000 rows\n", "\(ok)")
  }
}
