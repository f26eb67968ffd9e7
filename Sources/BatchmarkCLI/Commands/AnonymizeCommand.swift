// `anonymize`: writes the shape of a store as a scenario file, without any of its data.
internal import Foundation
internal import ArgumentParser
internal import BatchmarkEngine
internal import Scenarios
internal import Harness

struct AnonymizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Write a scenario whose rows are like those of a store, without their content.",
    discussion: """
      The file has the store's model and counts: rows, nulls, distinct values, lengths, and how many rows are \
      related to how many. 'run' generates rows from them and stores them by every insert strategy. Entities and \
      properties keep the names of the model unless --rename is given. Read the file before you share it.
      """,
    examples: [
      CommandExample(
        "anonymize MyApp.sqlite --rename --out my.yml", "Share the shape of a store, without a name or a value.")
    ],
    aliases: ["anonymise"])

  @Argument(help: "A store that Core Data wrote; it is not touched.", completion: .file())
  var store: String

  @Option(help: ArgumentHelp("The file to write; - is standard output.", valueName: "path"))
  var out = "-"

  @Flag(help: "Write Entity1, a1 and r1 in place of the model's names.")
  var rename = false

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    if format == .json && out == "-" {
      throw ValidationError("found --format json without --out; name a file for the scenario")
    }
  }

  func run() throws {
    if out != "-" { try InputFiles(store: store).refuse(output: out) }
    let schema = Batchmark.schema
    let text = try AnonymousScenario(
      ofStoreAt: store, cells: schema.storeSuiteCells, isRenaming: rename
    ).text
    // Check that the written file can be read back.
    let read = try ScenarioReader(schema: schema).read(text: text, file: out == "-" ? "standard output" : out)
    if out == "-" {
      try Console.output(text)
    } else {
      try NewFile.make(at: out, of: text)
      try format.document(ScenarioFileDocument(read, at: out), .success)
    }
  }
}
