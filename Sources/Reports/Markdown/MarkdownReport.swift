// report.md: the story first, then the tables, then how it was measured and on what.
package import Analysis
internal import Harness
internal import Scenarios

/// The report that people read.
package enum MarkdownReport {
  /// The file's text: a function of the results alone.
  package static func render(_ results: RunResults) -> String {
    var document = MarkdownDocument()
    if !results.run.isComparable { document.paragraph("**\(notComparable)**") }
    if let only = results.scenarios.first, results.scenarios.count == 1 {
      section(on: only, of: results, level: 1, in: &document)
    } else {
      document.heading(1, title(of: results.scenarios))
      for scenario in results.scenarios { section(on: scenario, of: results, level: 2, in: &document) }
    }
    method(of: results, in: &document)
    machine(of: results, in: &document)
    return document.text
  }

  /// The stamp on everything a debug build measured.
  static let notComparable = "Not comparable: debug build"

  private static func title(of scenarios: [ScenarioResults]) -> String {
    scenarios.isEmpty ? "Batchmark: no scenario was run" : HumanUnits.list(scenarios.map(\.name))
  }

  /// What is done to which rows; empty where rows are inserted.
  private static func changedRows(of scenario: ScenarioResults) -> String {
    guard let change = scenario.change else { return "" }
    let rows =
      change.condition.map { "\(scenario.rowsInWords), those where \(Markdown.code($0))" } ?? scenario.rowsInWords
    let values = change.assignments.map { Markdown.code($0) }
    return "The \(change.operation.rawValue) is of \(rows)"
      + (values.isEmpty ? "." : ", and sets \(HumanUnits.list(values)).")
  }

  /// What was found; in a sweep over the source's rows, for each number and kind of them.
  private static func story(of scenario: ScenarioResults, in document: inout MarkdownDocument) {
    let slices = scenario.slices
    guard slices.count > 1 else { return document.list(Story(scenario).items) }
    for slice in slices {
      document.paragraph("With \(Markdown.code(Cell.text(of: slice.conditions))):")
      document.list(Story(slice.results).findings)
    }
    document.list([Story(scenario).givenUp].compactMap(\.self))
  }

  /// One scenario: what it is, what went wrong, what was found, and the tables behind it.
  private static func section(
    on scenario: ScenarioResults, of results: RunResults, level: Int, in document: inout MarkdownDocument
  ) {
    let conclusions = Conclusions(scenario)
    document.heading(level, scenario.name)
    document.paragraph(scenario.description)
    answer(of: conclusions, in: &document)
    document.paragraph(changedRows(of: scenario))
    warnings(on: scenario, of: results.run, in: &document)
    warningList(on: scenario, of: results, level: level + 1, in: &document)
    budgets(of: scenario, in: results, level: level + 1, &document)
    document.heading(level + 1, "In short")
    story(of: scenario, in: &document)
    document.heading(level + 1, scenario.operation.title)
    document.table(mainTable(of: scenario))
    harnessCostSection(on: scenario, level: level + 1, in: &document)
    document.heading(level + 1, "All phases")
    document.table(phaseTable(of: scenario))
    conclusionSections(of: conclusions, level: level + 1, in: &document)
    document.heading(level + 1, "Memory")
    document.table(memoryTable(of: scenario))
    walSection(on: scenario, level: level + 1, in: &document)
    counterSection(on: scenario, level: level + 1, in: &document)
    contentsSection(on: scenario, level: level + 1, in: &document)
    document.heading(level + 1, "What was asked")
    document.table(questionTable(of: scenario))
    if !scenario.pragmas.isEmpty {
      document.paragraph("Pragmas, as the stores answered when they were read back:")
      document.table(pragmaTable(of: scenario))
    }
  }
}
