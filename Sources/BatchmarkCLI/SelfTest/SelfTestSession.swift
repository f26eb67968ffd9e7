// The live part of the self-test: comparisons with a known truth, made as `pair` makes them.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports
internal import BatchmarkEngine
internal import Support

/// One invocation of `selftest --live`.
struct SelfTestSession: Sendable {
  /// The requested number of trials of each kind, including those of earlier invocations.
  let wanted: [LiveKind: Int]
  /// The scenario with the single compared cell.
  let scenario: PlannedScenario
  let rules: PairRules
  let output: String
  let seed: UInt64
  /// The results of the earlier checks, for the document.
  let checks: [DoctorCheck]
  let format: OutputFormat

  /// - Throws: ``SelfTestJournalError``, ``OutputError`` or ``CommandError``.
  func run() throws -> CommandStatus {
    try Folder.make(output)
    let path = output + "/selftest.md"
    // Without its journal, the page could not be made again.
    if FileKind(atPathItself: path) != nil, FileKind(at: output + "/" + SelfTestJournal.fileName) == nil {
      throw OutputError.unwritable(path: path, reason: "it exists already, without the journal that it was made of")
    }
    var log = try SelfTestJournal(in: output, header: try header())
    let directories = try SampleDirectories(output: output)
    defer { directories.removeIfEmpty() }
    let launcher = try ProcessLauncher(meter: try MeterLibrary.find())
    let processors = PairProcessors.reserve()
    return try Interrupts.cancelling { cancellation in
      let isInterrupted = try measure(into: &log, launcher, directories, processors, cancellation)
      return try report(log, isInterrupted: isInterrupted, to: path)
    }
  }

  /// Writes the page and prints the result.
  private func report(_ log: SelfTestJournal, isInterrupted: Bool, to path: String) throws -> CommandStatus {
    let page = SelfTestMarkdown.render(
      log.trials, header: log.header, environment: EnvironmentFacts.all(output: output),
      command: CommandLine.arguments.map(ShellWord.quoted).joined(separator: " "))
    for (text, path) in [(page.markdown, path), (page.html, output + "/selftest.html")] {
      do { try text.write(toFile: path, atomically: true, encoding: .utf8) } catch {
        throw OutputError.unwritable(path: path, reason: OutputError.reason(error))
      }
    }
    try format.output(page.markdown + "\n\(path.onOneLine)\n")
    let tallies = LiveKind.allCases.map { LiveTally($0, of: log.trials) }
    let document = SelfTestDocument(
      checks: checks, live: tallies.filter { $0.trials > 0 }.map(SelfTestDocument.Kind.init), page: path)
    return try format.document(document, status(of: log, tallies, isInterrupted: isInterrupted))
  }

  /// The command's status after live comparisons.
  ///
  /// It also prints what went wrong.
  private func status(
    of log: SelfTestJournal, _ tallies: [LiveTally], isInterrupted: Bool
  ) -> CommandStatus {
    if isInterrupted {
      Console.complain("interrupted; the same command continues from here")
      return .interrupted
    }
    let empty = log.trials.count { $0.kind.isTimed && $0.pairs == 0 && $0.failures > 0 }
    guard empty == 0 else {
      Console.complain(
        "\(empty) of \(HumanUnits.counted(log.trials.count, "comparison")) \(empty == 1 ? "has no pair" : "have no pair"), "
          + "since samples failed, and \(empty == 1 ? "shows" : "show") nothing: 'batchmark doctor' "
          + "says what is wrong; then start again in another folder")
      return .failedSamples
    }
    let judgements = tallies.map(\.judgement)
    if judgements.contains(.broken) { return .untrusted }
    return judgements.contains(.tooFew) ? .inconclusive : .success
  }

  private func header() throws -> SelfTestJournal.Header {
    guard let cell = scenario.scenario.cells.first else {
      throw CommandError(.usage, "found no cell in the scenario; expected one to compare with itself")
    }
    return SelfTestJournal.Header(
      cell: cell.id, rows: scenario.rows, scenarioFingerprint: scenario.scenario.fingerprint,
      rules: rules)
  }

  /// Runs the remaining trials.
  ///
  /// - Returns: Whether it was interrupted. Finished trials are in the log.
  private func measure(
    into log: inout SelfTestJournal, _ launcher: ProcessLauncher, _ directories: SampleDirectories,
    _ processors: PairProcessors?, _ cancellation: Cancellation
  ) throws -> Bool {
    do {
      try makeTrials(into: &log, launcher, directories, processors, cancellation)
      return false
    } catch is CancellationError {
      return true
    }
  }

  private func makeTrials(
    into log: inout SelfTestJournal, _ launcher: ProcessLauncher, _ directories: SampleDirectories,
    _ processors: PairProcessors?, _ cancellation: Cancellation
  ) throws {
    let passes: [Pass] = Jemalloc.isLinked ? [.memory, .counters] : [.counters]
    var generator = SplitMix64(seed: seed &+ UInt64(log.trials.count))
    let base = PairSide(scenario: scenario, launcher: launcher)
    let total = wanted.values.reduce(0, +)
    var display = PairDisplay(total: total, done: log.trials.count, reportsSteps: false)
    defer { display.end() }
    while let kind = next(after: log.trials, using: &generator) {
      try cancellation.check()
      guard
        let run = PairRun(
          rules: rules, seed: generator.next(), processors: processors, passes: passes, directories: directories,
          cancellation: cancellation)
      else { throw CommandError(.usage, "--looks: found too few pairs to show a change; expected 12 or more") }
      let head = PairSide(scenario: scenario, launcher: launcher, fault: kind.fault(margin: rules.margin))
      let start = MonotonicClock.now()
      display.begin(kind.rawValue)
      let comparison =
        kind.isTimed
        ? try run.compare(base, head, extent: .times, number: 0) { display.show($0, as: kind.rawValue) }
        : try run.compareFigures(base, head)
      guard let comparison else { return }
      let seconds = Double(MonotonicClock.now() - start) / 1e9
      let trial = LiveTrial(kind, comparison, rules, seconds: seconds, executable: Executable.identity.executable)
      try log.append(trial)
      display.finish(
        "\(log.trials.count) of \(total): \(kind.rawValue): \(trial.verdict.rawValue), \(Int(clamping: seconds.rounded())) s"
      )
    }
  }

  /// A random kind that needs more trials, weighted by their number, so that all kinds meet the same noise.
  private func next(after trials: [LiveTrial], using generator: inout SplitMix64) -> LiveKind? {
    let left = LiveKind.allCases.flatMap { kind in
      Array(repeating: kind, count: max((wanted[kind] ?? 0) - trials.count { $0.kind == kind }, 0))
    }
    return left.isEmpty ? nil : left[Int(generator.next(below: UInt64(left.count)))]
  }
}
