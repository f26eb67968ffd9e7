// A5, A2: every kind of warning: when it appears, what it says was seen, what to do next, and that it does not appear
// otherwise.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
@testable import Reports
import BatchmarkEngine
import Testing

@Suite("A5 A2 · warnings", .tags(.a5, .a2))
struct RunWarningTests {
  /// Results without any warning.
  private var quiet: Report {
    var fixture = Fixture.standard
    for index in fixture.cells.indices {
      fixture.cells[index].walls = [1, 1.01, 0.99, 1, 1.02, 0.98, 1, 1.01].map { $0 * 0.2 }
    }
    return fixture.results
  }

  private func save(_ results: Report) -> Cell { results.scenarios[0].cells[0].cell }

  /// Changes the timed measurements of the first cell.
  private func changing(_ change: (inout PhaseMeasurement, Int) -> Void) -> Report {
    var results = quiet
    for index in results.scenarios[0].cells[0].samples.indices
    where results.scenarios[0].cells[0].samples[index].pass == .timing {
      change(&results.scenarios[0].cells[0].samples[index].phases[1], index)
    }
    return results
  }

  private func expect(
    _ results: Report, _ warning: RunWarning, seen: String, advice: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(results.foundWarnings == [warning], sourceLocation: sourceLocation)
    #expect(warning.seen.contains(seen), "\(warning.seen)", sourceLocation: sourceLocation)
    #expect(warning.advice.contains(advice), "\(warning.advice)", sourceLocation: sourceLocation)
    // The text is the same everywhere.
    let lines = WarningLines.render(results)
    // These have their own line, above the table or at the end of the run.
    if [.debugBuild, .failedSamples].contains(warning.kind) {
      #expect(lines.isEmpty, sourceLocation: sourceLocation)
    } else {
      let end = ": \(warning.cell?.id ?? warning.seen). \(warning.advice)."
      #expect(lines.count == 1 && lines[0].hasSuffix(end), "\(lines)", sourceLocation: sourceLocation)
    }
    let json = try ResultsFile.render(results)
    #expect(json.contains("\"kind\" : \"\(warning.kind.rawValue)\""), sourceLocation: sourceLocation)
    #expect(json.contains("\"advice\" : \"\(warning.advice)\""), sourceLocation: sourceLocation)
    let told: Set<RunWarning.Kind> = [.debugBuild, .missingSamples, .failedSamples]
    let report = RunReport.text(results)
    #expect(
      report.contains("- **\(warning.kind.title)") == !told.contains(warning.kind), sourceLocation: sourceLocation)
    if !told.contains(warning.kind) {
      #expect(report.contains(Markdown.advice(warning.advice) + "."), sourceLocation: sourceLocation)
    }
  }

  @Test("Each warning is shown once: with its cell's scenario, or with the first scenario if it concerns the run")
  func places() throws {
    var results = quiet
    results.run.isQuick = true
    results.scenarios[0].cells[0].missing = 2
    for name in ["second", "third"] {
      var other = results.scenarios[0]
      other.name = name
      for index in other.cells.indices { other.cells[index].cell.scenario = name }
      results.scenarios.append(other)
    }
    let run = RunAnalysis(results)
    #expect(run.warnings == results.foundWarnings && run.warnings.count > 3)
    #expect(run.warnings.first == .quickRun)
    for (index, scenario) in results.scenarios.enumerated() {
      let own = results.foundWarnings.filter { ($0.cell?.scenario ?? results.scenarios[0].name) == scenario.name }
      #expect(run.warnings(on: scenario) == own && own.contains(.quickRun) == (index == 0))
    }
  }

  @Test("A run without problems has no warnings")
  func none() throws {
    #expect(quiet.foundWarnings.isEmpty && WarningLines.render(quiet).isEmpty)
    #expect(RunReport.notices(on: quiet.scenarios[0], of: RunAnalysis(quiet)).isEmpty)
    #expect(!RunReport.html(quiet).contains("<aside"))
    #expect(try ResultsFile.render(quiet).contains("\"warnings\" : [\n\n  ]"))
  }

  @Test("Warnings of the whole run: a debug build, a quick run, no memory pass, slow syncs")
  func wholeRun() throws {
    var results = quiet
    results.run.isComparable = false
    try expect(results, .debugBuild, seen: "without optimization", advice: "swift build -c release")
    results = quiet
    results.run.isQuick = true
    try expect(results, .quickRun, seen: "one round was taken", advice: "Leave out --quick")
    results = quiet
    for index in results.scenarios[0].cells.indices {
      results.scenarios[0].cells[index].samples.removeAll { $0.pass == .memory }
    }
    try expect(results, .noMemoryPass, seen: "no jemalloc", advice: "batchmark doctor")
    // An interrupted run may have ended before this pass.
    results.run.isInterrupted = true
    #expect(results.foundWarnings.isEmpty)
    results = quiet
    results.run.syncSeconds = 0.004
    #expect(results.foundWarnings.isEmpty)
    results.run.syncSeconds = 0.0123
    try expect(results, .slowSyncs(seconds: 0.0123), seen: "takes 12.3 ms", advice: "faster disk with --out")
  }
}

extension RunWarningTests {
  @Test("A warning of samples that are missing or failed")
  func lost() throws {
    var results = quiet
    results.scenarios[0].cells[0].missing = 2
    try expect(
      results, .missingSamples(cell: save(results), missing: 2, planned: 14), seen: "2 of 14 samples not taken",
      advice: "--resume")
    results = quiet
    results.scenarios[0].cells[0].failures = [
      FailedSample(cell: save(results).id, pass: .timing, round: 9, reason: "it died", standardError: "")
    ]
    try expect(
      results, .failedSamples(cell: save(results), failed: 1, planned: 13, roundsSetAside: 1),
      seen: "1 of 13 samples failed, and the times of 1 round are set aside for every cell", advice: "--resume")
  }

  @Test("A warning of an exact figure that varies")
  func differing() throws {
    var results = quiet
    results.scenarios[0].cells[0].phases[1].disagreements = [.vmSteps: [1000, 1001]]
    try expect(
      results, .differingFigure(cell: save(results), phase: .ingest, metric: .vmSteps, values: [1000, 1001]),
      seen: "vm_steps of ingest was 1,000 and 1,001", advice: "do not gate on the figure until it repeats")
  }

  @Test("A warning of too few rounds, unless the run was quick")
  func few() throws {
    var fixture = Fixture.standard
    fixture.cells = [fixture.cells[0].with(walls: [0.2, 0.2, 0.2])]
    var results = fixture.results
    try expect(
      results, .fewRounds(cell: save(results), samples: 3), seen: "3 timed samples are too few for an interval",
      advice: "6 rounds or more")
    let one = RunWarning.fewRounds(cell: save(results), samples: 1)
    #expect(one.seen.hasPrefix("1 timed sample is too few for an interval"))
    results.run.isQuick = true
    #expect(results.foundWarnings == [.quickRun])
  }
}

extension RunWarningTests {
  @Test("A warning of a slow cell with fewer rounds than planned, but not of its missing interval as well")
  func stoppedEarly() throws {
    var fixture = Fixture.standard
    fixture.cells = [fixture.cells[0].with(walls: [2.2, 2.2, 2.2])]
    var results = fixture.results
    results.scenarios[0].cells[0].stop = .slow
    let slow = RunWarning.stoppedEarly(cell: save(results), rounds: 3, planned: 8, reason: .slow)
    try expect(
      results, slow, seen: "cells over 2 s get 3 rounds, so it has 3 of 8 rounds", advice: "Use --rounds 8")
    results.scenarios[0].cells[0].stop = .limit(seconds: 6)
    let limited = RunWarning.stoppedEarly(cell: save(results), rounds: 3, planned: 8, reason: .limit(seconds: 6))
    try expect(
      results, limited, seen: "took more than the 6.00 s that a cell has, so 3 of 8 rounds were taken",
      advice: "--set cell_limit")
  }

  @Test("A warning of cells that a quick run left out")
  func leftOut() throws {
    var results = quiet
    results.scenarios[0].leftOut = 2
    try expect(
      results, .leftOutCells(2), seen: "2 cells with more than 100,000 rows were left out", advice: "Leave out --quick")
  }

  @Test("A warning of a wide interval, with the rounds that would make it narrow")
  func noisy() throws {
    var fixture = Fixture.standard
    fixture.cells = [fixture.cells[0].with(walls: [0.2, 0.21, 0.16, 0.24, 0.2, 0.2, 0.19, 0.2])]
    let results = fixture.results
    let warning = try #require(results.foundWarnings.first)
    try expect(
      results, warning, seen: "the interval reaches 20 % to either side after 8 rounds",
      advice: "take about 32 rounds")
    #expect(warning.kind == .noisyTime && warning.cell == save(results))
    let wild = RunWarning.noisyTime(cell: save(results), halfWidth: 0.6, aim: 0.1, samples: 10)
    #expect(
      wild.advice.contains("with so much noise, over 200 rounds would be needed") && !wild.advice.contains("--rounds"))
  }

  @Test("A warning of a first round that took much longer, and of no other round")
  func slowFirst() throws {
    let results = changing { if $1 == 0 { $0.wallSeconds = 0.36 } }
    let warning = try #require(results.foundWarnings.first)
    try expect(
      results, warning, seen: "the first round took 1.8 times as long as the median", advice: "--set warm_up=all")
    #expect(changing { if $1 == 4 { $0.wallSeconds = 0.36 } }.foundWarnings.isEmpty)
    // If a later round is even slower, the first was no cold start.
    let several = changing { if [0, 4].contains($1) { $0.wallSeconds = 0.36 + 0.01 * Double($1) } }
    #expect(several.foundWarnings.isEmpty)
  }
}

extension RunWarningTests {
  @Test("A warning of samples that others disturbed, if they are more than a tenth")
  func disturbed() throws {
    func results(_ count: Int) -> Report {
      changing { if $1 < count { $0.interference = Interference(runDelaySeconds: 0.006, stolenSeconds: 0.006) } }
    }
    #expect(results(0).foundWarnings.isEmpty)
    let two = results(2)
    try expect(
      two, .disturbedSamples(cell: save(two), disturbed: 2, samples: 8),
      seen: "2 of 8 samples waited for a processor, or lost it to the machine's host, for more than 5 % of their time",
      advice: "batchmark pair with --set-aside 5%")
    #expect(
      changing {
        $0.interference = Interference(runDelaySeconds: 0.006); _ = $1
      }.foundWarnings.isEmpty)
  }

  @Test("A program whose own clock shows less time gets a warning, for its median or for single samples")
  func ownClock() throws {
    func results(_ own: @escaping (Int) -> Double) -> Report {
      changing { $0.ownSeconds = own($1) * ($0.wallSeconds ?? 0) }
    }
    #expect(results { _ in 0.99 }.foundWarnings.isEmpty)
    let always = results { _ in 0.9 }
    let warnings = always.foundWarnings
    #expect(warnings.map(\.kind) == [.ownClock])
    try expect(
      always, try #require(warnings.first), seen: "its own clock says 180 ms of 200 ms", advice: "Stop other programs")
    let once = results { $0 == 2 ? 0.5 : 0.999 }
    let warning = try #require(once.foundWarnings.first { $0.kind == .ownClock })
    #expect(
      warning.seen
        .contains(
          "1 of 8 samples took over 2 % and 2 ms longer than it says, and are set aside"))
  }

  @Test("A warning of pages that were read from a device")
  func pressed() throws {
    let results = changing { if $1 == 3 { $0.interference = Interference(majorFaults: 12) } }
    try expect(
      results, .memoryPressure(cell: save(results), pressed: 1, samples: 8), seen: "1 of 8 samples had pages read",
      advice: "Free memory")
  }

  @Test("A warning of a time that is too short to mean much, with enough rows, and never of the empty strategy")
  func short() throws {
    var fixture = Fixture.standard
    fixture.cells = [fixture.cells[0].with(walls: Array(repeating: 0.0005, count: 8))]
    fixture.cells[0].rows = 100
    let results = fixture.results
    try expect(
      results, .shortTime(cell: save(results), seconds: 0.0005, rows: 100), seen: "500 µs for 100 rows is so short",
      advice: "about 6,000; where they are generated, with --set rows")
    // An operation on a part of the rows needs more rows than it processed, or a larger part.
    var update = Fixture.update
    update.cells = [update.cells[0].with(walls: Array(repeating: 0.0005, count: 8))]
    update.cells[0].rows = 100
    try expect(
      update.results, .shortTime(cell: save(update.results), seconds: 0.0005, rows: 100),
      seen: "for 100 rows is so short",
      advice: "Measure about 60 times as much at once: more rows, a wider where or a larger limit")
    fixture.cells = [CellFixture("sqlite", "empty", seconds: 0).with(walls: Array(repeating: 0.000_000_1, count: 8))]
    #expect(fixture.results.foundWarnings.isEmpty)
  }
}

extension RunWarningTests {
  @Test("A warning of a WAL limit that causes many rewrites of the database, with one that the file fits into")
  func walLimit() throws {
    func results(_ limit: Int?, walBytesWritten: Int64) -> Report {
      var fixture = Fixture.standard
      fixture.cells = [fixture.cells[2].with(walls: Array(repeating: 0.2, count: 8))]
      fixture.cells[0].cell.parameters["wal_limit"] = limit.map { .bytes($0) }
      fixture.cells[0].walBytesWritten = walBytesWritten
      return fixture.results
    }
    // With the 9,000,000 bytes of the database, this is 10 times its 9,564,160 bytes.
    let written: Int64 = 86_641_600
    try expect(
      results(1 << 20, walBytesWritten: written),
      .smallWALLimit(
        cell: save(results(1 << 20, walBytesWritten: written)), timesDatabase: 10, databaseBytes: Fixture.databaseBytes),
      seen: "10 times the bytes of the database (9.12 MiB) were written", advice: "Set wal_limit to about 14.0 MiB")
    #expect(results(1 << 20, walBytesWritten: 60_000_000).foundWarnings.isEmpty)
    #expect(results(nil, walBytesWritten: written).foundWarnings.isEmpty)
  }

  @Test("Cells that share a warning are grouped, with the worst first and its advice")
  func together() throws {
    var fixture = Fixture.standard
    fixture.cells = Array(fixture.cells.prefix(2))
    fixture.cells[0].walls = [1, 1, 0.88, 1.12, 1, 1, 1, 1]
    fixture.cells[1].walls = [1, 1, 0.8, 1.2, 1, 1, 1, 1]
    let lines = WarningLines.render(fixture.results)
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("noisy times: 2 cells. Stop other programs, or take about 32 rounds"))
    #expect(
      RunReport.text(fixture.results).contains(
        "\n  - `batch-objects`: the interval reaches 20 % to either side after 8 rounds\n  - `save`: "))
  }

  @Test("The terminal has a line per kind with the cell or the number of cells; the report has all cells")
  func many() throws {
    var fixture = Fixture.standard
    fixture.cells = (0..<7).map { number in
      CellFixture("objectgraph", "save-\(number)", seconds: 1).with(walls: [1, 1, 0.8, 1.2, 1, 1, 1, 1])
    }
    let lines = WarningLines.render(fixture.results)
    #expect(lines.count == 1 && lines[0].hasPrefix("noisy times: 7 cells. Stop other programs") && lines[0].count < 200)
    let report = RunReport.text(fixture.results)
    for number in 0..<7 { #expect(report.contains("  - `save-\(number)`: the interval reaches")) }
  }

  @Test("Every kind has its own word and title")
  func kinds() {
    let words = Set(RunWarning.Kind.allCases.map(\.rawValue))
    #expect(words.count == RunWarning.Kind.allCases.count && words.allSatisfy { !$0.contains(" ") })
  }
}
