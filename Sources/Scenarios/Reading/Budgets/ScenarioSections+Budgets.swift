// The key `budgets`: what figures of cells may be, a line each.
import BatchmarkEngine

extension ScenarioSections {
  /// Each looks at every cell.
  static let mostBudgets = 1_000

  /// Reads the budgets; `cells` are nil where some could not be read.
  func readBudgets(_ node: YAMLNode, of cells: [Cell]?, operation: Operation.Kind) -> [Budget] {
    let line = "\(schema.exampleStrategy).wall <= 2 s"
    let example = "a budget, such as \(line)"
    guard let items = items(node, expected: "a list of budgets, such as [\(line)]") else { return [] }
    if items.isEmpty { diagnose(node.place, found: "no budget", expected: example) }
    if let first = items.dropFirst(ScenarioSections.mostBudgets).first {
      diagnose(first.place, found: "\(items.count) budgets", expected: "at most \(ScenarioSections.mostBudgets)")
      return []
    }
    return items.compactMap { item in
      guard let text = text(item, expected: example) else { return nil }
      var reading = BudgetReading(
        text: text, metrics: schema.metrics,
        words: MetricReader(operation: operation, cells: cells, mayNameOthers: changes.mayNameOthers),
        exampleStrategy: schema.exampleStrategy)
      do throws(MetricMistake) {
        return try reading.budget()
      } catch {
        diagnose(
          item.place(ofScalar: error.offset), found: error.found, expected: error.expected,
          suggestion: error.suggestion)
        return nil
      }
    }
  }
}

extension YAMLNode {
  /// The place of a Unicode scalar of text that stands on one line; that of the whole text where it has more.
  func place(ofScalar offset: Int) -> SourceLocation {
    guard case .file(let line, let column) = place, case .scalar(let text, let isQuoted) = content,
      !text.contains("\n")
    else { return place }
    return .file(line: line, column: column + offset + (isQuoted ? 1 : 0))
  }
}
