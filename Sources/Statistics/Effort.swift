// What a number of pairs can detect, how many pairs an effect needs, and how to spend the time.

/// The smallest shift that a number of pairs can be expected to detect: 4 s / √n.
///
/// From n = ((z₁ + z₂) s / effect)² for a one-sided test at 1 % that finds the effect in 19 of 20 cases: z₁ + z₂ = 2.33
/// + 1.64, rounded up to 4. This assumes normal noise. With the heavy tails of run times, expect three to five times as
/// many pairs; the sequential plan takes them if it needs them.
///
/// - Parameters:
///   - spread: The ``robustStandardDeviation(_:)`` of the paired differences.
///   - pairs: The number of pairs.
/// - Returns: The shift in the unit of the spread; `nil` if the spread is negative or not finite, or there is no pair.
package func minimumDetectableEffect(spread: Double, pairs: Int) -> Double? {
  guard spread >= 0, spread.isFinite, pairs > 0 else { return nil }
  return 4 * spread / Double(pairs).squareRoot()
}

/// The pairs that an effect needs: the least n with ``minimumDetectableEffect(spread:pairs:)`` at most the effect.
///
/// - Returns: At least 1; `nil` if the effect is not above zero, a number is not finite, or the number of pairs is too
///   large.
package func pairsNeeded(effect: Double, spread: Double) -> Int? {
  guard effect > 0, effect.isFinite, spread >= 0, spread.isFinite else { return nil }
  let root = 4 * spread / effect
  return Int(exactly: (root * root).rounded(.up)).map { max(1, $0) }
}

/// How often to repeat the measured work within a trial: √(preparation / repeat · within² / between²).
///
/// A repeat costs less than another trial, but averages only the noise within a trial. This number gives the most
/// precise result for the time spent: Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013.
///
/// - Parameters:
///   - preparation: The cost of a trial before its measurement, in any unit of time.
///   - once: The cost of one repeat, in the same unit.
///   - within: The standard deviation of repeats within a trial.
///   - between: The standard deviation between trials, in the same unit.
/// - Returns: At least 1; `nil` if a number is not finite or negative, or `once` or `between` is zero.
package func repeatsWorthwhile(preparation: Double, once: Double, within: Double, between: Double) -> Int? {
  guard [preparation, once, within, between].allSatisfy({ $0 >= 0 && $0.isFinite }), once > 0, between > 0 else {
    return nil
  }
  return Int(exactly: ((preparation / once).squareRoot() * within / between).rounded()).map { max(1, $0) }
}

/// The pairs for each of several comparisons within a time, so that all can detect about the same effect.
///
/// A noisy comparison gets more of the time than a quiet one, because its pairs grow with the square of its spread.
///
/// - Parameters:
///   - seconds: The total time.
///   - comparisons: The spread of each one's paired differences, and the time of a pair.
///   - least: The minimum number of pairs of a useful comparison, such as a plan's
///     ``SequentialPlan/firstDecisiveLook``.
/// - Returns: The pairs in the same order; `nil` if the time is not enough for the minimum of each, or a number is out
///   of range.
package func pairsWithin(
  seconds: Double, of comparisons: [(spread: Double, secondsPerPair: Double)], least: Int
) -> [Int]? {
  guard seconds.isFinite, least > 0,
    comparisons.allSatisfy({ $0.spread >= 0 && $0.spread.isFinite && $0.secondsPerPair > 0 })
  else { return nil }
  func pairs(showing effect: Double) -> [Int]? {
    var pairs: [Int] = []
    for comparison in comparisons {
      guard let needed = pairsNeeded(effect: effect, spread: comparison.spread) else { return nil }
      pairs.append(max(least, needed))
    }
    let taken = zip(pairs, comparisons).reduce(0) { $0 + Double($1.0) * $1.1.secondsPerPair }
    return taken <= seconds ? pairs : nil
  }
  // Start with an effect that needs only the minimum of each, and bisect towards the smallest that fits.
  var fits = comparisons.compactMap { minimumDetectableEffect(spread: $0.spread, pairs: least) }.max() ?? 0
  if fits == 0 { fits = 1 }
  guard var best = pairs(showing: fits) else { return nil }
  var tooSmall = 0.0
  for _ in 0..<60 {
    let middle = (tooSmall + fits) / 2
    if let found = pairs(showing: middle) {
      best = found
      fits = middle
    } else {
      tooSmall = middle
    }
  }
  return best
}
