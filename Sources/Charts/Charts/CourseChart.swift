// How something changed over time, with an amount beneath it on the same axis: latencies and the WAL.

/// Values of slices of time, and beneath them an amount at the end of each slice; a panel for each of several courses.
///
/// All panels have the same axes of values and of amounts, and each has its own time.
package struct CourseChart: Chart {
  /// A stretch of time.
  package struct Slice: Sendable, Hashable {
    package var start: Double
    package var end: Double
    /// The middle value, one that few exceed, and the largest; nil or not finite if there is none.
    package var middle: Double?
    package var high: Double?
    package var largest: Double?
    /// The amount at the end; nil where there is none at any time.
    package var amount: Double?

    package init(
      start: Double, end: Double, middle: Double?, high: Double?, largest: Double?, amount: Double? = nil
    ) {
      (self.start, self.end) = (start, end)
      (self.middle, self.high, self.largest, self.amount) = (middle, high, largest, amount)
    }

    /// Where its values stand.
    var place: Double { start / 2 + end / 2 }
  }

  /// One course.
  package struct Panel: Sendable {
    package var label: String
    package var appearance: Appearance
    /// In the order of time.
    package var slices: [Slice]
    /// Its largest value in words.
    package var figure: String

    package init(label: String, appearance: Appearance, slices: [Slice], figure: String) {
      (self.label, self.appearance, self.slices, self.figure) = (label, appearance, slices, figure)
    }
  }

  /// What the values of a slice are called.
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
  /// What colors and shapes stand for, where there is more than one.
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
