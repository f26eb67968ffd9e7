// From samples to results: known answers.
import BatchmarkEngine
import Analysis
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import Testing

@Suite("A2 · results", .tags(.a2))
struct ResultsTests {
  private let reference = "quakes/sqlite/insert"
  private let save = "quakes/objectgraph/save"

  private func results(_ entries: [SampleOutcome], rounds: Int = 3) throws -> ScenarioReport {
    let plan = plan(try scenario(strategies: ["save", "insert"], rounds: rounds))
    let run = RunRecord(
      batchmarkVersion: "1.0.0", command: "batchmark run", started: "", finished: "", seed: 7, isQuick: false,
      isComparable: true, isInterrupted: false)
    let results = Report(
      run: run, environment: [EnvironmentFact("kernel", "6")], plan: plan, ledger: RunLedger(entries)
    ) { cell in
      Strategy(
        cell.strategy, summary: "the \(cell.strategy) way", tradeoffs: ["nothing"],
        .insert { _, _ in throw CancellationError() })
    }
    return try #require(results.scenarios.first)
  }

  /// Both cells over three rounds: the reference takes 1, 2 and 4 s, the other 3, 4 and 20 s.
  private var complete: [SampleOutcome] {
    zip([1.0, 2, 4], [3.0, 4, 20]).enumerated().flatMap { index, walls in
      [
        SampleOutcome.sample(sample(reference, round: index + 1, wall: walls.0)),
        .sample(sample(save, round: index + 1, wall: walls.1)),
      ]
    }
  }

  @Test("'times_reference' is the median of the ratios within rounds, not the ratio of the medians")
  func timesReference() throws {
    let cells = try results(complete).cells
    let ingest = try #require(cells.first { $0.cell.id == save }?.summary(of: .ingest))
    #expect(ingest.samples == 3)
    #expect(ingest.rows == 100)
    #expect(ingest.wall.figure?.median == 4)
    #expect(ingest.cpuMedian == .figure(2))
    #expect(ingest.rowsPerSecond == .figure(25))
    // The ratios are 3, 2 and 5; the ratio of the medians would be 2.
    #expect(ingest.timesReference.figure?.median == 3)
    let own = try #require(cells.first { $0.cell.id == reference }?.summary(of: .ingest))
    #expect(own.timesReference.figure?.median == 1)
  }

  @Test("Few samples have no interval; enough have one that contains the median")
  func intervals() throws {
    let few = try #require(try results(complete).cells.first?.summary(of: .ingest)?.wall.figure)
    #expect(few.low == nil && few.high == nil)
    let entries = (1...10).map { SampleOutcome.sample(sample(save, round: $0, wall: Double($0))) }
    let many = try #require(try results(entries, rounds: 10).cells.first?.summary(of: .ingest)?.wall.figure)
    let low = try #require(many.low)
    let high = try #require(many.high)
    #expect(low >= 1 && low < many.median && many.median < high && high <= 10)
    #expect(many.median == 5.5)
  }

  @Test("A failure sets its round aside for all cells, and its samples stay")
  func setAside() throws {
    var entries = complete
    entries[3] = .failure(failure(save, round: 2, reason: "the worker was killed by signal 9"))
    let results = try results(entries)
    let saved = try #require(results.cells.first { $0.cell.id == save })
    let plain = try #require(results.cells.first { $0.cell.id == reference })
    #expect(plain.samples.count == 3)
    #expect(plain.summary(of: .ingest)?.samples == 2)
    #expect(plain.summary(of: .ingest)?.wall.figure?.median == 2.5)
    #expect(saved.summary(of: .ingest)?.timesReference.figure?.median == 4)
    #expect(saved.failures.map(\.reason) == ["the worker was killed by signal 9"])
  }
}

extension ResultsTests {
  @Test("A cell that never succeeds leaves the others their times")
  func hopeless() throws {
    let entries = (1...3).flatMap { round in
      [
        SampleOutcome.sample(sample(reference, round: round)), .failure(failure(save, round: round)),
      ]
    }
    let results = try results(entries)
    #expect(results.cells.first { $0.cell.id == reference }?.summary(of: .ingest)?.samples == 3)
    #expect(results.cells.first { $0.cell.id == save }?.phases.isEmpty == true)
  }

  @Test("Different contents are a failure, and there is no shared hash")
  func otherRows() throws {
    var entries = complete
    entries[3] = .sample(sample(save, round: 2, hash: "other"))
    let results = try results(entries)
    #expect(results.contentHash == nil)
    let saved = try #require(results.cells.first { $0.cell.id == save })
    #expect(saved.samples.count == 2)
    let reason = try #require(saved.failures.first?.reason)
    #expect(reason.contains("stored other rows") && reason.contains("other") && reason.contains("same"))
    #expect(saved.summary(of: .ingest)?.samples == 2)
    #expect(results.cells.first { $0.cell.id == reference }?.summary(of: .ingest)?.samples == 2)
  }

  @Test("If two hashes are equally frequent, the one of the first cell counts as right")
  func tie() throws {
    let results = try results([.sample(sample(reference, hash: "x")), .sample(sample(save, hash: "y"))])
    #expect(results.cells.first { $0.cell.id == save }?.failures.isEmpty == true)
    #expect(results.cells.first { $0.cell.id == reference }?.failures.count == 1)
  }
}

extension ResultsTests {
  @Test("All cells agree in the hash, the pragmas and the strategy's words")
  func agreement() throws {
    let results = try results(complete)
    #expect(results.contentHash == "same")
    #expect(results.pragmas == [StorePragma("journal_mode", "wal")])
    #expect(results.mergePolicy == "object_trump")
    #expect(results.rounds == 3)
    #expect(results.rows == 100)
    let saved = try #require(results.cells.first { $0.cell.id == save })
    #expect(saved.summary == "the save way")
    #expect(saved.tradeoffs == ["nothing"])
  }

  @Test("Metrics are medians of their own pass; exact ones that vary are listed")
  func metrics() throws {
    let entries: [SampleOutcome] = [
      .sample(sample(save, .memory, metrics: [.heapPeak: 10, .residentSetPeak: 5, .walFrames: 99])),
      .sample(sample(save, .memory, round: 2, metrics: [.heapPeak: 30, .residentSetPeak: 6])),
      .sample(sample(save, .memory, round: 3, metrics: [.heapPeak: 10, .residentSetPeak: 9])),
      .sample(sample(save, .counters, metrics: [.walFrames: 3])),
    ]
    let ingest = try #require(try results(entries).cells.first?.summary(of: .ingest))
    #expect(ingest.metrics == [.heapPeak: 10, .residentSetPeak: 6, .walFrames: 3])
    #expect(ingest.disagreements == [.heapPeak: [10, 30]])
    #expect(ingest.samples == 0)
    for reason in [ingest.wall.reason, ingest.cpuMedian.reason] {
      #expect(reason == "the run ended before the timing pass")
    }
    #expect(ingest.timesReference.reason == "the reference has no sample")
  }

  @Test("Samples that were never taken are missing")
  func missing() throws {
    let results = try results([.sample(sample(save)), .failure(failure(save, round: 2))])
    // Three timed rounds and two exact passes.
    #expect(results.cells.first { $0.cell.id == save }?.missing == 3)
    #expect(results.cells.first { $0.cell.id == reference }?.missing == 5)
    #expect(results.cells.first { $0.cell.id == reference }?.phases.isEmpty == true)
  }

  @Test("Results are read back from JSON unchanged")
  func json() throws {
    let results = try results(complete)
    let copy = try JSONDecoder().decode(ScenarioReport.self, from: JSONEncoder().encode(results))
    #expect(copy.cells.map(\.samples.count) == results.cells.map(\.samples.count))
    let (read, written) = (copy.cells.first?.summary(of: .ingest), results.cells.first?.summary(of: .ingest))
    #expect(read?.wall == written?.wall && read?.absences == written?.absences)
  }
}
