// A budget: an upper or lower limit for a figure of a cell.

/// One line of a scenario's `budgets`, checked: `batch-dictionary.wall <= 0.5 * save.wall`.
///
/// A budget whose figure is of several cells must hold for each.
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

/// A figure of a phase of one cell or several.
package struct BudgetFigure: Sendable, Hashable, Codable {
  /// The ids of the cells; none where settings of the command line renamed all the cells that were meant.
  package var cells: [String]
  package var phase: String
  /// The figure's column in summary.csv.
  package var column: String

  package init(cells: [String], phase: String, column: String) {
    self.cells = cells
    self.phase = phase
    self.column = column
  }
}

/// What a budget compares its figure with: a number in the figure's base unit, or a multiple of another figure.
package struct BudgetLimit: Sendable, Hashable, Codable {
  /// Seconds, bytes or a plain number; with ``figure``, what that is multiplied by.
  package var number: Double
  /// A figure of exactly one cell; nil for a limit that is a number.
  package var figure: BudgetFigure?

  package init(_ number: Double, times figure: BudgetFigure? = nil) {
    self.number = number
    self.figure = figure
  }
}

/// How a budget's figure must compare with its limit.
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
