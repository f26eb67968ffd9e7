// `init`: writes a first scenario file for a feed, for a store, or for generated rows.
internal import ArgumentParser
internal import BatchmarkEngine
internal import CoreDataFiles
internal import Foundation
internal import Harness
internal import Reports
internal import Scenarios
internal import Support

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first scenario file for your own rows.",
    discussion: """
      From a feed, the command reads every row; the model gets an attribute for each field, of a type that holds all \
      values. From a store, it takes the store's model. The file has cells that save object by object and in batches, \
      and two budgets. Change it, then 'run' it.
      """,
    examples: [
      CommandExample("init --feed tracks.csv", "Write tracks.yml, with the fields of a file as its model."),
      CommandExample("init --store MyApp.sqlite --out app.yml", "Store the rows of a store again in several ways."),
      CommandExample("init", "Begin with generated rows."),
    ])

  @Option(
    help: ArgumentHelp("CSV with a header, JSON Lines or a USGS feed in GeoJSON.", valueName: "path"),
    completion: .file())
  var feed: String?

  @Option(
    help: ArgumentHelp("A store that Core Data wrote; it is not touched.", valueName: "path"), completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The file to write; NAME.yml in this folder by default; - is standard output.", valueName: "path"),
    completion: .file())
  var out: String?

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    if format == .json && out == "-" {
      throw ValidationError("found --format json and --out -; name a file for the scenario")
    }
    if feed != nil && store != nil {
      throw ValidationError("--feed and --store: rows come from one of them; leave one out")
    }
  }

  func run() throws {
    let schema = Batchmark.schema
    // Paths in a file are relative to its folder.
    let folder = out.flatMap { $0 == "-" ? nil : ($0 as NSString).deletingLastPathComponent } ?? ""
    let scenario: FirstScenario
    if let feed {
      scenario = FirstScenario(try FeedShape(ofFeedAt: feed), feed: InitCommand.path(feed, from: folder))
    } else if let store {
      let read = try ScenarioReader(schema: schema).read(
        text: schema.storeSuite, file: ScenarioSchema.storeSuiteName,
        overrides: [ScenarioOverride(key: "store", value: store, origin: "--store \(store)")])
      scenario = FirstScenario(storeAt: InitCommand.path(store, from: folder), rows: try RowCount(of: read).rows)
    } else {
      scenario = FirstScenario()
    }
    let text = scenario.text(schema)
    let out = out ?? scenario.name + ".yml"
    // Do not write a file that cannot be read back.
    let read = try ScenarioReader(schema: schema).read(text: text, file: out == "-" ? "standard output" : out)
    if out == "-" { return try Console.output(text) }
    try NewFile.make(at: out, of: text)
    let rows = scenario.rows.map { ", " + HumanUnits.counted($0, "row") } ?? ""
    try format.output(
      "Wrote \(out.onOneLine): \(HumanUnits.counted(read.cells.count, "cell"))\(rows). "
        + "Next: batchmark run \(ShellWord.quoted(out).onOneLine) --quick\n")
    try format.document(ScenarioFileDocument(read, at: out, rows: scenario.rows), .success)
  }

  /// A path relative to that folder, for a file in it.
  private static func path(_ path: String, from folder: String) -> String {
    folder.isEmpty || path.hasPrefix("/") ? path : URL(fileURLWithPath: path).path
  }
}
