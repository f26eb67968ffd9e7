// What an instrument says of a figure that it makes: all that budgets, CSV files, comparisons and `list` know of it.

/// What a figure is counted in.
package enum MetricUnit: String, Sendable, CaseIterable {
  case bytes, nanoseconds, frames, pages, count
}

/// Whether a figure can be compared for equality.
package enum MetricPrecision: String, Sendable, CaseIterable {
  /// Two runs of the same thing agree to the bit.
  case exact
  /// Times, and what a sampler looks at now and then: never the same twice.
  case sampled
}

/// A figure of a phase, as its instrument declares it.
package struct MetricDeclaration: Sendable, Hashable {
  package let id: MetricID
  package let unit: MetricUnit
  package let precision: MetricPrecision
  /// The pass that measures it.
  package let pass: Pass
  /// Whether growth is a loss, so that it can be judged: a page found in memory is none.
  package let isMoreWorse: Bool
  /// Whether there is nothing to measure where the journal is no WAL.
  package let needsWAL: Bool
  /// What it is, in one line.
  package let help: String

  /// Its column in CSV files.
  package var column: String { id.rawValue }

  init(
    _ id: MetricID, _ unit: MetricUnit, _ precision: MetricPrecision = .exact, in pass: Pass,
    isMoreWorse: Bool = true, needsWAL: Bool = false, _ help: String
  ) {
    self.id = id
    self.unit = unit
    self.precision = precision
    self.pass = pass
    self.isMoreWorse = isMoreWorse
    self.needsWAL = needsWAL
    self.help = help
  }

  /// The figures of every instrument, group by group.
  package static let all = InstrumentList.all.flatMap { $0.metrics }

  static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}
