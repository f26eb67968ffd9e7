// The verdict on each cell of a paired comparison, and the overall verdict.
package import Harness

extension PairResults {
  /// The worst of a comparison's verdicts.
  ///
  /// Metrics that grew a little are reported next to a time that passed.
  package func verdict(of comparison: PairComparison) -> Verdict {
    if !comparison.failures.isEmpty || !obstacles(to: comparison).isEmpty { return .untrusted }
    if comparison.comparesNothing(rules) { return .untrusted }
    return Verdict.worst(
      of: comparison.verdicts(rules), fails: comparison.fails(rules), time: comparison.time(rules).verdict)
  }

  /// The worst verdict of all.
  package var overall: Verdict {
    if isPlaceboBroken || comparisons.isEmpty { return .untrusted }
    return Verdict.worst(ofCells: comparisons.map { (verdict(of: $0), $0.fails(rules)) })
  }
}

extension Verdict {
  /// The worst of the verdicts on a cell; the one on its time if none is worse.
  ///
  /// If a gate fails without a regression, the reason is an improvement.
  static func worst(of verdicts: [Verdict], fails: Bool, time: Verdict) -> Verdict {
    if let worst = [.untrusted, .regression].first(where: verdicts.contains) { return worst }
    if fails { return .improved }
    return [.inconclusive, .small].first(where: verdicts.contains) ?? time
  }

  /// The worst verdict of all cells.
  ///
  /// An improvement that fails the gate precedes everything that does not fail.
  static func worst(ofCells cells: [(verdict: Verdict, fails: Bool)]) -> Verdict {
    let verdicts = cells.map(\.verdict)
    if let worst = [.untrusted, .regression].first(where: verdicts.contains) { return worst }
    if cells.contains(where: \.fails) { return .improved }
    return [.inconclusive, .small, .pass, .improved].first(where: verdicts.contains) ?? .inconclusive
  }
}
