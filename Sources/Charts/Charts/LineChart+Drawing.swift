// Draws a line chart: axes, the background, lines, labels.

extension LineChart {
  package func drawing(width: Double) -> Drawing {
    var drawing = Drawing(width: width)
    var top = 0.0
    if !y.title.isEmpty {
      drawing.text(.tick, y.title, x: 0, y: 12, room: drawing.width)
      top = 22
    }
    let named = names.count
    let labels = names.map { TextStyle.key.width($0) }.max() ?? 0
    // Names that do not fit at the side are drawn below in full.
    let isBeside = panel != nil || (!drawing.isNarrow && named <= 22 && labels <= drawing.width * 0.32)
    let height = plotHeight(isNarrow: drawing.isNarrow, labels: isBeside ? named : 0)
    let side =
      isBeside && labels > 0 ? min(labels.rounded(.up), drawing.width * 0.32) + (panel == nil ? 24 : 0) + 18 : 0

    // The room for the labels of the y axis is only known with its ticks.
    guard let draft = plot(left: 0, right: drawing.width - side, top: 0, bottom: height) else {
      drawing.text(.gloss, "No values to show", x: 0, y: top + 16)
      drawing.height = top + 26
      return drawing
    }
    let widest = ticks(draft).map { TextStyle.tick.width($0.label) }.max() ?? 0
    let left = min(widest.rounded(.up) + 8, drawing.width * 0.4)
    let lanes = ruleLanes(left: left, right: drawing.width - side, width: drawing.width)
    top += Double((lanes.map(\.lane).max() ?? -1) + 1) * 16 + 6
    guard let plot = plot(left: left, right: drawing.width - side, top: top, bottom: top + height) else {
      return drawing
    }
    drawAxes(&drawing, plot, left: left)
    drawBehind(&drawing, plot, lanes)
    for series in series { draw(series, &drawing, plot) }
    drawNotes(&drawing, plot)

    var bottom = plot.bottom + (x.title.isEmpty ? 22 : 40)
    let sideLabels = sideLabels(plot)
    if isBeside {
      draw(sideLabels, &drawing, plot, from: drawing.width - side + 18)
    } else {
      bottom += 6
      Legend(entries: sideLabels.map { ($0.swatch, $0.text) }).draw(&drawing, y: &bottom)
    }
    let placeless = placeless(plot)
    if placeless > 0 {
      let points = placeless == 1 ? "1 point is" : "\(placeless) points are"
      drawing.text(
        .gloss, "\(points) not above zero and have no place here", x: 0, y: bottom + 12, room: drawing.width)
      bottom += 20
    }
    drawing.height = bottom
    return drawing
  }

  private func plotHeight(isNarrow: Bool, labels: Int) -> Double {
    let room = Double(labels) * SideLabels.pitch
    if panel != nil { return max(150, room) }
    return isNarrow ? 220 : max(290, room)
  }

  /// The labels at the side.
  private var names: [String] {
    if panel != nil { return series.map(\.end).filter { !$0.isEmpty } }
    var names = series.map(\.label) + bands.map(\.label)
    names += rules.filter { $0.direction == .horizontal }.map(\.label)
    if let guide { names.append(guide.label) }
    return names.filter { !$0.isEmpty }
  }

  private func ticks(_ plot: Plot) -> [Tick] {
    plot.y.ticks(y.steps, label: y.label) { abs($0.position - $1.position) < 18 }
  }

  private func drawAxes(_ drawing: inout Drawing, _ plot: Plot, left: Double) {
    let edge = plot.right + plot.left - left
    for tick in ticks(plot) {
      drawing.line("c-grid", x1: left, y1: tick.position, x2: edge, y2: tick.position)
      drawing.text(.tick, tick.label, x: left - 8, y: tick.position + 4, anchor: .end, room: left - 8)
    }
    let ruler = HorizontalAxis(x, scale: plot.x, room: 0...drawing.width)
    ruler.drawGrid(&drawing, through: [plot.top...plot.bottom + 4])
    ruler.drawLabels(&drawing, baseline: plot.bottom + 17)
    drawing.line("c-axis", x1: left, y1: plot.bottom, x2: edge, y2: plot.bottom)
    drawing.text(.tick, x.title, x: edge, y: plot.bottom + 34, anchor: .end, room: edge)
  }

  /// Bands, rules and the guide.
  private func drawBehind(_ drawing: inout Drawing, _ plot: Plot, _ lanes: [RuleLane]) {
    for band in bands {
      guard let y1 = plot.y.clamped(max(band.low, band.high)), let y2 = plot.y.clamped(min(band.low, band.high)) else {
        continue
      }
      drawing.item(title: "\(band.label): \(y.label(band.low)) to \(y.label(band.high))") { drawing in
        drawing.rect(
          "c-band", x: plot.left, y: y1, width: plot.right - plot.left, height: max(y2 - y1, 1))
      }
    }
    for rule in rules where rule.direction == .horizontal {
      guard let height = plot.y.position(rule.value) else { continue }
      drawing.item(title: "\(rule.label): \(y.label(rule.value))") { drawing in
        drawing.line("c-rule", x1: plot.left, y1: height, x2: plot.right, y2: height)
      }
    }
    for lane in lanes {
      guard let place = plot.x.position(lane.rule.value) else { continue }
      let labeled = plot.top - 4 - Double(lane.lane) * 16
      drawing.item(title: "\(lane.rule.label): \(x.label(lane.rule.value))") { drawing in
        drawing.line("c-rule", x1: place, y1: lane.lane < 0 ? plot.top : labeled, x2: place, y2: plot.bottom)
      }
    }
    for lane in lanes where lane.lane >= 0 {
      let baseline = plot.top - 5 - Double(lane.lane) * 16
      drawing.text(.caption, lane.rule.label, x: lane.start, y: baseline, room: lane.width, extra: " c-halo")
    }
    if let guide { drawing.path("c-guide", path(of: guide, plot)) }
  }

  /// The guide within the plot: straight if both axes are of the same kind.
  private func path(of guide: Guide, _ plot: Plot) -> Path {
    var path = Path()
    for place in places(of: guide, plot) {
      if path.isEmpty { path.move(place.x, place.y) } else { path.line(place.x, place.y) }
    }
    return path
  }

  func places(of guide: Guide, _ plot: Plot) -> [(x: Double, y: Double)] {
    let slope = guide.y / guide.x
    guard slope > 0, slope.isFinite else { return [] }
    let (first, last) = (max(plot.x.low, plot.y.low / slope), min(plot.x.high, plot.y.high / slope))
    guard first < last else { return [] }
    let pieces = plot.x.isLogarithmic == plot.y.isLogarithmic ? 1 : 48
    return (0...pieces).compactMap { piece in
      let value = first + (last - first) * Double(piece) / Double(pieces)
      return plot.place(Point(x: value, y: min(max(value * slope, plot.y.low), plot.y.high)))
    }
  }

  private func sideLabels(_ plot: Plot) -> [SideLabel] {
    var labels: [SideLabel] = series.compactMap { series in
      let end = runs(series, plot).last?.last.flatMap { plot.place($0) }
      let marks: Swatch = hasMarks(series) ? .mark(series.appearance) : .dots(series.appearance)
      let swatch: Swatch = series.style == .marks ? marks : .line(series.appearance)
      let text = panel == nil ? series.label : series.end
      return SideLabel(swatch: swatch, text: text, y: end?.y ?? plot.bottom)
    }
    // The common legend of all panels has the rest.
    if panel != nil { return labels.filter { !$0.text.isEmpty } }
    for band in bands {
      let ends = [plot.y.clamped(band.low), plot.y.clamped(band.high)].compactMap { $0 }
      guard ends.count == 2 else { continue }
      labels.append(SideLabel(swatch: .band, text: band.label, y: (ends[0] + ends[1]) / 2))
    }
    for rule in rules where rule.direction == .horizontal {
      guard let height = plot.y.position(rule.value) else { continue }
      labels.append(SideLabel(swatch: .rule, text: rule.label, y: height))
    }
    if let guide, let end = places(of: guide, plot).last {
      labels.append(SideLabel(swatch: .guide, text: guide.label, y: end.y))
    }
    return labels.filter { !$0.text.isEmpty }
  }

  private func draw(_ labels: [SideLabel], _ drawing: inout Drawing, _ plot: Plot, from x: Double) {
    let heights = SideLabels.spread(labels.map(\.y), within: plot.top + 4...plot.bottom)
    for (label, height) in zip(labels, heights) {
      if abs(height - label.y) > 2 {
        drawing.line("c-lead", x1: x - 16, y1: label.y, x2: x - 3, y2: height)
      }
      if panel == nil { Legend.draw(label.swatch, &drawing, x: x, y: height) }
      let start = x + (panel == nil ? 24 : 0)
      drawing.text(.key, label.text, x: start, y: height + 4, room: drawing.width - start)
    }
  }
}

/// A named element of the plot: a line, a rule, a band, or the guide.
struct SideLabel {
  let swatch: Swatch
  let text: String
  /// The height at which it ends at the right of the plot.
  let y: Double
}

enum SideLabels {
  /// The distance between the centers of two labels.
  static let pitch = 17.0

  /// The heights of the labels' centers, in the given order: at least the pitch apart, within the limits if there is
  /// room for all, and together as close to their lines as possible (least squares).
  static func spread(_ wanted: [Double], within limits: ClosedRange<Double>) -> [Double] {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    // After subtracting a pitch for each label before it, "apart" means ascending order.
    var blocks: [(sum: Double, count: Int)] = []
    for (place, index) in order.enumerated() {
      blocks.append((wanted[index] - Double(place) * pitch, 1))
      while blocks.count > 1, let last = blocks.last {
        let before = blocks[blocks.count - 2]
        guard before.sum / Double(before.count) > last.sum / Double(last.count) else { break }
        blocks.removeLast(2)
        blocks.append((before.sum + last.sum, before.count + last.count))
      }
    }
    let highest = max(limits.lowerBound, limits.upperBound - Double(max(order.count - 1, 0)) * pitch)
    var spread = wanted
    var place = 0
    for block in blocks {
      let base = min(max(block.sum / Double(block.count), limits.lowerBound), highest)
      for _ in 0..<block.count {
        spread[order[place]] = base + Double(place) * pitch
        place += 1
      }
    }
    return spread
  }
}
