// `validate`: reports all mistakes in scenario files and their sources, without measuring.
internal import Analysis
internal import ArgumentParser
internal import CoreDataModel
internal import Harness
internal import Reports
internal import BatchmarkEngine
internal import Scenarios

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check scenario files and the sources they name.",
    discussion:
      "The command reports every mistake with its file, line and column. Status 65 for an invalid file, 66 for a missing one.",
    examples: [
      CommandExample("validate my.yml", "Report every mistake of a scenario, and whether its rows can be read."),
      CommandExample("validate Scenarios --format json", "The same for a program."),
    ])

  @Argument(
    help: "Scenario files, or folders of them.", completion: .file(extensions: ScenarioFiles.extensions))
  var paths: [String]

  @OptionGroup var engines: EngineOptions

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws { try engines.add(namedIn: paths, validateAll) }

  private func validateAll() throws {
    let reader = ScenarioReader(schema: Batchmark.schema)
    var found: [(file: ValidationDocument.File, status: CommandStatus)] = []
    for path in paths {
      do {
        for file in try ScenarioFiles.find(in: [path]) { found.append(try check(file, reader)) }
      } catch {
        found.append(complain(error, of: path))
      }
    }
    throw CommandEnd(
      try format.document(ValidationDocument(files: found.map(\.file)), .first(of: found.map(\.status))))
  }

  private func check(
    _ file: String, _ reader: ScenarioReader
  ) throws -> (file: ValidationDocument.File, status: CommandStatus) {
    let summary: String
    var document = ValidationDocument.File(file: file)
    do {
      let scenario = try reader.read(file: file)
      let count = try RowCount(of: scenario)
      let change = count.changed.map { ", \(Digits.grouped($0)) of them to \(scenario.operation.kind.rawValue)" } ?? ""
      let isSwept = scenario.cells.sweptConditions.contains { $0.key == "rows" }
      let rows = (isSwept ? "up to " : "") + HumanUnits.counted(count.rows, "row")
      let needs = count.size.map { SourceNeeds($0).note } ?? ""
      let names = "\(file): ok, scenario \(scenario.name)".onOneLine
      summary =
        "\(names), \(HumanUnits.counted(scenario.cells.count, "cell")), \(rows)\(change)\(needs.isEmpty ? "" : " ")\(needs)\n"
      document.scenario = scenario.name
      document.cells = scenario.cells.map(\.id)
      document.rows = count.rows
      document.warnings = AbsentEngine.sentences(of: scenario.absentEngines) + ValidateCommand.warnings(on: scenario)
    } catch {
      return complain(error, of: file)
    }
    try format.output(summary)
    for warning in document.warnings { Console.complain("\(file): warning: \(warning)") }
    return (document, .success)
  }

  /// Warnings about patterns that may be too slow for rows, which would only show in the worker that stores them.
  private static func warnings(on scenario: Scenario) -> [String] {
    scenario.model.entities.flatMap { entity in
      entity.attributes.flatMap { attribute in
        attribute.validationRules.compactMap { rule -> String? in
          guard case .pattern(let source) = rule, let costly = (try? TextPattern(source))?.costlyMatch() else {
            return nil
          }
          return "\(entity.name).\(attribute.name): the pattern \(costly.pattern) is costly for \(costly.found): "
            + "\(costly.reason), so use \(costly.advice)"
        }
      }
    }
  }

  private func complain(
    _ error: any Error, of file: String
  ) -> (file: ValidationDocument.File, status: CommandStatus) {
    let error = CommandError(error)
    Console.complain(lines: error.lines)
    return (ValidationDocument.File(file: file, errors: error.lines), error.status)
  }
}

/// The output of `validate` for programs.
struct ValidationDocument: CommandDocument {
  static let title = "Scenario files, checked"

  /// A scenario file, or a path that could not be read.
  struct File: Codable {
    var file: String
    /// Absent if it has an error.
    var scenario: String?
    var cells: [String] = []
    var rows: Int?
    /// Each one has its file, line and column.
    var errors: [String] = []
    var warnings: [String] = []
  }

  var files: [File]
}
