// The titles of the shipped suites, from made-up samples: of a quiet machine, and of one so busy that no time is
// certain.
import Analysis
import BatchmarkEngine
import CoreDataModel
import Engines
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import Scenarios
import Testing

@Suite("A5 E · titles of the shipped suites", .tags(.a5))
struct SuiteTitleTests {
  private static let folder =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Scenarios"

  /// The files of suites that do not measure latencies, because these samples have none.
  private static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".yml") && !["readers-beside-writers.yml", "several-writers.yml"].contains($0) }.sorted()

  private static let mostCharacters = 90

  private func scenario(_ file: String) throws -> Scenario {
    try ScenarioReader(schema: ScenarioSchema(BuiltInEngines.all)).read(file: SuiteTitleTests.folder + "/" + file)
  }

  /// The title of a report on a suite, without markup.
  private func title(_ suite: MadeUpSuite) -> String {
    let line = RunReport.markdown(suite.report).split(separator: "\n").first ?? ""
    return String(line.drop { $0 == "#" || $0 == " " }).filter { $0 != "`" }
  }

  @Test("A title fits on a line, on a quiet and on a busy machine, with all cells and with one", arguments: files)
  func lengths(file: String) throws {
    let scenario = try scenario(file)
    for isBusy in [false, true] {
      for count in [scenario.cells.count, 1] {
        let title = title(MadeUpSuite(scenario, isBusy: isBusy, cells: count))
        #expect(!title.isEmpty && title.count <= SuiteTitleTests.mostCharacters, "\(file), \(count) cells: \(title)")
      }
    }
  }

  @Test("On a busy machine no title claims a time, and nearly all have an exact figure", arguments: files)
  func busy(file: String) throws {
    let title = title(MadeUpSuite(try scenario(file), isBusy: true))
    #expect(!title.contains("times as long") && !title.contains("fastest"), "\(file): \(title)")
    // Apple's comparison and the cost of measuring are only about times.
    if ["wwdc20.yml", "overhead.yml"].contains(file) { return }
    let figures = ["WAL", "heap", "file", "bytes", "Heap", "processor time"]
    #expect(figures.contains { title.contains($0) }, "\(file): \(title)")
  }

  @Test("A title mentions a figure that the question names, as far as there is room", arguments: files)
  func namedFigures(file: String) throws {
    let scenario = try scenario(file)
    let words: [MetricID: String] = [.walPeak: "WAL", .heapPeak: "heap", .databaseBytes: "file"]
    for isBusy in [false, true] {
      let title = title(MadeUpSuite(scenario, isBusy: isBusy)).lowercased()
      let named = ([scenario.about].compactMap(\.self) + scenario.alsoAbout).compactMap { words[$0]?.lowercased() }
      #expect(named.isEmpty || named.contains { title.contains($0) }, "\(file): \(title)")
    }
  }
}

/// Samples of a suite's cells: cells with the same conditions do the same work, and figures differ between cells.
private struct MadeUpSuite {
  let report: Report

  private static let rounds = 8
  /// The factors of the rounds: on a quiet machine for every time in a round, on a busy one in a different order for
  /// each cell.
  private static let quiet: [Double] = [1, 1.06, 0.98, 1.21, 1, 0.97, 1.03, 0.99]
  private static let busy: [Double] = [0.6, 1.5, 0.8, 1.2, 0.7, 1.4, 0.9, 1.1]

  init(_ scenario: Scenario, isBusy: Bool, cells count: Int = .max) {
    var scenario = scenario
    scenario.cells = Array(scenario.cells.prefix(count))
    let planned = PlannedScenario(
      scenario: scenario, text: "scenario: \(scenario.name)", overrides: [], source: "made up", rows: 1_000)
    let outcomes = scenario.cells.enumerated().flatMap { index, cell -> [SampleOutcome] in
      // Consecutive factors are far apart, and each cell uses them in its own order, so that no order of cells is the
      // same in all rounds.
      let (shift, step) = (index * 3, index / 8 * 2 + 1)
      let timing = (0..<MadeUpSuite.rounds).map { round -> SampleOutcome in
        let factor = isBusy ? MadeUpSuite.busy[(round * step + shift) % 8] : MadeUpSuite.quiet[round]
        // No two medians are equal, like real measurements.
        let seconds: Double = isBusy ? 0.1 * (1 - 0.000_1 * Double(index)) : 0.05 * Double(index % 7 + 1)
        return .sample(MadeUpSuite.sample(cell, of: scenario, .timing, round + 1, index, seconds: seconds * factor))
      }
      let exact = [Pass.counters, .memory].map { pass in
        SampleOutcome.sample(MadeUpSuite.sample(cell, of: scenario, pass, 1, index))
      }
      return timing + exact
    }
    report = Report(
      run: RunRecord(
        batchmarkVersion: "1.0.0", command: "batchmark run", started: "", finished: "", seed: 7, isQuick: false,
        isComparable: true, isInterrupted: false),
      environment: [], plan: RunPlan(scenarios: [planned], seed: 7, isQuick: false), ledger: RunLedger(outcomes)
    ) { _ in nil }
  }

  private static func sample(
    _ cell: Cell, of scenario: Scenario, _ pass: Pass, _ round: Int, _ index: Int, seconds: Double? = nil
  ) -> Sample {
    let rows = if case .count(let rows)? = cell.parameters["rows"] { rows } else { 1_000 }
    let (heap, wal) = (Int64(1 << 20) * Int64(index % 5 + 1), Int64(4 << 20) * Int64(index % 3 + 1))
    let metrics: [MetricID: Int64] =
      switch pass {
      case .memory: [.heapPeak: heap]
      case .counters: [.walPeak: wal, .bytesWritten: wal * 2, .databaseBytes: 4_096]
      case .timing: [:]
      }
    // The parameters that determine which rows there are, not how they are stored.
    let work = cell.parameters.filter { ScenarioReport.workKeys.contains($0.key) }
    let key = work.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    var contents = StoredContents(
      rows: rows, contentHash: "hash of " + key, nulls: [:], versions: [1: rows], databaseBytes: wal / 2,
      versionedHash: "v")
    contents.indexes = cell.parameters["indexes"].map { ["\($0)"] } ?? []
    return Sample(
      cell: cell.id, pass: pass, round: round,
      phases: [PhaseMeasurement(phase: cell.operation.phase, rows: rows, wallSeconds: seconds, metrics: metrics)],
      growth: [], contents: contents, pragmas: scenario.variant(for: cell).pragmas, notes: [], sqlite: "3.40.1",
      fingerprint: "f")
  }
}

extension SuiteTitleTests {
  @Test("The list beside an import is full after a few rows, so that each read costs the same")
  func list() throws {
    let scenario = try scenario("readers-beside-writers.yml")
    let query = scenario.beside.query
    guard case .comparison(_, _, let bounds)? = query.condition, case .real(let least)? = bounds.first,
      let table = try scenario.sourceRows().tables.first,
      let place = table.attributes.firstIndex(where: { $0.name == "magnitude" }),
      case .reals(let magnitudes) = table.columns[place]
    else {
      Issue.record("The list is of the strongest rows")
      return
    }
    let shown = (0..<table.count / 20).count { row in magnitudes[row].map { $0 >= least } ?? false }
    #expect(shown >= query.limit)
  }
}
