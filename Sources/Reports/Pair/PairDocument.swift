// The verdicts of a comparison, as `pair`, `merge` and `report` print them for programs. All samples are in its
// pair.json.
package import Analysis

/// The results of a comparison of two sides.
package struct PairDocument: CommandDocument {
  package static let title = "The verdicts of a paired comparison"

  struct Cell: Codable {
    var cell: String
    /// The worst verdict.
    var verdict: Verdict
    /// Why the sides cannot be compared.
    var obstacles: [String] = []
    var failedSamples = 0
    /// The verdict of base compared with itself; absent without such a comparison.
    var placebo: Verdict?
    /// Absent if the gate does not judge it.
    var time: Time?
    /// The judged exact metrics.
    var figures: [Figure]
    /// Statements with a changed plan; absent if the gate does not judge plans.
    var changedPlans: [String]?
    /// The first cause of its change, as a sentence; absent if none was searched for.
    var cause: String?
  }

  struct Time: Codable {
    var verdict: Verdict
    var fails: Bool
    /// Head's time over base's minus one, with its interval: 0.05 is 5 % slower.
    var change: Estimate?
    /// The same for fresh pairs; absent if none were taken.
    var confirmation: Estimate?
    var pairs: Int
  }

  struct Figure: Codable {
    var phase: String
    var metric: String
    var base: Int64
    var head: Int64
    var verdict: Verdict
    var fails: Bool

    init(_ figure: FigureVerdict) {
      (phase, metric, base, head) = (figure.phase.rawValue, figure.metric.rawValue, figure.base, figure.head)
      (verdict, fails) = (figure.verdict, figure.fails)
    }
  }

  /// The worst verdict of all.
  var verdict: Verdict
  var base: String
  var head: String
  var isInterrupted: Bool
  /// The number of machines, and the missing ones; absent for one machine's comparison.
  var machines: Int?
  var missing: [Int]?
  var cells: [Cell]
  var files: ReportFiles

  /// The comparison of one machine.
  package init(_ results: PairResults, _ files: ReportFiles) {
    let rules = results.rules
    (verdict, isInterrupted, self.files) = (results.overall, results.run.isInterrupted, files)
    (base, head) = (results.base.name, results.head.name)
    let placebos = results.placeboVerdicts
    cells = results.comparisons.map { comparison in
      let time = comparison.time(rules)
      return Cell(
        cell: comparison.headCell.id, verdict: results.verdict(of: comparison),
        obstacles: results.obstacles(to: comparison), failedSamples: comparison.failures.count,
        placebo: placebos.first { $0.comparison.headCell == comparison.baseCell }?.verdict,
        time: comparison.timeRules(rules) == nil
          ? nil
          : Time(
            verdict: time.verdict, fails: time.fails, change: time.first.map(PairMarkdown.effect),
            confirmation: time.confirmation.map(PairMarkdown.effect),
            pairs: comparison.pairs.count + comparison.confirmation.count),
        figures: comparison.figures(rules).map(Figure.init),
        changedPlans: comparison.plans(rules)?.changes.map(\.sql),
        cause: comparison.explanation(rules).map { PairText.FirstCause($0, of: comparison).sentence })
    }
  }

  /// The comparison of several machines.
  package init(_ merge: PairMerge, _ files: ReportFiles) {
    (verdict, isInterrupted, self.files) = (merge.overall, merge.results.contains(where: \.run.isInterrupted), files)
    (base, head) = (merge.results.first?.base.name ?? "", merge.results.first?.head.name ?? "")
    (machines, missing) = (merge.machines.count, merge.absent?.shards ?? [])
    cells = merge.cells.map { cell in
      Cell(
        cell: cell.cell.id, verdict: merge.verdict(of: cell),
        time: cell.isTimeJudged
          ? Time(
            verdict: cell.time, fails: cell.failsByTime, change: cell.combined.map { Estimate($0).addition },
            pairs: cell.pairs.reduce(0, +)) : nil,
        figures: cell.figures.map { Figure($0.worst) }, changedPlans: cell.plans?.changes.map(\.sql))
    }
  }
}
