// The growth of the WAL while rows were passed to SQLite.
internal import Analysis
internal import Charts

enum WALPicture {
  /// One line for all cells with the same growth, with marks for checkpoints and the last commit, and the limits of
  /// cells; `nil` if no WAL was recorded.
  static func growth(_ report: ScenarioReport) -> Picture? {
    let lines = report.alikeGrowths
    guard !lines.isEmpty else { return nil }
    let series = lines.enumerated().map { index, line in
      let rows = Double(line.course.points.last?.rows ?? 0)
      func place(_ point: GrowthPoint) -> LineChart.Point {
        LineChart.Point(x: rows > 0 ? Double(point.rows) / rows : 0, y: Double(point.walBytes))
      }
      var notes: [LineChart.Note] = []
      let checkpoints = line.course.checkpoints
      if !checkpoints.isEmpty { notes.append(LineChart.Note("checkpoint", at: checkpoints.map(place))) }
      if let commit = line.course.commit { notes.append(LineChart.Note("commit", at: [place(commit)])) }
      return LineChart.Series(
        label: line.name(of: lines.count), appearance: Appearance(index: index),
        points: line.course.points.map(place), style: .step, notes: notes)
    }
    let words = lines.map { line in
      "\(line.name(of: lines.count)): at most \(HumanUnits.bytes(line.course.highest))"
    }
    return Picture(
      report.name, "wal",
      chart: LineChart(
        title: "Growth of the WAL", summary: words.joined(separator: "; ") + ".",
        x: Axis(title: "share of the rows", kind: .linear) { Digits.fixed($0 * 100, decimals: 0) + " %" },
        y: .bytes("size of the WAL"), series: series, rules: limits(report)))
  }

  /// A line at each limit that a cell sets.
  private static func limits(_ report: ScenarioReport) -> [LineChart.Rule] {
    let limits = Set(report.cells.compactMap { $0.cell[.walLimit].bytes })
    return limits.sorted().map {
      LineChart.Rule(.horizontal, at: Double($0), label: "limit \(HumanUnits.bytes(Int64($0)))")
    }
  }
}

extension AlikeCells {
  /// The name of the line for these cells, one of several.
  func name(of lines: Int) -> String {
    guard let first = cells.first else { return "" }
    if cells.count == 1 { return first.label }
    return lines == 1 ? "all \(cells.count) alike" : "\(first.label) and \(cells.count - 1) more"
  }
}
