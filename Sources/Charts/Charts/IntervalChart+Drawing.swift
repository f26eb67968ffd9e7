// Draws a ranking: legend, axis, rows.

extension IntervalChart {
  private static let margin = 10.0

  package func drawing(width: Double) -> Drawing {
    var drawing = Drawing(width: width)
    var y = 0.0
    let layout = layout(drawing.width)
    Legend(entries: swatches).draw(&drawing, y: &y)
    guard !rows.isEmpty else {
      drawing.text(.gloss, "Nothing to show", x: 0, y: y + 16)
      drawing.height = y + 24
      return drawing
    }
    let scale = Scale(axis, values: values, from: layout.plot.lowerBound, to: layout.plot.upperBound)
    let ruler = scale.map { HorizontalAxis(axis, scale: $0, room: layout.axisRoom) }
    drawHead(&drawing, ruler, layout, y: &y)

    let heights = rows.map { height(of: $0, layout) }
    let strips = layout.strips(top: y, heights: heights, strip: strip(layout))
    ruler?.drawGrid(&drawing, through: strips)
    if let reference, let x = scale?.position(reference.value) {
      drawing.path("c-ref", HorizontalAxis.path(at: x, through: strips))
    }
    for (row, height) in zip(rows, heights) {
      drawing.line("c-row", x1: 0, y1: y, x2: drawing.width, y2: y)
      drawWords(row, &drawing, layout, top: y, height: height)
      drawMarks(row, &drawing, scale, layout, top: y, height: height)
      y += height
    }
    drawing.line("c-row", x1: 0, y1: y, x2: drawing.width, y2: y)
    if rows.count > 10, let ruler {
      ruler.drawLabels(&drawing, baseline: y + 16)
      y += 22
    }
    drawing.height = y + 2
    return drawing
  }

  private func layout(_ width: Double) -> RowLayout {
    RowLayout(
      width: width, names: rows.map { ($0.label, $0.gloss) },
      figures: rows.map { max(TextStyle.figure.width($0.figure), TextStyle.detail.width($0.detail)) }.max() ?? 0,
      margin: IntervalChart.margin)
  }

  /// The appearances of the rows, then the meanings of their whiskers and dots, if there are any.
  private var swatches: [(swatch: Swatch, label: String)] {
    var swatches: [(swatch: Swatch, label: String)] = legend.map { (.mark($0.appearance), $0.label) }
    if !intervalLabel.isEmpty, rows.contains(where: { $0.low != nil || $0.high != nil }) {
      swatches.append((.whisker, intervalLabel))
    }
    if !rawLabel.isEmpty, hasRaw { swatches.append((.dots(nil), rawLabel)) }
    return swatches
  }

  private var hasRaw: Bool { rows.contains { $0.raw.contains(where: \.isFinite) } }
  private var hasSecondLine: Bool { rows.contains { !$0.gloss.isEmpty || !$0.detail.isEmpty } }

  private func height(of row: Row, _ layout: RowLayout) -> Double {
    let words = layout.words(row.label, row.gloss)
    return layout.isNarrow
      ? max(hasSecondLine ? 38 : 22, words.heightAboveMarks) + strip(layout) : max(strip(layout), words.height)
  }

  /// The height of the part of a row that contains the marks.
  private func strip(_ layout: RowLayout) -> Double {
    if layout.isNarrow { return hasRaw ? 34 : 26 }
    return hasRaw || hasSecondLine ? 42 : 28
  }

  /// The title of the axis, the name of the reference and the labels of the ticks.
  private func drawHead(
    _ drawing: inout Drawing, _ ruler: HorizontalAxis?, _ layout: RowLayout, y: inout Double
  ) {
    guard let ruler else { return }
    layout.drawHead(&drawing, ruler, title: axis.title, y: &y) { drawing, y in
      guard let reference, let x = ruler.scale.position(reference.value) else { return }
      let room = layout.axisRoom
      let width = min(TextStyle.caption.width(reference.label), room.upperBound - room.lowerBound)
      let start = max(room.lowerBound, min(x, room.upperBound - width))
      drawing.text(.caption, reference.label, x: start, y: y + 12, room: room.upperBound - room.lowerBound)
      y += 16
    }
  }

  private func drawWords(
    _ row: Row, _ drawing: inout Drawing, _ layout: RowLayout, top: Double, height: Double
  ) {
    let words = layout.isNarrow ? height - strip(layout) : height
    let middle = layout.isNarrow ? top + (hasSecondLine ? 20 : 12) : top + height / 2
    let (single, first, second) = (middle + 5, middle - 3, middle + 12)
    let right = drawing.width
    layout.words(row.label, row.gloss)
      .draw(&drawing, middle: layout.isNarrow ? top + words / 2 + 1 : middle, room: layout.labelRoom)
    drawing.text(
      .figure, row.figure, x: right, y: row.detail.isEmpty ? single : first, anchor: .end, room: layout.figureRoom)
    drawing.text(
      .detail, row.detail, x: right, y: row.figure.isEmpty ? single : second, anchor: .end, room: layout.figureRoom)
  }

  private func drawMarks(
    _ row: Row, _ drawing: inout Drawing, _ scale: Scale?, _ layout: RowLayout, top: Double, height: Double
  ) {
    let raw = row.raw.filter { scale?.position($0) != nil }.sorted()
    let strip = strip(layout)
    let stripTop = layout.isNarrow ? top + height - strip : top + (height - strip) / 2
    let center = stripTop + (raw.isEmpty && !layout.isNarrow ? strip / 2 : layout.isNarrow ? 12 : 17)

    if let scale, !raw.isEmpty {
      var dots = Path()
      for (index, value) in raw.enumerated() {
        // Draw neighbors on two levels, so that close ones stay legible.
        if let x = scale.position(value) { dots.dot(x, center + (index.isMultiple(of: 2) ? 13 : 16.5)) }
      }
      drawing.path("c-raw \(row.appearance.colorClass)", dots)
    }
    guard let value = row.value, let x = scale?.position(value) else {
      let words = row.absence ?? absence(row)
      drawing.text(
        .gloss, words, x: layout.whole(margin: IntervalChart.margin).lowerBound + 2, y: center + 4,
        room: layout.plot.upperBound - layout.plot.lowerBound, extra: " c-halo")
      return
    }
    drawing.item(title: sentence(row)) { drawing in
      if let scale { drawWhisker(row, &drawing, scale, y: center) }
      drawing.rect("c-hit", x: x - 12, y: center - 12, width: 24, height: 24)
      drawing.mark(row.appearance, x: x, y: center, radius: 5)
    }
  }

  /// The interval as a line with caps.
  ///
  /// An end outside of the axis has no cap.
  private func drawWhisker(_ row: Row, _ drawing: inout Drawing, _ scale: Scale, y: Double) {
    let ends = [row.low, row.high].compactMap { $0 }.filter(\.isFinite)
    guard let value = row.value, let low = (ends + [value]).min(), let high = (ends + [value]).max(),
      let x1 = scale.clamped(low), let x2 = scale.clamped(high), !ends.isEmpty
    else { return }
    var path = Path()
    path.move(x1, y)
    path.horizontal(x2)
    for end in ends {
      guard let x = scale.position(end) else { continue }
      path.move(x, y - 8)
      path.vertical(y + 8)
    }
    drawing.path("c-whisker \(row.appearance.colorClass)", path)
  }

  private func absence(_ row: Row) -> String {
    if let value = row.value, value <= 0, value >= -Scale.largest { return "Not above zero: no place on this axis" }
    return "No value"
  }

  /// A description of the row, for its tooltip.
  private func sentence(_ row: Row) -> String {
    var words = row.label
    if let value = row.value { words += ": " + axis.label(value) }
    if let low = row.low, let high = row.high, low.isFinite, high.isFinite {
      words += " (\(axis.label(low)) to \(axis.label(high)))"
    }
    return row.detail.isEmpty ? words : words + ", " + row.detail
  }
}
