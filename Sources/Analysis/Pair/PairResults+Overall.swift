// The one word for each cell of a paired comparison, and for all of it.
package import Harness

extension PairResults {
  /// The worst of a comparison's verdicts; figures that grew a little are reported beside a time that passed.
  package func verdict(of comparison: PairComparison) -> Verdict {
    if !comparison.failures.isEmpty || !obstacles(to: comparison).isEmpty { return .untrusted }
    if comparison.comparesNothing(rules) { return .untrusted }
    return Verdict.worst(
      of: comparison.verdicts(rules), fails: comparison.fails(rules), time: comparison.time(rules).verdict)
  }

  /// The worst of all.
  package var overall: Verdict {
    if isPlaceboBroken || comparisons.isEmpty { return .untrusted }
    return Verdict.worst(ofCells: comparisons.map { (verdict(of: $0), $0.fails(rules)) })
  }
}

extension Verdict {
  /// The worst of the verdicts on a cell; that on its time where none is worse.
  ///
  /// A gate that fails without a regression does so for an improvement.
  static func worst(of verdicts: [Verdict], fails: Bool, time: Verdict) -> Verdict {
    if let worst = [.untrusted, .regression].first(where: verdicts.contains) { return worst }
    if fails { return .improved }
    return [.inconclusive, .small].first(where: verdicts.contains) ?? time
  }

  /// The worst verdict of all cells; an improvement that fails the gate stands before all that does not.
  static func worst(ofCells cells: [(verdict: Verdict, fails: Bool)]) -> Verdict {
    let verdicts = cells.map(\.verdict)
    if let worst = [.untrusted, .regression].first(where: verdicts.contains) { return worst }
    if cells.contains(where: \.fails) { return .improved }
    return [.inconclusive, .small, .pass, .improved].first(where: verdicts.contains) ?? .inconclusive
  }
}
