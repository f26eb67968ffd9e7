// `generate`: writes generated rows as a feed, in the formats that the feed reader accepts.
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import CoreDataModel
internal import BatchmarkEngine
internal import Scenarios

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write generated earthquakes, or the rows of a scenario, as a feed.",
    discussion: """
      Without a scenario, the command writes what the earthquake generator makes with the same settings. Read back \
      with --feed, or as a scenario's feed, the file gives the same rows.
      """,
    examples: [
      CommandExample("generate --rows 1_000 > quakes.csv", "A thousand earthquakes."),
      CommandExample("generate my.yml --out rows.csv", "The rows of a scenario, as CSV."),
    ])

  @Argument(
    help: "A scenario, whose source's rows are written as CSV or JSON Lines.",
    completion: .file(extensions: ScenarioFiles.extensions))
  var scenario: String?

  @Option(help: ArgumentHelp("The entity whose rows are written, where the scenario has several.", valueName: "name"))
  var entity: String?

  @Option(help: "How many rows; 10000 without a scenario.", transform: GenerateCommand.rowCount)
  var rows: Int?

  @Option(help: "The seed; 42 without a scenario.")
  var seed: UInt64?

  @Option(
    help: ArgumentHelp("The share of rows that repeat an earlier row's code, as in 5%.", valueName: "percent"),
    transform: GenerateCommand.share)
  var duplicates: Double?

  @Option(help: "The feed's format.")
  var format = FeedFormat.csv

  @Option(help: ArgumentHelp("The file to write; - is standard output.", valueName: "path"))
  var out = "-"

  func validate() throws {
    if scenario == nil, entity != nil {
      throw ValidationError("found --entity without a scenario; expected the scenario to generate rows of")
    }
    if scenario != nil, format == .geojson {
      throw ValidationError(
        "found --format geojson with a scenario; expected csv or jsonl, which have fields of any kind")
    }
  }

  func run() throws {
    if let scenario {
      let rows = try RowWriter(scenarioRows(of: scenario))
      try write { file, path throws(OutputError) in try rows.write(as: format, to: file, path: path) }
    } else {
      let settings = GeneratorSettings(rows: rows ?? 10_000, seed: seed ?? 42, duplicates: duplicates ?? 0)
      let entity = EntityDescription("Quake", attributes: GeneratorSettings.attributes)
      let feed = FeedWriter(rows: try SourceDescription.generate(settings).rows(for: entity))
      try write { file, path throws(OutputError) in try feed.write(as: format, to: file, path: path) }
    }
  }

  private func write(_ body: (FileHandle, String) throws(OutputError) -> Void) throws {
    if out == "-" {
      try body(FileHandle.standardOutput, "standard output")
    } else {
      try NewFile.make(at: out) { file throws(OutputError) in try body(file, out) }
    }
  }

  /// The rows of the selected entity in a scenario's source.
  private func scenarioRows(of path: String) throws -> ColumnarRows {
    let settings = [
      ("rows", rows.map { "\($0)" }), ("seed", seed.map { "\($0)" }), ("duplicates", duplicates.map { "\($0 * 100)%" }),
    ]
    let overrides = settings.compactMap { key, value in
      value.map { ScenarioOverride(key: key, value: $0, origin: "--\(key) \($0)") }
    }
    let scenario = try ScenarioReader(schema: Batchmark.schema).read(file: path, overrides: overrides)
    try SourceNeeds.check(scenario, output: nil)
    let tables = try scenario.sourceRows().tables
    let names = tables.map(\.entityName)
    guard let entity else {
      if let only = tables.first, tables.count == 1 { return only }
      throw CommandError(
        .usage,
        "\(path): found rows of \(names.count) entities; expected --entity and one of \(names.joined(separator: ", "))")
    }
    guard let table = tables.first(where: { $0.entityName == entity }) else {
      throw CommandError(
        .usage, "--entity \(entity): found no rows of it in \(path); expected one of \(names.joined(separator: ", "))")
    }
    return table
  }

  /// A number of rows, with or without underscores between its digits.
  private static func rowCount(_ text: String) throws -> Int {
    guard let count = Int(text.filter { $0 != "_" }), (1...100_000_000).contains(count) else {
      throw ValidationError("found \(text); expected a whole number of rows from 1 to 100_000_000")
    }
    return count
  }

  private static func share(_ text: String) throws -> Double {
    guard text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) else {
      throw ValidationError("found \(text); expected a percentage from 0% to 100%")
    }
    return percent / 100
  }
}
