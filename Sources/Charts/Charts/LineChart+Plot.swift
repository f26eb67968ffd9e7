// The plot of a line chart: where it lies, which values it shows.

extension LineChart {
  /// The scales of both axes and the rectangle they span.
  struct Plot {
    var x: Scale
    var y: Scale
    var left: Double { x.start }
    var right: Double { x.end }
    var top: Double
    var bottom: Double

    func place(_ point: Point) -> (x: Double, y: Double)? {
      guard let x = x.position(point.x), let y = y.position(point.y) else { return nil }
      return (x, y)
    }
  }

  /// The margin within the plot, so that marks at its ends are whole.
  private static let inset = 8.0

  func plot(left: Double, right: Double, top: Double, bottom: Double) -> Plot? {
    let points = (panel?.points ?? series.flatMap(\.points)).filter { $0.x.isFinite && $0.y.isFinite }
    let vertical = rules.filter { $0.direction == .vertical }.map(\.value)
    let horizontal = rules.filter { $0.direction == .horizontal }.map(\.value)
    let heights =
      points.flatMap { [$0.y] + [$0.low, $0.high].compactMap(\.self) } + horizontal
      + bands.flatMap { [$0.low, $0.high] }
    let zero: Scale.Zero = series.contains { !$0.part.isEmpty } ? .always : .whenNear
    guard !points.isEmpty,
      let x = Scale(
        x, values: points.map(\.x) + vertical, from: left + LineChart.inset, to: right - LineChart.inset),
      var y = Scale(y, values: heights, from: bottom, to: top + LineChart.inset, zero: zero)
    else { return nil }
    // Only a scale from zero starts at the axis. Others leave room below the lowest mark.
    if y.low != 0,
      let inset = Scale(
        self.y, values: heights, from: bottom - LineChart.inset, to: top + LineChart.inset, zero: zero)
    {
      y = inset
    }
    return Plot(x: x, y: y, top: top, bottom: bottom)
  }

  /// How many points have finite values without a place on a logarithmic axis.
  func placeless(_ plot: Plot) -> Int {
    series.flatMap(\.points).filter { $0.x.isFinite && $0.y.isFinite && plot.place($0) == nil }.count
  }

  /// The stretches of a line between its gaps, from left to right.
  func runs(_ series: Series, _ plot: Plot) -> [[Point]] {
    var points = series.points.filter { plot.x.position($0.x) != nil }
    if zip(points, points.dropFirst()).contains(where: { $0.x > $1.x }) {
      // Points at one x stay in their order.
      points = points.enumerated().sorted { ($0.element.x, $0.offset) < ($1.element.x, $1.offset) }.map(\.element)
    }
    return points.split { plot.y.position($0.y) == nil }.map { LineChart.thinned(Array($0), to: budget) }
  }

  /// How many points of one line are drawn at most.
  var budget: Int { min(1600, max(40, 4000 / max(series.count, 1))) }

  /// Whether each point of the line is drawn as a mark of its own.
  func hasMarks(_ series: Series) -> Bool {
    series.isShort && self.series.filter(\.isShort).map(\.points.count).reduce(0, +) <= 400
  }

  /// The first, last, least and greatest point of each stretch, where there are many: a line through them looks the same.
  static func thinned(_ points: [Point], to budget: Int) -> [Point] {
    guard points.count > budget else { return points }
    let size = (points.count * 4 + budget - 1) / budget
    return stride(from: 0, to: points.count, by: size).flatMap { start in
      let part = start..<min(start + size, points.count)
      let least = part.min { points[$0].y < points[$1].y } ?? start
      let greatest = part.max { points[$0].y < points[$1].y } ?? start
      return Set([start, least, greatest, part.upperBound - 1]).sorted().map { points[$0] }
    }
  }
}

extension LineChart.Series {
  /// Few enough points for marks; fewer where a line alone says as much, and none where it shows a part too.
  fileprivate var isShort: Bool { part.isEmpty && points.count <= (style == .line || style == .marks ? 60 : 24) }
}
