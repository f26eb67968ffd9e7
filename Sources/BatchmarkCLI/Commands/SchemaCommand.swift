// `schema`: the form of the files that people write and programs read, as a JSON Schema.
internal import ArgumentParser
internal import Foundation
internal import Scenarios
internal import Workloads

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the form of scenario files as a JSON Schema, for editors and other programs.",
    discussion: """
      An editor with a YAML language server completes and checks a scenario whose first line is \
      '# yaml-language-server: $schema=scenario.schema.json'. What one part of a file says of another is checked by \
      'validate' alone.
      """)

  @Argument(help: "The file that is described.")
  var file: File

  enum File: String, ExpressibleByArgument, CaseIterable {
    case scenario
  }

  func run() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let schema = ScenarioSchema(Batchmark.engines).jsonSchema
    try Console.output(String(decoding: try encoder.encode(schema), as: UTF8.self) + "\n")
  }
}
