// The output during a run, and the wording.
import Analysis
import MissionTags
@testable import BatchmarkCLI
import Foundation
import Harness
import Instruments
import BatchmarkEngine
import Scenarios
import Reports
import Testing

@Suite("A6 · progress and words", .tags(.a6))
struct TerminalTests {
  private let cell = Cell(scenario: "s", engine: "sqlite", strategy: "insert")

  private func sample(_ round: Int, _ pass: Pass = .timing) -> PlannedSample {
    PlannedSample(cell: cell, pass: pass, round: round)
  }

  /// Shows the events and returns the output.
  private func shown(
    _ events: [RunEvent], isTerminal: Bool, isASCII: Bool = false, columns: @escaping () -> Int = { 80 }
  ) -> String {
    var text = ""
    var display = ProgressDisplay(
      remaining: [sample(1), sample(2)],
      line: OverwrittenLine(isTerminal: isTerminal, columns: columns, isASCII: isASCII) { text += $0 },
      rounds: { _ in 2 })
    for event in events { display.show(event) }
    display.end()
    return text.replacingOccurrences(of: Console.programName, with: "batchmark")
  }

  /// The final text on a terminal: after a carriage return, text overwrites what is on the line.
  private func screen(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var cells: [Character] = []
      for part in line.split(separator: "\r", omittingEmptySubsequences: false) {
        cells.replaceSubrange(0..<min(part.count, cells.count), with: part)
      }
      return String(cells).trimmingCharacters(in: .whitespaces)
    }
  }

  private var events: [RunEvent] {
    [
      .began(sample(1), done: 0, total: 2), .measured(sample(1), seconds: 30), .began(sample(2), done: 1, total: 2),
      .failed(FailedSample(cell: cell.id, pass: .timing, round: 2, reason: "it hung", standardError: "")),
    ]
  }

  @Test("A file gets a line per sample")
  func lines() {
    #expect(
      shown(events, isTerminal: false) == """
        batchmark: [1/2] s/sqlite/insert · timing round 1/2: 30 s
        batchmark: s/sqlite/insert, timing round 2: failed: it hung

        """)
  }

  @Test("A terminal gets one line that is overwritten, with a bar and an estimate, and without escape sequences")
  func terminal() {
    let first = "░░░░░░░░░░░░░░░░ 1/2 · s/sqlite/insert · timing round 1/2"
    let second = "████████░░░░░░░░ 2/2 · s/sqlite/insert · timing round 2/2 · about 30 s left"
    let failure = "batchmark: s/sqlite/insert, timing round 2: failed: it hung"
    #expect(screen(shown(Array(events.prefix(1)), isTerminal: true)) == [""])
    let text = shown(events, isTerminal: true)
    #expect(text.contains(first) && text.contains(second) && !text.contains("\u{1B}"))
    // The line is fully overwritten, and nothing of it is left.
    #expect(screen(text) == [failure, ""])
    let ascii = shown(events, isTerminal: true, isASCII: true)
    #expect(ascii.contains("########........ 2/2 - s/sqlite/insert - timing round 2/2 - about 30 s left"))
    #expect(ascii.utf8.count == ascii.count)
  }

  @Test("A window that becomes narrower gets a shorter line the next time, which does not wrap")
  func narrowed() {
    var (width, text) = (80, "")
    var display = ProgressDisplay(
      remaining: [sample(1), sample(2)],
      line: OverwrittenLine(isTerminal: true, columns: { width }, isASCII: false) { text += $0 }, rounds: { _ in 2 })
    display.show(.began(sample(1), done: 0, total: 2))
    #expect(text.hasSuffix("░ 1/2 · s/sqlite/insert · timing round 1/2"))
    (width, text) = (30, "")
    display.show(.began(sample(2), done: 1, total: 2))
    #expect(text == "\r" + String(repeating: " ", count: 29) + "\r2/2 · sqlite/insert")
    // The terminal's last column stays free.
    (width, text) = (20, "")
    display.show(.began(sample(2), done: 1, total: 2))
    #expect(text.hasSuffix("\r2/2 · sqlite/insert"))
    (width, text) = (19, "")
    display.show(.began(sample(2), done: 1, total: 2))
    #expect(text.hasSuffix("\r2/2 · insert"))
  }
}

extension TerminalTests {
  @Test(
    "Parts without room are left out whole: round, scenario, bar, engine, cell, time left",
    arguments: [
      (
        200,
        "█████░░░░░░░░░░░ 24/64 · a-long-scenario/objectgraph/save[save_every=100] · timing round 3/8 · about 2 min left"
      ),
      (100, "█████░░░░░░░░░░░ 24/64 · a-long-scenario/objectgraph/save[save_every=100] · about 2 min left"),
      (80, "█████░░░░░░░░░░░ 24/64 · objectgraph/save[save_every=100] · about 2 min left"),
      (60, "24/64 · objectgraph/save[save_every=100] · about 2 min left"),
      (50, "24/64 · save[save_every=100] · about 2 min left"), (40, "24/64 · about 2 min left"), (20, "24/64"), (4, ""),
      (0, ""), (-1, ""),
    ])
  func widths(columns: Int, line: String) {
    let cell = Cell(
      scenario: "a-long-scenario", engine: "objectgraph", strategy: "save", parameters: ["save_every": .count(100)])
    let progress = ProgressLine(
      done: 23, total: 64, sample: PlannedSample(cell: cell, pass: .timing, round: 3), rounds: 8, secondsLeft: 120)
    #expect(OverwrittenLine.text(progress.selections, columns: columns) == line)
  }

  /// The output for a comparison's pairs that are 2 s apart.
  private func shownPairs(isTerminal: Bool, columns: Int = 90, reportsSteps: Bool = true) -> String {
    var (text, seconds) = ("", UInt64(0))
    var display = PairDisplay(
      total: 8, done: 2, reportsSteps: reportsSteps,
      line: OverwrittenLine(isTerminal: isTerminal, columns: { columns }, isASCII: false) { text += $0 },
      now: { seconds * 1_000_000_000 })
    let comparison = PairComparison(
      baseCell: cell, headCell: cell, baseFingerprint: "a", headFingerprint: "a")
    display.show(.began(comparison, isPlacebo: false))
    for pair in [1, 2, 2, 3, 4] {
      display.show(.pair(pair, of: pair < 3 ? 2 : 12, isConfirmation: false))
      if pair == 2 { display.show(.setAside(reason: "a sample was disturbed")) }
      seconds += 2
    }
    display.show(.pair(1, of: 2, isConfirmation: true))
    display.finish("s/sqlite/insert: time PASS")
    display.end()
    return text.replacingOccurrences(of: Console.programName, with: "batchmark")
  }

  @Test(
    "Comparisons of pairs have one line on a terminal, and a line per look elsewhere; a shared reason is shown once")
  func pairs() {
    let terminal = shownPairs(isTerminal: true)
    // The rejected pair also took time.
    #expect(terminal.contains("\r████░░░░░░░░░░░░ 3/8 · s/sqlite/insert · pairs 4/12 · next look in about 24 s"))
    #expect(terminal.contains("\r████░░░░░░░░░░░░ 3/8 · s/sqlite/insert · fresh pairs 1/2\r"))
    #expect(
      screen(terminal) == [
        "batchmark:   a pair is set aside: a sample was disturbed", "batchmark: s/sqlite/insert: time PASS", "",
      ])
    #expect(shownPairs(isTerminal: true, columns: 24).contains("\r3/8 · fresh pairs 1/2\r"))
    #expect(
      shownPairs(isTerminal: false) == """
        batchmark: s/sqlite/insert
        batchmark:   pairs up to 2
        batchmark:   a pair is set aside: a sample was disturbed
        batchmark:   pairs up to 12
        batchmark:   fresh pairs up to 2
        batchmark: s/sqlite/insert: time PASS

        """)
    #expect(shownPairs(isTerminal: false, reportsSteps: false) == "batchmark: s/sqlite/insert: time PASS\n")
  }

  @Test(
    "On a real terminal nothing is wider than its window, progress is one line, and NO_COLOR leaves no escape sequence",
    arguments: [(40, "1", "C.UTF-8"), (80, "", "C.UTF-8"), (120, "1", "C")])
  func window(columns: Int, noColor: String, locale: String) async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(
      cells: ["{strategy: save, save_every: 20}", "{strategy: batch-dictionary}", "{engine: sqlite, strategy: insert}"])
    let terminal = try #require(PseudoTerminal(columns: columns))
    let result = try await Program.batchmark.after(terminal.shellLines).run(
      ["run", "small.yml", "--out", "out"], in: workspace.path,
      environment: ["NO_COLOR": noColor, "LC_ALL": locale, "TERM": "xterm"])
    let text = terminal.text()
    #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(text)")
    // A table without a winner has no bold text. The sentence about a debug build's meaningless figures is always bold.
    if !noColor.isEmpty || Program.isDebugBuild { #expect(text.contains("\u{1B}") == noColor.isEmpty) }
    let shown = text.replacing("\r\n", with: "\n")
    let page = "\u{1B}]8;;\(URL(filePath: workspace.path + "/out/report.html").absoluteString)\u{1B}\\"
    #expect(text.contains(page) == noColor.isEmpty)
    let written = shown.split { $0 == "\n" || $0 == "\r" }.map {
      $0.replacing(/\u{1B}\[[0-9]*m/, with: "").replacing(/\u{1B}\]8;;[^\u{1B}]*\u{1B}\\/, with: "")
    }
    // A path stays in one piece, so that it can be copied.
    #expect(written.allSatisfy { $0.count <= columns || $0.hasPrefix("/") }, "\(written)")
    // The overwritten line fits without the last column, and the table begins right after it.
    let samples = 3 * (passes + 1)
    // It follows the warning that two rounds are few.
    let progress = shown.split(separator: "\n").first { $0.contains("\r") }?.split(separator: "\r") ?? []
    #expect(shown.hasPrefix("batchmark: warning: 2 rounds give"))
    #expect(progress.count { $0.contains("\(samples)/\(samples)") } == 1)
    #expect(progress.dropLast().allSatisfy { $0.count < columns })
    #expect(text.utf8.count { $0 > 127 } == 0 || locale != "C")
    #expect(screen(shown).contains { $0.contains("small: 60 rows, ingest phase") })
  }
}

extension TerminalTests {
  @Test("A terminal that calls itself dumb gets a line per sample")
  func dumb() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let terminal = try #require(PseudoTerminal(columns: 80))
    let result = try await Program.batchmark.after(terminal.shellLines).run(
      ["run", "small.yml", "--out", "out"], in: workspace.path, environment: ["TERM": "dumb"])
    let text = terminal.text().replacing("\r\n", with: "\n")
    #expect(result.status == 0 && !text.contains("\u{1B}") && !text.contains("\r"), "\(text)")
    #expect(text.contains("batchmark: [\(passes + 1)/\(passes + 1)] small/sqlite/insert · timing round 2/2: "))
  }

  @Test("Characters beyond ASCII are written unless the locale says otherwise")
  func encoding() {
    #expect(Console.usesUnicode(environment: [:]) && Console.usesUnicode(environment: ["LANG": "de_DE.UTF-8"]))
    #expect(Console.usesUnicode(environment: ["LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"]))
    #expect(!Console.usesUnicode(environment: ["LC_ALL": "C", "LANG": "en_US.UTF-8"]))
    #expect(!Console.usesUnicode(environment: ["LANG": "de_DE.ISO-8859-1"]))
  }

  @Test("The estimate uses a cell's own pace, from the same pass if it is known")
  func estimate() {
    let other = Cell(scenario: "s", engine: "objectgraph", strategy: "save")
    let remaining = [sample(1), sample(2), PlannedSample(cell: other, pass: .timing, round: 1), sample(1, .memory)]
    var estimate = TimeEstimate(remaining: remaining)
    #expect(estimate.secondsLeft == nil)
    estimate.took(10, sample(1, .memory))
    // Both timed samples at the pace of the memory pass, and the other cell's samples at the mean of all.
    #expect(estimate.secondsLeft == 30)
    estimate.took(2, sample(1))
    #expect(estimate.secondsLeft == 8)
    estimate.leaveOut(other)
    #expect(estimate.secondsLeft == 2)
    estimate.failed(sample(2).key)
    #expect(estimate.secondsLeft == 0)
  }
}

extension TerminalTests {
  @Test(
    "Durations are easy to read",
    arguments: [
      (0.0404, "40 ms"), (1.84, "1.8 s"), (42.3, "42 s"), (200, "3 min"), (7500, "2 h 5 min"), (7200, "2 h"),
      (.infinity, "a long time"),
    ])
  func durations(seconds: Double, words: String) {
    #expect(HumanUnits.duration(seconds) == words)
  }

  @Test("Color is for terminals, and NO_COLOR forbids it")
  func color() {
    #expect(Console.usesColor(onTerminal: true, environment: [:]))
    #expect(Console.usesColor(onTerminal: true, environment: ["NO_COLOR": ""]))
    #expect(!Console.usesColor(onTerminal: true, environment: ["NO_COLOR": "1"]))
    #expect(!Console.usesColor(onTerminal: true, environment: ["TERM": "dumb"]))
    #expect(!Console.usesColor(onTerminal: false, environment: [:]))
  }

  @Test("Words are quoted if a shell would split them")
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
    #expect(status(OutputError.exists(path: "f", hasRun: true)) == .unwritableOutput)
    #expect(status(JournalError.inUse(path: "f")) == .unwritableOutput)
    #expect(status(JournalError.format(path: "f", found: 9)) == .notComparable)
    #expect(status(CancellationError()) == .internalError)
  }
}
