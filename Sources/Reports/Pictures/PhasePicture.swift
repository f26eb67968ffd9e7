// The time of each phase, as bars.
internal import Analysis
internal import Charts

enum PhasePicture {
  /// One bar per cell, divided into phases, with the sum on the right; `nil` without times.
  static func time(_ report: ScenarioReport) -> Picture? {
    let main = report.operation.phase
    let others = Phase.allCases.filter { phase in
      ![.prepare, .verify, main].contains(phase) && report.cells.contains { $0.phases.contains { $0.phase == phase } }
    }
    // The scenario's main phase is the darkest.
    let phases = [main] + others
    let panels = report.panels(leastFirst: \.sumOfPhases) { cell, label in
      guard let sum = cell.sumOfPhases else { return nil }
      let parts = cell.phases.compactMap { phase -> StackedBarChart.Part? in
        guard let tone = phases.firstIndex(of: phase.phase), let wall = phase.wall.figure else { return nil }
        return StackedBarChart.Part(
          name: phase.phase.rawValue, value: wall.median, appearance: Appearance(tone: tone),
          text: HumanUnits.time(wall.median))
      }
      return StackedBarChart.Row(label: label, parts: parts, figure: HumanUnits.time(sum))
    }
    guard !panels.isEmpty else { return nil }
    let words = panels.flatMap(\.rows).map { row in
      "\(row.label) \(row.figure): \(row.parts.map { "\($0.name) \($0.text ?? "")" }.joined(separator: ", "))"
    }
    return Picture(
      report.name, "phases",
      chart: StackedBarChart(
        title: "Time by phase: medians, and their sum", summary: words.joined(separator: "; ") + ".", axis: .seconds,
        panels: panels))
  }
}

extension ScenarioReport {
  /// Groups share a scale if their longest bars differ by less than this factor.
  private static let mostOnOneScale = 8.0

  /// One bar per cell.
  ///
  /// Groups of equal work get their own scales if a common one would hide the small bars.
  func panels(
    leastFirst figure: (CellReport) -> Double?, row: (_ cell: CellReport, _ label: String) -> StackedBarChart.Row?
  ) -> [StackedBarChart.Panel] {
    let cells = leastFirst(figure)
    let prose = Prose(self)
    var panels = groups.enumerated().map { index, group in
      StackedBarChart.Panel(
        title: Markdown.plain(prose.heading(of: index)),
        rows: cells.filter { group.cells.contains($0.cell.id) }
          .compactMap { row($0, Markdown.plain(prose.shortName($0.cell.id, in: index))) })
    }
    panels.removeAll { $0.rows.isEmpty }
    let longest = panels.map { panel in panel.rows.map { $0.parts.map(\.value).reduce(0, +) }.max() ?? 0 }
    if let most = longest.max(), let least = longest.min(), most > least * ScenarioReport.mostOnOneScale {
      return panels
    }
    let rows = cells.compactMap { row($0, $0.label) }
    return rows.isEmpty ? [] : [StackedBarChart.Panel(title: "", rows: rows)]
  }
}
