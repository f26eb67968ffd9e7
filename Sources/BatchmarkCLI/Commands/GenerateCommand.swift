// `generate`: the embedded generator's rows as a feed, in the formats the feed reader reads.
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import CoreDataModel
internal import Scenarios

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write generated earthquakes as a USGS feed.",
    discussion: "Read back with --feed, the feed gives the rows that a scenario with the same settings generates.")

  @Option(help: "How many rows.", transform: GenerateCommand.rowCount)
  var rows = 10_000

  @Option(help: "The generator's seed.")
  var seed: UInt64 = 42

  @Option(
    help: ArgumentHelp("The share of rows that repeat an earlier row's code, as in 5%.", valueName: "percent"),
    transform: GenerateCommand.share)
  var duplicates = 0.0

  @Option(help: "The feed's format.")
  var format = FeedFormat.csv

  @Option(help: ArgumentHelp("The file to write; - is standard output.", valueName: "path"))
  var out = "-"

  func run() throws {
    let settings = GeneratorSettings(rows: rows, seed: seed, duplicates: duplicates)
    let entity = EntityDescription("Quake", attributes: GeneratorSettings.attributes)
    let feed = FeedWriter(rows: try SourceDescription.generate(settings).rows(for: entity))
    if out == "-" {
      try feed.write(as: format, to: FileHandle.standardOutput, path: "standard output")
    } else {
      try NewFile.make(at: out) { file throws(OutputError) in try feed.write(as: format, to: file, path: out) }
    }
  }

  /// A number of rows, underscores between its digits or not.
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
