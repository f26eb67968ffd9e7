// Combines the ratios of several machines: times of different machines cannot be compared, but ratios within one
// machine can.

/// The combined ratio of several machines, and how well it applies to other machines.
///
/// The ratio is e to the unweighted mean of the machines' log ratios. Its interval is Student's t interval of these,
/// with one degree of freedom less than the number of machines. The machines are a sample, and the interval covers the
/// mean of all such machines: machines differ, so more rounds on the same ones do not make it narrower. Each machine
/// counts the same, however noisy it is. If the noise differs between machines, the interval covers more often than
/// promised, not less, at confidence levels from 92 % on (Ibragimov and Müller, "t-statistic based correlation and
/// heterogeneity robust inference", Journal of Business and Economic Statistics 28, 2010).
/// Documentation/Validation.md has simulations.
///
/// ```swift
/// let ratios = [1.21, 1.25, 1.18, 1.30, 1.22]
/// let combined = CombinedRatio(logRatios: ratios.compactMap { logRatio($0, to: 1) })
/// combined?.ratio        // 1.231
/// combined?.interval     // 1.177...1.289
/// ```
package struct CombinedRatio: Sendable, Hashable {
  /// The fewest machines for an interval: two always agree or disagree by chance.
  package static let leastMachines = 3
  /// The recommended number of machines: with five, the interval is less than half as wide as with three.
  package static let advisedMachines = 5

  /// e to the mean of the machines' log ratios.
  package let ratio: Double
  /// The interval of the ratio over all machines; `nil` for fewer than ``leastMachines``, or if an end is not
  /// representable.
  package let interval: ClosedRange<Double>?
  /// The smallest ratio of a machine.
  package let least: Double
  /// The greatest ratio of a machine.
  package let greatest: Double
  /// How much machines differ, as a factor: e to the standard deviation of their log ratios, 1.03 if they differ by 3
  /// %.
  ///
  /// It includes their noise. It is `nil` for one machine.
  package let spread: Double?
  /// The number of machines.
  package let machines: Int

  /// Combines one log ratio of each machine.
  ///
  /// The result is the same to the last bit in any order.
  ///
  /// It is `nil` if there is no machine, a log ratio is not finite or not that of a representable positive number, or
  /// the confidence is out of range. O(k log k) for k machines.
  ///
  /// - Parameters:
  ///   - logRatios: One for each machine, in any order: the ``meanLogRatio(_:)`` of the same number of rounds.
  ///   - confidence: The confidence level of the interval, above 0 and below 1.
  package init?(logRatios: [Double], confidence: Double = 0.95) {
    guard confidence > 0, confidence < 1, let sorted = sortedFinite(logRatios) else { return nil }
    let ratios = sorted.map(exponential)
    guard let least = ratios.first, let greatest = ratios.last, least > 0, greatest.isFinite else { return nil }
    let count = Double(sorted.count)
    // Add the differences to the minimum, so that machines that all agree have exactly their mean and no spread.
    let mean = sorted[0] + sorted.reduce(0) { $0 + ($1 - sorted[0]) } / count
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = sorted.count > 1 ? (squares / (count - 1)).squareRoot() : nil
    machines = sorted.count
    self.least = least
    self.greatest = greatest
    ratio = min(max(exponential(mean), least), greatest)
    spread = deviation.map(exponential)
    interval = deviation.flatMap { deviation in
      guard sorted.count >= Self.leastMachines,
        let quantile = studentQuantile(confidence: confidence, degrees: sorted.count - 1)
      else { return nil }
      let margin = quantile * deviation / count.squareRoot()
      let (low, high) = (exponential(mean - margin), exponential(mean + margin))
      return low > 0 && high.isFinite ? low...high : nil
    }
  }
}

/// The mean of one machine's log ratios, which represents its rounds; `nil` if there is none, or one is not finite.
package func meanLogRatio(_ logRatios: [Double]) -> Double? {
  guard !logRatios.isEmpty, logRatios.allSatisfy(\.isFinite) else { return nil }
  // Divide each one before adding, because the sum of finite numbers may not be finite.
  return logRatios.reduce(0) { $0 + $1 / Double(logRatios.count) }
}
