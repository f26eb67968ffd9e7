// The marks of a course: a line for the median, an area up to the high value, a dot for the largest value of each
// slice, a mark for the largest of all, and the amounts as steps.

extension CourseChart {
  private typealias Place = (x: Double, y: Double)

  func drawValues(of panel: Panel, _ drawing: inout Drawing, _ time: Scale, _ scale: Scale) {
    let color = panel.appearance.colorClass
    func places(_ value: (Slice) -> Double?) -> [Place] {
      panel.slices.compactMap { slice in
        guard let x = time.position(slice.place), let y = value(slice).flatMap({ scale.position($0) }) else {
          return nil
        }
        return (x, y)
      }
    }
    let (middles, highs, largest) = (places(\.middle), places(\.high), places(\.largest))
    drawing.item(title: sentence(panel, names.middle, panel.slices.compactMap(\.middle), values)) { drawing in
      // Both have the same slices, so a value that is missing in one is missing in the other.
      if highs.count > 1, highs.count == middles.count {
        var area = CourseChart.line(highs + middles.reversed())
        area.close()
        drawing.path("c-fill \(color)", area)
      }
      drawing.path("c-line \(color)", CourseChart.line(middles))
    }
    drawing.item(title: sentence(panel, names.largest, panel.slices.compactMap(\.largest), values)) { drawing in
      var dots = Path()
      for place in largest { dots.dot(place.x, place.y) }
      drawing.path("c-raw \(color)", dots)
    }
    guard let highest = largest.min(by: { $0.y < $1.y }) else { return }
    drawing.item(title: [panel.label, panel.figure].filter { !$0.isEmpty }.joined(separator: ": ")) { drawing in
      drawing.mark(panel.appearance, x: highest.x, y: highest.y, radius: 4.5)
    }
  }

  /// Draws each amount over its whole slice, although it was measured at the end.
  func drawAmounts(of panel: Panel, _ drawing: inout Drawing, _ time: Scale, _ scale: Scale, floor: Double) {
    var edge = Path()
    var first: Double?
    var last = 0.0
    for slice in panel.slices {
      guard let start = time.position(slice.start), let end = time.position(slice.end),
        let y = slice.amount.flatMap({ scale.position($0) })
      else { continue }
      if first == nil { edge.move(start, y) } else { edge.line(start, y) }
      edge.horizontal(end)
      (first, last) = (first ?? start, end)
    }
    guard let first else { return }
    var area = edge
    area.line(last, floor)
    area.line(first, floor)
    area.close()
    let color = panel.appearance.colorClass
    drawing.item(title: sentence(panel, names.amount, panel.slices.compactMap(\.amount), amounts)) { drawing in
      drawing.path("c-fill \(color)", area)
      drawing.path("c-line \(color)", edge)
    }
  }

  private static func line(_ places: [Place]) -> Path {
    var path = Path()
    guard let first = places.first else { return path }
    if places.count == 1 { path.dot(first.x, first.y) } else { path.move(first.x, first.y) }
    for place in places.dropFirst() { path.line(place.x, place.y) }
    return path
  }

  /// Names the values of a panel, and gives their range.
  private func sentence(_ panel: Panel, _ name: String, _ values: [Double], _ axis: Axis) -> String {
    let words = [panel.label, name].filter { !$0.isEmpty }.joined(separator: ", ")
    guard let least = values.min(), let greatest = values.max() else { return words }
    let range = least == greatest ? axis.label(least) : "\(axis.label(least)) to \(axis.label(greatest))"
    return words.isEmpty ? range : "\(words): \(range)"
  }
}
