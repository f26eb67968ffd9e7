// `run`: what the user may ask for. The work is in `RunSession`.
internal import Foundation
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports
internal import Scenarios

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Measure scenarios and write a report.",
    discussion: """
      Every sample runs in a process of its own, in interleaved rounds. Results arrive in DIR (Reports/<UTC time> \
      without --out): report.md, summary.csv, samples.csv, growth.csv, results.json, and journal.jsonl, from which \
      --resume goes on after an interrupt. An export to - goes to standard output, alone: the table goes to standard \
      error. Budgets of the scenarios are judged at the end: status 1 when one is broken, 5 \
      when one cannot be judged; with --quick only those on exact counters.
      """)

  @Argument(
    help: "Scenario files, or folders of them; without any, the default suite Scenarios/earthquakes.yml.",
    completion: .file(extensions: ScenarioFiles.extensions))
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      "Measure only cells that have this scenario, engine, strategy, key=value or id (repeatable).",
      valueName: "cell"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Set a source, sweep, cell, store or measure parameter by its name, as in --set rows=1_000 (repeatable).",
      valueName: "key=value"))
  var set: [String] = []

  @Option(help: ArgumentHelp("Take the rows from this feed: CSV, JSON Lines or GeoJSON.", valueName: "path"))
  var feed: String?

  @Option(
    help: ArgumentHelp(
      "Take the model and the rows from this store, which Core Data wrote; without scenario files, store them again in "
        + "every way there is.", valueName: "path"))
  var store: String?

  @Option(help: ArgumentHelp("Timed samples of each cell.", valueName: "n"))
  var rounds: String?

  @Flag(help: "Take one timed round, and of swept rows those up to 100,000: a first look, not a measurement.")
  var quick = false

  @Flag(help: "Go on with the run in DIR: measure what is missing and what failed.")
  var resume = false

  @Flag(help: "Keep the store of each cell's first timed sample, in DIR/stores.")
  var keepStores = false

  @Option(help: ArgumentHelp("The folder to write to; it must not exist yet.", valueName: "dir"))
  var out: String?

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

  @Flag(help: "Write over export files that exist; never over what the run reads.")
  var force = false

  @Option(help: ArgumentHelp("Seed of the rounds' order; drawn anew for each run without it.", valueName: "n"))
  var seed: UInt64?

  func validate() throws {
    if resume && out == nil { throw ValidationError("--resume needs --out DIR, the folder of the run to go on with") }
    let exports = [exportJson, exportCsv, exportMarkdown].compactMap(\.self) + export.map(\.path)
    if force && exports.isEmpty { throw ValidationError("--force is for files to export to; leave it out") }
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
    for setting in set where !setting.dropFirst().contains("=") {
      throw ValidationError("--set \(setting): found no '='; expected key=value, as in --set rows=1_000")
    }
  }

  func run() throws {
    let status = try RunSession(request: request, output: out, resumes: resume, exports: exports).run()
    throw CommandEnd(status)
  }

  private var exports: ReportExports {
    ReportExports(
      [
        exportJson.map { ReportExport(.report(.results), option: "--export-json", path: $0) },
        exportCsv.map { ReportExport(.report(.summary), option: "--export-csv", path: $0) },
        exportMarkdown.map { ReportExport(.report(.markdown), option: "--export-markdown", path: $0) },
      ].compactMap(\.self) + export.map(\.export), isForced: force)
  }

  /// The request; a short form stands for the setting of its name.
  private var request: RunRequest {
    var overrides = set.map { setting in
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return ScenarioOverride(
        key: String(parts.first ?? ""), value: String(parts.last ?? ""), origin: "--set \(setting)")
    }
    if let feed { overrides.append(ScenarioOverride(key: "feed", value: feed, origin: "--feed \(feed)")) }
    if let store { overrides.append(ScenarioOverride(key: "store", value: store, origin: "--store \(store)")) }
    if let rounds { overrides.append(ScenarioOverride(key: "rounds", value: rounds, origin: "--rounds \(rounds)")) }
    return RunRequest(
      paths: paths, selection: only, overrides: overrides, isQuick: quick, keepsStores: keepStores, seed: seed,
      hooks: hooks.hooks)
  }
}
