// Several comparisons at once: the more there are, the surer that chance makes one of them look like something.

/// The p-values of a family, adjusted so that any at most α can be called significant and the chance of even one false
/// alarm in the family stays at most α, however the comparisons depend on one another.
///
/// Holm's step-down: in ascending order, the jth of m is multiplied by m − j + 1, and none comes out less than one before
/// it. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
///
/// - Returns: In the order given, each at most 1; nil when one is not from 0 to 1. O(m log m).
package func holmAdjusted(_ pValues: [Double]) -> [Double]? {
  guard pValues.allSatisfy({ (0...1).contains($0) }) else { return nil }
  var adjusted = pValues
  var greatest = 0.0
  for (position, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
    greatest = max(greatest, min(1, pValues[index] * Double(pValues.count - position)))
    adjusted[index] = greatest
  }
  return adjusted
}

/// How many false alarms to expect at most of a family in which nothing has changed.
///
/// Also a bound of the probability that there is one (Boole). Each comparison contributes its own α; one that is confirmed
/// on fresh pairs contributes α², the two being independent.
///
/// - Parameters:
///   - comparisons: The size of the family.
///   - alpha: The probability of a false alarm of one comparison.
///   - confirmed: Whether an alarm counts only when fresh pairs agree (``confirmation(of:by:)``).
/// - Returns: comparisons · α, or comparisons · α².
package func expectedFalseAlarms(comparisons: Int, alpha: Double, confirmed: Bool) -> Double {
  Double(comparisons) * (confirmed ? alpha * alpha : alpha)
}
