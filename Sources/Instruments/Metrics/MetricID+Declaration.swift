// Lists all metrics; decoding any other name is an error.
package import BatchmarkEngine

extension MetricDeclaration {
  /// The metrics of every instrument, group by group.
  package static let all = InstrumentList.all.flatMap { $0.metrics }

  /// Every metric that budgets may name: those of the clocks, the instruments, and the latencies of concurrent work.
  package static let budgeted = timing + all + latencies

  static let byID = Dictionary(budgeted.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}

extension MetricID: RawRepresentable, Codable, CodingKeyRepresentable {
  /// The names that files of earlier versions use for renamed metrics.
  private static let earlierNames = [
    "heap_peak_rest_bytes": "heap_peak_non_sqlite_bytes", "wal_generations": "wal_restarts",
  ]

  /// The metric with this name or former name; `nil` if none is declared.
  package init?(rawValue: String) {
    let id = MetricID(MetricID.earlierNames[rawValue] ?? rawValue)
    guard MetricDeclaration.byID[id] != nil else { return nil }
    self = id
  }

  /// Every instrument's metrics, group by group, in the order of columns.
  package static let allCases = MetricDeclaration.all.map(\.id)
}

extension MetricID {
  /// The metric's declaration.
  // User input cannot trap here: decoded names are looked up first, by `init(rawValue:)`. An undeclared constant is a
  // mistake in these sources.
  package var declaration: MetricDeclaration {
    guard let declaration = MetricDeclaration.byID[self] else {
      preconditionFailure("\(rawValue) is in the metrics of no instrument, or its instrument is not in the list")
    }
    return declaration
  }

  /// The pass that measures it.
  package var pass: Pass { declaration.pass }

  /// Whether two runs of the same work agree exactly: all metrics except times and samples.
  package var isExact: Bool { declaration.precision == .exact }

  /// Whether it is exact and more is worse, so that growth can be judged.
  package var isJudged: Bool { declaration.isJudged }

  /// Whether the metric exists only in WAL mode.
  package var isOfWAL: Bool { declaration.needsWAL }

  /// Whether the metric is a time, in nanoseconds.
  package var isTime: Bool { declaration.unit == .nanoseconds }

  /// Whether the metric counts bytes.
  package var isBytes: Bool { declaration.unit == .bytes }
}
