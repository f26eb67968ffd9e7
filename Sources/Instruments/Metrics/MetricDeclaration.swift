// What an instrument says of a figure that it makes: all that budgets, CSV files, comparisons and `list` know of it.

/// What a figure is counted in.
public enum MetricUnit: String, Sendable, CaseIterable {
  case bytes, nanoseconds, frames, pages, count
}

/// Whether a figure can be compared for equality.
public enum MetricPrecision: String, Sendable, CaseIterable {
  /// Two runs of the same thing agree to the bit.
  case exact
  /// Times, and what a sampler looks at now and then: never the same twice.
  case sampled
}

/// A figure of a phase, as its instrument declares it.
public struct MetricDeclaration: Sendable, Hashable {
  public let id: MetricID
  public let unit: MetricUnit
  public let precision: MetricPrecision
  /// The pass that measures it.
  public let pass: Pass
  /// Whether growth is a loss, so that it can be judged: a page found in memory is none.
  public let isMoreWorse: Bool
  /// Whether there is nothing to measure where the journal is no WAL.
  public let needsWAL: Bool
  /// What it is, in one line.
  public let help: String

  /// Its column in CSV files.
  public var column: String { id.rawValue }

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
  public static let all = InstrumentList.all.flatMap { $0.metrics }

  static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}
