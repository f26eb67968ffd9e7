// `plan`: what comparisons can detect on this machine, and how long they take. `PlanSession` does the work.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import BatchmarkEngine

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Measure the noise here: the smallest change 'pair' can show, and how long it takes.",
    discussion: """
      The command takes some pairs of each cell with itself. It reports the noise, how many pairs and how much time \
      a verdict needs, and how many trials a pair should have. With --budget, the cells share a time so that all can \
      show about the same change.
      """,
    examples: [
      CommandExample("plan my.yml", "What can pair show here, and in which time?"),
      CommandExample("plan my.yml --margin 2% --budget 10m", "Share ten minutes among the cells."),
    ])

  @Argument(help: "Scenario files, or folders of them; the default suite without any.", completion: .file())
  var paths: [String] = []

  @OptionGroup(title: "Which cells")
  var cells: CellOptions

  @OptionGroup var engines: EngineOptions

  @Option(help: ArgumentHelp("Set a parameter, as in --set rows=1_000 (repeatable).", valueName: "key=value"))
  var set: [String] = []

  @Option(help: ArgumentHelp("The slow-down that matters, in percent.", valueName: "percent"))
  var margin = "5%"

  @Option(help: ArgumentHelp("Pairs of each cell with itself.", valueName: "n"))
  var pairs = 12

  @Option(help: ArgumentHelp("Trials of each pair of workers.", valueName: "n"))
  var trials = PairRules.defaultTrials

  @Option(help: ArgumentHelp("A time for all comparisons, as in 60s or 5m.", valueName: "time"))
  var budget: String?

  @Option(help: ArgumentHelp("Seed of the order within pairs; random by default.", valueName: "n"))
  var seed: UInt64?

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws { try engines.add(namedIn: paths.isEmpty ? nil : paths, measure) }

  private func measure() throws {
    guard (1...99).contains(trials) else {
      throw CommandError(.usage, "--trials \(trials): expected a number from 1 to 99")
    }
    guard (7...1_000).contains(pairs) else {
      throw CommandError(.usage, "--pairs \(pairs): expected a number from 7 to 1000")
    }
    let session = PlanSession(
      request: RunRequest(
        paths: paths, selection: cells.only, skipped: cells.skip, overrides: try SharedArguments.overrides(set)),
      rules: PairRules(
        margin: try SharedArguments.share(margin, "--margin", from: 1),
        trials: trials),
      pairs: pairs,
      budget: try budget.map { (text) throws(CommandError) in try SharedArguments.seconds(text, "--budget") },
      seed: seed ?? UInt64(UInt32.random(in: .min ... .max)), format: format)
    throw CommandEnd(try session.run())
  }
}
