// The properties of a chart's axis.

/// One axis of a chart: linear or logarithmic, and the format of its values.
package struct Axis: Sendable {
  /// How positions on the axis depend on the values.
  package enum Kind: Sendable, Hashable {
    case linear, logarithmic
    /// Logarithmic if all values are positive and the largest is more than 4 times the smallest, otherwise linear.
    case automatic
  }

  /// Which values count as round.
  package enum Steps: Sendable, Hashable {
    /// 1, 2 and 5 times the powers of ten.
    case decimal
    /// The powers of two, for ratios and bytes.
    case doubling
  }

  /// The name of the values, with their unit if ``label`` does not show it.
  package var title: String
  package var kind: Kind
  package var steps: Steps
  /// Formats a value.
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
