// The outcomes of a sequential comparison, and of two combined ones.

/// The outcome of a comparison.
///
/// "Slower" means larger, whatever the metric is.
package enum SequentialOutcome: String, Sendable, Hashable, CaseIterable {
  /// Certainly slower, possibly by the margin or more.
  case regression
  /// Certainly slower, but by less than the margin.
  case smallRegression
  /// Neither slower nor faster by the margin.
  case pass
  /// Certainly faster, but by less than the margin.
  case smallImprovement
  /// Certainly faster, possibly by the margin or more.
  case improved
  /// After the last look: not slower by the margin; whether it is faster is undecided.
  ///
  /// A gate passes with it.
  case notSlower
  /// After the last look: not faster by the margin; whether it is slower is undecided.
  ///
  /// For a gate, this is inconclusive.
  case notFaster
  /// After the last look: the noise is too large for the number of pairs.
  case inconclusive

  /// Whether it was shown to be slower by any amount.
  package var isSlower: Bool { self == .regression || self == .smallRegression }

  /// Whether it was shown to be faster by any amount.
  package var isFaster: Bool { self == .improved || self == .smallImprovement }
}

/// The outcome of a change, considering whether fresh pairs confirmed it.
///
/// Both must find it on the same side. If one of them finds that it is small, it counts as small. A change that is not
/// found again is inconclusive, and never passes silently. With independent pairs, the probability of a false alarm
/// decreases from α to α², and that of a detection from p to p².
///
/// - Parameters:
///   - first: The outcome of the first pairs. If it is not a change, it needs no confirmation and stays the same.
///   - fresh: The outcome of later pairs with the same plan.
/// - Returns: The outcome to report.
package func confirmation(of first: SequentialOutcome, by fresh: SequentialOutcome) -> SequentialOutcome {
  if first.isSlower {
    guard fresh.isSlower else { return .inconclusive }
    return first == fresh ? first : .smallRegression
  }
  if first.isFaster {
    guard fresh.isFaster else { return .inconclusive }
    return first == fresh ? first : .smallImprovement
  }
  return first
}
