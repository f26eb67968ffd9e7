// `schema`: the form of the files that people write and programs read, as a JSON Schema.
internal import ArgumentParser
internal import Foundation
internal import Programs
internal import Reports
internal import BatchmarkEngine
internal import Scenarios
internal import Support
internal import Harness

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the form of a file as a JSON Schema, for editors and other programs.",
    discussion: """
      'scenario' is for files that people write, 'results' for results.json, 'pair' for pair.json, 'explanation' \
      for its causes in explanation.json, 'comparison' for what 'compare --format json' prints, 'history' for the files of a \
      history, 'watch' for watch.json, 'program' for the lines that an engine that is a program reads and writes.

      An editor with a YAML language server completes and checks a scenario whose first line is \
      '# yaml-language-server: $schema=scenario.schema.json'. What one part of a file says of another is checked by \
      'validate' alone.
      """,
    examples: [
      CommandExample("schema scenario > scenario.schema.json", "For an editor that completes and checks scenarios.")
    ])

  @Argument(help: "The file that is described.")
  var file: File

  @OptionGroup var engines: EngineOptions

  enum File: String, ExpressibleByArgument, CaseIterable {
    case scenario, results, pair, explanation, comparison, history, watch, program
  }

  func run() throws { try engines.add(namedIn: nil, printSchema) }

  private func printSchema() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let schema =
      switch file {
      case .scenario: Batchmark.schema.jsonSchema
      case .results: StoredSchemas.results.withDefinitions()
      case .pair: StoredSchemas.pair.withDefinitions()
      case .explanation: StoredSchemas.explanation.withDefinitions()
      case .comparison: StoredSchemas.comparison.withDefinitions()
      case .history: StoredSchemas.history.withDefinitions()
      case .watch: StoredSchemas.watch.withDefinitions()
      case .program: ProgramProtocol.schema
      }
    let text = String(decoding: try encoder.encode(schema), as: UTF8.self)
    try Console.output(encoded: JSONText.escaped(text) + "\n")
  }
}
