// Reads a budget: a metric, a comparison and a limit.
import BatchmarkEngine

struct BudgetReading {
  private let text: String
  private let metrics: [MetricDeclaration]
  private let words: MetricReader
  /// A strategy for examples in messages.
  private let exampleStrategy: String
  private var scanner: BudgetScanner

  init(
    text: String, metrics: [MetricDeclaration], words: MetricReader, exampleStrategy: String
  ) {
    self.text = text
    self.metrics = metrics
    self.words = words
    self.exampleStrategy = exampleStrategy
    scanner = BudgetScanner(text)
  }

  mutating func budget() throws(MetricMistake) -> Budget {
    let (figure, words) = try self.figure(scanner.operand())
    let comparison = try self.comparison(scanner.comparison())
    let limit = try self.limit(of: words)
    let rest = scanner.rest()
    guard rest.text.isEmpty else {
      throw MetricMistake(offset: rest.offset, found: shown(rest.text), expected: "the end of the budget")
    }
    return Budget(text: text, figure: figure, comparison: comparison, limit: limit)
  }

  private func comparison(_ token: BudgetToken) throws(MetricMistake) -> BudgetComparison {
    if let comparison = BudgetComparison(rawValue: token.text) { return comparison }
    let words = BudgetComparison.allCases.map(\.rawValue)
    let slips = ["=": "==", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "===": "=="]
    throw MetricMistake(
      offset: token.offset, found: token.phrase, expected: "one of " + words.joined(separator: ", "),
      suggestion: slips[token.text])
  }

  // MARK: The limit

  private mutating func limit(of figure: MetricDeclaration) throws(MetricMistake) -> BudgetLimit {
    guard let number = scanner.number() else {
      return BudgetLimit(1, times: try otherFigure(like: figure))
    }
    guard let value = number.value else {
      throw MetricMistake(
        offset: number.token.offset, found: number.token.phrase, expected: "a number such as 8, 0.5 or 1_000")
    }
    if scanner.skip("*") { return BudgetLimit(value, times: try otherFigure(like: figure)) }
    return BudgetLimit(value * (try factor(of: figure, after: number.token)))
  }

  /// How many base units of the metric the next unit is.
  private mutating func factor(of figure: MetricDeclaration, after number: BudgetToken) throws(MetricMistake) -> Double
  {
    let unit = scanner.unit()
    let units = figure.kind.units
    if unit.text.isEmpty && units.isEmpty { return 1 }
    if let known = units.first(where: { $0.name == unit.text }) { return known.factor }
    let names = units.map(\.name)
    guard !unit.text.isEmpty else {
      throw MetricMistake(
        offset: number.offset, found: "\(number.text) without a unit for \(figure.name), which is \(figure.kind.noun)",
        expected: "one of " + names.joined(separator: ", ") + " after it")
    }
    throw MetricMistake(
      offset: unit.offset, found: "the unit \(shown(unit.text)) for \(figure.name), which is \(figure.kind.noun)",
      expected: names.isEmpty ? "no unit" : "one of " + names.joined(separator: ", "),
      suggestion: nearestWord(to: unit.text, among: names))
  }

  /// A metric of the same kind and of one cell.
  private mutating func otherFigure(like figure: MetricDeclaration) throws(MetricMistake) -> BudgetFigure {
    let token = scanner.operand()
    let (other, words) = try self.figure(
      token, expected: "a number, or a figure of one cell, such as \(exampleStrategy).\(figure.name)")
    guard words.kind == figure.kind else {
      throw MetricMistake(
        offset: token.offset, found: "\(shown(token.text)), which is \(words.kind.noun)",
        expected: "\(figure.kind.noun) like \(figure.name)")
    }
    guard other.cells.count <= 1 else {
      throw MetricMistake(
        offset: token.offset, found: "\(shown(token.text)) of \(other.cells.count) cells",
        expected: "a figure of one cell; these are " + other.cells.joined(separator: ", "))
    }
    return other
  }

  // MARK: Metrics

  private func figure(
    _ token: BudgetToken, expected: String? = nil
  ) throws(MetricMistake) -> (BudgetFigure, MetricDeclaration) {
    let parts = token.parts
    guard let last = parts.last, parts.count > 1 else {
      throw MetricMistake(
        offset: token.offset, found: token.phrase,
        expected: expected ?? "a figure of a cell, such as \(exampleStrategy).wall")
    }
    // Names of latencies contain dots themselves.
    let named = parts.dropFirst().lazy.compactMap { part in
      let name = token.suffix(from: part)
      return metrics.first { $0.name == name || $0.column == name }.map { (part, $0) }
    }.first
    if named == nil, last.text == GateReading.plans {
      throw MetricMistake(
        offset: last.offset, found: "the plans of statements, which only two sides have in common or not",
        expected: "a figure such as full_scans, or in the place of this budget "
          + "gate: {\(GateReading.plans): \(GateReading.unchanged)}, which pair judges")
    }
    guard let (part, figure) = named else {
      throw MetricMistake(
        offset: last.offset, found: last.text.isEmpty ? "no figure" : "the figure \(shown(last.text))",
        expected: "one of " + metrics.map(\.name).joined(separator: ", "),
        suggestion: nearestWord(to: last.text, among: metrics.map(\.name)))
    }
    let (cells, phase) = try words.subject(token.prefix(before: part))
    return (BudgetFigure(cells: cells, phase: phase, column: figure.column), figure)
  }
}
