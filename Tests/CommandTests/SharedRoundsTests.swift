// A12: the same scenarios on several machines, from `run --rounds-per-shard` to the combined result of `merge`.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Statistics
import Testing

@Suite("A12 · rounds shared by machines", .tags(.a12))
struct SharedRoundsTests {
  private static let cells = ["{strategy: save}", "{strategy: batch-objects}", "{engine: sqlite, strategy: insert}"]

  private func batchmark(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Result {
    try await Program.batchmark.run(arguments, in: workspace.path)
  }

  private func records(_ workspace: Workspace, _ file: String) throws -> [[String: String]] {
    let lines = try workspace.text(of: file).split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  /// Measures one of five parts and makes five machines with known ratios from it.
  ///
  /// Each machine is faster than the one before.
  private func machines(_ workspace: Workspace, save: [Double], batch: [Double]) async throws {
    try workspace.writeScenario(cells: SharedRoundsTests.cells)
    let run = try await batchmark(
      workspace, "run", "small.yml", "--rounds", "9", "--shard", "1/5", "--rounds-per-shard", "--out", "measured")
    #expect(run.status == 0, "\(run.errors)")
    let measured = try ResultsFile.read(workspace.path + "/measured/results.json")
    #expect(measured.scenarios[0].rounds == 2)
    for machine in save.indices {
      var results = measured
      results.run.shard?.shard.index = machine + 1
      results.run.runID = "run-\(machine)"
      results.run.machine = "machine \(machine)"
      for index in results.scenarios[0].cells.indices {
        let cell = results.scenarios[0].cells[index].cell
        let ratio = cell.isSave ? save[machine] : cell.isBatch ? batch[machine] : 1
        for sample in results.scenarios[0].cells[index].samples.indices {
          for phase in results.scenarios[0].cells[index].samples[sample].phases.indices {
            results.scenarios[0].cells[index].samples[sample].phases[phase].wallSeconds =
              ratio / Double(machine + 1)
          }
        }
      }
      try workspace.write(try ResultsFile.render(results), to: "m\(machine + 1).json")
    }
  }

  @Test("Ratios of five machines combine into one with an interval, whatever their times and order")
  func combined() async throws {
    let workspace = try Workspace()
    let (save, batch) = ([1.21, 1.25, 1.18, 1.30, 1.22], [1.1, 1.1, 1.5, 1.1, 1.1])
    try await machines(workspace, save: save, batch: batch)
    let files = (1...5).map { "m\($0).json" }
    for (order, out) in [(files, "merged"), (files.reversed(), "other")] {
      let merged = try await Program.batchmark.run(["merge"] + order + ["--out", out], in: workspace.path)
      #expect(merged.status == 0, "\(merged.errors)")
    }
    let names = ["charts", "machines.csv", "ratios.csv", "report.html", "report.md"] + (1...5).map { "shard-\($0)" }
    #expect(workspace.names(in: "merged").sorted() == names)
    for name in names[1..<5] + ["charts/small-machines.svg", "shard-2/report.md"] {
      #expect(try workspace.text(of: "merged/\(name)") == workspace.text(of: "other/\(name)"), "\(name)")
    }
    #expect(try ResultsFile.read(workspace.path + "/merged/shard-2/results.json").run.machine == "machine 1")

    let ratios = try records(workspace, "merged/ratios.csv")
    #expect(ratios.map { $0["cell"] } == ["small/objectgraph/save", "small/objectgraph/batch-objects"])
    for (record, known) in zip(ratios, [save, batch]) {
      let expected = try #require(CombinedRatio(logRatios: known.compactMap { logRatio($0, to: 1) }))
      for (column, value) in [
        ("ratio", expected.ratio), ("ratio_low", expected.interval?.lowerBound),
        ("ratio_high", expected.interval?.upperBound), ("spread", expected.spread), ("least", known.min()),
        ("greatest", known.max()),
      ] {
        let found = try #require(Double(record[column] ?? ""))
        #expect(abs(found - (value ?? .nan)) < 1e-5, "\(column)")
      }
      #expect(
        record["machines"] == "5" && record["same_order"] == "false" && record["reference"] == "small/sqlite/insert")
    }
    let single = try records(workspace, "merged/machines.csv")
    #expect(single.count == 10 && single.allSatisfy { $0["rounds"] == "2" })
    #expect(single.prefix(5).map { Double($0["ratio"] ?? "") ?? 0 } == save)
    #expect(single.prefix(5).map { $0["shard"] } == ["1/5", "2/5", "3/5", "4/5", "5/5"])

    let report = try workspace.text(of: "merged/report.md")
    #expect(
      report.hasPrefix("# small on 5 machines: they differ only in the order of cells that are too close to rank\n"))
    #expect(report.contains("Machines differ in the order of 1 pair of cells that are too close to rank"))
    #expect(report.contains("![Ratios of 5 machines](charts/small-machines.svg)"))
    #expect(
      report.contains(
        "`save` takes less time than `batch-objects` on shard 3/5, and more on shards 1/5, 2/5, 4/5 and 5/5; "
          + "too close to rank."
      ))
    #expect(report.contains("Exact counters are the same on all machines."))
    #expect(report.contains("1.23 [1.18, 1.29]"), "\(report)")
  }

  @Test(
    "Fewer than three machines have no interval, and a counter that differs and a shared order are reported")
  func few() async throws {
    let workspace = try Workspace()
    try await machines(workspace, save: [1.5, 1.6, 1.4, 1.5, 1.5], batch: [1.1, 1.1, 1.1, 1.1, 1.1])
    var other = try ResultsFile.read(workspace.path + "/m2.json")
    let phase = try #require(other.scenarios[0].cells[0].phases.firstIndex { $0.phase == .ingest })
    let syncs = try #require(other.scenarios[0].cells[0].phases[phase].metrics[.syncs])
    other.scenarios[0].cells[0].phases[phase].metrics[.syncs] = syncs + 1
    try workspace.write(try ResultsFile.render(other), to: "m2.json")
    let merged = try await batchmark(workspace, "merge", "m2.json", "m1.json", "--partial", "--out", "two")
    #expect(merged.status == 0 && merged.errors.contains("3 of 5 shards are missing"), "\(merged.errors)")
    let record = try #require(try records(workspace, "two/ratios.csv").first)
    #expect(record["ratio_low"] == "" && record["ratio_high"] == "" && record["ratio"] == "1.549193")
    let report = try workspace.text(of: "two/report.md")
    #expect(report.contains("**Incomplete: 3, 4 and 5 of 5 machines are missing.**"))
    #expect(report.contains("Of 2 machines there is no interval: it takes 3 machines, and 5 are advised."))
    #expect(report.hasPrefix("# small on 2 machines: all put the cells in the same order\n"))
    #expect(report.contains("All machines put the cells in the same order."))
    #expect(report.contains("**1 exact counter is not the same on all machines**"))
    #expect(report.contains("| save | ingest | syncs | \(syncs) | \(syncs + 1) |"), "\(report)")
  }

  @Test("Shared rounds resume after an interrupt with their own settings, and cannot be mixed with others")
  func refusals() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: SharedRoundsTests.cells)
    let words = ["run", "small.yml", "--rounds", "4", "--shard"]
    for (shard, folder, more) in [
      ("1/2", "one", ["--rounds-per-shard"]), ("2/2", "two", ["--rounds-per-shard"]),
      ("2/2", "divided", ["--allow-empty"]),
    ] {
      let run = try await Program.batchmark.run(words + [shard, "--out", folder] + more, in: workspace.path)
      #expect(run.status == 0, "\(run.errors)")
    }
    let resumed = try await batchmark(workspace, "run", "--resume", "--out", "one")
    #expect(resumed.status == 0, "\(resumed.errors)")
    let results = try ResultsFile.read(workspace.path + "/one/results.json")
    #expect(results.scenarios[0].cells.allSatisfy { $0.samples.count { $0.pass == .timing } == 2 })

    let mixed = try await batchmark(workspace, "merge", "one", "divided", "--out", "merged")
    #expect(mixed.status == 4)
    #expect(
      mixed.errors.contains(
        "divided is of another run than one: its scenarios were divided, and the other's rounds were shared"),
      "\(mixed.errors)")
    let missing = try await batchmark(workspace, "merge", "one", "--out", "merged")
    #expect(missing.status == 4 && missing.errors.contains("shard 2 of 2 is missing"), "\(missing.errors)")
    #expect(!workspace.exists("merged"))
    #expect(try await batchmark(workspace, "merge", "one", "two", "--out", "merged").status == 0)

    for (arguments, message) in [
      ([], "--rounds-per-shard needs --shard K/N"), (["--shard", "1/2", "--until", "5%"], "leave out --estimate-from"),
      (["--shard", "all/2", "--dry-run"], "so that nothing is divided"),
    ] {
      let refused = try await Program.batchmark.run(
        ["run", "small.yml", "--rounds-per-shard", "--out", "x"] + arguments, in: workspace.path)
      #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
      #expect(!workspace.exists("x"))
    }
  }
}
