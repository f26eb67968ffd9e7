// Small multiples: line charts side by side on the same axes, with one legend.

/// Small line charts for different kinds of things, with shared axes.
package struct LinePanels: Chart {
  /// The lines of one kind.
  package struct Panel: Sendable {
    /// The title above the plot.
    package var title: String
    package var series: [LineChart.Series]

    package init(title: String, series: [LineChart.Series]) { (self.title, self.series) = (title, series) }
  }

  package var title: String
  package var summary: String
  package var x: Axis
  package var y: Axis
  package var panels: [Panel]
  /// Drawn in every panel.
  package var guide: LineChart.Guide?

  package init(
    title: String, summary: String, x: Axis, y: Axis, panels: [Panel], guide: LineChart.Guide? = nil
  ) {
    (self.title, self.summary, self.x, self.y) = (title, summary, x, y)
    (self.panels, self.guide) = (panels, guide)
  }

  private static let gap = 28.0
  private static let narrowest = 260.0
  private static let mostColumns = 3

  package func drawing(width: Double) -> Drawing {
    var drawing = Drawing(width: width)
    var y = 0.0
    let legend = LinePanels.legend(of: panels.flatMap(\.series), guide)
    // If appearances have different meanings in other panels, each panel has its own legend.
    let isShared = Set(legend.map(\.swatch)).count == legend.count
    if isShared { Legend(entries: legend).draw(&drawing, y: &y) }
    drawing.text(.tick, axes, x: 0, y: y + 12, room: drawing.width)
    y += 24
    let columns = columns(in: drawing)
    let column = (drawing.width - Double(columns - 1) * LinePanels.gap) / Double(columns)
    for start in stride(from: 0, to: panels.count, by: columns) {
      let row = panels[start..<min(start + columns, panels.count)]
      let titles = row.map { TextStyle.label.wrapped($0.title, room: column) }
      let top = Double(titles.map(\.count).max() ?? 0) * 17
      var end = y
      for (index, panel) in row.enumerated() {
        let x = Double(index) * (column + LinePanels.gap)
        for (line, text) in titles[index].enumerated() {
          drawing.text(.label, text, x: x, y: y + 13 + Double(line) * 17, room: column)
        }
        var plot = chart(panel).drawing(width: column)
        if !isShared {
          var bottom = plot.height
          Legend(entries: LinePanels.legend(of: panel.series, guide)).draw(&plot, y: &bottom)
          plot.height = bottom
        }
        drawing.place(plot, x: x, y: y + top + 4)
        end = max(end, y + top + 4 + plot.height)
      }
      y = end + 14
    }
    drawing.height = y
    return drawing
  }

  /// As many columns as fit, or fewer if the rows then have equal lengths.
  private func columns(in drawing: Drawing) -> Int {
    if drawing.isNarrow { return 1 }
    let room = Int((drawing.width + LinePanels.gap) / (LinePanels.narrowest + LinePanels.gap))
    let most = max(1, min(room, LinePanels.mostColumns, panels.count))
    let rows = (panels.count + most - 1) / most
    return max(1, (panels.count + rows - 1) / max(rows, 1))
  }

  private func chart(_ panel: Panel) -> LineChart {
    var (x, y) = (x, y)
    (x.title, y.title) = ("", "")
    var chart = LineChart(title: panel.title, summary: "", x: x, y: y, series: panel.series, guide: guide)
    chart.panel = LineChart.Panel(points: panels.flatMap(\.series).flatMap(\.points))
    return chart
  }

  /// `time by rows`: the common text of both axes.
  private var axes: String {
    let titles = [y.title, x.title].filter { !$0.isEmpty }
    return titles.joined(separator: " by ")
  }

  /// Each line's name once, in the order of the panels, and the guide.
  private static func legend(
    of series: [LineChart.Series], _ guide: LineChart.Guide?
  ) -> [(swatch: Swatch, label: String)] {
    var seen: Set<String> = []
    var entries = series.compactMap { series -> (swatch: Swatch, label: String)? in
      guard !series.label.isEmpty, seen.insert(series.label).inserted else { return nil }
      return (.line(series.appearance), series.label)
    }
    if let guide, !guide.label.isEmpty { entries.append((.guide, guide.label)) }
    return entries
  }
}
