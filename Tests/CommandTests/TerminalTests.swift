// What a person sees while a run goes on, and how words are put.
import Analysis
@testable import BatchmarkCLI
import Foundation
import Harness
import Instruments
import Scenarios
import Testing
import Workloads

@Suite("A6 · progress and words", .tags(.a6))
struct TerminalTests {
  private let cell = Cell(scenario: "s", engine: "sqlite", strategy: "insert")

  private func sample(_ round: Int, _ pass: Pass = .timing) -> PlannedSample {
    PlannedSample(cell: cell, pass: pass, round: round)
  }

  /// Shows the events and gives what was written.
  private func shown(_ events: [RunEvent], isTerminal: Bool, columns: Int = 80) -> String {
    var text = ""
    var display = ProgressDisplay(
      remaining: [sample(1), sample(2)], isTerminal: isTerminal, columns: columns, rounds: { _ in 2 },
      write: { text += $0 })
    for event in events { display.show(event) }
    display.end()
    return text.replacingOccurrences(of: Console.programName, with: "batchmark")
  }

  private var events: [RunEvent] {
    [
      .began(sample(1), done: 0, total: 2), .measured(sample(1), seconds: 30), .began(sample(2), done: 1, total: 2),
      .failed(FailedSample(cell: cell.id, pass: .timing, round: 2, reason: "it hung", standardError: "")),
    ]
  }

  @Test("A file gets a line a sample")
  func lines() {
    #expect(
      shown(events, isTerminal: false) == """
        batchmark: [1/2] s/sqlite/insert · timing round 1/2: 30 s
        batchmark: s/sqlite/insert, timing round 2: failed: it hung

        """)
  }

  @Test("A terminal gets one line that is written over, with an estimate, no wider than the terminal")
  func terminal() {
    let clear = "\r\u{1B}[K"
    let first = "\(clear)[1/2] s/sqlite/insert · timing round 1/2"
    let second = "\(clear)[2/2] s/sqlite/insert · timing round 2/2 · about 30 s left"
    let failure = "\(clear)batchmark: s/sqlite/insert, timing round 2: failed: it hung\n"
    #expect(shown(events, isTerminal: true) == first + second + failure + clear)
    let narrow = shown([events[0]], isTerminal: true, columns: 11)
    #expect(narrow == "\(clear)[1/2] s/sq\(clear)")
  }

  @Test("The estimate takes a cell's own pace, of the same pass where it is known")
  func estimate() {
    let other = Cell(scenario: "s", engine: "objectgraph", strategy: "save")
    let remaining = [sample(1), sample(2), PlannedSample(cell: other, pass: .timing, round: 1), sample(1, .memory)]
    var estimate = TimeEstimate(remaining: remaining)
    #expect(estimate.secondsLeft == nil)
    estimate.took(10, sample(1, .memory))
    // Both timed samples at the memory pass's pace, the other cell's at the mean of all.
    #expect(estimate.secondsLeft == 30)
    estimate.took(2, sample(1))
    #expect(estimate.secondsLeft == 8)
    estimate.leaveOut(other)
    #expect(estimate.secondsLeft == 2)
    estimate.failed(sample(2).key)
    #expect(estimate.secondsLeft == 0)
  }

  @Test(
    "Durations are read at a glance",
    arguments: [
      (0.0404, "40 ms"), (1.84, "1.8 s"), (42.3, "42 s"), (200, "3 min"), (7500, "2 h 5 min"), (7200, "2 h"),
      (.infinity, "a long time"),
    ])
  func durations(seconds: Double, words: String) {
    #expect(TimeEstimate.words(seconds) == words)
  }

  @Test("Colour is for terminals, and NO_COLOR forbids it")
  func colour() {
    #expect(Console.usesColour(onTerminal: true, environment: [:]))
    #expect(Console.usesColour(onTerminal: true, environment: ["NO_COLOR": ""]))
    #expect(!Console.usesColour(onTerminal: true, environment: ["NO_COLOR": "1"]))
    #expect(!Console.usesColour(onTerminal: true, environment: ["TERM": "dumb"]))
    #expect(!Console.usesColour(onTerminal: false, environment: [:]))
  }

  @Test("Words are quoted where a shell would take them apart")
  func shellWords() {
    #expect(
      ["run", "--out", "a b", "it's", ""].map(ShellWord.quoted) == ["run", "--out", "'a b'", "'it'\\''s'", "''"])
  }

  @Test("Every kind of error has its status")
  func statuses() {
    func status(_ error: any Error) -> CommandStatus { CommandError(error).status }
    let inFile = ScenarioError(file: "f", line: 1, column: 1, found: "x", expected: "y")
    let inSetting = ScenarioError(file: "f", origin: "--set a=b", found: "x", expected: "y")
    #expect(status(ScenarioErrors(errors: [inFile, inSetting])) == .invalidFile)
    #expect(status(ScenarioErrors(errors: [inSetting])) == .usage)
    #expect(status(ScenarioFileError(path: "f", found: "x", expected: "y")) == .unreadableFile)
    #expect(status(SourceError(source: "f", found: "x", expected: "y")) == .invalidFile)
    #expect(status(SourceError(source: "f", found: "x", expected: "y", isUnreadable: true)) == .unreadableFile)
    #expect(status(OutputError.exists(path: "f")) == .unwritableOutput)
    #expect(status(JournalError.inUse(path: "f")) == .unwritableOutput)
    #expect(status(JournalError.format(path: "f", found: 9)) == .notComparable)
    #expect(status(CancellationError()) == .internalError)
  }
}
