// Pictures of sweeps: growth with rows, and knees.
internal import Analysis
internal import Charts

enum SweepPicture {
  /// Time against rows, both axes logarithmic, each line labeled with its exponent.
  ///
  /// There is a small plot for each kind of work if there are several, or too many lines for one plot.
  static func scaling(_ analysis: ScenarioAnalysis) -> Picture? {
    guard let growth = analysis.growth else { return nil }
    let panels = growth.panels.map { panel in
      LinePanels.Panel(title: panel.name, series: panel.lines.compactMap(series))
    }.filter { !$0.series.isEmpty }
    let all = panels.flatMap { panel in panel.series.map { (panel: panel.title, series: $0) } }
    // Draw it through the slowest first point, so that the guide is above the lines.
    guard let first = all.compactMap(\.series.points.first).max(by: { $0.y < $1.y }) else { return nil }
    let guide = LineChart.Guide(x: first.x, y: first.y, label: "in proportion")
    let words = all.map { panel, series in
      (panel.isEmpty ? "" : "\(panel): ") + series.label + (series.end.isEmpty ? "" : ", exponent \(series.end)")
    }
    let summary = words.joined(separator: "; ") + "."
    let y = Axis(title: "time", kind: .logarithmic) { HumanUnits.roundTime($0) }
    let chart: any Chart =
      panels.count > 1
      ? LinePanels(
        title: "Time by number of rows; each line ends with its exponent", summary: summary, x: .rows(), y: y,
        panels: panels, guide: guide)
      : LineChart(
        title: "Time by number of rows", summary: summary, x: .rows(), y: y, series: panels[0].series.map(named),
        guide: guide)
    return Picture(analysis.scenario.name, "scaling", chart: chart)
  }

  /// A line with its exponent; `nil` if it has fewer than two points.
  private static func series(_ line: Scaling.PanelLine) -> LineChart.Series? {
    let points = line.line.points.compactMap { point -> LineChart.Point? in
      guard let wall = point.cell.main.wall.figure, wall.median > 0 else { return nil }
      return .init(x: point.setting.order, y: wall.median, low: wall.low, high: wall.high)
    }
    guard points.count > 1 else { return nil }
    var series = LineChart.Series(label: line.name, appearance: Appearance(index: line.look), points: points)
    series.end = line.line.shape.map { Digits.exponent($0.exponent.exponent) } ?? ""
    return series
  }

  /// The line with its exponent next to its name.
  private static func named(_ series: LineChart.Series) -> LineChart.Series {
    var series = series
    if !series.end.isEmpty { series.label += ", exponent \(series.end)" }
    return series
  }

  /// Time relative to the best, by parameter value, with the band that counts as equally fast.
  static func knee(_ knees: Knees, in analysis: ScenarioAnalysis) -> Picture? {
    let series = knees.lines.enumerated().compactMap { index, line -> LineChart.Series? in
      let points = zip(line.points, line.ratios).compactMap { point, ratio -> LineChart.Point? in
        guard let ratio, let amount = point.setting.amount, amount > 0 else { return nil }
        return .init(x: amount, y: ratio.median, low: ratio.low, high: ratio.high)
      }
      return points.count > 1
        ? .init(label: line.series.label, appearance: Appearance(index: index), points: points) : nil
    }
    guard !series.isEmpty else { return nil }
    return Picture(
      analysis.scenario.name, "knee", knees.key,
      chart: LineChart(
        title: "Time by \(knees.key)",
        summary: "Times the best of each line: \(series.map(\.label).joined(separator: "; ")).",
        x: .rows(knees.key), y: Axis(title: "times the best", steps: .doubling) { Digits.trimmed($0) + "×" },
        series: series,
        bands: [
          .init(
            low: 1, high: 1 + Knees.margin,
            label: "within \(Digits.fixed(Knees.margin * 100, decimals: 0)) % of the best")
        ]))
  }
}
