// Exact confidence limits for a rate, such as that of false alarms, from a number of successes in a number of trials.

/// The rate that a rate is at most, with a confidence: no success in 300 trials is "at most 1 %" at 95 %.
///
/// - Returns: nil as ``binomialLowerBound(successes:trials:confidence:)``; 1 when all trials succeeded.
package func binomialUpperBound(successes: Int, trials: Int, confidence: Double) -> Double? {
  binomialLowerBound(successes: trials - successes, trials: trials, confidence: confidence).map { 1 - $0 }
}

/// The rate that a rate is at least, with a confidence: 300 successes in 300 trials is "at least 99 %" at 95 %.
///
/// It is the rate at which as many successes or more have a probability of 1 − confidence. Clopper and Pearson, "The use of
/// confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934).
///
/// - Returns: nil when there is no trial, the successes are not between none and all of them, or the confidence is not
///   between 0 and 1; 0 when no trial succeeded. O(trials) for each of about 60 halvings.
package func binomialLowerBound(successes: Int, trials: Int, confidence: Double) -> Double? {
  guard trials > 0, (0...trials).contains(successes), confidence > 0, confidence < 1 else { return nil }
  guard successes > 0 else { return 0 }
  var low = 0.0
  var high = Double(successes) / Double(trials)
  // The tail grows with the rate; halve until no number is left between.
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
/// The probability of each number follows from its neighbor's by a ratio of two factors; they are summed up relative to
/// the greatest, which is the one at the mode, so that none has to be representable by itself.
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
