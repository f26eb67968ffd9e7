// report.md: the story first, then the tables, then how it was measured and on what.
package import Analysis
internal import Harness
internal import Scenarios

/// The report that people read.
package enum MarkdownReport {
  /// The file's text: a function of the results alone.
  package static func render(_ results: RunResults) -> String {
    var document = Document()
    if !results.run.isComparable { document.paragraph("**\(notComparable)**") }
    let analyses = results.scenarios.map { ScenarioAnalysis($0) }
    let report = Report(of: results, analyses)
    let level = analyses.count == 1 ? 1 : 2
    if level > 1 { document.heading(1, title(of: results.scenarios)) }
    for (scenario, analysis) in zip(report.scenarios, analyses) {
      section(on: scenario, analysis, of: results, level: level, in: &document)
    }
    method(of: results, report, analyses, in: &document)
    machine(of: results, in: &document)
    return document.markdown
  }

  /// The stamp on everything a debug build measured.
  static let notComparable = "Not comparable: debug build"

  private static func title(of scenarios: [ScenarioResults]) -> String {
    scenarios.isEmpty ? "Batchmark: no scenario was run" : HumanUnits.list(scenarios.map(\.name))
  }

  /// What is done to which rows; empty where rows are inserted.
  private static func changedRows(of scenario: ScenarioResults, _ rows: ScenarioReport.Rows) -> String {
    guard let change = scenario.change else { return "" }
    let rows = change.condition.map { "\(rows.words), those where \(Markdown.code($0))" } ?? rows.words
    let values = change.assignments.map { Markdown.code($0) }
    return "The \(change.operation.rawValue) is of \(rows)"
      + (values.isEmpty ? "." : ", and sets \(HumanUnits.list(values)).")
  }

  /// One scenario: what it is, what went wrong, what was found, and the tables behind it.
  private static func section(
    on report: ScenarioReport, _ analysis: ScenarioAnalysis, of results: RunResults, level: Int,
    in document: inout Document
  ) {
    let scenario = analysis.scenario
    document.heading(level, scenario.name)
    document.paragraph(Markdown.escaped(scenario.description))
    answer(of: analysis, in: &document)
    document.paragraph(changedRows(of: scenario, report.rows))
    warnings(on: report, of: results.run, in: &document)
    warningList(on: scenario, of: results, level: level + 1, in: &document)
    budgets(of: scenario, in: results, level: level + 1, &document)
    document.heading(level + 1, "In short")
    details(of: analysis, report.strategies, in: &document)
    document.heading(level + 1, report.question.operation.title)
    document.table(mainTable(of: report))
    harnessCostSection(on: analysis, level: level + 1, in: &document)
    document.heading(level + 1, "All phases")
    document.table(phaseTable(of: report))
    evidence(of: analysis, level: level + 1, in: &document)
    document.heading(level + 1, "Memory")
    document.table(memoryTable(of: report))
    walSection(on: report, level: level + 1, in: &document)
    counterSection(on: report, level: level + 1, in: &document)
    contentsSection(on: report, analysis, level: level + 1, in: &document)
    document.heading(level + 1, "What was asked")
    document.table(questionTable(of: scenario, report.rows))
    if !scenario.pragmas.isEmpty {
      document.paragraph("Pragmas, as the stores answered when they were read back:")
      document.table(pragmaTable(of: scenario))
    }
  }
}
