// A tree of frames, each as wide as its share of the whole.

/// Frames by the share of their weight, the root at the bottom and what it calls above it: a flame graph.
package struct FlameGraph: Chart {
  /// A frame with everything it called.
  package struct Frame: Sendable {
    package var name: String
    /// Its own weight and that of its children; children that sum to more are drawn narrower so that they fit.
    package var weight: Double
    package var appearance: Appearance
    /// What else is to be read of it, after its weight; empty for nothing.
    package var note: String
    package var children: [Frame]

    package init(
      name: String, weight: Double, appearance: Appearance, note: String = "", children: [Frame] = []
    ) {
      (self.name, self.weight, self.appearance, self.note, self.children) = (name, weight, appearance, note, children)
    }

    /// A frame in a pale color of the palette, which stands for whose code it is.
    package init(name: String, weight: Double, color: Int = 0, children: [Frame] = []) {
      self.init(name: name, weight: weight, appearance: Appearance(color: color, isMuted: true), children: children)
    }
  }

  package var title: String
  package var summary: String
  package var root: Frame
  /// What the colors stand for.
  package var legend: [LegendEntry]
  /// Writes a weight in the reader's units; without it only the share is shown.
  package var label: (@Sendable (Double) -> String)?

  package init(
    title: String, summary: String, root: Frame, legend: [LegendEntry] = [],
    label: (@Sendable (Double) -> String)? = nil
  ) {
    (self.title, self.summary, self.root, self.legend, self.label) = (title, summary, root, legend, label)
  }
}
