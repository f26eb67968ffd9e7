// Draws one line of a line chart: area, interval, line, marks.

extension LineChart {
  func draw(_ series: Series, _ drawing: inout Drawing, _ plot: Plot) {
    let runs = runs(series, plot)
    let color = series.appearance.colorClass
    let floor = plot.y.isLogarithmic ? plot.bottom : plot.y.clamped(0) ?? plot.bottom
    let hasMarks = hasMarks(series)
    if !series.part.isEmpty {
      drawing.path(
        "c-fill \(color)", area(LineChart.thinned(series.part, to: budget), series.style, plot, floor: floor))
    }
    drawing.item(title: sentence(series, runs.joined().map(\.y))) { drawing in
      // Intervals of many points would be a thicket of whiskers.
      for run in runs where !hasMarks { drawing.path("c-fill \(color)", ribbon(run, plot)) }
      guard series.style != .marks else { return }
      var line = Path()
      for run in runs { trace(run.compactMap { plot.place($0) }, series.style, &line) }
      drawing.path("c-line \(color)", line)
    }
    if hasMarks {
      for point in runs.joined() { drawMark(point, series, &drawing, plot) }
    } else if series.style == .marks {
      var dots = Path()
      for place in runs.joined().compactMap({ plot.place($0) }) { dots.dot(place.x, place.y) }
      drawing.path("c-raw \(color)", dots)
    } else if let last = runs.last?.last {
      drawMark(last, series, &drawing, plot)
    }
  }

  private func drawMark(_ point: Point, _ series: Series, _ drawing: inout Drawing, _ plot: Plot) {
    guard let place = plot.place(point) else { return }
    drawing.item(title: sentence(point, series)) { drawing in
      if hasMarks(series) { drawWhisker(point, series, &drawing, plot) }
      drawing.mark(series.appearance, x: place.x, y: place.y, radius: series.style == .marks ? 5 : 4)
    }
  }

  private func drawWhisker(_ point: Point, _ series: Series, _ drawing: inout Drawing, _ plot: Plot) {
    let ends = [point.low, point.high].compactMap { $0 }.filter(\.isFinite)
    guard !ends.isEmpty, let low = (ends + [point.y]).min(), let high = (ends + [point.y]).max(),
      let x = plot.x.position(point.x), let y1 = plot.y.clamped(low), let y2 = plot.y.clamped(high)
    else { return }
    var path = Path()
    path.move(x, y1)
    path.vertical(y2)
    for end in ends {
      guard let y = plot.y.position(end) else { continue }
      path.move(x - 6, y)
      path.horizontal(x + 6)
    }
    drawing.path("c-whisker \(series.appearance.colorClass)", path)
  }

  /// Joins the points.
  ///
  /// The first one begins a new line; a single one becomes a dot.
  private func trace(_ places: [(x: Double, y: Double)], _ style: Style, _ path: inout Path, joined: Bool = false) {
    guard let first = places.first else { return }
    if joined { path.line(first.x, first.y) } else { path.move(first.x, first.y) }
    if places.count == 1, !joined { path.dot(first.x, first.y) }
    for place in places.dropFirst() {
      if style == .step {
        path.horizontal(place.x)
        path.vertical(place.y)
      } else {
        path.line(place.x, place.y)
      }
    }
  }

  private func area(_ run: [Point], _ style: Style, _ plot: Plot, floor: Double) -> Path {
    let places = run.compactMap { plot.place($0) }
    var path = Path()
    guard let first = places.first, let last = places.last, places.count > 1 else { return path }
    trace(places, style, &path)
    path.line(last.x, floor)
    path.line(first.x, floor)
    path.close()
    return path
  }

  /// The area between the lower and the upper ends of intervals, if there are any.
  private func ribbon(_ run: [Point], _ plot: Plot) -> Path {
    var path = Path()
    let points = run.filter { $0.low?.isFinite == true || $0.high?.isFinite == true }
    guard points.count > 1 else { return path }
    func places(_ value: (Point) -> Double?) -> [(x: Double, y: Double)] {
      points.compactMap { point in
        let end = value(point).flatMap { $0.isFinite ? $0 : nil } ?? point.y
        guard let x = plot.x.position(point.x), let y = plot.y.clamped(end) else { return nil }
        return (x, y)
      }
    }
    trace(places(\.high), .line, &path)
    trace(places(\.low).reversed(), .line, &path, joined: true)
    path.close()
    return path
  }

  /// A description of a line: its name, and the range of its values.
  private func sentence(_ series: Series, _ values: [Double]) -> String {
    guard let least = values.min(), let greatest = values.max() else { return series.label }
    let range = least == greatest ? y.label(least) : "\(y.label(least)) to \(y.label(greatest))"
    return series.label.isEmpty ? range : series.label + ": " + range
  }

  /// A description of a point, for its tooltip.
  private func sentence(_ point: Point, _ series: Series) -> String {
    var words = series.label.isEmpty ? "" : series.label + ": "
    words += y.label(point.y)
    if let low = point.low, let high = point.high, low.isFinite, high.isFinite {
      words += " (\(y.label(low)) to \(y.label(high)))"
    }
    return words + " at " + x.label(point.x)
  }
}
