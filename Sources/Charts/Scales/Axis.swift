// What a chart says about one of its axes.

/// One axis of a chart: linear or logarithmic, and the format of its values.
package struct Axis: Sendable {
  /// How places on the axis grow with the values.
  package enum Kind: Sendable, Hashable {
    case linear, logarithmic
    /// Logarithmic where all values are positive and the largest is more than 4 times the smallest, otherwise linear.
    case automatic
  }

  /// Which values are round.
  package enum Steps: Sendable, Hashable {
    /// 1, 2 and 5 times the powers of ten.
    case decimal
    /// The powers of two, for ratios and bytes.
    case doubling
  }

  /// What the values are, with their unit where ``label`` does not say it.
  package var title: String
  package var kind: Kind
  package var steps: Steps
  /// Writes a value in the reader's units.
  package var label: @Sendable (Double) -> String

  package init(
    title: String, kind: Kind = .automatic, steps: Steps = .decimal, label: @escaping @Sendable (Double) -> String
  ) {
    self.title = title
    self.kind = kind
    self.steps = steps
    self.label = label
  }
}
