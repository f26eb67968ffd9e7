// The result of a budget: whether a cell kept to it, and the figures that show it.
internal import Instruments
internal import Harness
package import BatchmarkEngine

/// The word for a budget and a cell.
package enum BudgetVerdict: String, Sendable, Hashable, CaseIterable, Codable {
  case held = "HELD"
  case broken = "BROKEN"
  /// It should have been judged and could not.
  case undecided = "UNDECIDED"
  /// It was not to be judged: the run measured less than the scenario asks for.
  case skipped = "NOT JUDGED"
}

/// Why a budget has neither been kept nor broken.
package enum BudgetGap: Sendable, Hashable {
  /// `--quick` measures no time that counts.
  case quick
  /// The cell is not among those that were measured.
  case leftOut(cell: String)
  /// No cell has the name under the settings of the command line.
  case renamed
  /// Samples of the cell failed.
  case failed(cell: String, samples: Int)
  /// The cell has no such figure.
  case missing(cell: String, phase: String, column: String)
}

/// A budget judged for one of the cells it is about.
package struct BudgetJudgement: Sendable, Hashable {
  package var budget: Budget
  /// The id of the cell whose figure is judged; nil where no cell has the name.
  package var cell: String?
  package var verdict: BudgetVerdict
  /// Why there is no verdict; nil if the budget held or is broken.
  package var gap: BudgetGap?
  /// The figure found, in seconds, bytes or as a plain number.
  package var found: JudgedFigure?
  /// The limit, worked out where it is a multiple of another figure.
  package var limit: JudgedFigure?

  package var figure: MetricID? { MetricID(rawValue: budget.figure.column) }

  /// Whether chance could have decided: the median is on one side of the limit and a part of the interval on the
  /// other.
  package var spansLimit: Bool {
    guard let found, let limit, [.held, .broken].contains(verdict) else { return false }
    let words = found.ends.flatMap { value in limit.ends.map { budget.comparison.holds(value, $0) } }
    return Set(words).count > 1
  }

  /// Whether it is judged by a time that too few rounds were made for.
  package var hasNoInterval: Bool {
    guard let found, let limit else { return false }
    return found.isTooSparse || limit.isTooSparse
  }
}

/// A value that a budget is judged by.
package struct JudgedFigure: Sendable, Hashable {
  /// The median; of exact figures, what every sample has.
  package var value: Double
  /// The ends of the interval of a time, or the least and the most of exact figures that should agree and do not.
  package var low: Double?
  package var high: Double?
  /// Whether it is a time that should have an interval and has none.
  package var isTooSparse: Bool

  package init(_ value: Double, low: Double? = nil, high: Double? = nil, isTooSparse: Bool = false) {
    self.value = value
    self.low = low
    self.high = high
    self.isTooSparse = isTooSparse
  }

  /// The median and the ends of the interval.
  package var ends: [Double] { [value, low, high].compactMap(\.self) }

  /// So many times the value.
  package func times(_ factor: Double) -> JudgedFigure {
    JudgedFigure(
      value * factor, low: low.map { $0 * factor }, high: high.map { $0 * factor }, isTooSparse: isTooSparse)
  }
}
