// Horizontal bars made of parts, all from one start; small multiples where groups of them have scales of their own.

/// Horizontal bars of parts, from one start: on one scale, or each group of bars on its own.
package struct StackedBarChart: Chart {
  /// A stretch of a bar.
  package struct Part: Sendable {
    /// What it is, as in the legend.
    package var name: String
    /// Its length; a part that is not above zero is left out.
    package var value: Double
    package var appearance: Appearance
    /// Stands inside where there is room for it.
    package var text: String?

    package init(name: String, value: Double, appearance: Appearance, text: String? = nil) {
      (self.name, self.value, self.appearance, self.text) = (name, value, appearance, text)
    }
  }

  /// One bar.
  package struct Row: Sendable {
    /// The name, in the monospaced face.
    package var label: String
    /// What the name means, in at most 40 characters.
    package var gloss: String
    package var parts: [Part]
    /// The whole in words, at the right.
    package var figure: String

    package init(label: String, gloss: String = "", parts: [Part], figure: String) {
      (self.label, self.gloss, self.parts, self.figure) = (label, gloss, parts, figure)
    }
  }

  package var title: String
  package var summary: String
  /// Linear from zero, whatever its kind says.
  package var axis: Axis
  /// Groups of bars, one below the other.
  package var panels: [Panel]

  /// Bars on one scale, which begins at 0.
  package struct Panel: Sendable {
    /// Stands above the bars; empty for none.
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

  /// The parts' names, each once, in the order in which they come in the row that has most of them.
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
