// A7: budgets judged on results: held, broken, undecided, and impossible to judge.
import Analysis
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A7 · budgets", .tags(.a7))
struct BudgetTests {
  private static let save = "quakes/objectgraph/save"
  private static let reference = "quakes/sqlite/insert"

  /// Ten rounds in which save takes 1.1 to 2.0 s and the reference half of that.
  ///
  /// Save has 8 syncs and a heap peak of 1,000 bytes.
  private static let complete: [SampleOutcome] =
    (1...10).flatMap { round -> [SampleOutcome] in
      let wall = 1 + Double(round) / 10
      return [
        .sample(sample(save, round: round, wall: wall)), .sample(sample(reference, round: round, wall: wall / 2)),
      ]
    } + [
      .sample(sample(save, .counters, metrics: [.syncs: 8])),
      .sample(sample(reference, .counters, metrics: [.syncs: 4])),
      .sample(sample(save, .memory, metrics: [.heapPeak: 1_000, .residentSetPeak: 5_000])),
    ]

  private func results(_ entries: [SampleOutcome], isQuick: Bool = false, cells: [String] = ["save", "insert"]) throws
    -> Report
  {
    Report(
      run: RunRecord(
        batchmarkVersion: "1.0.0", command: "batchmark run", started: "", finished: "", seed: 7, isQuick: isQuick,
        isComparable: true, isInterrupted: false),
      environment: [], plan: plan(try scenario(strategies: cells, rounds: 10), isQuick: isQuick),
      ledger: RunLedger(entries)
    ) { _ in nil }
  }

  private func figure(_ figure: MetricID, of cells: String..., in phase: Phase = .ingest) -> BudgetFigure {
    BudgetFigure(cells: cells, phase: phase.rawValue, column: figure.rawValue)
  }

  private func judge(
    _ figure: BudgetFigure, _ comparison: BudgetComparison, _ limit: BudgetLimit, in results: Report
  ) throws -> [BudgetJudgement] {
    let budget = Budget(text: "a test", figure: figure, comparison: comparison, limit: limit)
    return results.judgements(of: try #require(results.scenarios.first), by: [budget])
  }

  private func verdict(
    _ figure: BudgetFigure, _ comparison: BudgetComparison, _ limit: BudgetLimit, in results: Report
  ) throws -> BudgetVerdict? {
    let found = try judge(figure, comparison, limit, in: results)
    #expect(found.count == 1)
    return found.first?.verdict
  }

  @Test("An exact figure is judged exactly")
  func exact() throws {
    let results = try results(BudgetTests.complete)
    let syncs = figure(.syncs, of: BudgetTests.save)
    #expect(try verdict(syncs, .atMost, BudgetLimit(8), in: results) == .held)
    #expect(try verdict(syncs, .atMost, BudgetLimit(7), in: results) == .broken)
    #expect(try verdict(syncs, .below, BudgetLimit(8), in: results) == .broken)
    #expect(try verdict(syncs, .equal, BudgetLimit(8), in: results) == .held)
    let heap = figure(.heapPeak, of: BudgetTests.save)
    #expect(try verdict(heap, .atMost, BudgetLimit(999), in: results) == .broken)
    #expect(try verdict(heap, .atLeast, BudgetLimit(1_000), in: results) == .held)
  }

  @Test("A limit may be a multiple of another cell's figure, and both are reported")
  func ratio() throws {
    let results = try results(BudgetTests.complete)
    let other = figure(.syncs, of: BudgetTests.reference)
    let save = figure(.syncs, of: BudgetTests.save)
    let held = try #require(judge(save, .atMost, BudgetLimit(2, times: other), in: results).first)
    #expect(held.verdict == .held && held.found?.value == 8 && held.limit?.value == 8)
    #expect(try verdict(save, .atMost, BudgetLimit(1.9, times: other), in: results) == .broken)
    let wall = figure(.wall, of: BudgetTests.reference)
    let half = BudgetLimit(0.6, times: figure(.wall, of: BudgetTests.save))
    #expect(try verdict(wall, .atMost, half, in: results) == .held)
    #expect(try verdict(wall, .above, half, in: results) == .broken)
  }

  @Test("A time is judged by its median, and called a matter of chance if the interval includes the limit")
  func times() throws {
    let results = try results(BudgetTests.complete)
    let wall = figure(.wall, of: BudgetTests.save)
    for (limit, verdict, spans) in [
      (1.56, BudgetVerdict.held, true), (1.54, .broken, true), (5, .held, false), (1, .broken, false),
    ] {
      let found = try #require(judge(wall, .atMost, BudgetLimit(limit), in: results).first)
      #expect(found.verdict == verdict && found.spansLimit == spans && !found.hasNoInterval, "\(limit)")
    }
    #expect(try verdict(figure(.cpu, of: BudgetTests.save), .atMost, BudgetLimit(0.78), in: results) == .held)
    #expect(try verdict(figure(.timesReference, of: BudgetTests.save), .equal, BudgetLimit(2), in: results) == .held)
    let rate = try #require(
      judge(figure(.rowsPerSecond, of: BudgetTests.save), .atLeast, BudgetLimit(60), in: results).first)
    #expect(rate.verdict == .held && rate.spansLimit)
    // A hundred rows in 1.55 s. The upper end of the interval is the lower end of the rate.
    let time = try #require(judge(wall, .atMost, BudgetLimit(2), in: results).first?.found)
    #expect(rate.found?.low == time.high.map { 100 / $0 } && rate.found?.high == time.low.map { 100 / $0 })
    #expect(try #require(rate.found?.low) < 60 && #require(rate.found?.high) > 70)

    let few = try self.results([.sample(sample(BudgetTests.save)), .sample(sample(BudgetTests.reference))])
    let single = try #require(judge(wall, .atMost, BudgetLimit(2), in: few).first)
    #expect(single.verdict == .held && single.hasNoInterval && !single.spansLimit)
  }
}

extension BudgetTests {
  @Test("A budget on several cells is judged for each")
  func several() throws {
    let both = figure(.syncs, of: BudgetTests.save, BudgetTests.reference)
    let found = try judge(both, .atMost, BudgetLimit(5), in: results(BudgetTests.complete))
    #expect(found.map(\.cell) == [BudgetTests.save, BudgetTests.reference])
    #expect(found.map(\.verdict) == [.broken, .held])
    #expect(found.status == .regression)
    #expect(found.dropFirst().status == .success)
  }

  @Test("An exact figure that varies between samples must be within the limit in each")
  func disagreement() throws {
    let syncs = figure(.syncs, of: BudgetTests.save)
    let results = try results(
      BudgetTests.complete + [.sample(sample(BudgetTests.save, .counters, round: 2, metrics: [.syncs: 10]))])
    #expect(try verdict(syncs, .atMost, BudgetLimit(9), in: results) == .broken)
    #expect(try verdict(syncs, .atMost, BudgetLimit(10), in: results) == .held)
    #expect(try verdict(syncs, .equal, BudgetLimit(8), in: results) == .broken)
  }

  @Test("A missing figure, and a cell with a failed sample, leave a budget undecided")
  func undecided() throws {
    let vmSteps = figure(.vmSteps, of: BudgetTests.save)
    var found = try judge(vmSteps, .atMost, BudgetLimit(9), in: results(BudgetTests.complete))
    #expect(found.map(\.verdict) == [.undecided])
    #expect(found.first?.gap == .missing(cell: BudgetTests.save, phase: "ingest", column: "vm_steps"))
    #expect(found.status == .inconclusive)

    let merge = figure(.wall, of: BudgetTests.save, in: .merge)
    found = try judge(merge, .atMost, BudgetLimit(9), in: results(BudgetTests.complete))
    #expect(found.first?.gap == .missing(cell: BudgetTests.save, phase: "merge", column: "wall_median_s"))

    let syncs = figure(.syncs, of: BudgetTests.save)
    let broken = try results(BudgetTests.complete + [.failure(failure(BudgetTests.save, round: 11))])
    found = try judge(syncs, .atMost, BudgetLimit(9), in: broken)
    #expect(found.map(\.verdict) == [.undecided])
    #expect(found.first?.gap == .failed(cell: BudgetTests.save, samples: 1))
    // A failure of the cell that provides the limit counts as well.
    let reference = figure(.syncs, of: BudgetTests.reference)
    #expect(try verdict(reference, .atMost, BudgetLimit(1, times: syncs), in: broken) == .undecided)
    #expect(try verdict(reference, .atMost, BudgetLimit(4), in: broken) == .held)
  }
}

extension BudgetTests {
  @Test(
    "Figures that a run did not have to measure are not judged: times of a quick run, cells left out, cells renamed")
  func skipped() throws {
    let quick = try results(BudgetTests.complete, isQuick: true)
    let wall = figure(.wall, of: BudgetTests.save)
    #expect(try judge(wall, .atMost, BudgetLimit(0), in: quick).first?.gap == .quick)
    #expect(
      try verdict(figure(.residentSetPeak, of: BudgetTests.save), .atMost, BudgetLimit(0), in: quick)
        == .skipped)
    #expect(try verdict(figure(.syncs, of: BudgetTests.save), .atMost, BudgetLimit(0), in: quick) == .broken)

    let one = try results(BudgetTests.complete, cells: ["save"])
    let left = try judge(wall, .atMost, BudgetLimit(1, times: figure(.wall, of: BudgetTests.reference)), in: one)
    #expect(left.map(\.verdict) == [.skipped] && left.first?.gap == .leftOut(cell: BudgetTests.reference))
    let renamed = try judge(
      BudgetFigure(cells: [], phase: "ingest", column: "syncs"), .atMost, BudgetLimit(1), in: one)
    #expect(renamed.map(\.verdict) == [.skipped] && renamed.first?.gap == .renamed)
    #expect(renamed.status == .success)
  }

  @Test("Results keep their budgets and settings")
  func kept() throws {
    var scenario = try scenario(strategies: ["save", "insert"], rounds: 10)
    scenario.budgets = [
      Budget(
        text: "save.syncs <= 2 * insert.syncs", figure: figure(.syncs, of: BudgetTests.save),
        comparison: .atMost, limit: BudgetLimit(2, times: figure(.syncs, of: BudgetTests.reference)))
    ]
    var planned = planned(scenario)
    planned.overrides = [ScenarioOverride(key: "rows", value: "100", origin: "--set rows=100")]
    let results = Report(
      run: try self.results([]).run, environment: [], plan: RunPlan(scenarios: [planned], seed: 7, isQuick: false),
      ledger: RunLedger(BudgetTests.complete)
    ) { _ in nil }
    let read = try JSONDecoder().decode(Report.self, from: JSONEncoder().encode(results))
    let part = try #require(read.scenarios.first)
    #expect(part.budgets == scenario.budgets && part.settings == planned.overrides)
    #expect(read.judgements(of: part) == results.judgements(of: try #require(results.scenarios.first)))
    #expect(read.judgements(of: part).map(\.verdict) == [.held])
  }

  @Test("Every figure has its own word and column")
  func figures() {
    let words = ScenarioSchema([]).metrics
    #expect(Set(words.map(\.name)).count == words.count && Set(words.map(\.column)).count == words.count)
    #expect(words.count == MetricID.allCases.count + MetricDeclaration.latencies.count + 4)
    #expect(words.first { $0.column == "heap_peak_bytes" }?.name == "heap_peak")
    #expect(words.allSatisfy { MetricID(rawValue: $0.column) == $0.id })
  }

  @Test("A time among the counters is judged in seconds, but not by a quick run")
  func timesAmongCounters() throws {
    let entries: [SampleOutcome] = [
      .sample(sample(BudgetTests.save, .counters, metrics: [.longestCheckpoint: 12_000_000]))
    ]
    let longest = figure(.longestCheckpoint, of: BudgetTests.save)
    let results = try results(entries)
    #expect(try verdict(longest, .atMost, BudgetLimit(0.012), in: results) == .held)
    #expect(try verdict(longest, .atMost, BudgetLimit(0.0119), in: results) == .broken)
    #expect(try verdict(longest, .atMost, BudgetLimit(1), in: self.results(entries, isQuick: true)) == .skipped)
    let words = try #require(ScenarioSchema([]).metrics.first { $0.column == "longest_checkpoint_ns" })
    #expect(words.name == "longest_checkpoint" && words.kind == .time)
  }
}
