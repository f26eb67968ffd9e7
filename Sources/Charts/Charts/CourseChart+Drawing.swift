// Draws courses: first the legend, then panel by panel the values and the amounts below them.

extension CourseChart {
  /// The heights of a panel's parts, and the gaps between them.
  private enum Height {
    static let values = 104.0
    static let gap = 14.0
    static let amounts = 44.0
    static let times = 24.0
    /// The margin within the plot, so that marks at its ends are complete.
    static let inset = 8.0
  }

  package func drawing(width: Double) -> Drawing {
    var drawing = Drawing(width: width)
    var y = 0.0
    drawLegend(&drawing, y: &y)
    let valueScale = scale(values, panels.flatMap(\.slices).flatMap { [$0.middle, $0.high, $0.largest] })
    guard let valueScale else {
      drawing.text(.gloss, "No values to show", x: 0, y: y + 16)
      drawing.height = y + 26
      return drawing
    }
    let amountScale = scale(amounts, panels.flatMap(\.slices).map(\.amount), zero: .always)
    let words =
      ticks(valueScale, values, height: Height.values)
      + (amountScale.map { ticks($0, amounts, height: Height.amounts) } ?? [])
    let widest = words.map { TextStyle.tick.width($0.label) }.max() ?? 0
    let left = min(widest.rounded(.up) + 8, drawing.width * 0.4)
    for panel in panels {
      draw(panel, &drawing, left: left, valueScale, amountScale, y: &y)
    }
    drawing.text(.tick, time.title, x: drawing.width, y: y + 4, anchor: .end, room: drawing.width)
    drawing.height = y + (time.title.isEmpty ? 0 : 10)
    return drawing
  }

  /// Marks mean the same in every color, so the legend shows them without a color.
  private func drawLegend(_ drawing: inout Drawing, y: inout Double) {
    let plain = Appearance(tone: 0)
    let hasAmounts = panels.contains { $0.slices.contains { $0.amount != nil } }
    var entries: [(swatch: Swatch, label: String)] = [
      (.line(plain), names.middle), (.band, names.high), (.dots(nil), names.largest),
    ]
    entries += legend.map { (.mark($0.appearance), $0.label) }
    Legend(entries: entries.filter { !$0.label.isEmpty }).draw(&drawing, y: &y)
    let title = hasAmounts && !amounts.title.isEmpty ? "\(values.title); beneath it \(amounts.title)" : values.title
    if !title.isEmpty {
      drawing.text(.tick, title, x: 0, y: y + 12, room: drawing.width)
      y += 20
    }
  }

  /// The scale of an axis over the coordinates from 1 down to 0; ``moved(_:from:to:)`` places it.
  private func scale(_ axis: Axis, _ values: [Double?], zero: Scale.Zero = .never) -> Scale? {
    Scale(axis, values: values.compactMap(\.self), from: 1, to: 0, zero: zero)
  }

  private func moved(_ scale: Scale, from start: Double, to end: Double) -> Scale {
    Scale(isLogarithmic: scale.isLogarithmic, low: scale.low, high: scale.high, start: start, end: end)
  }

  private func ticks(_ scale: Scale, _ axis: Axis, height: Double) -> [Tick] {
    ticks(moved(scale, from: height, to: Height.inset), axis)
  }

  private func ticks(_ scale: Scale, _ axis: Axis) -> [Tick] {
    scale.ticks(axis.steps, label: axis.label) { abs($0.position - $1.position) < 18 }
  }

  private func draw(
    _ panel: Panel, _ drawing: inout Drawing, left: Double, _ valueScale: Scale, _ amountScale: Scale?, y: inout Double
  ) {
    let ends = panel.slices.flatMap { [$0.start, $0.end] }
    guard
      let time = Scale(time, values: ends, from: left + Height.inset, to: drawing.width - Height.inset)
    else { return }
    drawHead(of: panel, &drawing, y: &y)
    let top = y
    let middle = top + Height.values
    let above = moved(valueScale, from: middle - Height.inset, to: top + Height.inset)
    var strips = [top...middle]
    var below: Scale?
    if let amountScale, panel.slices.contains(where: { $0.amount != nil }) {
      let bottom = middle + Height.gap + Height.amounts
      strips.append(middle + Height.gap...bottom)
      below = moved(amountScale, from: bottom, to: middle + Height.gap + Height.inset)
    }
    let bottom = strips.last?.upperBound ?? middle
    drawTicks(of: above, values, &drawing, left: left)
    if let below { drawTicks(of: below, amounts, &drawing, left: left) }
    let ruler = HorizontalAxis(self.time, scale: time, room: 0...drawing.width)
    ruler.drawGrid(&drawing, through: strips)
    ruler.drawLabels(&drawing, baseline: bottom + 17)
    for strip in strips {
      drawing.line("c-axis", x1: left, y1: strip.upperBound, x2: drawing.width, y2: strip.upperBound)
    }
    if let below { drawAmounts(of: panel, &drawing, time, below, floor: bottom) }
    drawValues(of: panel, &drawing, time, above)
    y = bottom + Height.times + 8
  }

  /// The name, with the largest value next to it or below.
  private func drawHead(of panel: Panel, _ drawing: inout Drawing, y: inout Double) {
    let figure = TextStyle.key.width(panel.figure)
    let isBeside = TextStyle.label.width(panel.label) + figure + 16 <= drawing.width
    for (index, line) in TextStyle.label.wrapped(panel.label, room: drawing.width).enumerated() {
      if index > 0 { y += 17 }
      drawing.text(.label, line, x: 0, y: y + 16, room: drawing.width)
    }
    if isBeside {
      drawing.text(.key, panel.figure, x: drawing.width, y: y + 16, anchor: .end)
    } else {
      drawing.text(.key, panel.figure, x: 0, y: y + 33, room: drawing.width)
      y += 17
    }
    y += 24
  }

  private func drawTicks(of scale: Scale, _ axis: Axis, _ drawing: inout Drawing, left: Double) {
    for tick in ticks(scale, axis) {
      drawing.line("c-grid", x1: left, y1: tick.position, x2: drawing.width, y2: tick.position)
      drawing.text(.tick, tick.label, x: left - 8, y: tick.position + 4, anchor: .end, room: left - 8)
    }
  }
}
