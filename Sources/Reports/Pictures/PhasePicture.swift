// Where the time goes, and how much memory it takes: bars.
internal import Analysis
internal import Charts
internal import Harness
internal import Instruments
internal import Scenarios
internal import Workloads

enum PhasePicture {
  /// The phases of every cell from one start, the whole at the right; nil without times.
  static func time(_ report: ScenarioReport) -> Picture? {
    let phases = Phase.allCases.filter { phase in
      ![.prepare, .verify].contains(phase) && report.figures.contains { $0.phases.contains { $0.phase == phase } }
    }
    let rows = report.figures.compactMap { cell -> StackedBarChart.Row? in
      guard let total = cell.total.figure else { return nil }
      let parts = cell.phases.compactMap { phase -> StackedBarChart.Part? in
        guard let index = phases.firstIndex(of: phase.phase), let wall = phase.wall.figure else { return nil }
        return StackedBarChart.Part(
          name: phase.phase.rawValue, value: wall.median, appearance: Appearance(index: index),
          text: HumanUnits.time(wall.median))
      }
      return StackedBarChart.Row(label: cell.label, parts: parts, figure: HumanUnits.time(total.median))
    }
    guard !rows.isEmpty else { return nil }
    let words = rows.map { row in
      "\(row.label) \(row.figure): \(row.parts.map { "\($0.name) \($0.text ?? "")" }.joined(separator: ", "))"
    }
    return Picture(
      report.question.scenario, "phases",
      chart: StackedBarChart(
        title: "Where the time goes", summary: words.joined(separator: "; ") + ".", axis: .seconds, rows: rows))
  }

  /// The heap at its peak; nil without a memory pass.
  static func memory(_ report: ScenarioReport) -> Picture? {
    let appearances = EngineAppearances(report)
    let rows = report.figures.compactMap { cell -> StackedBarChart.Row? in
      guard let peak = cell.main[.heapPeak].figure else { return nil }
      let part = StackedBarChart.Part(
        name: cell.cell.engine, value: Double(peak), appearance: appearances[cell.cell])
      return StackedBarChart.Row(label: cell.label, parts: [part], figure: HumanUnits.bytes(peak))
    }
    guard !rows.isEmpty else { return nil }
    let words = rows.map { "\($0.label) \($0.figure)" }
    return Picture(
      report.question.scenario, "memory",
      chart: StackedBarChart(
        title: "Heap peak of \(report.question.operation.noun)", summary: words.joined(separator: "; ") + ".",
        axis: .bytes("heap peak"), rows: rows))
  }
}
