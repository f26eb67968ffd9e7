// The result of a budget: whether a cell met it, and the figures that show this.
internal import Instruments
internal import Harness
package import BatchmarkEngine

/// The verdict on a budget for a cell.
package enum BudgetVerdict: String, Sendable, Hashable, CaseIterable, Codable {
  case held = "HELD"
  case broken = "BROKEN"
  /// It should have been judged, but that was not possible.
  case undecided = "UNDECIDED"
  /// It did not need to be judged, because the run measured less than the scenario asks for.
  case skipped = "NOT JUDGED"
}

/// Why a budget was neither met nor broken.
package enum BudgetGap: Sendable, Hashable {
  /// `--quick` measures no valid times.
  case quick
  /// The cell was not measured.
  case leftOut(cell: String)
  /// No cell has this name with the settings of the command line.
  case renamed
  /// Samples of the cell failed.
  case failed(cell: String, samples: Int)
  /// The cell has no such metric.
  case missing(cell: String, phase: String, column: String)
}

/// A budget judged for one of its cells.
package struct BudgetJudgement: Sendable, Hashable {
  package var budget: Budget
  /// The id of the judged cell; `nil` if no cell has the name.
  package var cell: String?
  package var verdict: BudgetVerdict
  /// Why there is no verdict; `nil` if the budget was met or broken.
  package var gap: BudgetGap?
  /// The measured figure, in seconds, bytes or as a plain number.
  package var found: JudgedFigure?
  /// The limit, computed if it is a multiple of another figure.
  package var limit: JudgedFigure?

  package var figure: MetricID? { MetricID(rawValue: budget.figure.column) }

  /// Whether chance may have decided: the median is on one side of the limit, and a part of the interval on the other.
  package var spansLimit: Bool {
    guard let found, let limit, [.held, .broken].contains(verdict) else { return false }
    let words = found.ends.flatMap { value in limit.ends.map { budget.comparison.holds(value, $0) } }
    return Set(words).count > 1
  }

  /// Whether it is judged by a time with too few rounds.
  package var hasNoInterval: Bool {
    guard let found, let limit else { return false }
    return found.isTooSparse || limit.isTooSparse
  }
}

/// A value that decides a budget.
package struct JudgedFigure: Sendable, Hashable {
  /// The median; for exact metrics, the value of every sample.
  package var value: Double
  /// The ends of a time's interval, or the minimum and maximum of exact figures that should agree but do not.
  package var low: Double?
  package var high: Double?
  /// Whether it is a time that should have an interval but has none.
  package var isTooSparse: Bool

  package init(_ value: Double, low: Double? = nil, high: Double? = nil, isTooSparse: Bool = false) {
    self.value = value
    self.low = low
    self.high = high
    self.isTooSparse = isTooSparse
  }

  /// The median and the ends of the interval.
  package var ends: [Double] { [value, low, high].compactMap(\.self) }

  /// The value multiplied by a factor.
  package func times(_ factor: Double) -> JudgedFigure {
    JudgedFigure(
      value * factor, low: low.map { $0 * factor }, high: high.map { $0 * factor }, isTooSparse: isTooSparse)
  }
}
