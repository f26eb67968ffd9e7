// `validate`: everything that is wrong with scenario files and their sources, without measuring anything.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports
internal import Scenarios
internal import Workloads

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

  func run() throws {
    let reader = ScenarioReader(schema: ScenarioSchema(Batchmark.engines))
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
    do {
      let scenario = try reader.read(file: file)
      let count = try RowCount(of: scenario)
      let change = count.changed.map { ", \($0) of them to \(scenario.operation.kind.rawValue)" } ?? ""
      let isSwept = scenario.cells.sweptConditions.contains { $0.key == "rows" }
      let rows = (isSwept ? "up to " : "") + "\(count.rows) rows"
      let needs = count.size.map { SourceNeeds($0).note } ?? ""
      let names = "\(file): ok, scenario \(scenario.name)".onOneLine
      summary = "\(names), \(scenario.cells.count) cells, \(rows)\(change)\(needs.isEmpty ? "" : " ")\(needs)\n"
    } catch {
      return ValidateCommand.complain(error)
    }
    try Console.output(summary)
    return .success
  }

  private static func complain(_ error: any Error) -> CommandStatus {
    let error = CommandError(error)
    Console.complain(lines: error.lines)
    return error.status
  }
}
