// The changes that comparisons can detect on this machine, as `plan` prints them for programs.
package import Analysis

/// The noise of each cell, and its consequences.
package struct PlanDocument: CommandDocument {
  package static let title = "What comparisons can show on a machine"

  struct Cell: Codable {
    var cell: String
    /// Why nothing is known about the cell.
    var failure: String?
    var trialSeconds: Double?
    var pairSeconds: Double?
    /// The robust standard deviation of pairs, as judged and as measured.
    var noise: Double?
    var measuredNoise: Double?
    /// The smallest slowdown that the last look can detect: 0.05 is 5 %.
    var visibleChange: Double?
    /// The cost of a verdict on the margin; absent if the cell is too noisy.
    var pairs: Int?
    var seconds: Double?
    var worthwhileTrials: Int?
    /// The cell's share of `--budget`.
    var share: Share?
  }

  struct Share: Codable {
    var pairs: Int
    var seconds: Double
    var visibleChange: Double?
  }

  var margin: Double
  var looks: [Int]
  var budgetSeconds: Double?
  /// Whether the budget is enough for a verdict on every cell.
  var isBudgetEnough: Bool?
  var cells: [Cell]

  /// The values shown on the page.
  package init(_ lines: [PlanMarkdown.Line], _ rules: PairRules, shares: (seconds: Double, pairs: [Int]?)?) {
    (margin, looks) = (rules.margin, rules.looks)
    budgetSeconds = shares?.seconds
    isBudgetEnough = shares.map { $0.pairs != nil }
    var left = (shares?.pairs ?? [])[...]
    cells = lines.map { line in
      guard let estimate = line.estimate else {
        return Cell(cell: line.cell, failure: line.failure ?? PlanMarkdown.tooFewPairs)
      }
      let expected = estimate.expectedPairs(rules)
      return Cell(
        cell: line.cell, trialSeconds: estimate.trialSeconds, pairSeconds: estimate.pairSeconds,
        noise: estimate.spread, measuredNoise: estimate.measuredSpread,
        visibleChange: estimate.visibleChange(pairs: rules.looks.last ?? 0), pairs: expected,
        seconds: expected.map(estimate.seconds), worthwhileTrials: estimate.worthwhileTrials,
        share: left.popFirst().map {
          Share(pairs: $0, seconds: estimate.seconds(ofPairs: $0), visibleChange: estimate.visibleChange(pairs: $0))
        })
    }
  }
}
