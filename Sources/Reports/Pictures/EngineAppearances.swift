// Engines by shape and by color, the same in every picture of a report.
internal import Analysis
internal import Charts

/// The looks of the cells of a scenario.
struct EngineAppearances {
  private let engines: [String]

  /// The engines in the order of their first cells.
  init(_ scenario: ScenarioReport) { self.init(scenario.cells.map(\.cell)) }

  /// The engines in the order of their first cells.
  init(_ cells: [Cell]) {
    var known: Set<String> = []
    engines = cells.map(\.engine).filter { known.insert($0).inserted }
  }

  subscript(cell: Cell) -> Appearance { Appearance(index: engines.firstIndex(of: cell.engine) ?? 0) }

  /// An entry an engine; empty where there is one alone.
  var legend: [LegendEntry] {
    guard engines.count > 1 else { return [] }
    return engines.enumerated().map { LegendEntry(label: $1, appearance: Appearance(index: $0)) }
  }
}
