// A12: the same pairs on several machines, from `pair --machines` to the single verdict of `merge`.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A12 · pairs on several machines", .tags(.a12))
struct PairMachinesTests {
  private func batchmark(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Result {
    try await Program.batchmark.run(arguments, in: workspace.path)
  }

  /// One machine's pairs, with the same build on both sides.
  private func measured(_ workspace: Workspace) async throws -> PairResults {
    try workspace.writeScenario()
    let run = try await batchmark(
      workspace, "pair", "this", "this", "--scenario", "small.yml", "--machines", "1/5", "--looks", "12", "--trials",
      "1",
      "--no-placebo", "--out", "measured")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains("This is machine 1 of 5, which each take as many pairs; merge gives the verdict of all."))
    let results = try PairFile.read(workspace.path + "/measured/pair.json")
    #expect(results.comparisons[0].pairs.count == 12 && results.comparisons[0].confirmation.isEmpty)
    return results
  }

  /// Writes machines on which head takes these multiples of base's time; each machine is faster than the one before.
  private func write(
    _ ratios: [Double], of measured: PairResults, to workspace: Workspace,
    change: (Int, inout PairResults) -> Void = { _, _ in }
  ) throws -> [String] {
    try ratios.enumerated().map { machine, ratio in
      var results = measured
      results.shard?.index = machine + 1
      results.run.runID = "run-\(machine)"
      func set(_ sample: inout Sample, _ seconds: Double) {
        for phase in sample.phases.indices where sample.phases[phase].phase.isMain {
          sample.phases[phase].trialWallSeconds = sample.phases[phase].trialWallSeconds?.map { _ in seconds }
          sample.phases[phase].trialProbeSeconds = nil
        }
      }
      for pair in results.comparisons[0].pairs.indices {
        set(&results.comparisons[0].pairs[pair].base, 1 / Double(machine + 1))
        set(&results.comparisons[0].pairs[pair].head, ratio / Double(machine + 1))
      }
      change(machine, &results)
      let folder = "m\(machine + 1)"
      try FileManager.default.createDirectory(
        atPath: "\(workspace.path)/\(folder)", withIntermediateDirectories: true)
      try workspace.write(try PairFile.render(results), to: folder + "/pair.json")
      return folder
    }
  }

  @Test("Machines give one verdict by how well they agree, and the same pages in any order")
  func verdicts() async throws {
    let workspace = try Workspace()
    let measured = try await measured(workspace)
    // The 98 % interval shows a change, and the 90 % interval shows that there is none.
    let cases: [(ratios: [Double], verdict: String, status: Int32)] = [
      ([1.07, 1.08, 1.09, 1.07, 1.08], "REGRESSION", 1), ([1.02, 1.021, 1.022, 1.02, 1.021], "SMALL", 0),
      ([1, 1.005, 0.995, 1, 1.002], "PASS", 0), ([0.9, 0.91, 0.89, 0.9, 0.9], "IMPROVED", 0),
      ([0.9, 1.1, 1.0, 1.15, 0.95], "INCONCLUSIVE", 5), ([1.2, 1.0, 1.0, 1.0, 1.0], "INCONCLUSIVE", 5),
    ]
    for (number, entry) in cases.enumerated() {
      let folders = try write(entry.ratios, of: measured, to: workspace)
      let merged = try await Program.batchmark.run(["merge"] + folders + ["--out", "out\(number)"], in: workspace.path)
      #expect(merged.status == entry.status, "\(entry.verdict): \(merged.errors)")
      let report = try workspace.text(of: "out\(number)/report.md")
      #expect(report.hasPrefix("# \(entry.verdict): this build against this build on 5 machines"), "\(report)")
      #expect(report.contains("Exact figures are the same on all machines."))
      #expect(merged.output.hasPrefix(report.prefix(40)))
      let other = try await Program.batchmark.run(
        ["merge"] + folders.reversed() + ["--out", "other\(number)"], in: workspace.path)
      #expect(other.status == entry.status)
      for name in ["report.md", "report.html", "machines.csv", "shard-3/report.md"] {
        #expect(
          try workspace.text(of: "out\(number)/\(name)") == workspace.text(of: "other\(number)/\(name)"), "\(name)")
      }
      let lines = try workspace.text(of: "out\(number)/machines.csv").split(whereSeparator: \.isNewline)
      let ratios = lines.dropFirst().compactMap { $0.split(separator: ",").dropLast().last.flatMap { Double($0) } }
      #expect(ratios.count == 5 && zip(ratios, entry.ratios).allSatisfy { abs($0 - $1) < 1e-5 }, "\(lines)")
    }
    let two = try await batchmark(workspace, "merge", "m1", "m2/pair.json", "--partial", "--out", "two")
    #expect(two.status == 5, "\(two.errors)")
    #expect(two.output.contains("Of 2 machines there is none, and no verdict on times: it takes 3 machines"))
    #expect(two.output.contains("**Incomplete: 3, 4 and 5 of 5 machines are missing.**"))
  }

  @Test("A figure that grew on one machine alone fails, and is reported as not the same on all")
  func figures() async throws {
    let workspace = try Workspace()
    let measured = try await measured(workspace)
    let folders = try write([1, 1, 1, 1, 1], of: measured, to: workspace) { machine, results in
      guard machine == 1 else { return }
      for sample in results.comparisons[0].headFigures.indices {
        for phase in results.comparisons[0].headFigures[sample].phases.indices
        where results.comparisons[0].headFigures[sample].phases[phase].phase.isMain {
          results.comparisons[0].headFigures[sample].phases[phase].metrics[.syncs]? += 7
        }
      }
    }
    let merged = try await Program.batchmark.run(["merge"] + folders + ["--out", "out"], in: workspace.path)
    #expect(merged.status == 1, "\(merged.errors)")
    #expect(merged.output.contains("**1 exact figure is not the same on all machines**"), "\(merged.output)")
    #expect(merged.output.contains("differ: 1/5 has "), "\(merged.output)")
  }

  @Test("Parts of different comparisons are refused with every reason, and nothing is written")
  func refusals() async throws {
    let workspace = try Workspace()
    let measured = try await measured(workspace)
    let changes: [(change: (Int, inout PairResults) -> Void, message: String)] = [
      ({ if $0 == 2 { $1.shard = nil } }, "m3 is of one machine alone; expected a comparison with pair --machines"),
      ({ if $0 == 2 { $1.rules.margin = 0.02 } }, "m3 is of another comparison than m1: its rules are others"),
      (
        { if $0 == 2 { $1.head.build.executable = "other" } },
        "m3 is of another comparison than m1: its head is the build other"
      ),
      (
        { if $0 == 2 { $1.base.overrides = [ScenarioOverride(key: "rows", value: "9", origin: "--set rows=9")] } },
        "its base has other settings"
      ),
      (
        { machine, results in
          for sample in results.comparisons[0].headFigures.indices {
            results.comparisons[0].headFigures[sample].programSQLite = machine == 2 ? "3.99.0" : "3.40.1"
          }
        },
        "m3 is of another comparison than m1: the program of small/sqlite/insert used SQLite 3.99.0 in its head, and 3.40.1 in the "
          + "other's"
      ),
      (
        { machine, results in
          for sample in results.comparisons[0].baseFigures.indices {
            results.comparisons[0].baseFigures[sample].programVersion = machine == 2 ? "adder 2 on C" : "adder 1 on C"
          }
        },
        "m3 is of another comparison than m1: the program of small/sqlite/insert is adder 2 on C in its base, and adder 1 on C in "
          + "the other's"
      ),
      ({ if $0 == 2 { $1.comparisons = [] } }, "it has the cells none, and the other small/sqlite/insert"),
      ({ if $0 == 2 { $1.comparisons[0].headFingerprint = "cafe" } }, "its scenario small asks another question"),
      ({ if $0 == 2 { $1.shard?.index = 2 } }, "m2 and m3 are both shard 2/5; leave one of them out"),
      ({ if $0 == 2 { $1.shard?.count = 6 } }, "m3 is of another comparison than m1: it is machine 3/6"),
      ({ if $0 == 2 { $1.run.isInterrupted = true } }, "m3, shard 3/5, was interrupted; measure it again"),
    ]
    for entry in changes {
      let folders = try write([1, 1, 1, 1, 1], of: measured, to: workspace, change: entry.change)
      let merged = try await Program.batchmark.run(["merge"] + folders + ["--out", "out"], in: workspace.path)
      #expect(merged.status == 4 && merged.errors.contains(entry.message), "\(entry.message): \(merged.errors)")
      #expect(!workspace.exists("out"))
    }
    let run = try await batchmark(workspace, "run", "small.yml", "--quick", "--shard", "1/1", "--out", "run")
    #expect(run.status == 0)
    let mixed = try await batchmark(workspace, "merge", "m1", "run", "--out", "out")
    #expect(
      mixed.status == 4 && mixed.errors.contains("run has no pair.json, which the others have"), "\(mixed.errors)")
    for (arguments, message) in [
      (["--machines", "6/5"], "--machines 6/5: expected K/N"),
      (["--machines", "all/5"], "--machines all/5: expected K/N"),
      (["--machines", "1/5", "--looks", "12,24"], "every one of several machines takes as many pairs"),
    ] {
      let refused = try await Program.batchmark.run(
        ["pair", "this", "this", "--scenario", "small.yml", "--out", "x"] + arguments, in: workspace.path)
      #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
      #expect(!workspace.exists("x"))
    }
  }
}
