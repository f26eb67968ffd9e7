// Exact confidence limits for a rate, such as that of false alarms, from the number of successes in some trials.

/// The upper confidence limit of a rate: no success in 300 trials means "at most 1 %" at 95 %.
///
/// - Returns: `nil` in the same cases as ``binomialLowerBound(successes:trials:confidence:)``; 1 if all trials
///   succeeded.
package func binomialUpperBound(successes: Int, trials: Int, confidence: Double) -> Double? {
  binomialLowerBound(successes: trials - successes, trials: trials, confidence: confidence).map { 1 - $0 }
}

/// The lower confidence limit of a rate: 300 successes in 300 trials means "at least 99 %" at 95 %.
///
/// It is the rate at which this many successes or more have a probability of 1 − confidence. Clopper and Pearson, "The
/// use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934).
///
/// - Returns: `nil` if there is no trial, the number of successes is out of range, or the confidence is not between 0
///   and 1; 0 if no trial succeeded. O(trials) for each of about 60 halvings.
package func binomialLowerBound(successes: Int, trials: Int, confidence: Double) -> Double? {
  guard trials > 0, (0...trials).contains(successes), confidence > 0, confidence < 1 else { return nil }
  guard successes > 0 else { return 0 }
  var low = 0.0
  var high = Double(successes) / Double(trials)
  // The tail grows with the rate; bisect until no number is left between.
  while true {
    let middle = low * 0.5 + high * 0.5
    guard middle > low, middle < high else { return low }
    if binomialTail(atLeast: successes, trials: trials, rate: middle) > 1 - confidence {
      high = middle
    } else {
      low = middle
    }
  }
}

/// P(X ≥ successes) of a binomial X, for a rate above 0 and below 1.
///
/// The probability of each number follows from its neighbor's by a simple ratio. They are summed relative to the
/// largest one, at the mode, so that none of them must be representable itself.
func binomialTail(atLeast successes: Int, trials: Int, rate: Double) -> Double {
  let odds = rate / (1 - rate)
  let mode = min(trials, Int(Double(trials + 1) * rate))
  var tail = mode >= successes ? 1.0 : 0
  var sum = 1.0
  var weight = 1.0
  for number in stride(from: mode + 1, through: trials, by: 1) {
    weight *= Double(trials - number + 1) / Double(number) * odds
    if weight == 0 { break }
    sum += weight
    if number >= successes { tail += weight }
  }
  weight = 1
  for number in stride(from: mode - 1, through: 0, by: -1) {
    weight *= Double(number + 1) / Double(trials - number) / odds
    if weight == 0 { break }
    sum += weight
    if number >= successes { tail += weight }
  }
  return tail / sum
}
