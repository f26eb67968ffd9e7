// What stands at points of lines: a tick through the line, and the words once, where there is room for them.

extension LineChart {
  /// Draws the notes of all lines over them.
  func drawNotes(_ drawing: inout Drawing, _ plot: Plot) {
    var taken: [Box] = []
    var labeled: Set<String> = []
    for series in series {
      for note in series.notes {
        let places = note.points.compactMap { plot.place($0) }
        guard let first = places.first else { continue }
        var ticks = Path()
        for place in places {
          ticks.move(place.x, place.y - 7)
          ticks.vertical(place.y + 7)
        }
        drawing.item(title: sentence(note, series)) { $0.path("c-note \(series.appearance.colorClass)", ticks) }
        guard !labeled.contains(note.label), let box = Box(note.label, at: first, in: plot, beside: taken) else {
          continue
        }
        labeled.insert(note.label)
        taken.append(box)
        drawing.text(.caption, note.label, x: box.left, y: box.bottom - 3, room: box.width, extra: " c-halo")
      }
    }
  }

  private func sentence(_ note: Note, _ series: Series) -> String {
    let name = series.label.isEmpty ? "" : series.label + ": "
    guard note.points.count == 1, let point = note.points.first else {
      return "\(name)\(note.points.count) times \(note.label)"
    }
    return "\(name)\(note.label), \(y.label(point.y)) at \(x.label(point.x))"
  }

  /// The room of a note's words.
  private struct Box {
    let left: Double
    let bottom: Double
    let width: Double

    /// Above the tick or below it; `nil` if both positions are taken.
    init?(_ label: String, at place: (x: Double, y: Double), in plot: Plot, beside others: [Box]) {
      let width = min(TextStyle.caption.width(label), plot.right - plot.left)
      let left = min(max(place.x - width / 2, plot.left), plot.right - width)
      let boxes = [place.y - 9, place.y + 9 + Box.height].map { Box(left: left, bottom: $0, width: width) }
      let free = boxes.first { box in
        box.bottom - Box.height >= plot.top - 12 && box.bottom <= plot.bottom && !others.contains { $0.meets(box) }
      }
      guard let free else { return nil }
      self = free
    }

    private init(left: Double, bottom: Double, width: Double) {
      (self.left, self.bottom, self.width) = (left, bottom, width)
    }

    private static let height = 15.0

    private func meets(_ other: Box) -> Bool {
      left < other.left + other.width + 8 && other.left < left + width + 8 && bottom > other.bottom - Box.height
        && other.bottom > bottom - Box.height
    }
  }
}
