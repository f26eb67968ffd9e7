// The common part of the intervals of medians, shifts and slopes: the rank at which to cut a sorted list, from the
// distribution of a statistic that is symmetric about its middle.

/// The greatest k with P(T < k) ≤ (1 − confidence) / 2, from P(T = 0), P(T = 1), … through the middle.
///
/// - Returns: `nil` if it is 0, or the confidence is out of range.
func intervalRank(confidence: Double, probabilities: some Sequence<Double>) -> Int? {
  guard let allowed = allowedTail(confidence) else { return nil }
  var rank = 0
  var below = 0.0
  for probability in probabilities {
    below += probability
    if below > allowed { break }
    rank += 1
  }
  return rank > 0 ? rank : nil
}

/// The same from a cumulative distribution, `atMost(k)` = P(T ≤ k) for k up to `middle`.
func intervalRank(confidence: Double, middle: Int, atMost: (Int) -> Double) -> Int? {
  guard let allowed = allowedTail(confidence) else { return nil }
  var low = 0
  var high = middle
  while low < high {
    let tried = (low + high) / 2
    if atMost(tried) <= allowed { low = tried + 1 } else { high = tried }
  }
  return low > 0 ? low : nil
}

/// (1 − confidence) / 2 with room for rounding, so that a confidence that is reached exactly counts as reached.
private func allowedTail(_ confidence: Double) -> Double? {
  guard confidence > 0, confidence < 1 else { return nil }
  return (1 - confidence) / 2 * (1 + 1e-12)
}
