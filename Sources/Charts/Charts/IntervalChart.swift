// A ranking: one row each, with a mark, the whiskers of its interval, and single values below it.

/// Rows with a mark, whiskers and raw dots: a ranking.
package struct IntervalChart: Chart {
  /// One row: a value with its interval, its single values, and the text next to it.
  package struct Row: Sendable {
    /// The name, in monospaced text.
    package var label: String
    /// The meaning of the name, in at most 40 characters.
    package var gloss: String
    package var value: Double?
    /// The ends of the interval.
    package var low: Double?
    package var high: Double?
    /// The single values.
    package var raw: [Double]
    package var appearance: Appearance
    /// The value as text, at the right.
    package var figure: String
    /// The text below the figure.
    package var detail: String
    /// Why there is no value.
    package var absence: String?

    package init(
      label: String, gloss: String = "", value: Double?, low: Double? = nil, high: Double? = nil, raw: [Double] = [],
      appearance: Appearance, figure: String = "", detail: String = "", absence: String? = nil
    ) {
      (self.label, self.gloss, self.figure, self.detail, self.absence) = (label, gloss, figure, detail, absence)
      (self.value, self.low, self.high, self.raw, self.appearance) = (value, low, high, raw, appearance)
    }
  }

  package var title: String
  package var summary: String
  package var axis: Axis
  /// The value that all others are compared with, drawn as a dashed line.
  package var reference: (value: Double, label: String)?
  package var legend: [LegendEntry]
  /// The meanings of whiskers and faint dots in the legend; empty to leave them out.
  package var intervalLabel: String
  package var rawLabel: String
  package var rows: [Row]

  package init(
    title: String, summary: String, axis: Axis, reference: (value: Double, label: String)? = nil,
    legend: [LegendEntry] = [], intervalLabel: String = "", rawLabel: String = "", rows: [Row]
  ) {
    (self.title, self.summary, self.axis, self.reference) = (title, summary, axis, reference)
    (self.legend, self.rows) = (legend, rows)
    (self.intervalLabel, self.rawLabel) = (intervalLabel, rawLabel)
  }

  /// All values that must be on the axis.
  var values: [Double] {
    var values = rows.flatMap { row in [row.value, row.low, row.high].compactMap(\.self) + row.raw }
    if let reference { values.append(reference.value) }
    return values
  }
}
