// Horizontal stacked bars with a common start; small multiples if groups of them have their own scales.

/// Horizontal stacked bars with a common start, on one scale or on a separate scale for each group.
package struct StackedBarChart: Chart {
  /// A part of a bar.
  package struct Part: Sendable {
    /// Its name in the legend.
    package var name: String
    /// Its length.
    ///
    /// A part that is not positive is left out.
    package var value: Double
    package var appearance: Appearance
    /// Text inside the part, if there is room.
    package var text: String?

    package init(name: String, value: Double, appearance: Appearance, text: String? = nil) {
      (self.name, self.value, self.appearance, self.text) = (name, value, appearance, text)
    }
  }

  /// One bar.
  package struct Row: Sendable {
    /// The name, in monospaced text.
    package var label: String
    /// The meaning of the name, in at most 40 characters.
    package var gloss: String
    package var parts: [Part]
    /// The total as text, at the right.
    package var figure: String

    package init(label: String, gloss: String = "", parts: [Part], figure: String) {
      (self.label, self.gloss, self.parts, self.figure) = (label, gloss, parts, figure)
    }
  }

  package var title: String
  package var summary: String
  /// The axis, which is always linear from zero.
  package var axis: Axis
  /// Groups of bars, one below the other.
  package var panels: [Panel]

  /// Bars on one scale, which begins at 0.
  package struct Panel: Sendable {
    /// The title above the bars; empty for none.
    package var title: String
    package var rows: [Row]

    package init(title: String, rows: [Row]) { (self.title, self.rows) = (title, rows) }
  }

  package init(title: String, summary: String, axis: Axis, panels: [Panel]) {
    (self.title, self.summary, self.axis, self.panels) = (title, summary, axis, panels)
  }

  package init(title: String, summary: String, axis: Axis, rows: [Row]) {
    self.init(title: title, summary: summary, axis: axis, panels: [Panel(title: "", rows: rows)])
  }

  /// All bars.
  package var rows: [Row] { panels.flatMap(\.rows) }

  /// The parts' names, each once, in the order of the row with the most parts.
  var legend: [LegendEntry] {
    var seen: Set<String> = []
    let order = rows.indices.sorted { (rows[$1].parts.count, $0) < (rows[$0].parts.count, $1) }
    return order.flatMap { rows[$0].parts }.compactMap { part in
      guard !part.name.isEmpty, seen.insert(part.name).inserted else { return nil }
      return LegendEntry(label: part.name, appearance: part.appearance)
    }
  }
}

extension StackedBarChart.Part {
  /// The value; 0 if it is not finite, not positive or too large.
  var length: Double { value.isFinite && value > 0 && value <= Scale.largest ? value : 0 }
}

extension StackedBarChart.Row {
  var total: Double { min(parts.map(\.length).reduce(0, +), Scale.largest) }
}
