// Slow cells get fewer rounds, because of the time of their first rounds or of the cell's time limit.
import Analysis
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A2 A6 · slow cells stop early", .tags(.a2, .a6))
struct EarlyStopTests {
  /// Runs a scenario in which save takes the given seconds in each round, and the other cells one second.
  private func run(
    _ plan: RunPlan, in folder: TemporaryFolder, seconds: @escaping @Sendable (_ round: Int) -> Double,
    after interruption: Int = .max
  ) throws -> (ledger: RunLedger, events: [RunEvent]) {
    let launcher = MockLauncher { (job, index) throws(CancellationError) in
      if index == interruption { throw CancellationError() }
      let wall = job.cell.strategy == "save" ? seconds(job.round) : 1
      return .sample(sample(job.cell.id, job.pass, round: job.round, wall: wall))
    }
    var ledger = RunLedger()
    let journal: Journal
    if FileManager.default.fileExists(atPath: folder.path + "/journal.jsonl") {
      let (resumed, contents) = try Journal.resume(in: folder.path)
      (journal, ledger) = (resumed, RunLedger(contents.outcomes))
    } else {
      journal = try Journal.create(in: folder.path, header: header(plan))
    }
    var events: [RunEvent] = []
    _ = try BenchmarkRun(
      plan: plan, launcher: launcher, directories: try SampleDirectories(output: folder.path)
    ).measure(into: &ledger, journal: journal) { events.append($0) }
    return (ledger, events)
  }

  private func results(_ plan: RunPlan, _ ledger: RunLedger) -> Report {
    let run = RunRecord(
      batchmarkVersion: "1.0.0", command: "", started: "", finished: "", seed: 7, isQuick: plan.isQuick,
      isComparable: true, isInterrupted: false)
    return Report(run: run, environment: [], plan: plan, ledger: ledger) { _ in nil }
  }

  private func rounds(_ ledger: RunLedger, _ strategy: String) -> [Int] {
    ledger.samples.filter { $0.pass == .timing && $0.cell.hasSuffix("/" + strategy) }.map(\.round).sorted()
  }

  @Test("A cell with three slow first rounds has no more; the others have all, and the report says so")
  func slow() throws {
    let plan = self.plan(try scenario(rounds: 8))
    let (ledger, events) = try run(plan, in: try TemporaryFolder()) { _ in 2.5 }
    #expect(rounds(ledger, "save") == [1, 2, 3])
    #expect(rounds(ledger, "batch-objects") == Array(1...8))
    let stops = events.filter { if case .stoppedEarly(_, afterRound: 3, reason: .slow) = $0 { true } else { false } }
    #expect(stops.count == 1)
    let results = self.results(plan, ledger)
    let cell = try #require(results.scenarios.first?.cells.first)
    #expect(cell.stop == .slow && cell.missing == 0 && cell.failures.isEmpty)
    #expect(results.scenarios[0].cells[1].stop == nil)
    let warnings = results.foundWarnings.filter { $0.cell == cell.cell }
    #expect(warnings == [.stoppedEarly(cell: cell.cell, rounds: 3, planned: 8, reason: .slow)])
    #expect(ledger.remaining(of: plan).isEmpty)
  }

  @Test("One fast round among the first three is enough to continue, and so is a requested number of rounds")
  func notSlow() throws {
    let fast = self.plan(try scenario(rounds: 6))
    #expect(rounds(try run(fast, in: try TemporaryFolder()) { $0 == 2 ? 1.9 : 9 }.ledger, "save").count == 6)
    var asked = planned(try scenario(rounds: 6))
    asked.overrides = [ScenarioOverride(key: "rounds", value: "6", origin: "--rounds 6")]
    let plan = RunPlan(scenarios: [asked], seed: 1, isQuick: false)
    #expect(rounds(try run(plan, in: try TemporaryFolder()) { _ in 9 }.ledger, "save").count == 6)
  }

  @Test("A cell that has used its time stops after that round, however fast its rounds are")
  func limit() throws {
    var limited = try scenario(rounds: 8)
    limited.measure.cellLimit = 4.5
    let plan = self.plan(limited)
    let (ledger, _) = try run(plan, in: try TemporaryFolder()) { _ in 1.8 }
    // 1.8, 3.6, 5.4; the others reach 5 s in their fifth round.
    #expect(rounds(ledger, "save") == [1, 2, 3])
    #expect(rounds(ledger, "batch-objects") == [1, 2, 3, 4, 5])
    let cells = try #require(results(plan, ledger).scenarios.first).cells
    #expect(cells.allSatisfy { $0.stop == .limit(seconds: 4.5) && $0.missing == 0 })
    limited.measure.cellLimit = 0.5
    let least = self.plan(limited)
    #expect(rounds(try run(least, in: try TemporaryFolder()) { _ in 99 }.ledger, "save") == [1])
    let atLeastFive = RunPlan(
      scenarios: [planned(limited)], seed: 7, isQuick: false, rules: RoundRules(minRounds: 5))
    #expect(rounds(try run(atLeastFive, in: try TemporaryFolder()) { _ in 99 }.ledger, "save") == [1, 2, 3, 4, 5])
  }

  @Test("An interrupted run ends like an uninterrupted one")
  func resumed() throws {
    let plan = self.plan(try scenario(rounds: 8))
    let folder = try TemporaryFolder()
    _ = try run(plan, in: folder, seconds: { _ in 2.5 }, after: 6 + 10)
    let (ledger, _) = try run(plan, in: folder, seconds: { _ in 2.5 })
    #expect(rounds(ledger, "save") == [1, 2, 3])
    #expect(rounds(ledger, "batch-dictionary") == Array(1...8))
    let again = try run(plan, in: folder, seconds: { _ in 2.5 })
    #expect(again.events.isEmpty)
  }

  private func plan(_ scenario: Scenario) -> RunPlan {
    RunPlan(scenarios: [planned(scenario)], seed: 7, isQuick: false)
  }
}
