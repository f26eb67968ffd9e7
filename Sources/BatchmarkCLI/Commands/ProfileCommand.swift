// `profile`: which stages and statements use the time and the allocations of a cell. `ProfileSession` does the work.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import BatchmarkEngine
internal import Scenarios

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Show where the time and the allocations of one cell go, stage by stage.",
    discussion: """
      The report has time, allocations and bytes for every stage of a save or a batch insert, SQL statements with \
      runs, steps and time, sampled stacks, and jemalloc's heap profile. Each comes from a worker of its own. DIR \
      (Reports/<UTC time> without --out) gets profile.html, profile.md, stages.csv, statements.csv, a file of folded \
      stacks for each phase, and heap.prof for jeprof. The exit status is 3 when a worker failed; what the others \
      measured is written all the same.
      """,
    examples: [
      CommandExample("profile my.yml --cell save", "Where do time and memory of a save go?"),
      CommandExample("profile my.yml --cell save --format json", "Stages and statements for a program."),
    ])

  @Argument(help: "A scenario file.", completion: .file(extensions: ScenarioFiles.extensions))
  var scenario: String

  @Option(
    help: ArgumentHelp(
      "The cell: its id, or a word that only it has, such as its strategy; not needed where there is one.",
      valueName: "cell"))
  var cell: String?

  @Option(help: ArgumentHelp("Set a parameter, as in --set rows=1_000 (repeatable).", valueName: "key=value"))
  var set: [String] = []

  @Option(help: ArgumentHelp("Take the rows from this feed: CSV, JSON Lines or GeoJSON.", valueName: "path"))
  var feed: String?

  @Option(help: ArgumentHelp("Workers that time the stages; the middle one is shown.", valueName: "n"))
  var rounds = 3

  @Option(
    help: ArgumentHelp(
      "Samples of stacks a second, 10 to 10,000; workers take them until there are 1,000.", valueName: "hertz"))
  var samplingRate = ProfileInstrument.standardSamplingRate

  @Option(help: ArgumentHelp("The folder to write to; it must not exist yet.", valueName: "dir"))
  var out: String?

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    guard (1...99).contains(rounds) else { throw ValidationError("--rounds \(rounds): expected a number from 1 to 99") }
    let rates = ProfileInstrument.samplingRates
    guard rates.contains(samplingRate) else {
      throw ValidationError(
        "--sampling-rate \(samplingRate): expected samples a second, from \(rates.lowerBound) to \(rates.upperBound)")
    }
  }

  func run() throws {
    var overrides = try SharedArguments.overrides(set)
    if let feed { overrides.append(ScenarioOverride(key: "feed", value: feed, origin: "--feed \(feed)")) }
    let session = ProfileSession(
      request: RunRequest(paths: [scenario], selection: cell.map { [$0] } ?? [], overrides: overrides), rounds: rounds,
      samplingRate: samplingRate, output: OutputFolder(out), format: format)
    throw CommandEnd(try session.run())
  }
}
