// Concurrent operations over rounds: percentiles of all operations together, answers, budgets and warnings.
import Analysis
import BatchmarkEngine
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import Statistics
import Testing

@Suite("A15 · latencies in results", .tags(.a15))
struct LatencyTests {
  private static let save = "quakes/objectgraph/save"
  private static let batch = "quakes/objectgraph/batch-objects"
  private static let millisecond: UInt64 = 1_000_000

  /// A sample with concurrent reads of these milliseconds.
  private func mixed(
    _ cell: String, round: Int, _ milliseconds: [UInt64], late: Int = 0, processes: Int = 1, processors: Int? = 8,
    journal: String? = nil
  ) -> SampleOutcome {
    var tally = OperationTally()
    tally.due = milliseconds.count
    tally.done = milliseconds.count
    tally.late = late
    tally.latency = LatencyHistogram(of: milliseconds.map { $0 * LatencyTests.millisecond })
    var sample = sample(cell, round: round)
    if let journal { sample.pragmas = [StorePragma("journal_mode", journal)] }
    sample.concurrent = ConcurrentMeasurement(
      classes: [ConcurrentOperations(.read, processes: processes, rate: 100, tally: tally)],
      walBytes: Int64(round) * 1_000, processors: processors)
    return .sample(sample)
  }

  private func report(
    _ entries: [SampleOutcome], about: MetricID? = nil, rounds: Int = 10,
    strategies: [String] = ["save", "batch-objects"]
  ) throws -> Report {
    var scenario = try scenario(strategies: strategies, rounds: rounds)
    scenario.about = about
    scenario.beside.readers = 1
    return Report(
      run: RunRecord(
        batchmarkVersion: "1.0.0", command: "batchmark run", started: "", finished: "", seed: 7, isQuick: false,
        isComparable: true, isInterrupted: false),
      environment: [], plan: plan(scenario), ledger: RunLedger(entries)
    ) { _ in nil }
  }

  private func cell(_ id: String, in report: Report) throws -> CellReport {
    try #require(report.scenarios.first?.cells.first { $0.cell.id == id })
  }

  @Test("Percentiles include the operations of all rounds, and are not means of the rounds' percentiles")
  func pooled() throws {
    // Nine rounds of 10 reads of 1 ms, and one of 100 reads of 50 ms: half of all reads took more than 1 ms.
    let entries =
      (1...9).map { mixed(LatencyTests.save, round: $0, Array(repeating: 1, count: 10)) }
      + [mixed(LatencyTests.save, round: 10, Array(repeating: 50, count: 100))]
    let found = try cell(LatencyTests.save, in: report(entries))
    let latency = try #require(found.latencies?.first)
    #expect(latency.tally.due == 190)
    let median = try #require(latency[.p50]).median
    #expect(median >= 0.05 && median < 0.051)
    #expect(latency[.longest]?.median == 0.05)
    #expect(latency.walBytes == 10_000)
    // The interval comes from the rounds' medians and contains the percentile.
    let interval = try #require(latency[.p50])
    #expect(interval.low.map { $0 < 0.0011 } == true && interval.high.map { $0 >= median } == true)
    #expect(found.main.metrics[.latency(.read, .p50)].map { $0 >= 50_000_000 } == true)
    #expect(found.main[.latency(.write, .p50)].figure == nil)
  }

  @Test("Rounds with a failed sample are set aside for latencies, too")
  func setAside() throws {
    let entries = [
      mixed(LatencyTests.save, round: 1, [1]), mixed(LatencyTests.save, round: 2, [900]),
      .failure(failure(LatencyTests.batch, round: 2)), mixed(LatencyTests.batch, round: 1, [1]),
    ]
    let latency = try #require(try cell(LatencyTests.save, in: report(entries, rounds: 2)).latencies?.first)
    #expect(latency.tally.due == 1)
    #expect(latency.tally.latency.longest == LatencyTests.millisecond)
  }

  @Test("A cell with readers or writers says why it has no exact figures, and none of its samples is missing")
  func noCounters() throws {
    let report = try report(
      [mixed(LatencyTests.save, round: 1, [1]), mixed(LatencyTests.batch, round: 1, [1])], rounds: 1)
    let found = try cell(LatencyTests.save, in: report)
    #expect(found.missing == 0)
    #expect(
      found.main[.heapPeak].reason == "others read or write beside it, so its counts differ from sample to sample")
    #expect(!report.foundWarnings.contains(.noMemoryPass))
  }

  @Test("A question about a latency is answered by it if intervals allow it, and not with too few rounds")
  func about() throws {
    let about = MetricID.latency(.read, .p99)
    func answer(_ milliseconds: UInt64, rounds: Int) throws -> Answer {
      let entries = (1...rounds).flatMap { round in
        [
          mixed(LatencyTests.save, round: round, Array(repeating: 2, count: 50)),
          mixed(LatencyTests.batch, round: round, Array(repeating: milliseconds, count: 50)),
        ]
      }
      let scenario = try #require(RunAnalysis(try report(entries, about: about, rounds: rounds)).scenarios.first)
        .scenario
      return try #require(scenario.answer)
    }
    let clear = try answer(250, rounds: 10)
    #expect(clear.about == about && clear.verdict == .one)
    #expect(clear.choice == [LatencyTests.save])
    #expect(clear.against.map(\.cell) == [LatencyTests.batch])
    #expect(try answer(2, rounds: 10).verdict == .alike)
    #expect(try answer(250, rounds: 3).verdict == .cannotTell)
  }

  @Test("Budgets judge a latency over all rounds' operations, in the unit of their limit")
  func budgets() throws {
    let report = try report((1...10).map { mixed(LatencyTests.save, round: $0, [1, 2, 40]) })
    let figure = BudgetFigure(
      cells: [LatencyTests.save], phase: Phase.ingest.rawValue, column: MetricID.latency(.read, .p99).rawValue)
    func verdict(_ seconds: Double) throws -> BudgetVerdict? {
      let budget = Budget(text: "a test", figure: figure, comparison: .atMost, limit: BudgetLimit(seconds))
      return report.judgements(of: try #require(report.scenarios.first), by: [budget]).first?.verdict
    }
    #expect(try verdict(0.05) == .held)
    #expect(try verdict(0.03) == .broken)
  }

  @Test("More processes than processors, and a rate that is not reached, raise warnings")
  func warnings() throws {
    let calm = try report([mixed(LatencyTests.save, round: 1, [1, 1, 1, 1], processes: 7)], rounds: 1).foundWarnings
    #expect(!calm.contains { [.fewProcessors, .unkeptRate].contains($0.kind) })
    let found = try report(
      [mixed(LatencyTests.save, round: 1, [1, 1, 1, 1], late: 1, processes: 8)], rounds: 1
    ).foundWarnings
    let cell = try cell(LatencyTests.save, in: report([], rounds: 1)).cell
    #expect(found.contains(.fewProcessors(cell: cell, processes: 9, processors: 8)))
    #expect(found.contains(.unkeptRate(cell: cell, operations: .read, late: 1, due: 4)))
  }
}

extension LatencyTests {
  @Test("A budget on a latency has the rounds' interval, and says if chance could have decided", .tags(.a11))
  func budgetIntervals() throws {
    // In half of the rounds the slowest read took 20 ms, in the others 40 ms.
    let even = try report((1...10).map { mixed(LatencyTests.save, round: $0, [1, 2, $0 % 2 == 0 ? 20 : 40]) })
    func judgement(_ report: Report, _ figure: LatencyFigure, _ seconds: Double) throws -> BudgetJudgement {
      let budget = Budget(
        text: "a test",
        figure: BudgetFigure(
          cells: [LatencyTests.save], phase: Phase.ingest.rawValue, column: MetricID.latency(.read, figure).rawValue),
        comparison: .atMost, limit: BudgetLimit(seconds))
      let scenario = try #require(report.scenarios.first)
      return try #require(report.judgements(of: scenario, by: [budget]).first)
    }
    let undecided = try judgement(even, .p99, 0.03)
    #expect(undecided.verdict == .broken && undecided.spansLimit && !undecided.hasNoInterval)
    #expect(undecided.found?.low.map { (0.019...0.021).contains($0) } == true)
    let clear = try judgement(even, .p99, 0.1)
    #expect(clear.verdict == .held && !clear.spansLimit)
    let few = try report((1...2).map { mixed(LatencyTests.save, round: $0, [1, 2, 40]) }, rounds: 2)
    #expect(try judgement(few, .p99, 0.1).hasNoInterval)
    // The longest latency grows with the number of operations, so it needs no interval.
    #expect(try !judgement(few, .longest, 0.1).hasNoInterval)
  }

  private static let works: [(strategy: String, journal: String, milliseconds: UInt64)] = [
    ("save", "wal", 1), ("batch-objects", "wal", 90), ("batch-dictionary", "delete", 4),
    ("batch-managed-object", "delete", 250),
  ]

  /// The answer for cells with two kinds of work.
  private func answerOfWorks(
    rounds: Int, _ works: [(strategy: String, journal: String, milliseconds: UInt64)] = works
  ) throws -> Answer {
    let entries = (1...rounds).flatMap { round in
      works.map { work in
        mixed(
          "quakes/objectgraph/\(work.strategy)", round: round, Array(repeating: work.milliseconds, count: 50),
          journal: work.journal)
      }
    }
    let report = try report(
      entries, about: .latency(.read, .p99), rounds: rounds, strategies: works.map(\.strategy))
    return try #require(RunAnalysis(report).scenarios.first?.scenario.answer)
  }

  @Test("With too few rounds, or one cell per kind of work, the answer has the shortest of each kind")
  func eachWork() throws {
    let ids = LatencyTests.works.map { "quakes/objectgraph/\($0.strategy)" }
    let few = try answerOfWorks(rounds: 3)
    #expect(few.verdict == .cannotTell && few.group == 1)
    #expect(few.cases.map(\.group) == [0, 1] && few.cases.map(\.choice) == [[ids[0]], [ids[2]]])
    let single = try answerOfWorks(rounds: 10, [LatencyTests.works[0], LatencyTests.works[2]])
    #expect(single.cases.map(\.group) == [0, 1] && single.cases.map(\.choice) == [[ids[0]], [ids[2]]])
    #expect(single.against.isEmpty)
  }

  @Test("A question about a latency ranks only cells of equal work, with a choice for each decided kind")
  func equalWork() throws {
    let answer = try answerOfWorks(rounds: 10)
    let ids = LatencyTests.works.map { "quakes/objectgraph/\($0.strategy)" }
    #expect(answer.verdict == .one && answer.group == 1 && answer.choice == [ids[2]])
    #expect(answer.against.map(\.cell) == [ids[3]] && answer.against.map(\.base) == [ids[2]])
    #expect(answer.peers.isEmpty)
    #expect(answer.cases.map(\.group) == [0, 1] && answer.cases.map(\.choice) == [[ids[0]], [ids[2]]])
  }

  @Test("If no kind of work ranks its cells by a latency, each cell is in the answer, and not only the last")
  func undecidedWorks() throws {
    let works = LatencyTests.works.enumerated().map { index, work in
      (strategy: work.strategy, journal: work.journal, milliseconds: UInt64(index < 2 ? 1 : 4))
    }
    let answer = try answerOfWorks(rounds: 10, works)
    #expect(answer.verdict == .alike && answer.group == 1 && answer.against.isEmpty)
    let choices = [["batch-objects", "save"], ["batch-dictionary", "batch-managed-object"]]
    #expect(answer.cases.map(\.choice) == choices.map { $0.map { "quakes/objectgraph/\($0)" } })
  }

  @Test("A cell's requests include all rounds, and do not count as readers or writers beside it")
  func requests() throws {
    let rounds: [[UInt64]] = [[1, 1, 9], [1, 1, 1, 30]]
    let entries = rounds.enumerated().map { index, milliseconds -> SampleOutcome in
      var sample = sample(LatencyTests.save, round: index + 1)
      sample.requests = LatencyHistogram(of: milliseconds.map { $0 * LatencyTests.millisecond })
      return .sample(sample)
    }
    let report = try report(entries, rounds: 2)
    let found = try cell(LatencyTests.save, in: report)
    #expect(found.latencies == nil && found.requests?.tally.done == 7)
    #expect(found.requests?[.longest]?.median == 0.03)
    #expect(found.main.metrics[.latency(.request, .longest)] == 30_000_000)
    #expect(found.latency(.latency(.request, .p50)).map { $0.median >= 0.001 && $0.median < 0.00101 } == true)
    #expect(!report.foundWarnings.contains { [.fewProcessors, .unkeptRate].contains($0.kind) })
  }
}
