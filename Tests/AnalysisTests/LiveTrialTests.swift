// A2, A7: the live part of the self-test: what counts as right, what its log keeps, and what it refuses to resume.
import Analysis
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Statistics
import Testing

@Suite("A2 A7 · live trials", .tags(.a2, .a7))
struct LiveTrialTests {
  private let rules = PairRules(looks: SequentialPlan.defaultLooks, trials: 1)

  private func comparison(_ slowdown: Double, syncs: Int64 = 8) -> PairComparison {
    let cell = Cell(scenario: "s", engine: "objectgraph", strategy: "save")
    var comparison = PairComparison(baseCell: cell, headCell: cell, baseFingerprint: "f00d", headFingerprint: "f00d")
    func timed(_ seconds: Double) -> Sample {
      var answer = sample(cell.id, .timing, round: 1, wall: seconds)
      answer.phases[0].trialWallSeconds = [seconds]
      return answer
    }
    comparison.pairs = (0..<90).map { number in
      SamplePair(base: timed(1), head: timed(slowdown * (1 + 0.001 * Double(number % 7 - 3))), baseFirst: [true])
    }
    comparison.confirmation = slowdown == 1 ? [] : comparison.pairs
    comparison.baseFigures = [sample(cell.id, .counters, round: 1, metrics: [.syncs: 8])]
    comparison.headFigures = [sample(cell.id, .counters, round: 1, metrics: [.syncs: syncs])]
    return comparison
  }

  private func trial(_ kind: LiveKind, _ comparison: PairComparison, seconds: Double = 2) -> LiveTrial {
    LiveTrial(kind, comparison, rules, seconds: seconds, executable: "abc")
  }

  @Test("A passed placebo raises no alarm; a slow-down that is found raises one, and so does one more sync")
  func alarms() {
    let placebo = trial(.placebo, comparison(1))
    #expect(!placebo.isAlarm && placebo.verdict == .pass && placebo.pairs == 90)
    #expect(
      LiveKind.slowdown.fault(margin: 0.05) == .slowdown && LiveKind.slowdown.fault(margin: 0.02) == .smallSlowdown)
    #expect(LiveKind.placebo.fault(margin: 0.05) == nil)
    let slow = trial(.slowdown, comparison(1.06))
    #expect(slow.isAlarm && slow.pairs == 180 && abs((slow.effect ?? 0) - 0.06) < 0.001)
    let sync = trial(.extraSync, comparison(1, syncs: 9))
    #expect(sync.isAlarm && sync.changedFigures == ["syncs"] && sync.effect == nil)
    #expect(!trial(.extraSync, comparison(1)).isAlarm)
  }

  @Test("Rates have the bound that the number of trials allows, and a broken promise is reported")
  func tallies() throws {
    let placebos = (0..<300).map { _ in trial(.placebo, comparison(1), seconds: 3) }
    let tally = LiveTally(.placebo, of: placebos)
    #expect(tally.trials == 300 && tally.alarms == 0 && tally.judgement == .kept && tally.medianSeconds == 3)
    // The rule of three: 1 - 0.05^(1/300).
    #expect(abs(try #require(tally.bound) - 0.00993609) < 1e-7)
    let wolf = (0..<4).map { _ in trial(.placebo, comparison(1.06)) }
    // 4 of 304 is more than 1 %, but the rate may still be 0.45 %; 12 of 312 is beyond chance.
    #expect(LiveTally(.placebo, of: placebos + wolf).judgement == .tooFew)
    #expect(LiveTally(.placebo, of: placebos + wolf + wolf + wolf).judgement == .broken)
    let found = (0..<19).map { _ in trial(.slowdown, comparison(1.06)) }
    let overlooked = trial(.slowdown, comparison(1))
    #expect(LiveTally(.slowdown, of: found + [overlooked]).judgement == .kept)
    #expect(LiveTally(.slowdown, of: found + [overlooked, overlooked]).judgement == .tooFew)
    let overlookedOften = (0..<6).map { _ in overlooked }
    #expect(LiveTally(.slowdown, of: found + overlookedOften).judgement == .broken)
    #expect(LiveTally(.heldMemory, of: [trial(.heldMemory, comparison(1))]).judgement == .broken)
    #expect(LiveTally(.extraSync, of: []).rate == nil && LiveTally(.extraSync, of: []).judgement == .kept)
  }

  @Test("A journal continues at its end, even after a torn line, and refuses another cell")
  func log() throws {
    let folder = try TemporaryFolder()
    let header = SelfTestJournal.Header(cell: "s/e/c", rows: 10, scenarioFingerprint: "f", rules: rules)
    var log = try SelfTestJournal(in: folder.path, header: header)
    try log.append(trial(.placebo, comparison(1)))
    try log.append(trial(.slowdown, comparison(1.06)))
    let path = folder.path + "/" + SelfTestJournal.fileName
    let whole = try String(contentsOfFile: path, encoding: .utf8)
    try (whole + "{\"kind\":\"plac").write(toFile: path, atomically: true, encoding: .utf8)
    var resumed = try SelfTestJournal(in: folder.path, header: header)
    #expect(resumed.trials.map(\.kind) == [.placebo, .slowdown])
    try resumed.append(trial(.extraSync, comparison(1, syncs: 9)))
    #expect(
      try SelfTestJournal(in: folder.path, header: header).trials.map(\.kind) == [.placebo, .slowdown, .extraSync])
    let other = SelfTestJournal.Header(cell: "s/e/other", rows: 10, scenarioFingerprint: "g", rules: rules)
    let refusal = #expect(throws: SelfTestJournalError.self) { try SelfTestJournal(in: folder.path, header: other) }
    #expect(refusal == .other(path: path, ["cell", "scenario"]))
    #expect(refusal?.description.contains("is of another cell, of another scenario") == true)
    try "nonsense\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: SelfTestJournalError.unreadable(path: path, line: 1)) {
      try SelfTestJournal(in: folder.path, header: header)
    }
  }
}
