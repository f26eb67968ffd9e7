// What sweeps show: growth with rows, and knees.
internal import Analysis
internal import Charts

enum SweepPicture {
  /// Time against rows, both logarithmic, each line labeled with its exponent.
  static func scaling(_ analysis: ScenarioAnalysis) -> Picture? {
    guard let growth = analysis.growth else { return nil }
    let series = growth.lines.enumerated().compactMap { index, line -> LineChart.Series? in
      let points = line.points.compactMap { point -> LineChart.Point? in
        guard let wall = point.cell.main.wall.figure, wall.median > 0 else { return nil }
        return .init(x: point.setting.order, y: wall.median, low: wall.low, high: wall.high)
      }
      let exponent = line.shape.map { ", exponent \(Digits.significant(Estimate($0.exponent).median))" } ?? ""
      return points.count > 1
        ? .init(label: line.series.label + exponent, appearance: Appearance(index: index), points: points) : nil
    }
    // Through the slowest first point, so that the guide lies above the lines.
    let starts = series.compactMap(\.points.first)
    guard let first = starts.max(by: { $0.y < $1.y }) else { return nil }
    return Picture(
      analysis.scenario.name, "scaling",
      chart: LineChart(
        title: "Time by number of rows", summary: series.map(\.label).joined(separator: "; ") + ".", x: .rows(),
        y: Axis(title: "time", kind: .logarithmic) { HumanUnits.roundTime($0) }, series: series,
        guide: .init(x: first.x, y: first.y, label: "in proportion")))
  }

  /// Time against the best by a parameter, with the band that counts as no longer.
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
