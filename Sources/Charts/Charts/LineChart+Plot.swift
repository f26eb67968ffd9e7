// The plot of a line chart: its position and its values.

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

  /// The margin within the plot, so that marks at its ends are complete.
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
    // Only a scale from zero begins at the axis. Others leave room below the lowest mark.
    if y.low != 0,
      let inset = Scale(
        self.y, values: heights, from: bottom - LineChart.inset, to: top + LineChart.inset, zero: zero)
    {
      y = inset
    }
    return Plot(x: x, y: y, top: top, bottom: bottom)
  }

  /// The number of points with finite values that cannot be on a logarithmic axis.
  func placeless(_ plot: Plot) -> Int {
    series.flatMap(\.points).filter { $0.x.isFinite && $0.y.isFinite && plot.place($0) == nil }.count
  }

  /// The runs of a line between its gaps, from left to right.
  func runs(_ series: Series, _ plot: Plot) -> [[Point]] {
    var points = series.points.filter { plot.x.position($0.x) != nil }
    if zip(points, points.dropFirst()).contains(where: { $0.x > $1.x }) {
      // Points with the same x stay in order.
      points = points.enumerated().sorted { ($0.element.x, $0.offset) < ($1.element.x, $1.offset) }.map(\.element)
    }
    return points.split { plot.y.position($0.y) == nil }.map { LineChart.thinned(Array($0), to: budget) }
  }

  /// The maximum number of drawn points per line.
  var budget: Int { min(1600, max(40, 4000 / max(series.count, 1))) }

  /// Whether each point of the line gets its own mark.
  func hasMarks(_ series: Series) -> Bool {
    series.isShort && self.series.filter(\.isShort).map(\.points.count).reduce(0, +) <= 400
  }

  /// The first, last, lowest and highest point of each interval, if there are many: a line through them looks the same.
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
  /// Whether there are few enough points for marks: fewer if a line is clear enough, and none if it also shows a part.
  fileprivate var isShort: Bool { part.isEmpty && points.count <= (style == .line || style == .marks ? 60 : 24) }
}
