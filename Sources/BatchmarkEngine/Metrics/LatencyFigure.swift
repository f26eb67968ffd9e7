// Latencies of concurrent operations, and of the measured operation's own requests, as metrics for budgets:
// `latency.read.p99`.

/// A percentile of the latencies, or their maximum.
package enum LatencyFigure: String, Codable, Sendable, Hashable, CaseIterable {
  case p50, p90, p99, p999, longest

  /// The percentile, in thousandths.
  package var perMille: Int {
    switch self {
    case .p50: 500
    case .p90: 900
    case .p99: 990
    case .p999: 999
    case .longest: 1_000
    }
  }
}

extension MetricID {
  /// A latency of one class of operations, over all rounds.
  package static func latency(_ operations: OperationClass, _ figure: LatencyFigure) -> MetricID {
    MetricID("latency_\(operations.rawValue)_\(figure.rawValue)_ns")
  }

  /// Whether it is a latency of concurrent operations or of the measured operation's requests.
  package var isLatency: Bool { rawValue.hasPrefix("latency_") }

  /// Whether it is a latency of the operation's own requests.
  package var isOfRequests: Bool { rawValue.hasPrefix("latency_\(OperationClass.request.rawValue)_") }

  /// Which latency it is; `nil` for another metric.
  package var latencyFigure: LatencyFigure? {
    let parts = rawValue.split(separator: "_")
    return isLatency && parts.count == 4 ? LatencyFigure(rawValue: String(parts[2])) : nil
  }
}

extension MetricDeclaration {
  /// All latencies, class by class.
  package static let latencies = OperationClass.allCases.flatMap { operations in
    LatencyFigure.allCases.map { figure in
      MetricDeclaration(
        .latency(operations, figure), .nanoseconds, .sampled, in: .timing,
        help(operations, figure))
    }
  }

  private static func help(_ operations: OperationClass, _ figure: LatencyFigure) -> String {
    let share = "\(Double(figure.perMille) / 10) %"
    if operations == .request {
      return figure == .longest
        ? "the longest request of the operation, such as a save, where it has several"
        : "what \(share) of the operation's requests, such as saves, took at most, where it has several"
    }
    return figure == .longest
      ? "the longest \(operations.rawValue) beside the operation, from its intended start"
      : "what \(share) of \(operations.rawValue)s beside the operation took at most, from their intended start"
  }
}
