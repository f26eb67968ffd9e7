// One cell of two sides on several machines: one change of its time with an interval over machines, and metrics that
// every machine counts alike.
internal import Harness
package import BatchmarkEngine
package import Statistics
internal import Instruments

/// One cell of a comparison on every machine.
package struct PairOnMachines: Sendable {
  /// Head's cell.
  package let cell: Cell
  /// Head's time over base's on each machine, e to the mean of its pairs' log ratios; `nil` if it has none.
  package let ratios: [Double?]
  /// The number of pairs of each machine.
  package let pairs: [Int]
  /// Whether the gate judges its time.
  package let isTimeJudged: Bool
  /// Whether an improvement of the time by the margin or more fails the gate.
  private let failsOnFaster: Bool
  /// The combined ratio; `nil` if no machine has a ratio.
  ///
  /// A change is judged by its interval.
  package let combined: CombinedRatio?
  /// The verdict on the time.
  package let time: Verdict
  /// The judged exact metrics.
  package let figures: [FigureOnMachines]
  /// The worst verdict of a machine on plans; `nil` if the gate does not judge them.
  package let plans: PlanVerdict?
  /// Why a machine's samples do not allow a verdict, as sentences for each machine; empty if they do.
  package let doubts: [[String]]
  /// Whether every machine's samples allow a verdict.
  package var isMeasured: Bool { doubts.allSatisfy(\.isEmpty) }

  init(_ cell: Cell, _ results: [PairResults]) {
    self.cell = cell
    let comparisons = results.map { results in results.comparisons.first { $0.headCell == cell } }
    let values = comparisons.map { comparison in
      comparison.map { PairDifferences($0.pairs).values.filter(\.isFinite) } ?? []
    }
    pairs = values.map(\.count)
    let centers = values.map(meanLogRatio)
    ratios = centers.map { $0.flatMap { CombinedRatio(logRatios: [$0])?.ratio } }
    let logRatios = centers.compactMap(\.self)
    let rules = comparisons.lazy.compactMap { $0?.timeRules(results[0].rules) }.first
    isTimeJudged = rules != nil
    failsOnFaster = zip(comparisons, results).contains { $0?.failsOnFaster($1.rules) ?? false }
    combined = rules.flatMap { CombinedRatio(logRatios: logRatios, confidence: 1 - 2 * $0.alpha) }
    time = rules.map { PairOnMachines.verdict(on: logRatios, $0) } ?? .pass
    figures = FigureOnMachines.all(zip(comparisons, results).map { $0?.figures($1.rules) ?? [] })
    let plans = zip(comparisons, results).compactMap { $0?.plans($1.rules) }
    self.plans = plans.first { $0.verdict == .regression } ?? plans.first { $0.verdict != .pass } ?? plans.first
    doubts = zip(comparisons, results).map { comparison, results in
      guard let comparison else { return ["it has no comparison of the cell"] }
      return PairOnMachines.doubts(of: comparison, in: results)
    }
  }

  /// Why a machine's own result for a comparison is not trusted, or cannot be compared.
  private static func doubts(of comparison: PairComparison, in results: PairResults) -> [String] {
    let failures = comparison.failures.map { failure in
      "a sample of \(failure.isBase ? "base" : "head") failed in the \(failure.pass.rawValue) pass: \(failure.reason)"
    }
    let found =
      failures + results.obstacles(to: comparison)
      + [comparison.time(results.rules).distrust].compactMap(\.self)
    return found.isEmpty && comparison.comparesNothing(results.rules) ? ["it compared no exact figure"] : found
  }

  /// The verdict on machines' log ratios.
  ///
  /// One Student interval over the machines has a level that bounds the probability of a false alarm by alpha. A second
  /// one bounds the probability that a slowdown by the margin passes by beta.
  static func verdict(on logRatios: [Double], _ rules: PairRules) -> Verdict {
    guard
      let change = CombinedRatio(logRatios: logRatios, confidence: 1 - 2 * rules.alpha)?.interval,
      let rest = CombinedRatio(logRatios: logRatios, confidence: 1 - 2 * rules.beta)?.interval
    else { return .inconclusive }
    if change.lowerBound > 1 + rules.deadZone {
      return change.upperBound < 1 + rules.margin ? .small : .regression
    }
    if change.upperBound < 1 / (1 + rules.deadZone) {
      return change.lowerBound > 1 / (1 + rules.margin) ? .pass : .improved
    }
    return rest.upperBound < 1 + rules.margin ? .pass : .inconclusive
  }

  /// Whether its time fails the gate.
  package var failsByTime: Bool { isTimeJudged && (time == .regression || time == .improved && failsOnFaster) }

  /// Whether its time, a metric or a plan fails the gate.
  package var fails: Bool {
    failsByTime || figures.contains { $0.worst.fails } || plans?.verdict == .regression
  }
}

/// An exact metric on every machine.
package struct FigureOnMachines: Sendable {
  /// The worst verdict of any machine, with its figures.
  package let worst: FigureVerdict
  /// The values of base and head on each machine; `nil` if it has none.
  package let values: [(base: Int64, head: Int64)?]

  /// Whether all machines that have it count the same.
  package var isAlike: Bool {
    let found = values.compactMap(\.self)
    return found.allSatisfy { $0 == found[0] }
  }

  static func all(_ machines: [[FigureVerdict]]) -> [FigureOnMachines] {
    var order: [FigureVerdict] = []
    for figure in machines.joined() where !order.contains(where: { $0.isOf(figure) }) { order.append(figure) }
    let worse: [Verdict] = [.untrusted, .regression, .inconclusive, .small, .improved, .pass]
    return order.map { figure in
      let found = machines.map { $0.first { $0.isOf(figure) } }
      let worst = found.compactMap(\.self).min {
        (worse.firstIndex(of: $0.verdict) ?? 0) < (worse.firstIndex(of: $1.verdict) ?? 0)
      }
      return FigureOnMachines(worst: worst ?? figure, values: found.map { $0.map { ($0.base, $0.head) } })
    }
  }
}

extension FigureVerdict {
  fileprivate func isOf(_ other: FigureVerdict) -> Bool { phase == other.phase && metric == other.metric }
}
