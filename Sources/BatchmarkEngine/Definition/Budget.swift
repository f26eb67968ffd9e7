// A budget: an upper or lower limit for a metric of a cell.

/// One line of a scenario's `budgets`, checked: `batch-dictionary.wall <= 0.5 * save.wall`.
///
/// A budget for several cells must be met by each of them.
package struct Budget: Sendable, Hashable, Codable {
  /// The line as its author wrote it.
  package var text: String
  package var figure: BudgetFigure
  package var comparison: BudgetComparison
  package var limit: BudgetLimit

  package init(text: String, figure: BudgetFigure, comparison: BudgetComparison, limit: BudgetLimit) {
    self.text = text
    self.figure = figure
    self.comparison = comparison
    self.limit = limit
  }
}

/// A metric of a phase of one or several cells.
package struct BudgetFigure: Sendable, Hashable, Codable {
  /// The ids of the cells; empty if command-line settings renamed all of them.
  package var cells: [String]
  package var phase: String
  /// The metric's column in summary.csv.
  package var column: String

  package init(cells: [String], phase: String, column: String) {
    self.cells = cells
    self.phase = phase
    self.column = column
  }
}

/// The limit of a budget: a number in the metric's base unit, or a multiple of another metric.
package struct BudgetLimit: Sendable, Hashable, Codable {
  /// A number of seconds or bytes, or a plain number; with ``figure``, the factor for it.
  package var number: Double
  /// A metric of exactly one cell; `nil` for a limit that is a number.
  package var figure: BudgetFigure?

  package init(_ number: Double, times figure: BudgetFigure? = nil) {
    self.number = number
    self.figure = figure
  }
}

/// How a metric is compared with its limit.
package enum BudgetComparison: String, Sendable, Hashable, Codable, CaseIterable {
  case atMost = "<="
  case below = "<"
  case atLeast = ">="
  case above = ">"
  case equal = "=="

  /// Whether a value is within a limit.
  package func holds(_ value: Double, _ limit: Double) -> Bool {
    switch self {
    case .atMost: value <= limit
    case .below: value < limit
    case .atLeast: value >= limit
    case .above: value > limit
    case .equal: value == limit
    }
  }
}
