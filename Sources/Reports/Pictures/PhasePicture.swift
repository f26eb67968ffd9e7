// Where the time goes: bars.
internal import Analysis
internal import Charts
internal import Harness
internal import Instruments
internal import BatchmarkEngine

enum PhasePicture {
  /// The phases of every cell from one start, the whole at the right; nil without times.
  static func time(_ report: ScenarioReport) -> Picture? {
    let phases = Phase.allCases.filter { phase in
      ![.prepare, .verify].contains(phase) && report.cells.contains { $0.phases.contains { $0.phase == phase } }
    }
    let rows = report.leastFirst(\.sumOfPhases).compactMap { cell -> StackedBarChart.Row? in
      guard let sum = cell.sumOfPhases else { return nil }
      let parts = cell.phases.compactMap { phase -> StackedBarChart.Part? in
        guard let index = phases.firstIndex(of: phase.phase), let wall = phase.wall.figure else { return nil }
        return StackedBarChart.Part(
          name: phase.phase.rawValue, value: wall.median, appearance: Appearance(index: index),
          text: HumanUnits.time(wall.median))
      }
      return StackedBarChart.Row(label: cell.label, parts: parts, figure: HumanUnits.time(sum))
    }
    guard !rows.isEmpty else { return nil }
    let words = rows.map { row in
      "\(row.label) \(row.figure): \(row.parts.map { "\($0.name) \($0.text ?? "")" }.joined(separator: ", "))"
    }
    return Picture(
      report.name, "phases",
      chart: StackedBarChart(
        title: "Time by phase: medians, and their sum", summary: words.joined(separator: "; ") + ".", axis: .seconds,
        rows: rows))
  }
}
