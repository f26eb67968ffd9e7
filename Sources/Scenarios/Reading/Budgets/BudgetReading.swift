// One budget: a figure, a comparison and a limit.

/// What is wrong with a budget, and where in it.
struct BudgetMistake: Error {
  /// In Unicode scalars from the beginning.
  let offset: Int
  let found: String
  let expected: String
  var suggestion: String?
}

/// The reading of one budget.
struct BudgetReading {
  private let text: String
  private let figures: [FigureSchema]
  private let phases: [PhaseSchema]
  private let cells: [Cell]?
  private let hasRenamedCells: Bool
  /// A strategy for examples in messages.
  private let exampleStrategy: String
  private var scanner: BudgetScanner

  init(
    text: String, figures: [FigureSchema], phases: [PhaseSchema], cells: [Cell]?, hasRenamedCells: Bool,
    exampleStrategy: String
  ) {
    self.text = text
    self.figures = figures
    self.phases = phases
    self.cells = cells
    self.hasRenamedCells = hasRenamedCells
    self.exampleStrategy = exampleStrategy
    scanner = BudgetScanner(text)
  }

  mutating func budget() throws(BudgetMistake) -> Budget {
    let (figure, words) = try self.figure(scanner.operand())
    let comparison = try self.comparison(scanner.comparison())
    let limit = try self.limit(of: words)
    let rest = scanner.rest()
    guard rest.text.isEmpty else {
      throw BudgetMistake(offset: rest.offset, found: shown(rest.text), expected: "the end of the budget")
    }
    return Budget(text: text, figure: figure, comparison: comparison, limit: limit)
  }

  private func comparison(_ token: BudgetToken) throws(BudgetMistake) -> BudgetComparison {
    if let comparison = BudgetComparison(rawValue: token.text) { return comparison }
    let words = BudgetComparison.allCases.map(\.rawValue)
    let slips = ["=": "==", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "===": "=="]
    throw BudgetMistake(
      offset: token.offset, found: token.phrase, expected: "one of " + words.joined(separator: ", "),
      suggestion: slips[token.text])
  }

  // MARK: The limit

  private mutating func limit(of figure: FigureSchema) throws(BudgetMistake) -> BudgetLimit {
    guard let number = scanner.number() else {
      return BudgetLimit(1, times: try otherFigure(like: figure))
    }
    guard let value = number.value else {
      throw BudgetMistake(
        offset: number.token.offset, found: number.token.phrase, expected: "a number such as 8, 0.5 or 1_000")
    }
    if scanner.skip("*") { return BudgetLimit(value, times: try otherFigure(like: figure)) }
    return BudgetLimit(value * (try factor(of: figure, after: number.token)))
  }

  /// What the unit that comes next is in the figure's base unit.
  private mutating func factor(of figure: FigureSchema, after number: BudgetToken) throws(BudgetMistake) -> Double {
    let unit = scanner.unit()
    let units = figure.kind.units
    if unit.text.isEmpty && units.isEmpty { return 1 }
    if let known = units.first(where: { $0.name == unit.text }) { return known.factor }
    let names = units.map(\.name)
    guard !unit.text.isEmpty else {
      throw BudgetMistake(
        offset: number.offset, found: "\(number.text) without a unit for \(figure.name), which is \(figure.kind.noun)",
        expected: "one of " + names.joined(separator: ", ") + " after it")
    }
    throw BudgetMistake(
      offset: unit.offset, found: "the unit \(shown(unit.text)) for \(figure.name), which is \(figure.kind.noun)",
      expected: names.isEmpty ? "no unit" : "one of " + names.joined(separator: ", "),
      suggestion: nearestWord(to: unit.text, among: names))
  }

  /// A figure of the same kind and of one cell.
  private mutating func otherFigure(like figure: FigureSchema) throws(BudgetMistake) -> BudgetFigure {
    let token = scanner.operand()
    let (other, words) = try self.figure(
      token, expected: "a number, or a figure of one cell, such as \(exampleStrategy).\(figure.name)")
    guard words.kind == figure.kind else {
      throw BudgetMistake(
        offset: token.offset, found: "\(shown(token.text)), which is \(words.kind.noun)",
        expected: "\(figure.kind.noun) like \(figure.name)")
    }
    guard other.cells.count <= 1 else {
      throw BudgetMistake(
        offset: token.offset, found: "\(shown(token.text)) of \(other.cells.count) cells",
        expected: "a figure of one cell; these are " + other.cells.joined(separator: ", "))
    }
    return other
  }

  // MARK: Figures

  private func figure(
    _ token: BudgetToken, expected: String? = nil
  ) throws(BudgetMistake) -> (BudgetFigure, FigureSchema) {
    let parts = token.parts
    guard let last = parts.last, parts.count > 1 else {
      throw BudgetMistake(
        offset: token.offset, found: token.phrase,
        expected: expected ?? "a figure of a cell, such as \(exampleStrategy).wall")
    }
    guard let words = figures.first(where: { $0.name == last.text || $0.column == last.text }) else {
      throw BudgetMistake(
        offset: last.offset, found: last.text.isEmpty ? "no figure" : "the figure \(shown(last.text))",
        expected: "one of " + figures.map(\.name).joined(separator: ", "),
        suggestion: nearestWord(to: last.text, among: figures.map(\.name)))
    }
    let (cells, phase) = try subject(token.prefix(before: last))
    return (BudgetFigure(cells: cells, phase: phase, column: words.column), words)
  }

  /// The cells that a word means, and the phase behind it; names of scenarios may have dots too.
  private func subject(_ token: BudgetToken) throws(BudgetMistake) -> (cells: [String], phase: String) {
    let main = phases.first(where: \.isMain)?.name ?? ""
    let whole = ids(token.text)
    if !whole.isEmpty { return (whole, main) }
    let parts = token.parts
    guard let last = parts.last, parts.count > 1 else { return (try none(token), main) }
    let word = token.prefix(before: last)
    if phases.contains(where: { $0.name == last.text }) {
      let selected = ids(word.text)
      return (selected.isEmpty ? try none(word) : selected, last.text)
    }
    guard !ids(word.text).isEmpty else { return (try none(token), main) }
    let names = phases.map(\.name)
    throw BudgetMistake(
      offset: last.offset, found: "the phase \(shown(last.text))", expected: "one of " + names.joined(separator: ", "),
      suggestion: nearestWord(to: last.text, among: names))
  }

  private func ids(_ word: String) -> [String] { (cells ?? []).filter { $0.isSelected(by: word) }.map(\.id) }

  /// Nothing, where that can be right: settings may have renamed the cells, or some could not be read.
  private func none(_ token: BudgetToken) throws(BudgetMistake) -> [String] {
    guard let cells, !hasRenamedCells else { return [] }
    throw BudgetMistake(
      offset: token.offset, found: token.text.isEmpty ? "no cell" : "the cell \(shown(token.text))",
      expected: "a word that selects one of " + cells.map(\.id).joined(separator: ", "),
      suggestion: nearestWord(to: token.text, among: cells.flatMap(\.words)))
  }
}
