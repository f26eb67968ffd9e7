// `selftest`: checks this build's statistics, and what its comparisons find on this machine.
internal import Analysis
internal import ArgumentParser
internal import BatchmarkEngine
internal import Foundation
internal import Harness
internal import Scenarios
internal import Statistics

struct SelfTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Check the statistics, and measure how often comparisons are right on this machine.",
    discussion: """
      The command checks the statistics against known answers, then the plan of 'pair' on simulated noise. With \
      --live, it makes comparisons on this machine whose result is known: a side with itself, and with one that is \
      slower by the margin, syncs once more, holds 64 KiB for a millisecond, or runs one statement more a row. \
      Comparisons that DIR already has count towards the numbers you ask for: the same command continues after an \
      interrupt, and a larger number adds to them. Exit statuses: 0 all is as promised; 3 a comparison has no pair, \
      because samples failed; 5 it is not as promised, but that may be chance with so few comparisons; 6 something \
      is not as promised.
      """,
    examples: [
      CommandExample("selftest", "Check the statistics, in seconds."),
      CommandExample("selftest --live --out Reports/selftest", "How often are comparisons right on this machine?"),
    ])

  @Flag(help: "Also make live comparisons.")
  var live = false

  @Option(
    name: .customLong("placebos"),
    help: ArgumentHelp("Live comparisons of a side with itself; 30 by default.", valueName: "n"))
  var givenPlacebos: Int?

  @Option(
    name: .customLong("slowdowns"),
    help: ArgumentHelp("Live comparisons with a side that is slower by the margin; 10 by default.", valueName: "n"))
  var givenSlowdowns: Int?

  @Option(
    name: .customLong("faults"),
    help: ArgumentHelp("Live comparisons for each of the three exact faults; 3 by default.", valueName: "n"))
  var givenFaults: Int?

  @Option(help: ArgumentHelp("Simulated comparisons for each kind of noise.", valueName: "n"))
  var simulations = 100

  @Option(
    help: ArgumentHelp("A scenario file whose cell is compared; 10,000 rows in a batch by default.", valueName: "path"))
  var scenario: String?

  @Option(help: ArgumentHelp("The cell to compare, where the scenario has several.", valueName: "cell"))
  var only: String?

  @Option(
    name: .customLong("trials"),
    help: ArgumentHelp("Trials of each pair of workers; \(PairRules.defaultTrials) by default.", valueName: "n"))
  var givenTrials: Int?

  @Option(
    name: .customLong("margin"),
    help: ArgumentHelp("The margin of live comparisons, 5% or 2%; 5% by default.", valueName: "percent"))
  var givenMargin: String?

  @Option(
    help: ArgumentHelp(
      "Pairs at which to judge; \(SharedArguments.standardLooks) by default, and up to 400 for 2%.",
      valueName: "n,n,..."))
  var looks: String?

  @Option(help: ArgumentHelp("The folder to write to, or to continue in.", valueName: "dir"))
  var out: String?

  @Option(help: ArgumentHelp("Seed of simulations and of all orders.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  private var placebos: Int { givenPlacebos ?? 30 }
  private var slowdowns: Int { givenSlowdowns ?? 10 }
  private var faults: Int { givenFaults ?? 3 }
  private var trials: Int { givenTrials ?? PairRules.defaultTrials }
  private var margin: String { givenMargin ?? "5%" }

  func validate() throws {
    let numbers = [
      ("placebos", placebos, 100_000), ("slowdowns", slowdowns, 100_000), ("faults", faults, 100_000),
      ("simulations", simulations, 10_000_000),
    ]
    for (name, number, most) in numbers where !(0...most).contains(number) {
      throw ValidationError("--\(name) \(number): expected a number from 0 to \(most)")
    }
    guard (1...99).contains(trials) else { throw ValidationError("--trials \(trials): expected a number from 1 to 99") }
  }

  func run() throws {
    try refuseUnused()
    let rules = try rules()
    let planned = live ? try scenarioToCompare() : nil
    if live { try Executable.refuseDebugBuild() }
    var checks = KnownAnswers.checks()
    if let plan = SequentialPlan(), simulations > 0 {
      checks += SelfTestCommand.noiseChecks(plan, comparisons: simulations, seed: seed)
    }
    for check in checks { try format.output(check.text) }
    let isRight = checks.allSatisfy { $0.verdict == .ok }
    guard isRight, let planned else {
      throw CommandEnd(try format.document(SelfTestDocument(checks: checks), isRight ? .success : .untrusted))
    }
    let session = SelfTestSession(
      wanted: [
        .placebo: placebos, .slowdown: slowdowns, .extraSync: faults, .heldMemory: faults, .extraStatement: faults,
      ], scenario: planned, rules: rules, output: OutputFolder(out).path, seed: seed,
      checks: checks, format: format)
    throw CommandEnd(try session.run())
  }

  /// Refuses options for live comparisons if there are none.
  private func refuseUnused() throws(CommandError) {
    let options: [(name: String, isGiven: Bool)] = [
      ("--placebos", givenPlacebos != nil), ("--slowdowns", givenSlowdowns != nil), ("--faults", givenFaults != nil),
      ("--scenario", scenario != nil), ("--only", only != nil), ("--trials", givenTrials != nil),
      ("--margin", givenMargin != nil), ("--looks", looks != nil), ("--out", out != nil),
    ]
    let given = options.filter(\.isGiven).map(\.name)
    guard live || given.isEmpty else {
      throw CommandError(.usage, "found \(given.joined(separator: ", ")) without --live; expected --live as well")
    }
  }

  private func rules() throws(CommandError) -> PairRules {
    let share = try SharedArguments.share(margin, "--margin")
    guard LiveKind.margins.contains(share) else {
      throw CommandError(.usage, "--margin \(margin): expected 5% or 2%, for which there is a slow-down of that size")
    }
    return PairRules(
      looks: try looks.map { (text) throws(CommandError) in try SharedArguments.looks(text) }, trials: trials
    ).with(margin: share)
  }

  private func scenarioToCompare() throws -> PlannedScenario {
    let loading = ScenarioLoading(engines: Batchmark.engines)
    guard let scenario else {
      return try loading.plan(text: SelfTestCommand.text(for: Batchmark.engines), file: "selftest.yml")
    }
    let found = try loading.plan(RunRequest(paths: [scenario], selection: only.map { [$0] } ?? []))
    guard found.count == 1, found[0].scenario.cells.count == 1 else {
      let cells = found.flatMap(\.scenario.cells).map(\.id).joined(separator: ", ")
      throw CommandError(.usage, "found the cells \(cells); expected one, so choose it with --only")
    }
    return found[0]
  }

  /// A scenario with one cell, for the strategy of the first engine that `strategyToCompare` chooses.
  ///
  /// A batch insert of 10,000 rows takes a few tens of milliseconds, as a comparison of times needs.
  static func text(for engines: [any Engine]) -> String {
    """
    scenario: selftest
    description: An insert of 10,000 rows, which the self-test compares with itself.
    model:
      Quake:
        attributes:
          code:      {type: string}
          magnitude: {type: double, optional: true}
          place:     {type: string, optional: true}
          time:      {type: date}
    entity: Quake
    source: {generate: {rows: 10_000, seed: 42}}
    cells: [{strategy: \(strategyToCompare(of: engines))}]
    """
  }

  /// A batch insert with one dictionary, whose memory does not grow with the rows; otherwise any batch insert, or any
  /// insert.
  private static func strategyToCompare(of engines: [any Engine]) -> String {
    let strategies = engines.first?.strategies(for: .insert) ?? []
    let chosen =
      strategies.first { $0.role == .batch(.dictionaryHandler) } ?? strategies.first { $0.role.isBatch }
      ?? strategies.first
    return chosen?.name ?? ""
  }
}

extension SelfTestCommand {
  /// One line for each kind of noise: how often equal sides were called slower, and slower ones found.
  ///
  /// - Parameters:
  ///   - plan: The plan to simulate.
  ///   - comparisons: The number of comparisons between equal sides, and between sides that differ by the margin.
  ///   - seed: The seed of all noise.
  /// - Returns: The checks, in the order of the kinds.
  private static func noiseChecks(_ plan: SequentialPlan, comparisons: Int, seed: UInt64) -> [DoctorCheck] {
    NoiseShape.allCases.map { shape in
      let played = PlanSimulation(of: plan, shape: shape, comparisons: comparisons, seed: seed)
      let words =
        "\(played.falseAlarms) false alarms and \(played.found) slow-downs found, of \(comparisons) each; "
        + "\(played.covered) of \(2 * comparisons) intervals hold the truth"
      return played.keeps(plan)
        ? .ok(shape.rawValue, words)
        : .fail(shape.rawValue, words, "that is more than the plan promises; this build's verdicts cannot be trusted")
    }
  }
}
