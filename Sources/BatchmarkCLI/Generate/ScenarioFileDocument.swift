// The output for programs of the commands that write a scenario file.
internal import BatchmarkEngine
internal import Reports
internal import Scenarios

/// The scenario file that was written.
struct ScenarioFileDocument: CommandDocument {
  static let title = "A scenario file that was written"

  var file: String
  var scenario: String
  var cells: [String]
  /// Absent if the rows were not counted.
  var rows: Int?

  init(_ scenario: Scenario, at file: String, rows: Int? = nil) {
    (self.file, self.scenario, self.rows) = (file, scenario.name, rows)
    cells = scenario.cells.map(\.id)
  }
}
