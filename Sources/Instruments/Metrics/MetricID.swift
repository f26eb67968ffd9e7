// The name of a figure beside wall and CPU time. Which names there are, the instruments say that make the figures.

/// A figure of a phase, by the name of its column in CSV and its key in JSON, spelt with its unit.
///
/// Each is a constant beside the instrument that makes it. What is decoded is one of those, or an error.
package struct MetricID: RawRepresentable, Sendable, Hashable, Codable, CodingKeyRepresentable {
  package let rawValue: String

  /// The figure of that name; nil where no instrument declares it.
  package init?(rawValue: String) {
    let id = MetricID(rawValue)
    guard MetricDeclaration.byID[id] != nil else { return nil }
    self = id
  }

  /// The name of a figure that an instrument declares.
  init(_ name: String) { rawValue = name }

  /// Every figure that an instrument makes, group by group: the order of columns.
  package static let allCases = MetricDeclaration.all.map(\.id)
}

extension MetricID {
  /// What the figure's instrument says of it.
  // Nothing that a user gives can end the program here: what is decoded is looked up first, by `init(rawValue:)`. A constant
  // that no instrument declares is a mistake in these sources.
  package var declaration: MetricDeclaration {
    guard let declaration = MetricDeclaration.byID[self] else {
      preconditionFailure("\(rawValue) is in the metrics of no instrument, or its instrument is not in the list")
    }
    return declaration
  }

  /// The pass that measures it.
  package var pass: Pass { declaration.pass }

  /// Whether two runs of the same thing agree to the bit: all but times and what is sampled.
  package var isExact: Bool { declaration.precision == .exact }

  /// Whether it is exact and more of it is worse, so that growth can be judged.
  package var isJudged: Bool { isExact && declaration.isMoreWorse }

  /// Whether there is nothing to measure where the journal is no WAL.
  package var isOfWAL: Bool { declaration.needsWAL }

  /// Whether the figure is a time, in nanoseconds.
  package var isTime: Bool { declaration.unit == .nanoseconds }

  /// Whether the figure counts bytes.
  package var isBytes: Bool { declaration.unit == .bytes }
}
