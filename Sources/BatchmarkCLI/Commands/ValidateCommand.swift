// `validate`: everything that is wrong with scenario files and their sources, without measuring anything.
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
      "Every mistake is shown with its file, line and column. Status 65 for an invalid file, 66 for a missing one.",
    examples: [
      CommandExample("validate my.yml", "Say every mistake of a scenario, and whether its rows can be read.")
    ])

  @Argument(
    help: "Scenario files, or folders of them.", completion: .file(extensions: ScenarioFiles.extensions))
  var paths: [String]

  @OptionGroup var engines: EngineOptions

  func run() throws { try engines.add(namedIn: paths, validateAll) }

  private func validateAll() throws {
    let reader = ScenarioReader(schema: Batchmark.schema)
    var statuses: [CommandStatus] = []
    for path in paths {
      do {
        for file in try ScenarioFiles.find(in: [path]) {
          statuses.append(try check(file, reader))
        }
      } catch {
        statuses.append(ValidateCommand.complain(error))
      }
    }
    throw CommandEnd(.first(of: statuses))
  }

  private func check(_ file: String, _ reader: ScenarioReader) throws(CommandError) -> CommandStatus {
    let summary: String
    let warnings: [String]
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
      warnings = AbsentEngine.sentences(of: scenario.absentEngines) + ValidateCommand.warnings(on: scenario)
    } catch {
      return ValidateCommand.complain(error)
    }
    try Console.output(summary)
    for warning in warnings { Console.complain("\(file): warning: \(warning)") }
    return .success
  }

  /// Patterns that rows may be too costly for, which shows only in the worker that stores them.
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

  private static func complain(_ error: any Error) -> CommandStatus {
    let error = CommandError(error)
    Console.complain(lines: error.lines)
    return error.status
  }
}
