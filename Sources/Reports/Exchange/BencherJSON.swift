// Exports a run in Bencher Metric Format: benchmarks by name, each with its measures.
internal import Analysis

/// Bencher Metric Format.
enum BencherJSON {
  /// A value with the ends of its interval, if it has one.
  struct Metric: Encodable, Hashable {
    var value: Double
    var lowerValue: Double?
    var upperValue: Double?

    private enum CodingKeys: String, CodingKey {
      case value
      case lowerValue = "lower_value"
      case upperValue = "upper_value"
    }
  }

  /// The measures of each cell by id: Bencher's own `latency` in nanoseconds and `throughput` in rows per second, and
  /// every metric by name, in its own unit.
  static func benchmarks(_ run: ExchangedRun) -> [String: [String: Metric]] {
    Dictionary(
      run.cells.map { cell in
        var measures: [String: Metric] = [:]
        if let wall = cell.figures.wall.figure {
          measures["latency"] = Metric(
            value: wall.median.nanoseconds, lowerValue: wall.low?.nanoseconds, upperValue: wall.high?.nanoseconds)
        }
        if let rate = cell.figures.rowsPerSecond.figure { measures["throughput"] = Metric(value: rate) }
        for (id, value) in cell.metrics { measures[slug(id)] = Metric(value: Double(value)) }
        return (cell.cell.id, measures)
      }.filter { !$0.1.isEmpty }
    ) { first, _ in first }
  }

  /// A metric's name in Bencher's style: `heap-peak-bytes`.
  private static func slug(_ id: MetricID) -> String { id.rawValue.replacing("_", with: "-") }
}
