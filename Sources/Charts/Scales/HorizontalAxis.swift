// A horizontal axis: its ticks, their labels and the grid lines through the plot.

/// Places the labels of an axis so that none is cut off and none overlaps another.
struct HorizontalAxis {
  let scale: Scale
  let ticks: [Tick]
  /// The range for labels.
  private let room: ClosedRange<Double>

  init(_ axis: Axis, scale: Scale, room: ClosedRange<Double>) {
    self.scale = scale
    self.room = room
    ticks = scale.ticks(axis.steps, label: axis.label) { lower, upper in
      HorizontalAxis.stretch(lower, room).upperBound + 12 > HorizontalAxis.stretch(upper, room).lowerBound
    }
  }

  /// The range of a label, within the room if it fits.
  private static func stretch(_ tick: Tick, _ room: ClosedRange<Double>) -> ClosedRange<Double> {
    let width = TextStyle.tick.width(tick.label)
    let start = max(room.lowerBound, min(tick.position - width / 2, room.upperBound - width))
    return start...start + width
  }

  /// Draws the labels of the ticks on a line.
  func drawLabels(_ drawing: inout Drawing, baseline: Double) {
    for tick in ticks {
      let stretch = HorizontalAxis.stretch(tick, room)
      let middle = (stretch.lowerBound + stretch.upperBound) / 2
      drawing.text(
        .tick, tick.label, x: middle, y: baseline, anchor: .middle, room: room.upperBound - room.lowerBound)
    }
  }

  /// Draws grid lines through the plot, one path per tick.
  ///
  /// The plot is a single strip, or one in each row.
  func drawGrid(_ drawing: inout Drawing, through strips: [ClosedRange<Double>]) {
    for tick in ticks { drawing.path("c-grid", HorizontalAxis.path(at: tick.position, through: strips)) }
  }

  static func path(at x: Double, through strips: [ClosedRange<Double>]) -> Path {
    var path = Path()
    for strip in strips {
      path.move(x, strip.lowerBound)
      path.vertical(strip.upperBound)
    }
    return path
  }
}
