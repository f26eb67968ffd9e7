// One comparison on several machines: the ratios of each, which never meet those of another until each machine has one.

/// The ratios of one comparison, such as of a cell's time to its reference's, by machine and by round.
package struct MachineRatios: Sendable, Hashable {
  /// What stands for the rounds of a machine.
  package enum Center: String, Sendable, Hashable, CaseIterable {
    /// The mean of the log ratios; the sharper one where noise is normal.
    case mean
    /// Their median, which a round that stalls does not move.
    case median
  }

  /// The log ratios of each machine, one a round; at least one machine, and at least one round of each.
  package let logRatios: [[Double]]

  /// Takes log ratios; nil when there is no machine, a machine has no round, or a log ratio is not finite.
  package init?(logRatios: [[Double]]) {
    guard !logRatios.isEmpty, logRatios.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isFinite) }) else { return nil }
    self.logRatios = logRatios
  }

  /// Takes ratios, as ``init(logRatios:)`` takes their logarithms; nil also when one is not above zero.
  package init?(ratios: [[Double]]) {
    let logRatios = ratios.compactMap { pairedLogRatios($0, to: $0.map { _ in 1 }) }
    guard logRatios.count == ratios.count else { return nil }
    self.init(logRatios: logRatios)
  }

  /// Whether every machine has as many rounds: else machines with few rounds make the interval wider than it has to be.
  package var hasEqualRounds: Bool { Set(logRatios.map(\.count)).count == 1 }

  /// One log ratio of each machine, in the order given; O(rounds log rounds) for each.
  package func centers(_ center: Center = .mean) -> [Double] {
    logRatios.map { rounds in
      switch center {
      // Each divided before it is added, since the sum of finite numbers may not be finite.
      case .mean: rounds.reduce(0) { $0 + $1 / Double(rounds.count) }
      case .median: median(rounds) ?? .nan
      }
    }
  }

  /// One ratio of all machines; nil as ``CombinedRatio/init(logRatios:confidence:)``.
  package func combined(_ center: Center = .mean, confidence: Double = 0.95) -> CombinedRatio? {
    CombinedRatio(logRatios: centers(center), confidence: confidence)
  }
}
