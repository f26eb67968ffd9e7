// Lines over two axes, for growth, sweeps and histories.

/// Lines over two axes, each labeled at its end.
package struct LineChart: Chart {
  /// A point of a line, optionally with an interval.
  package struct Point: Sendable, Hashable {
    package var x: Double
    /// Not finite at a gap of the line.
    package var y: Double
    package var low: Double?
    package var high: Double?

    package init(x: Double, y: Double, low: Double? = nil, high: Double? = nil) {
      (self.x, self.y, self.low, self.high) = (x, y, low, high)
    }
  }

  /// How points are joined.
  package enum Style: Sendable, Hashable {
    case line
    /// A value stays constant until the next point.
    case step
    /// Only points.
    case marks
  }

  /// A line with its name.
  package struct Series: Sendable {
    package var label: String
    /// Text at the end of the line in a panel, if the legend has the label; empty for none.
    package var end = ""
    package var appearance: Appearance
    package var points: [Point]
    package var style: Style
    /// A part of the line's values, shaded up from zero.
    package var part: [Point]
    package var notes: [Note]

    package init(
      label: String, appearance: Appearance, points: [Point], style: Style = .line, part: [Point] = [],
      notes: [Note] = []
    ) {
      (self.label, self.appearance, self.points) = (label, appearance, points)
      (self.style, self.part, self.notes) = (style, part, notes)
    }
  }

  /// Special points of a line: a tick on the line at each, and the text at the first one in the picture.
  package struct Note: Sendable, Hashable {
    package var label: String
    package var points: [Point]

    package init(_ label: String, at points: [Point]) { (self.label, self.points) = (label, points) }
  }

  /// A dashed line across the plot at one value.
  package struct Rule: Sendable, Hashable {
    package enum Direction: Sendable, Hashable {
      /// At an x value.
      case vertical
      /// At a y value.
      case horizontal
    }

    package var direction: Direction
    package var value: Double
    package var label: String

    package init(_ direction: Direction, at value: Double, label: String) {
      (self.direction, self.value, self.label) = (direction, value, label)
    }
  }

  /// A shaded range of y over all x.
  package struct Band: Sendable, Hashable {
    package var low: Double
    package var high: Double
    package var label: String

    package init(low: Double, high: Double, label: String) {
      (self.low, self.high, self.label) = (low, high, label)
    }
  }

  /// A line of y proportional to x, through one point; its slope is 1 if both axes are logarithmic.
  package struct Guide: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var label: String

    package init(x: Double, y: Double, label: String) {
      (self.x, self.y, self.label) = (x, y, label)
    }
  }

  package var title: String
  package var summary: String
  package var x: Axis
  package var y: Axis
  package var series: [Series]
  package var rules: [Rule]
  package var bands: [Band]
  package var guide: Guide?
  /// Makes it one of several small charts on the same axes; `nil` for a separate chart.
  var panel: Panel?

  /// A small chart among others.
  struct Panel: Sendable {
    /// Points of all panels, which must fit on the axes.
    var points: [Point]
  }

  package init(
    title: String, summary: String, x: Axis, y: Axis, series: [Series], rules: [Rule] = [], bands: [Band] = [],
    guide: Guide? = nil
  ) {
    (self.title, self.summary, self.x, self.y) = (title, summary, x, y)
    (self.series, self.rules, self.bands, self.guide) = (series, rules, bands, guide)
  }
}
