// Draws stacked bars: legend, axis, bars.

extension StackedBarChart {
  package func drawing(width: Double) -> Drawing {
    var drawing = Drawing(width: width)
    var y = 0.0
    Legend(entries: legend.map { (.block($0.appearance), $0.label) }).draw(&drawing, y: &y)
    guard !rows.isEmpty else {
      drawing.text(.gloss, "Nothing to show", x: 0, y: y + 16)
      drawing.height = y + 24
      return drawing
    }
    let layout = RowLayout(
      width: drawing.width, names: rows.map { ($0.label, $0.gloss) },
      figures: rows.map { TextStyle.figure.width($0.figure) }.max() ?? 0, margin: 2)
    for panel in panels where !panel.rows.isEmpty { draw(panel, &drawing, layout, y: &y) }
    drawing.height = y + 2
    return drawing
  }

  private func draw(_ panel: Panel, _ drawing: inout Drawing, _ layout: RowLayout, y: inout Double) {
    if !panel.title.isEmpty {
      y += 8
      drawing.text(.figure, panel.title, x: 0, y: y + 14, room: drawing.width)
      y += 22
    }
    let scale = scale(of: panel.rows, layout)
    let ruler = HorizontalAxis(axis, scale: scale, room: layout.axisRoom)
    layout.drawHead(&drawing, ruler, title: axis.title, y: &y)
    let heights = panel.rows.map { height(of: $0, layout) }
    let strips = layout.strips(top: y, heights: heights, strip: StackedBarChart.strip)
    ruler.drawGrid(&drawing, through: strips)
    for (row, height) in zip(panel.rows, heights) {
      drawing.line("c-row", x1: 0, y1: y, x2: drawing.width, y2: y)
      drawWords(row, &drawing, layout, top: y, height: height)
      drawBar(row, &drawing, scale, top: y + height - (layout.isNarrow ? 25 : height / 2 + 9))
      y += height
    }
    drawing.line("c-row", x1: 0, y1: y, x2: drawing.width, y2: y)
    if panel.rows.count > 10 {
      ruler.drawLabels(&drawing, baseline: y + 16)
      y += 22
    }
  }

  private func scale(of rows: [Row], _ layout: RowLayout) -> Scale {
    let longest = rows.map(\.total).max() ?? 0
    return Scale(
      isLogarithmic: false, low: 0, high: longest > 0 ? longest : 1, start: layout.plot.lowerBound,
      end: layout.plot.upperBound)
  }

  private var hasGloss: Bool { rows.contains { !$0.gloss.isEmpty } }

  /// The height of the part of a row that contains the bar, if text is above it.
  private static let strip = 28.0

  private func height(of row: Row, _ layout: RowLayout) -> Double {
    let words = layout.words(row.label, row.gloss)
    return layout.isNarrow
      ? max(hasGloss ? 38 : 22, words.heightAboveMarks) + StackedBarChart.strip
      : max(hasGloss ? 42 : 28, words.height)
  }

  private func drawWords(
    _ row: Row, _ drawing: inout Drawing, _ layout: RowLayout, top: Double, height: Double
  ) {
    let words = layout.isNarrow ? top + (height - StackedBarChart.strip) / 2 + 1 : top + height / 2
    let middle = layout.isNarrow ? top + (hasGloss ? 20 : 12) : words
    layout.words(row.label, row.gloss).draw(&drawing, middle: words, room: layout.labelRoom)
    drawing.text(.figure, row.figure, x: drawing.width, y: middle + 5, anchor: .end, room: layout.figureRoom)
  }

  private func drawBar(_ row: Row, _ drawing: inout Drawing, _ scale: Scale, top: Double) {
    var before = 0.0
    for part in row.parts where part.length > 0 {
      guard let start = scale.clamped(before), let end = scale.clamped(before + part.length) else { continue }
      before += part.length
      drawing.item(
        "c-item \(part.appearance.colorClass)", title: "\(row.label), \(part.name): \(axis.label(part.value))"
      ) { drawing in
        drawing.rect("c-part", x: start, y: top, width: end - start, height: 18)
        if let text = part.text, TextStyle.inside.width(text) + 10 <= end - start {
          drawing.text(.inside, text, x: (start + end) / 2, y: top + 13, anchor: .middle)
        }
      }
    }
  }
}
