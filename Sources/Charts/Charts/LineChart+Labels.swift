// Draws the labels of a line chart's notes and vertical rules, each only once, where they overlap no others.

extension LineChart {
  /// Draws the notes of all lines over them: a tick on the line at each point, and the text once.
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

  /// The box around a note's text.
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

  // MARK: - Vertical rules

  /// A vertical rule and the position of its label, in a lane above the plot.
  struct RuleLane {
    let rule: Rule
    /// The lane, from 0 for the lowest; negative for a rule without its own label.
    let lane: Int
    let start: Double
    let width: Double
  }

  /// Assigns lanes to all vertical rules.
  ///
  /// If several have the same label, only the first one shows it.
  func ruleLanes(left: Double, right: Double, width: Double) -> [RuleLane] {
    guard let plot = plot(left: left, right: right, top: 0, bottom: 100) else { return [] }
    // From right to left: a line that rises to a higher lane then has the lower labels to its right.
    var starts: [Double] = []
    let vertical = rules.filter { $0.direction == .vertical && plot.x.position($0.value) != nil }
      .sorted { $0.value < $1.value }
    var seen: Set<String> = []
    let labeled = vertical.map { !$0.label.isEmpty && seen.insert($0.label).inserted }
    return zip(vertical, labeled).reversed()
      .map { rule, isLabeled in
        let place = plot.x.position(rule.value) ?? left
        let label = min(TextStyle.caption.width(rule.label), width)
        let start = max(0, min(place, width - label))
        guard isLabeled else {
          return RuleLane(rule: rule, lane: -1, start: start, width: label)
        }
        let lane = starts.firstIndex { start + label + 10 <= $0 } ?? starts.count
        guard lane < 4 else { return RuleLane(rule: rule, lane: -1, start: start, width: label) }
        if lane == starts.count { starts.append(start) }
        starts[lane] = start
        return RuleLane(rule: rule, lane: lane, start: start, width: label)
      }
  }
}
