// From which size on one strategy wins over another: "a batch wins from 37 rows".

/// The size at which the better one of two strategies changes.
public struct Crossover: Sendable, Hashable {
  /// Where the effect is zero on the line, in the logarithm of the size, between the ends of the interval.
  public let size: Double
  /// From the last size at which the one wins to the first at which the other does.
  ///
  /// At sizes between nothing can be told.
  public let interval: ClosedRange<Double>
  /// Whether the second strategy, whose times are divided by the first's, is the faster one above.
  public let secondWinsAbove: Bool
}

/// Finds the size at which two strategies change places, from pairs taken at each size.
///
/// At each size the Hodges-Lehmann interval of the log ratios says which strategy wins, or that nothing can be told. There is
/// a crossover when, in order of size, one wins at first and the other from some size on. Each interval stands for itself:
/// of 20 sizes at 95 %, one is to be expected to miss its ratio.
///
/// - Parameters:
///   - sweep: For each size the logarithms of the second strategy's time divided by the first's (``pairedLogRatios(_:to:)``).
///   - confidence: That of the interval at each size.
/// - Returns: nil when there is none: one strategy never wins, or they change places more than once. Also when a size comes
///   twice or is not above zero, or a ratio is not finite. A size with too few pairs for an interval tells nothing.
public func crossover(
  of sweep: [(size: Double, logRatios: [Double])], confidence: Double
) -> Crossover? {
  let sweep = sweep.sorted { $0.size < $1.size }
  guard sweep.allSatisfy({ $0.size > 0 && $0.size.isFinite && $0.logRatios.allSatisfy(\.isFinite) }),
    zip(sweep, sweep.dropFirst()).allSatisfy({ $0.size < $1.size })
  else { return nil }
  // Sizes with a winner only.
  let told = sweep.compactMap { point -> (size: Double, effect: Double)? in
    guard let interval = hodgesLehmannInterval(point.logRatios, confidence: confidence), !interval.contains(0) else {
      return nil
    }
    return hodgesLehmann(point.logRatios).map { (point.size, $0) }
  }
  let changes = zip(told, told.dropFirst()).filter { ($0.effect < 0) != ($1.effect < 0) }
  guard changes.count == 1, let (before, after) = changes.first else { return nil }
  let low = naturalLogarithm(before.size)
  let high = naturalLogarithm(after.size)
  // Signs differ, so the share lies between 0 and 1.
  let share = before.effect / (before.effect - after.effect)
  let size = exponential(low + (high - low) * share)
  return Crossover(
    size: min(max(size, before.size), after.size), interval: before.size...after.size,
    secondWinsAbove: after.effect < 0)
}
