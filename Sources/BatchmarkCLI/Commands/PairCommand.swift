// `pair`: its options. `PairSession` does the work.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import BatchmarkEngine

struct PairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair",
    abstract: "Compare two builds, or two settings of one, live and in pairs: the gate for times.",
    discussion: """
      BASE and HEAD are executables of two builds, settings such as save_every=100,merge=changes, or 'this' for this \
      build as it is. Both run at the same time and share one processor in slices of a millisecond, until a \
      slow-down of the margin is shown or ruled out. The command also compares exact figures: allocations, heap \
      peak, WAL, syncs, steps of SQLite's machine. Each cell of BASE is compared with itself too, which shows \
      whether the machine changed its speed.

      Exit statuses: 0 no regression; 1 a regression; 3 a sample failed; 4 the sides cannot be compared, because \
      they stored other rows, ran with another SQLite or answer another question; 5 inconclusive; 6 nothing can be \
      trusted, or nothing was compared. After a regression, profiles of both sides name its causes. DIR gets \
      report.html, report.md, junit.xml, pair.json and explanation.json. On GitHub's runners the command also writes \
      annotations and a step summary.
      """,
    examples: [
      CommandExample("pair --base-ref main --scenario my.yml", "Build main and HEAD, and test whether HEAD is slower."),
      CommandExample("pair old/batchmark new/batchmark --scenario my.yml", "Compare two executables."),
      CommandExample("pair this save_every=100 --scenario my.yml --only save", "Compare two settings of this build."),
      CommandExample("pair --base-ref main --explain --format json", "Verdicts and causes for a program."),
    ])

  @Argument(help: "The side to compare with; leave it out with --base-ref.")
  var base: String?

  @Argument(help: "The side to judge; leave it out with --base-ref.")
  var head: String?

  @Option(
    help: ArgumentHelp(
      "Build both sides from the git repository here: this revision is base, and --head-ref is head.",
      valueName: "revision"))
  var baseRef: String?

  @Option(help: ArgumentHelp("The revision to judge; HEAD by default.", valueName: "revision"))
  var headRef: String?

  @Option(
    help: ArgumentHelp(
      "A scenario file, or a folder of them (repeatable); the default suite without any.", valueName: "path"))
  var scenario: [String] = []

  @OptionGroup(title: "Which cells")
  var cells: CellOptions

  @OptionGroup var engines: EngineOptions

  @Option(
    help: ArgumentHelp(
      "Have the workers of BASE use this shared library of SQLite; without BASE and HEAD both are this build.",
      valueName: "file"), completion: .file(extensions: ["so"]))
  var baseSqlite: String?

  @Option(
    help: ArgumentHelp("Have the workers of HEAD use this shared library of SQLite.", valueName: "file"),
    completion: .file(extensions: ["so"]))
  var headSqlite: String?

  @Option(
    help: ArgumentHelp("Set a parameter on both sides, as in --set rows=1_000 (repeatable).", valueName: "key=value"))
  var set: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      How far figures may change: 3% for the time, or rules such as time=3%,heap_peak=1%,vm_steps=none and \
      save.checkpoint.syncs=0 (repeatable); they override a scenario's gate. The default is 5% of time and 1% of exact \
      figures.
      """, valueName: "limits"))
  var margin: [String] = []

  @Flag(help: "Judge no exact figure.")
  var timeOnly = false

  @Flag(help: "Judge no time, and take no pairs.")
  var exactOnly = false

  @Option(
    help: ArgumentHelp(
      "Fail also on this verdict: improved, where a figure falls by more than its limit.", valueName: "verdict"))
  var failOn: [String] = []

  @Option(
    help: ArgumentHelp(
      "Do not fail on these verdicts: inconclusive, untrusted. It still fails where nothing was compared.",
      valueName: "verdicts"))
  var allow: [String] = []

  @Option(
    help: ArgumentHelp(
      "Pairs at which to judge; \(SharedArguments.standardLooks) by default, and up to 400 for a margin below 5%.",
      valueName: "n,n,..."))
  var looks: String?

  @Option(
    help: ArgumentHelp(
      "Trials of each pair of workers, taken by turns after a warm-up; the middle one of their ratios counts.",
      valueName: "n"))
  var trials = PairRules.defaultTrials

  @Option(
    help: ArgumentHelp(
      "Take a pair again when one of its samples lost more than this share of its time to others.", valueName: "percent"
    ))
  var setAside: String?

  @Option(
    help: ArgumentHelp(
      "Be the K-th of N machines that each take \(PairRules.pairsOnMachines) pairs, or --looks n, without a verdict: 'merge' gives it. auto reads which, as run --shard does.",
      valueName: "k/n"))
  var machines: String?

  @OptionGroup(title: "What is built of revisions")
  var build: BuildOptions

  @OptionGroup(title: "Commands around samples")
  var hooks: HookOptions

  @Flag(help: "Leave out the comparison of BASE with itself.")
  var noPlacebo = false

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Profile both sides and name the causes of the change, in at most three times the comparison's own time; without either, only after a REGRESSION."
    ))
  var explain: Bool?

  @Option(help: ArgumentHelp("The folder to write to; it must not exist yet.", valueName: "dir"))
  var out: String?

  @Option(help: ArgumentHelp("Seed of the order within pairs; random by default.", valueName: "n"))
  var seed: UInt64?

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    if baseRef != nil {
      if (baseSqlite ?? headSqlite) != nil {
        throw ValidationError("--base-ref compares revisions; leave out --base-sqlite and --head-sqlite")
      }
      if base != nil { throw ValidationError("--base-ref builds both sides; leave out BASE and HEAD") }
    } else if base == nil && head == nil && (baseSqlite ?? headSqlite) != nil {
      if headRef != nil || !build.isEmpty {
        throw ValidationError("--head-ref, --product, --build and --executable need --base-ref")
      }
    } else if base == nil || head == nil {
      throw ValidationError("name BASE and HEAD, or give --base-ref REVISION")
    } else if headRef != nil || !build.isEmpty {
      throw ValidationError("--head-ref, --product, --build and --executable need --base-ref")
    }
  }

  func run() throws { try engines.add(namedIn: scenario.isEmpty ? nil : scenario, compare) }

  private func compare() throws {
    guard let baseRef else {
      let own = PairSideArgument.thisExecutable
      throw CommandEnd(
        try session(
          of: PairSideArgument(base ?? own, sqlite: baseSqlite), PairSideArgument(head ?? own, sqlite: headSqlite)
        ).run())
    }
    try Executable.refuseDebugBuild()
    let recipe = try build.recipe()
    // Do this before the builds, which take minutes.
    try session(of: PairSideArgument("this"), PairSideArgument("this")).check()
    let builds = try RevisionBuilds(recipe)
    let base = try builds.build(of: baseRef)
    let head = try builds.build(of: headRef ?? "HEAD")
    defer { withExtendedLifetime((base, head)) {} }
    let sides = (
      try PairSideArgument(base.executable, name: baseRef),
      try PairSideArgument(head.executable, name: headRef ?? "HEAD")
    )
    throw CommandEnd(try session(of: sides.0, sides.1).run())
  }

  private func session(of base: PairSideArgument, _ head: PairSideArgument) throws -> PairSession {
    let machine = try machine()
    if machine != nil && explain == true {
      throw CommandError(
        .usage, "found --explain with --machines, where one machine gives no verdict; expected one of them")
    }
    return PairSession(
      base: base, head: head, paths: scenario, cells: cells,
      overrides: try SharedArguments.overrides(set), hooks: hooks.hooks, rules: try rules(machine), machine: machine,
      gate: try GateArgument(margin), hasPlacebo: !noPlacebo, explains: machine == nil ? explain : false,
      seed: seed ?? UInt64(UInt32.random(in: .min ... .max)),
      output: OutputFolder(out), format: format)
  }

  /// The number of this machine among several; `nil` if it gives the verdict alone.
  private func machine() throws(CommandError) -> Shard? {
    guard let machines else { return nil }
    guard case .one(let shard) = try ShardArgument(machines, option: "--machines") else {
      throw CommandError(.usage, "--machines \(machines): expected K/N, auto or auto/N; each machine is one")
    }
    return shard
  }

  private func rules(_ machine: Shard?) throws(CommandError) -> PairRules {
    guard (1...99).contains(trials) else {
      throw CommandError(.usage, "--trials \(trials): expected a number from 1 to 99")
    }
    var rules = PairRules(
      looks: try looks.map { (text) throws(CommandError) in try SharedArguments.looks(text) }, trials: trials,
      interferenceLimit: try setAside.map { (text) throws(CommandError) in
        try SharedArguments.share(text, "--set-aside")
      })
    if let machine {
      guard !rules.hasChosenLooks || rules.looks.count == 1 else {
        throw CommandError(
          .usage, "--looks \(looks ?? ""): every one of several machines takes as many pairs; expected one number")
      }
      if !rules.hasChosenLooks { (rules.looks, rules.hasChosenLooks) = ([PairRules.pairsOnMachines], true) }
      rules.machines = machine.count
    }
    for word in PairCommand.words(failOn) where word != PairCommand.improved {
      throw CommandError(
        .usage,
        "--fail-on \(word): expected \(PairCommand.improved), the only verdict that can be added: regressions fail anyway"
      )
    }
    rules.failsOnImproved = !failOn.isEmpty
    if timeOnly && exactOnly {
      throw CommandError(
        .usage, "found --time-only and --exact-only; expected one of them: together they judge nothing")
    }
    rules.judged = timeOnly ? .time : exactOnly ? .figures : .all
    for word in PairCommand.words(allow) {
      guard let allowance = PairRules.Allowance(rawValue: word) else {
        let words = PairRules.Allowance.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandError(.usage, "--allow \(word): expected one of \(words)")
      }
      rules.allowed.append(allowance)
    }
    return rules
  }

  private static let improved = "improved"

  /// The values of options that take several, separated by commas.
  private static func words(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }
}
