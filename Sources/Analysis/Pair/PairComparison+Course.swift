// The course of a comparison, pair by pair and look by look.
package import Harness
internal import Statistics

extension PairComparison {
  /// The times of the pairs in order, and the estimate at each look.
  ///
  /// - Returns: `ratios` has head's time over base's for each pair in order, NaN if a time is missing. `looks` has the
  ///   estimate over all pairs up to each look that had one, with that look's interval.
  package func course(_ rules: PairRules) -> (ratios: [Double], looks: [(pairs: Int, ratio: Estimate)]) {
    let values = PairDifferences(pairs).values
    var looks: [(pairs: Int, ratio: Estimate)] = []
    let rules = timeRules(rules) ?? rules
    for look in rules.looks where look <= values.count {
      let verdict = rules.plan?.verdict(endingWith: Array(values.prefix(look)))
      guard let verdict, verdict.pairs != looks.last?.pairs else { continue }
      let ends = verdict.interval.map { [$0.lowerBound, $0.upperBound].map { ratio(fromLog: $0) } }
      let estimate = Estimate(median: ratio(fromLog: verdict.effect), low: ends?[0], high: ends?[1])
      looks.append((verdict.pairs, estimate))
    }
    return (values.map { ratio(fromLog: $0) }, looks)
  }
}
