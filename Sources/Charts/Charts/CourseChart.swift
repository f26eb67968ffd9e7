// A chart of values over time, with an amount below them on the same time axis, such as latencies and the WAL.

/// Values for slices of time, and below them an amount at the end of each slice, with a panel for each course.
///
/// All panels share the axes of values and of amounts, but each has its own time axis.
package struct CourseChart: Chart {
  /// A slice of time.
  package struct Slice: Sendable, Hashable {
    package var start: Double
    package var end: Double
    /// The median, a high percentile, and the maximum; `nil` or not finite if there is none.
    package var middle: Double?
    package var high: Double?
    package var largest: Double?
    /// The amount at the end; `nil` if there is never one.
    package var amount: Double?

    package init(
      start: Double, end: Double, middle: Double?, high: Double?, largest: Double?, amount: Double? = nil
    ) {
      (self.start, self.end) = (start, end)
      (self.middle, self.high, self.largest, self.amount) = (middle, high, largest, amount)
    }

    /// The position of its values.
    var place: Double { start / 2 + end / 2 }
  }

  /// One course.
  package struct Panel: Sendable {
    package var label: String
    package var appearance: Appearance
    /// Ordered by time.
    package var slices: [Slice]
    /// Its largest value, as text.
    package var figure: String

    package init(label: String, appearance: Appearance, slices: [Slice], figure: String) {
      (self.label, self.appearance, self.slices, self.figure) = (label, appearance, slices, figure)
    }
  }

  /// The names of a slice's values.
  package struct Names: Sendable, Hashable {
    package var middle: String
    package var high: String
    package var largest: String
    package var amount: String

    package init(middle: String, high: String, largest: String, amount: String) {
      (self.middle, self.high, self.largest, self.amount) = (middle, high, largest, amount)
    }
  }

  package var title: String
  package var summary: String
  package var time: Axis
  package var values: Axis
  package var amounts: Axis
  package var names: Names
  /// The meaning of colors and shapes, if there are several.
  package var legend: [LegendEntry]
  package var panels: [Panel]

  package init(
    title: String, summary: String, time: Axis, values: Axis, amounts: Axis, names: Names, legend: [LegendEntry] = [],
    panels: [Panel]
  ) {
    (self.title, self.summary, self.time, self.values, self.amounts) = (title, summary, time, values, amounts)
    (self.names, self.legend, self.panels) = (names, legend, panels)
  }
}
