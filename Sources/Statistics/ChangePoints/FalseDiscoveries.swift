// Many series at once: how many alarms are allowed to be false.

/// The p-values of a family, adjusted so that of those at or below q a share of q is expected to be false at most.
///
/// Where nothing is there to be found, the chance of any alarm is q at most. In descending order, the jth smallest of m is
/// multiplied by m / j, and none comes out more than one after it. Benjamini and Hochberg, "Controlling the false discovery rate: a
/// practical and powerful approach to multiple testing", Journal of the Royal Statistical Society B 57 (1995); it is true of
/// independent values, and of those that depend on one another positively (Benjamini and Yekutieli, Annals of Statistics 29, 2001).
///
/// - Returns: In the order given, each at most 1; nil when one is not from 0 to 1. O(m log m).
package func benjaminiHochbergAdjusted(_ pValues: [Double]) -> [Double]? {
  guard pValues.allSatisfy({ (0...1).contains($0) }) else { return nil }
  var adjusted = pValues
  var least = 1.0
  let ascending = pValues.indices.sorted { pValues[$0] < pValues[$1] }
  for (position, index) in ascending.enumerated().reversed() {
    least = min(least, pValues[index] * Double(pValues.count) / Double(position + 1))
    adjusted[index] = least
  }
  return adjusted
}
