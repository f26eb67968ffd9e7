// A budget: what a figure of a cell may be at most, or must be at least.

/// One line of a scenario's `budgets`, checked: `batch-dictionary.wall <= 0.5 * save.wall`.
///
/// A budget whose figure is of several cells must hold for each.
public struct Budget: Sendable, Hashable, Codable {
  /// The line as its author wrote it.
  public var text: String
  public var figure: BudgetFigure
  public var comparison: BudgetComparison
  public var limit: BudgetLimit

  public init(text: String, figure: BudgetFigure, comparison: BudgetComparison, limit: BudgetLimit) {
    self.text = text
    self.figure = figure
    self.comparison = comparison
    self.limit = limit
  }
}

/// A figure of a phase of one cell or several.
public struct BudgetFigure: Sendable, Hashable, Codable {
  /// The ids of the cells; none where settings of the command line renamed all the cells that were meant.
  public var cells: [String]
  public var phase: String
  /// The figure's column in summary.csv.
  public var column: String

  public init(cells: [String], phase: String, column: String) {
    self.cells = cells
    self.phase = phase
    self.column = column
  }
}

/// What a budget compares its figure with: a number in the figure's base unit, or a multiple of another figure.
public struct BudgetLimit: Sendable, Hashable, Codable {
  /// Seconds, bytes or a plain number; with ``figure``, what that is multiplied by.
  public var number: Double
  /// A figure of exactly one cell; nil for a limit that is a number.
  public var figure: BudgetFigure?

  public init(_ number: Double, times figure: BudgetFigure? = nil) {
    self.number = number
    self.figure = figure
  }
}

/// How a budget's figure must compare with its limit.
public enum BudgetComparison: String, Sendable, Hashable, Codable, CaseIterable {
  case atMost = "<="
  case below = "<"
  case atLeast = ">="
  case above = ">"
  case equal = "=="

  /// Whether a value is within a limit.
  public func holds(_ value: Double, _ limit: Double) -> Bool {
    switch self {
    case .atMost: value <= limit
    case .below: value < limit
    case .atLeast: value >= limit
    case .above: value > limit
    case .equal: value == limit
    }
  }
}
