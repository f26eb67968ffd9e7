// A run's report: in whole as a page, and in short as Markdown.
package import Analysis
internal import Harness
internal import Scenarios

/// The reports that people read: functions of the results alone.
package enum RunReport {
  /// `report.md`: what to choose and why, in a minute.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - folder: The run's folder, which has the pictures, relative to the one of the file; nil leaves them out.
  /// - Returns: The file's text.
  package static func markdown(_ results: RunResults, picturesIn folder: String? = "") -> String {
    brief(RunAnalysis(results)).findingPictures(in: folder).markdown
  }

  /// `report.html`: everything, with pictures.
  package static func html(_ results: RunResults) -> String { page(of: results, full(results)).html }

  /// The page around the whole report.
  static func page(of results: RunResults, _ full: Document) -> Page {
    Page(title: "\(title(of: results.scenarios)) · Batchmark", document: full)
  }

  /// Everything: the answer, the pictures, the tables, then how it was measured and on what.
  static func full(_ results: RunResults) -> Document { full(RunAnalysis(results)) }

  /// The same of a run that has been analyzed.
  static func full(_ run: RunAnalysis) -> Document {
    let (results, report) = (run.results, run.report)
    var document = Document()
    if !results.run.isComparable { document.paragraph("**\(notComparable)**") }
    let level = run.scenarios.count == 1 ? 1 : 2
    if level > 1 || run.scenarios.isEmpty { document.heading(1, title(of: results.scenarios)) }
    document.paragraph(absence(in: results))
    for (scenario, analysis) in zip(report.scenarios, run.scenarios) {
      section(on: scenario, analysis, of: run, level: level, in: &document)
    }
    method(of: results, report, run.scenarios, in: &document)
    machine(of: results, in: &document)
    return document
  }

  /// The stamp on everything a debug build measured.
  static let notComparable = "Not comparable: debug build"

  static func title(of scenarios: [ScenarioResults]) -> String {
    scenarios.isEmpty ? "Batchmark: no scenario was run" : HumanUnits.list(scenarios.map(\.name))
  }

  /// What is done to which rows; empty where rows are inserted.
  static func changedRows(of scenario: ScenarioResults, _ rows: ScenarioReport.Rows) -> String {
    guard let change = scenario.change else { return "" }
    let rows = change.condition.map { "\(rows.words), those where \(Markdown.code($0))" } ?? rows.words
    let values = change.assignments.map { Markdown.code($0) }
    return "The \(change.operation.rawValue) \(change.operation.verb) \(rows)"
      + (values.isEmpty ? "." : ", and sets \(HumanUnits.list(values)).")
  }

  /// One scenario: what it is, what went wrong, what was found, and the tables behind it.
  private static func section(
    on report: ScenarioReport, _ analysis: ScenarioAnalysis, of run: RunAnalysis, level: Int,
    in document: inout Document
  ) {
    let (results, scenario) = (run.results, analysis.scenario)
    let prose = Prose(analysis)
    document.open(opening(of: report, prose, results.run(of: scenario), level: level))
    answer(of: analysis, in: &document)
    document.paragraph(changedRows(of: scenario, report.rows))
    warnings(on: report, of: results.run, in: &document)
    document.notices(notices(on: scenario, of: run))
    document.heading(level + 1, "Time")
    for picture in mainPictures(of: report, analysis) { document.picture(picture) }
    document.table(mainTable(of: report))
    budgets(of: scenario, in: results, level: level + 1, &document)
    document.heading(level + 1, "Findings")
    details(of: analysis, report.strategies, in: &document)
    harnessCostSection(on: analysis, level: level + 1, in: &document)
    document.heading(level + 1, "Phases")
    document.picture(PhasePicture.time(report))
    document.fold("All phases in figures") { $0.table(phaseTable(of: report)) }
    evidence(of: analysis, level: level + 1, in: &document)
    document.heading(level + 1, "Memory")
    document.picture(HeapPicture.course(report))
    document.picture(HeapPicture.peaks(report))
    document.table(memoryTable(of: report))
    walSection(on: report, level: level + 1, in: &document)
    counterSection(on: report, level: level + 1, in: &document)
    contentsSection(on: report, analysis, level: level + 1, in: &document)
    document.heading(level + 1, "The scenario")
    document.table(questionTable(of: scenario, report.rows))
    if !scenario.pragmas.isEmpty {
      document.paragraph("Pragmas, as the stores answered when they were read back:")
      document.table(pragmaTable(of: scenario))
    }
  }

  /// What stands first: the verdict, what was measured on what machine and when, and the question.
  static func opening(of report: ScenarioReport, _ prose: Prose, _ run: RunRecord, level: Int) -> Opening {
    let taken = prose.scenario.roundsOfCells
    let rounds =
      (taken.lowerBound < taken.upperBound ? "\(Digits.grouped(taken.lowerBound)) to " : "")
      + HumanUnits.counted(taken.upperBound, "round")
    return Opening(
      name: report.question.scenario,
      facts: [report.rows.words, rounds, run.machine, String(run.started.prefix(10))].filter { !$0.isEmpty },
      verdict: prose.verdict(on: report), question: report.question.description, level: level)
  }

  /// The pictures that answer the question: growth where rows are swept, and who takes how long.
  static func mainPictures(of report: ScenarioReport, _ analysis: ScenarioAnalysis) -> [Picture] {
    let rankings = report.groups.enumerated().compactMap { index, group in
      RankingPicture(report: report, group: group, index: index).picture
    }
    // Of a sweep the last kind of work stands for all: it has most rows.
    let sweeps =
      [SweepPicture.scaling(analysis)].compactMap(\.self)
      + analysis.knees.compactMap { SweepPicture.knee($0, in: analysis) }
    return sweeps + rankings.suffix(sweeps.isEmpty ? 3 : 1)
  }
}
