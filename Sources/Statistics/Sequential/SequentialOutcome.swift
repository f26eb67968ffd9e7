// The outcomes of a sequential comparison, and of two of them together.

/// The word for a comparison.
///
/// "Slower" stands for larger, whatever the metric is.
package enum SequentialOutcome: String, Sendable, Hashable, CaseIterable {
  /// Slower, and perhaps by the margin or more.
  case regression
  /// Slower for certain, but by less than the margin.
  case smallRegression
  /// Neither slower nor faster by the margin.
  case pass
  /// Faster for certain, but by less than the margin.
  case smallImprovement
  /// Faster, and perhaps by the margin or more.
  case improved
  /// After the last look: not slower by the margin; whether it is faster is undecided.
  ///
  /// As a gate, that is a pass.
  case notSlower
  /// After the last look, the mirror image: not faster by the margin; whether it is slower is undecided.
  ///
  /// As a gate, that is inconclusive.
  case notFaster
  /// After the last look: the noise is too large for the number of pairs.
  case inconclusive

  /// Whether it was shown to be slower, by however much.
  package var isSlower: Bool { self == .regression || self == .smallRegression }

  /// Whether it was shown to be faster, by however much.
  package var isFaster: Bool { self == .improved || self == .smallImprovement }
}

/// The outcome of a change after fresh pairs have confirmed it or not.
///
/// Both must find it on the same side; if one of them says that it is small, small it is. A change that is not found again
/// is inconclusive, which is never silently green. With independent pairs the probability of a false alarm falls from α to α²,
/// and what is found with a probability of p is found and confirmed with p².
///
/// - Parameters:
///   - first: The outcome of the first pairs. One that is not a change needs no confirmation and stays what it is.
///   - fresh: The outcome of pairs taken afterwards, by the same plan.
/// - Returns: What to report of the two.
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
