// Small line charts, one below the other, for many series.

/// Series in rows, each on its own scale: they show what changed, not by how much.
package struct SparklineChart: Chart {
  /// One series.
  package struct Row: Sendable {
    /// The name, in monospaced text.
    package var label: String
    /// The subject of the series.
    package var gloss: String
    /// The points; x is from 0 to 1, in steps that all rows share.
    package var points: [LineChart.Point]
    /// The positions of changes, on the same steps.
    package var changes: [Double]
    /// The last value as text, at the right.
    package var figure: String

    package init(label: String, gloss: String, points: [LineChart.Point], changes: [Double], figure: String) {
      (self.label, self.gloss, self.points) = (label, gloss, points)
      (self.changes, self.figure) = (changes, figure)
    }
  }

  package var title: String
  package var summary: String
  package var rows: [Row]

  package init(title: String, summary: String, rows: [Row]) {
    (self.title, self.summary, self.rows) = (title, summary, rows)
  }

  package func drawing(width: Double) -> Drawing {
    var drawing = Drawing(width: width)
    let layout = RowLayout(
      width: drawing.width, names: rows.map { ($0.label, $0.gloss) },
      figures: rows.map { TextStyle.figure.width($0.figure) }.max() ?? 0, margin: 4)
    var y = 0.0
    for row in rows {
      drawing.line("c-row", x1: 0, y1: y, x2: drawing.width, y2: y)
      let words = layout.words(row.label, row.gloss)
      let taken = layout.isNarrow ? max(38, words.heightAboveMarks) : max(42, words.height)
      let height = layout.isNarrow ? taken + 32 : taken
      words.draw(&drawing, middle: y + taken / 2 + (layout.isNarrow ? 1 : 0), room: layout.labelRoom)
      let middle = layout.isNarrow ? y + 20 : y + height / 2
      drawing.text(.figure, row.figure, x: drawing.width, y: middle + 5, anchor: .end, room: layout.figureRoom)
      draw(row, &drawing, layout, from: y + height - 8, to: y + (layout.isNarrow ? taken + 4 : 8))
      y += height
    }
    drawing.line("c-row", x1: 0, y1: y, x2: drawing.width, y2: y)
    drawing.height = y + 2
    return drawing
  }

  private func draw(
    _ row: Row, _ drawing: inout Drawing, _ layout: RowLayout, from bottom: Double, to top: Double
  ) {
    let x = Scale(isLogarithmic: false, low: 0, high: 1, start: layout.plot.lowerBound, end: layout.plot.upperBound)
    let axis = Axis(title: "", kind: .linear) { "\($0)" }
    guard let y = Scale(axis, values: row.points.map(\.y), from: bottom, to: top) else { return }
    for change in row.changes {
      if let x = x.clamped(change) { drawing.line("c-ref", x1: x, y1: top - 4, x2: x, y2: bottom + 4) }
    }
    let appearance = Appearance(index: 0)
    drawing.item("c-item \(appearance.colorClass)", title: "\(row.label), \(row.gloss): \(row.figure)") { drawing in
      var path = Path()
      var isFirst = true
      for point in row.points {
        guard let x = x.clamped(point.x), let y = y.clamped(point.y) else { continue }
        if isFirst { path.move(x, y) } else { path.line(x, y) }
        isFirst = false
      }
      drawing.path("c-line", path)
      if let last = row.points.last, let x = x.clamped(last.x), let y = y.clamped(last.y) {
        drawing.mark(appearance, x: x, y: y, radius: 3.5)
      }
    }
  }
}
