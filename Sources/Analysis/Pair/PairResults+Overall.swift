// The one word for each cell of a paired comparison, and for all of it.
package import Harness

extension PairResults {
  /// The worst of a comparison's verdicts; figures that grew a little are reported beside a time that passed.
  package func verdict(of comparison: PairComparison) -> Verdict {
    let verdicts = comparison.verdicts(rules)
    let order: [Verdict] = [.untrusted, .regression, .inconclusive, .small]
    if !comparison.failures.isEmpty || !obstacles(to: comparison).isEmpty { return .untrusted }
    if comparison.comparesNothing(rules) { return .untrusted }
    return order.first(where: verdicts.contains) ?? comparison.time(rules).verdict
  }

  /// The worst of all.
  package var overall: Verdict {
    if isPlaceboBroken || comparisons.isEmpty { return .untrusted }
    let verdicts = comparisons.map { verdict(of: $0) }
    let order: [Verdict] = [.untrusted, .regression, .inconclusive, .small, .pass, .improved]
    return order.first(where: verdicts.contains) ?? .inconclusive
  }
}
