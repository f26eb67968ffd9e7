// The metrics of a phase, and their properties for budgets, CSV files, comparisons and `list`.

/// A metric of a phase, identified by the name of its column in CSV and its key in JSON, which includes its unit.
///
/// Each metric is a constant next to the code that measures it: those of the clocks here, the others next to their
/// instruments.
package struct MetricID: Sendable, Hashable {
  package let rawValue: String

  /// The name of a declared metric.
  package init(_ name: String) { rawValue = name }

  /// Wall time.
  package static let wall = MetricID("wall_median_s")
  /// Processor time.
  package static let cpu = MetricID("cpu_median_s")
  /// Rows per second of wall time.
  package static let rowsPerSecond = MetricID("rows_per_s")
  /// Wall time as a multiple of the reference's.
  package static let timesReference = MetricID("times_reference")
}

/// The unit of a metric.
package enum MetricUnit: String, Sendable, CaseIterable {
  case bytes, seconds, nanoseconds, frames, pages, count
}

/// The kind of value that limits of a metric have.
package enum MetricKind: Sendable, Hashable {
  case time, bytes, number

  /// The units of limits, and their size in seconds or bytes; empty if limits are plain numbers.
  package var units: [(name: String, factor: Double)] {
    switch self {
    case .time: [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1), ("min", 60)]
    case .bytes: [("B", 1), ("KiB", 0x1p10), ("MiB", 0x1p20), ("GiB", 0x1p30)]
    case .number: []
    }
  }

  /// A noun for such a metric in a sentence.
  package var noun: String {
    switch self {
    case .time: "a time"
    case .bytes: "a number of bytes"
    case .number: "a plain number"
    }
  }
}

/// Whether a metric can be compared for equality.
package enum MetricPrecision: String, Sendable, CaseIterable {
  /// Two identical runs agree to the bit.
  case exact
  /// Times and sampled values, which never repeat.
  case sampled
}

/// A metric of a phase, declared next to the code that measures it.
package struct MetricDeclaration: Sendable, Hashable {
  package let id: MetricID
  package let unit: MetricUnit
  package let precision: MetricPrecision
  /// The pass that measures it.
  package let pass: Pass
  /// Whether growth is a loss, so that it can be judged.
  ///
  /// For example, a page found in memory is not a loss.
  package let isMoreWorse: Bool
  /// Whether it exists only with a WAL.
  package let needsWAL: Bool
  /// A description in one line.
  package let help: String

  /// Its column in CSV files.
  package var column: String { id.rawValue }

  /// The column's name without unit and statistic, as in budgets: `heap_peak`, or `latency.read.p99` for latencies.
  package var name: String {
    let name = nameOfColumn
    return id.isLatency ? name.split(separator: "_").joined(separator: ".") : name
  }

  private var nameOfColumn: String {
    ["_median_s", "_bytes", "_ns"].first(where: column.hasSuffix).map { String(column.dropLast($0.count)) } ?? column
  }

  package var kind: MetricKind {
    switch unit {
    case .bytes: .bytes
    case .seconds, .nanoseconds: .time
    case .frames, .pages, .count: .number
    }
  }

  /// Whether it is exact and its growth is a loss, so that it can be judged.
  package var isJudged: Bool { precision == .exact && isMoreWorse }

  package init(
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

  /// The metrics of the clocks.
  package static let timing = [
    MetricDeclaration(.wall, .seconds, .sampled, in: .timing, "wall time"),
    MetricDeclaration(.cpu, .seconds, .sampled, in: .timing, "processor time"),
    MetricDeclaration(
      .rowsPerSecond, .count, .sampled, in: .timing, isMoreWorse: false, "rows by wall time"),
    MetricDeclaration(.timesReference, .count, .sampled, in: .timing, "wall time as a multiple of the reference's"),
  ]
}
