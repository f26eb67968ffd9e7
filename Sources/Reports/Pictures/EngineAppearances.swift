// The shapes and colors of engines, the same in every picture of a report.
internal import Analysis
internal import Charts

/// The appearance of a scenario's cells.
struct EngineAppearances {
  private let engines: [String]

  /// Orders engines by their first cells.
  init(_ scenario: ScenarioReport) { self.init(scenario.cells.map(\.cell)) }

  /// Orders engines by their first cells.
  init(_ cells: [Cell]) {
    var known: Set<String> = []
    engines = cells.map(\.engine).filter { known.insert($0).inserted }
  }

  subscript(cell: Cell) -> Appearance { Appearance(index: engines.firstIndex(of: cell.engine) ?? 0) }

  /// One entry for each engine; empty if there is only one.
  var legend: [LegendEntry] {
    guard engines.count > 1 else { return [] }
    return engines.enumerated().map { LegendEntry(label: $1, appearance: Appearance(index: $0)) }
  }
}
