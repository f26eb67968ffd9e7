// The latencies of operations beside the one that is measured, as metrics that budgets may name: `latency.read.p99`.

/// Which latency of many.
package enum LatencyFigure: String, Codable, Sendable, Hashable, CaseIterable {
  case p50, p90, p99, p999, longest

  /// The share of the operations that took no longer, in thousandths.
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
  /// A latency of the operations of one class, all rounds together.
  package static func latency(_ operations: OperationClass, _ figure: LatencyFigure) -> MetricID {
    MetricID("latency_\(operations.rawValue)_\(figure.rawValue)_ns")
  }

  /// Whether it is a latency of operations beside the one that is measured.
  package var isLatency: Bool { rawValue.hasPrefix("latency_") }
}

extension MetricDeclaration {
  /// The latencies, class by class.
  package static let latencies = OperationClass.allCases.flatMap { operations in
    LatencyFigure.allCases.map { figure in
      MetricDeclaration(
        .latency(operations, figure), .nanoseconds, .sampled, in: .timing,
        figure == .longest
          ? "the longest \(operations.rawValue) beside the operation, from its intended start"
          : "what \(Double(figure.perMille) / 10) % of \(operations.rawValue)s beside the operation took at most, from their "
            + "intended start")
    }
  }
}
