// The course of a comparison: checks both sides, measures the placebo and the cells, and reports.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Programs
internal import Reports
internal import BatchmarkEngine
internal import Scenarios
internal import Support

/// One invocation of `pair`.
struct PairSession: Sendable {
  let base: PairSideArgument
  let head: PairSideArgument
  let paths: [String]
  let cells: CellOptions
  let overrides: [ScenarioOverride]
  let hooks: SampleHooks
  let rules: PairRules
  /// The number of this machine among several; `nil` if it gives the verdict alone.
  let machine: Shard?
  let gate: GateArgument
  let hasPlacebo: Bool
  /// Whether to search for causes; `nil` to do so only after a regression.
  let explains: Bool?
  let seed: UInt64
  let output: OutputFolder
  let format: OutputFormat

  /// Checks all inputs and the output folder, without measuring.
  ///
  /// - Throws: The errors of a run before it measures.
  func check() throws {
    try output.checkIsNew()
    _ = try scenarios()
  }

  func run() throws -> CommandStatus {
    try Executable.refuseDebugBuild()
    try output.checkIsNew()
    try StepSummary()?.check()
    let sides = try scenarios()
    for advice in PairedCells.advice(on: sides.map(\.base.scenario.cells[0])) {
      Console.complain(folding: "note: \(advice)")
    }
    if let note = noteOnPrograms(sides) { Console.complain(folding: "note: \(note)") }
    try InputFiles(of: sides.flatMap { [$0.base, $0.head] }).refuse(output: output.path)
    try SourceNeeds.check(sides.flatMap { [$0.base, $0.head] }, output: output.path)
    guard rules.isUsable else {
      throw CommandError(.usage, "--looks: found too few pairs to show a change; expected 12 or more")
    }
    for side in [base, head] { try check(side) }
    try output.create()
    defer { output.removeIfEmpty() }
    let directories = try SampleDirectories(output: output.path)
    defer { directories.removeIfEmpty() }
    let processors = PairProcessors.reserve()
    let started = UTC.text(Date())
    return try Interrupts.cancelling { cancellation in
      let (placebos, comparisons, isInterrupted) = try measure(
        sides, in: directories, processors: processors, cancellation)
      var results = PairResults(
        run: RunRecord(
          batchmarkVersion: Batchmark.version,
          command: CommandLine.arguments.map(ShellWord.quoted).joined(separator: " "),
          started: started, finished: UTC.text(Date()), seed: seed, isQuick: false,
          isComparable: !Executable.isDebugBuild, isInterrupted: isInterrupted,
          runID: UUID().uuidString.lowercased(),
          commit: sides.first.flatMap { RepositoryCommit(ofFolderOf: $0.base.scenario.file) },
          machine: EnvironmentFacts.machine, toolchain: EnvironmentFacts.toolchain),
        environment: EnvironmentFacts.all(output: output.path), rules: rules,
        base: PairSideRecord(name: base.text, build: base.build, overrides: base.overrides),
        head: PairSideRecord(name: head.text, build: head.build, overrides: head.overrides), comparisons: comparisons,
        placebos: placebos)
      results.base.sqliteFile = base.library?.path
      results.head.sqliteFile = head.library?.path
      results.shard = machine
      return try report(results)
    }
  }

  /// The scenarios of both sides with one cell each, in pairs.
  ///
  /// A side's settings may change its cells' parameters, so cells are matched by their position.
  private func scenarios() throws -> [(base: PlannedScenario, head: PlannedScenario)] {
    let loading = ScenarioLoading(engines: Batchmark.engines)
    func plan(_ side: PairSideArgument) throws -> [PlannedScenario] {
      try loading.plan(RunRequest(paths: paths, overrides: overrides + side.overrides))
    }
    var judged = try plan(head)
    try gate.apply(to: &judged, schema: Batchmark.schema)
    let pairs = try PairedCells(base: plan(base), head: judged).pairs
    let selection = try CellSelection(only: cells.only, skip: cells.skip)
    try selection.check(among: pairs.flatMap { [$0.0.scenario, $0.1.scenario] })
    let selected = pairs.filter { selection.selects([$0.base.scenario, $0.head.scenario]) }
    try selected.flatMap { [$0.base, $0.head] }
      .refuseConcurrentWork(in: "pair", since: "its two sides stop each other all the time")
    try ScenarioLoading.refuseIdle(overrides, among: selected.flatMap { [$0.base.scenario, $0.head.scenario] })
    try refuseIdleSettings(selected)
    return selected
  }

  /// Refuses parameters that none of the compared cells has: both sides would be the same, and pass.
  private func refuseIdleSettings(_ pairs: [(base: PlannedScenario, head: PlannedScenario)]) throws(CommandError) {
    let settings = base.overrides + head.overrides
    let parameters = Set(Batchmark.engines.flatMap { $0.strategies.flatMap { $0.parameters.map(\.name) } })
    guard !settings.isEmpty, settings.allSatisfy({ parameters.contains($0.key) }),
      base.executable == nil, head.executable == nil, base.library?.path == head.library?.path,
      pairs.allSatisfy({ $0.base.scenario.cells == $0.head.scenario.cells })
    else { return }
    let cells = ScenarioLoading.listed(pairs.map(\.head.scenario.cells[0].id))
    throw CommandError(
      .usage,
      "\(settings.map(\.origin).joined(separator: ",")): found the same cells on both sides, \(cells); "
        + "expected a setting that changes one of them")
  }

  /// A note on what two builds do not show: this process reads the file of engines, so both builds run the same
  /// programs.
  private func noteOnPrograms(_ pairs: [(base: PlannedScenario, head: PlannedScenario)]) -> String? {
    guard base.executable != head.executable, base.library?.path == head.library?.path else { return nil }
    let cells = Set(pairs.filter { $0.base.scenario.cells == $0.head.scenario.cells }.flatMap(\.head.scenario.cells))
    let names = Batchmark.engines.programs.map(\.name).filter { name in cells.contains { $0.engine == name } }
    if names.isEmpty { return nil }
    let file = Batchmark.enginesFile ?? "the file of engines"
    return
      "both sides run \(names.joined(separator: ", ")) as \(file) has it now, so that a change of the program does not "
      + "show; declare its two versions under two names, and measure both with run"
  }

  private func measure(
    _ sides: [(base: PlannedScenario, head: PlannedScenario)], in directories: SampleDirectories,
    processors: PairProcessors?, _ cancellation: Cancellation
  ) throws -> (placebos: [PairComparison], comparisons: [PairComparison], isInterrupted: Bool) {
    let passes: [Pass] = Jemalloc.isLinked ? [.memory, .counters] : [.counters]
    guard
      let run = PairRun(
        rules: rules, seed: seed, processors: processors, passes: passes, directories: directories,
        cancellation: cancellation)
    else { return ([], [], false) }
    defer {
      for name in PairSession.sideNames { try? FileManager.default.removeItem(atPath: output.path + "/" + name) }
    }
    let workers = (
      try workers(of: base, named: PairSession.sideNames[0]), try workers(of: head, named: PairSession.sideNames[1])
    )
    let launchers = (
      HookedLauncher(workers.0, hooks: hooks, side: PairSession.sideNames[0]),
      HookedLauncher(workers.1, hooks: hooks, side: PairSession.sideNames[1])
    )
    var (placebos, comparisons): ([PairComparison], [PairComparison]) = ([], [])
    var display = PairDisplay(total: sides.count)
    defer { display.end() }
    do {
      for (number, side) in sides.enumerated() {
        if hasPlacebo {
          let base = PairSide(scenario: side.base, launcher: launchers.0)
          // Run it next to its own comparison, so that both see the machine in the same state. Negative numbers give it
          // a different order.
          let placebo = try run.compare(base, base, extent: .placebo, number: -number) { display.show($0) }
          if let placebo {
            placebos.append(placebo)
            display.say("  base against itself: \(placebo.time(rules.ofPlacebos).verdict.rawValue)")
          }
        }
        let pair = (
          base: PairSide(scenario: side.base, launcher: launchers.0),
          head: PairSide(scenario: side.head, launcher: launchers.1)
        )
        let start = MonotonicClock.now()
        let comparison = try run.compare(pair.base, pair.head, number: number + 1) { display.show($0) }
        if let comparison {
          comparisons.append(comparison)
          if let plans = try plans(of: comparison, pair.base, pair.head, in: directories, cancellation) {
            comparisons[comparisons.count - 1].plans = plans
          }
          display.finish("\(comparison.headCell.id): \(outcome(of: comparison))")
          let seconds = Double(MonotonicClock.now() &- start) / 1e9
          // Keep the comparison even if the search for causes is interrupted.
          comparisons[comparisons.count - 1].profiles = try profiles(
            of: comparisons[comparisons.count - 1], measuredIn: seconds, pair.base, pair.head, in: directories,
            cancellation, &display)
        }
      }
    } catch is CancellationError {
      return (placebos, comparisons, true)
    }
    return (placebos, comparisons, false)
  }

  /// The plans of both sides' statements; `nil` if the gate does not judge them.
  private func plans(
    of comparison: PairComparison, _ base: PairSide, _ head: PairSide, in directories: SampleDirectories,
    _ cancellation: Cancellation
  ) throws -> PairPlans? {
    guard comparison.plans(rules) != nil, comparison.failures.isEmpty else { return nil }
    return try PairPlans(of: base, head, in: directories, cancellation: cancellation)
  }

  /// Profiles of both sides, if the comparison needs an explanation; otherwise `nil`.
  private func profiles(
    of comparison: PairComparison, measuredIn seconds: Double, _ base: PairSide, _ head: PairSide,
    in directories: SampleDirectories, _ cancellation: Cancellation, _ display: inout PairDisplay
  ) throws -> PairProfiles? {
    guard explains ?? comparison.fails(rules), comparison.failures.isEmpty, comparison.isOfOneContent else {
      return nil
    }
    let run = PairProfileRun(
      of: comparison, measuredIn: seconds, timesMatter: comparison.timeRules(rules) != nil, directories: directories,
      cancellation: cancellation)
    display.say(
      "  looking for causes, for about \(HumanUnits.duration(run.expectedSeconds)); --no-explain leaves it out")
    return try run.take(
      base, head, unavailable: ProfileSession.unavailable(meter: MeterLibrary.find()), seed: seed
    ) { display.show(profileRound: $0, of: run.rounds) }
  }

  /// The names of other executables while they are measured.
  private static let sideNames = ["base", "head"]

  /// The launcher of a side's workers.
  ///
  /// Other executables have names of equal length, because the kernel puts the name on the new process's stack.
  private func workers(of side: PairSideArgument, named name: String) throws -> ProcessLauncher {
    var path = Executable.workerPath
    var real = Executable.path
    if base.executable != nil || head.executable != nil {
      real = side.executable ?? Executable.path
      path = output.path + "/" + name
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: real)
    }
    return try ProcessLauncher(workersOf: path, meter: MeterLibrary.find(beside: real), library: side.library)
  }

  /// Refuses an executable that is not a build of Batchmark, or has no meter next to it.
  private func check(_ side: PairSideArgument) throws {
    guard let executable = side.executable else { return }
    let workers = try ProcessLauncher(workersOf: executable, meter: nil, library: side.library)
    // Before anything is measured, a signal may end the program immediately.
    if let problem = try workers.firstProblem(cancellation: Cancellation()) {
      throw CommandError(
        .usage, "\(side.text) \(problem); expected the batchmark of a build, such as .build/release/batchmark")
    }
    do { _ = try MeterLibrary.locate(beside: executable) } catch {
      throw CommandError(.unreadableFile, "\(side.text): \(error.finding); \(error.advice)")
    }
  }

  /// The result of a cell in short; the report has the figures.
  private func outcome(of comparison: PairComparison) -> String {
    let time = comparison.timeRules(rules) == nil ? "not judged" : comparison.time(rules).verdict.rawValue
    let failing = comparison.figures(rules).count { $0.fails }
    return "time \(time)" + (failing > 0 ? ", \(failing) of the exact figures beyond their limit" : "")
  }

  private func report(_ results: PairResults) throws -> CommandStatus {
    let written = Result { try PairReportWriter(directory: output.path).write(results) }
    // Print the measurements even if no file can be written.
    let columns = Console.Stream.output.columns ?? TerminalTable.lineWidth
    try format.output(PairText.render(results, columns: columns, isASCII: !Console.usesUnicode))
    let files = try written.get()
    try format.output("\n\(files.markdown.onOneLine)\n")
    try format.document(PairDocument(results, files), results.status)
    let environment = ProcessInfo.processInfo.environment
    if environment["GITHUB_ACTIONS"] == "true" {
      // The runner reads both streams.
      try Console.write(encoded: PairAnnotations.render(results), to: format == .json ? .error : .output)
    }
    try StepSummary()?.append(PairMarkdown.render(results))
    return results.status
  }
}
