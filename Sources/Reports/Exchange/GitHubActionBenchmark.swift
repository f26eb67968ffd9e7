// Exports a run as the input of github-action-benchmark for which smaller values are better.
internal import Analysis

/// The input of github-action-benchmark.
enum GitHubActionBenchmark {
  /// A point in a chart.
  struct Entry: Encodable, Hashable {
    var name: String
    var unit: String
    var value: Double
    /// The uncertainty of the value, as text.
    var range: String?
    /// The text of a tooltip.
    var extra: String?
  }

  /// A page of the action draws a chart for each entry, so there are few metrics unless others are requested.
  static let headline: Set<MetricID> = [.heapPeak, .walPeak, .syncs, .allocations]

  /// The times of each cell, and those of its metrics that are better when smaller.
  static func entries(_ run: ExchangedRun) -> [Entry] {
    run.cells.flatMap { cell -> [Entry] in
      let phase = cell.figures.phase.rawValue
      let extra =
        HumanUnits.counted(cell.figures.rows, "row") + ", " + HumanUnits.counted(cell.figures.samples, "round")
      var entries: [Entry] = []
      if let wall = cell.figures.wall.figure {
        let range = wall.low.flatMap { low in
          wall.high.map { "\(low.nanoseconds / 1e9) to \($0.nanoseconds / 1e9), 95 %" }
        }
        entries.append(
          Entry(name: "\(cell.cell.id) \(phase) wall", unit: "s", value: wall.median, range: range, extra: extra))
      }
      if let cpu = cell.figures.cpuMedian.figure {
        entries.append(Entry(name: "\(cell.cell.id) \(phase) cpu", unit: "s", value: cpu, extra: extra))
      }
      let shown = run.chosen ?? headline
      for (id, value) in cell.metrics where id.declaration.isMoreWorse && shown.contains(id) {
        entries.append(
          Entry(
            name: "\(cell.cell.id) \(phase) \(id.rawValue)", unit: unit(id.declaration.unit), value: Double(value),
            extra: id.declaration.help))
      }
      return entries
    }
  }

  private static func unit(_ unit: MetricUnit) -> String {
    switch unit {
    case .bytes: "B"
    case .seconds: "s"
    case .nanoseconds: "ns"
    case .frames, .pages, .count: unit.rawValue
    }
  }
}
