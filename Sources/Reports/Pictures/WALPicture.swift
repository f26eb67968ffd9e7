// How the WAL grew while rows were handed to SQLite.
internal import Analysis
internal import Charts
internal import Harness
internal import Scenarios

enum WALPicture {
  /// One line for all cells that grow alike; nil where no WAL was watched.
  static func growth(_ report: ScenarioReport) -> Picture? {
    let lines = report.alikeGrowths
    guard !lines.isEmpty else { return nil }
    let series = lines.enumerated().map { index, line in
      let last = Double(max(line.growth.points.count - 1, 1))
      return LineChart.Series(
        label: name(line.cells, isAll: lines.count == 1), appearance: Appearance(index: index),
        points: line.growth.points.enumerated().map { .init(x: Double($0) / last, y: Double($1)) }, style: .step)
    }
    let words = lines.map { line in
      "\(name(line.cells, isAll: lines.count == 1)): at most \(HumanUnits.bytes(line.growth.highest))"
    }
    return Picture(
      report.question.scenario, "wal",
      chart: LineChart(
        title: "Size of the WAL", summary: words.joined(separator: "; ") + ".",
        x: Axis(title: "share of the rows", kind: .linear) { Digits.fixed($0 * 100, decimals: 0) + " %" },
        y: .bytes("size of the WAL"), series: series))
  }

  private static func name(_ cells: [CellFigures], isAll: Bool) -> String {
    guard let first = cells.first else { return "" }
    if cells.count == 1 { return first.label }
    return isAll ? "all \(cells.count) alike" : "\(first.label) and \(cells.count - 1) more"
  }
}
