// `run`: its options. `RunSession` does the work.
internal import Foundation
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports
internal import BatchmarkEngine
internal import Scenarios

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Measure scenarios and write a report.",
    discussion: """
      Every sample runs in a process of its own, in interleaved rounds. DIR (Reports/<UTC time> without --out) gets \
      report.html, report.md, summary.csv, samples.csv, growth.csv, latency.csv, latency-over-time.csv, results.json \
      and journal.jsonl; after an interrupt, --resume continues from the journal. An export to - is all that standard \
      output gets; the table then moves to standard error. The run judges the budgets of its scenarios at the end: \
      status 1 when one is broken, 5 when one cannot be judged. With --quick it judges only budgets on exact counters.
      """,
    examples: [
      CommandExample("run", "Measure the default suite, and write Reports/<UTC time>."),
      CommandExample("run my.yml --quick", "A first impression of a scenario, in one round."),
      CommandExample("run my.yml --only 'batch-*' --set rows=10_000", "Some of its cells, with fewer rows."),
      CommandExample("run Scenarios --max-time 10m --precision 2%", "Stop at 2 % precision, or after ten minutes."),
    ])

  @Argument(
    help: "Scenario files, or folders of them; without any, the default suite Scenarios/earthquakes.yml.",
    completion: .file(extensions: ScenarioFiles.extensions))
  var paths: [String] = []

  @OptionGroup(title: "Which cells")
  var cells: CellOptions

  @OptionGroup var engines: EngineOptions

  @OptionGroup var sqlite: SQLiteOptions

  @Option(
    help: ArgumentHelp(
      "Set a source, sweep, cell, store or measure parameter by its name, as in --set rows=1_000 (repeatable).",
      valueName: "key=value"))
  var set: [String] = []

  @Option(help: ArgumentHelp("Take the rows from this feed: CSV, JSON Lines or GeoJSON.", valueName: "path"))
  var feed: String?

  @Option(
    help: ArgumentHelp(
      "Fill an attribute from the feed's field of another name, as in --map title='Track Title' (repeatable).",
      valueName: "attribute=field"))
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "Take the model and the rows from this store, which Core Data wrote; without scenario files, store them again by "
        + "every insert strategy.", valueName: "path"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "Timed samples of each cell; with fewer than \(Estimate.leastRounds) no time has an interval, and no cell is ranked by time.",
      valueName: "n"))
  var rounds: String?

  @Option(
    help: ArgumentHelp(
      "Share this time among the cells, as in 5m: each takes as many rounds as fit its share.", valueName: "time"))
  var maxTime: String?

  @Option(
    help: ArgumentHelp(
      "Take rounds until the 95 % interval of each cell's time reaches no further than this to either side; at most \(RoundRules.mostRounds), or --rounds.",
      valueName: "percent"))
  var precision: String?

  // The name of this option before 0.3.
  @Option(help: .hidden)
  var until: String?

  @Option(
    help: ArgumentHelp(
      "Rounds that each cell has, whatever --max-time, --precision or its slowness say.", valueName: "n"))
  var minRounds: Int?

  @Flag(help: "Take one timed round, and of swept rows those up to 100,000: a first look, not a measurement.")
  var quick = false

  @Flag(help: "Continue the run in DIR: measure what is missing and what failed.")
  var resume = false

  @Flag(help: "Keep the store of each cell's first timed sample, in DIR/stores.")
  var keepStores = false

  @Option(help: ArgumentHelp("The folder to write to; it must not exist yet.", valueName: "dir"))
  var out: String?

  @Flag(name: .customLong("open"), help: "Open report.html when it is written.")
  var opens = false

  @OptionGroup(title: "Commands around samples")
  var hooks: HookOptions

  @Option(
    help: ArgumentHelp("Write results.json to this file as well; - is standard output.", valueName: "file"),
    completion: .file())
  var exportJson: String?

  @Option(
    help: ArgumentHelp(
      "Write summary.csv, a row a cell and phase, to this file as well; - is standard output.", valueName: "file"),
    completion: .file())
  var exportCsv: String?

  @Option(
    help: ArgumentHelp("Write report.md to this file as well; - is standard output.", valueName: "file"),
    completion: .file())
  var exportMarkdown: String?

  @Option(
    help: ArgumentHelp(
      "Write the run in a format of other tools, one of \(ExchangeExport.formats) (repeatable); the file - is standard "
        + "output.", valueName: "format=file"), completion: .list(ExchangeFormat.allCases.map { $0.rawValue + "=" }),
    transform: ExchangeExport.init)
  var export: [ExchangeExport] = []

  @Option(help: ArgumentHelp("Keep the results under this name, for 'compare NAME'.", valueName: "name"))
  var saveBaseline: String?

  @OptionGroup var baselines: BaselineOptions

  @Flag(help: "Write over export files and a baseline that exist; never over what the run reads.")
  var force = false

  @Flag(help: "Measure nothing: show the cells, their rounds, and the time, disk and memory that they will take.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Take the K-th of N parts of the run, for 'merge'; auto reads which from Slurm, GitLab, Buildkite, Kubernetes (auto/N) or BATCHMARK_SHARD; all/N shows every part with --dry-run.",
      valueName: "k/n"))
  var shard: String?

  @Flag(
    help:
      "With --shard, take all scenarios and the N-th part of their rounds, the same number on every machine; 'merge' then says how far answers hold on other machines."
  )
  var roundsPerShard = false

  @Flag(help: "With --shard, accept a part in which there is nothing to measure.")
  var allowEmpty = false

  @Option(
    help: ArgumentHelp(
      "The earlier run, its folder or results.json, whose times --dry-run and --shard take; by default --dry-run takes the newest in Reports that has such cells, and --shard the rows.",
      valueName: "results"), completion: .file(extensions: ["json"]))
  var estimateFrom: String?

  // The name of this option before 0.3.
  @Option(help: .hidden)
  var durations: String?

  @Option(help: ArgumentHelp("Seed of the rounds' order; random by default.", valueName: "n"))
  var seed: UInt64?

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    if resume && out == nil { throw ValidationError("--resume needs --out DIR, the folder of the run to continue") }
    let exports = [exportJson, exportCsv, exportMarkdown].compactMap(\.self) + export.map(\.path)
    if force && exports.isEmpty && saveBaseline == nil {
      throw ValidationError("--force is for files to export to and for --save-baseline; leave it out")
    }
    if let saveBaseline, !BaselineFolder.isName(saveBaseline) {
      throw ValidationError(
        "--save-baseline \(saveBaseline): expected a name of ASCII letters, digits, '-', '_' and '.', at most 100 of them"
      )
    }
    if dryRun, resume || !exports.isEmpty || saveBaseline != nil || opens || keepStores {
      throw ValidationError(
        "--dry-run measures nothing: leave out --resume, --save-baseline, --open, --keep-stores and exports")
    }
    if precision != nil && until != nil { throw ValidationError("--until is now --precision; leave it out") }
    if estimateFrom != nil && durations != nil {
      throw ValidationError("--durations is now --estimate-from; leave it out")
    }
    if estimates != nil && !dryRun && shard == nil {
      throw ValidationError("--estimate-from is for --dry-run and --shard; leave it out")
    }
    if allowEmpty && shard == nil { throw ValidationError("--allow-empty is for --shard; leave it out") }
    if roundsPerShard {
      guard let shard else { throw ValidationError("--rounds-per-shard needs --shard K/N") }
      if (estimates ?? maxTime ?? width) != nil {
        throw ValidationError(
          "--rounds-per-shard gives every machine the same rounds; leave out --estimate-from, --max-time and --precision"
        )
      }
      if shard.hasPrefix("all") {
        throw ValidationError(
          "--rounds-per-shard gives every machine all scenarios, so that nothing is divided; leave out --shard all/N")
      }
    }
    if format == .json, exports.contains(ReportExport.standardOutput) {
      throw ValidationError("found --format json and an export to standard output; name a file for the export")
    }
    if exports.count(where: { $0 == ReportExport.standardOutput }) > 1 {
      throw ValidationError("found two exports to standard output; name a file for one of them")
    }
    if feed != nil && store != nil {
      throw ValidationError("found both --feed and --store; the rows come from one of them")
    }
    if quick && rounds != nil { throw ValidationError("--quick takes one round; leave out --rounds") }
    if quick, let setting = set.first(where: { $0.hasPrefix("rounds=") }) {
      throw ValidationError("--quick takes one round; leave out --set \(setting)")
    }
    if quick && (maxTime ?? width ?? minRounds.map { "\($0)" }) != nil {
      throw ValidationError("--quick takes one round; leave out --max-time, --precision and --min-rounds")
    }
    for setting in set where !setting.dropFirst().contains("=") {
      throw ValidationError(SharedArguments.noSetting(setting))
    }
  }

  func run() throws { try sqlite.use { try engines.add(namedIn: paths.isEmpty ? nil : paths, measure) } }

  private func measure() throws {
    var request = try self.request()
    let part = try shard.map { (text) throws(CommandError) in try ShardArgument(text) }
    if roundsPerShard { request.sharesRounds = true }
    if dryRun { throw CommandEnd(try DryRun(request: request, durations: estimates, part: part, format: format).run()) }
    switch part {
    case .one(let shard):
      (request.shard, request.durations) = (shard, estimates)
      request.allowsEmptyShard = allowEmpty ? true : nil
    case .all: throw CommandError(.usage, "--shard all/N is for --dry-run; a run takes one shard")
    case nil: break
    }
    let session = RunSession(
      request: request, output: out, resumes: resume, exports: exports, opens: opens, format: format)
    throw CommandEnd(try session.run())
  }

  /// The requested half-width of the interval.
  private var width: String? { precision ?? until }

  /// The earlier run to take durations from.
  private var estimates: String? { estimateFrom ?? durations }

  private var exports: ReportExports {
    ReportExports(
      [
        exportJson.map { ReportExport(.report(.results), option: "--export-json", path: $0) },
        exportCsv.map { ReportExport(.report(.summary), option: "--export-csv", path: $0) },
        exportMarkdown.map { ReportExport(.report(.markdown), option: "--export-markdown", path: $0) },
        saveBaseline.map { ReportExport(baseline: $0, in: baselines.folder) },
      ].compactMap(\.self) + export.map(\.export), isForced: force)
  }

  /// The request.
  ///
  /// Short options become settings with the same name.
  private func request() throws(CommandError) -> RunRequest {
    var overrides = set.map { setting in
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return ScenarioOverride(
        key: String(parts.first ?? ""), value: String(parts.last ?? ""), origin: "--set \(setting)")
    }
    if let feed { overrides.append(ScenarioOverride(key: "feed", value: feed, origin: "--feed \(feed)")) }
    for pair in map {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw CommandError(.usage, "--map \(pair): expected attribute=field, as in --map title='Track Title'")
      }
      overrides.append(
        ScenarioOverride(key: ScenarioOverride.mapped + parts[0], value: parts[1], origin: "--map \(pair)"))
    }
    if let store { overrides.append(ScenarioOverride(key: "store", value: store, origin: "--store \(store)")) }
    if let rounds { overrides.append(ScenarioOverride(key: "rounds", value: rounds, origin: "--rounds \(rounds)")) }
    return RunRequest(
      paths: paths, selection: cells.only, skipped: cells.skip, overrides: overrides, isQuick: quick,
      keepsStores: keepStores, seed: seed, hooks: hooks.hooks,
      rounds: try RoundRules(maxTime: maxTime, minRounds: minRounds, until: width))
  }
}
