// A run's report: the full page, and the short form in Markdown.
package import Analysis

/// The reports for people, computed only from the results.
package enum RunReport {
  /// `report.md`: what to choose and why, readable in a minute.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - folder: The run's folder with the pictures, relative to the file's folder; `nil` leaves them out.
  /// - Returns: The file's text.
  package static func markdown(_ results: Report, picturesIn folder: String? = "") -> String {
    brief(RunAnalysis(results)).findingPictures(in: folder).markdown
  }

  /// `report.md` without pictures, for a comment or a job summary.
  package static func comment(_ results: Report) -> String {
    brief(RunAnalysis(results)).findingPictures(in: nil).comment
  }

  /// `report.html`: everything, with pictures.
  package static func html(_ results: Report) -> String { page(of: results, full(results)).html }

  /// The page around the whole report.
  static func page(of results: Report, _ full: Document) -> Page {
    Page(title: "\(title(of: results)) · Batchmark", document: full)
  }

  /// The full report: the answer, the pictures, the tables, then how and on what machine it was measured.
  static func full(_ results: Report) -> Document { full(RunAnalysis(results)) }

  /// The same for a run that has been analyzed.
  static func full(_ run: RunAnalysis) -> Document {
    var document = document(of: run, section)
    method(of: run.results, run.scenarios, in: &document)
    machine(of: run.results, in: &document)
    return document
  }

  /// Writes a scenario's part of a page, starting at a level of headings.
  typealias Section = (_ analysis: ScenarioAnalysis, _ run: RunAnalysis, _ level: Int, inout Document) -> Void

  /// A page's opening and its part on each scenario.
  static func document(of run: RunAnalysis, _ section: Section) -> Document {
    var document = Document()
    if !run.results.run.isComparable { document.paragraph("**\(Prose.notComparable)**") }
    let level = run.scenarios.count == 1 ? 1 : 2
    if level > 1 || run.scenarios.isEmpty { document.heading(1, title(of: run.results)) }
    document.paragraph(absence(in: run.results))
    for analysis in run.scenarios { section(analysis, run, level, &document) }
    return document
  }

  /// The beginning of a scenario's part: the verdict, the answer, the operation and its rows, and what went wrong.
  static func begin(_ scenario: ScenarioReport, of results: Report, level: Int, in document: inout Document) {
    document.open(opening(of: scenario, results.run(of: scenario), level: level))
    answer(of: scenario, results.run, in: &document)
    document.paragraph(changedRows(of: scenario))
    warnings(on: scenario, of: results.run, in: &document)
  }

  static func title(of results: Report) -> String {
    if !results.scenarios.isEmpty { return HumanUnits.list(results.scenarios.map(\.name)) }
    return results.run.shard.map { "Shard \($0.shard) has nothing to measure" } ?? "Batchmark: no scenario was run"
  }

  /// The operation and its rows; empty for an insert.
  static func changedRows(of scenario: ScenarioReport) -> String {
    guard let change = scenario.change else { return "" }
    let words = scenario.rowCounts.words
    let condition = change.condition.map { ", those where \(Markdown.code($0))" }
    // The order, the part and the relationships read as words; groups begin with what is computed.
    let manner =
      change.manner.map { words in
        ["by ", "from ", "at most ", "with ", "to "].contains { words.hasPrefix($0) }
          ? ", \(Markdown.escaped(words))" : ", as \(Markdown.code(words))"
      } ?? ""
    let rows = words + (condition ?? (change.conditions == nil ? "" : ", other rows for each query")) + manner
    let values = change.assignments.map { Markdown.code($0) }
    return "\(change.operation.noun.uppercasedFirst) \(change.operation.verb) \(rows)"
      + (values.isEmpty ? "." : ", and sets \(HumanUnits.list(values)).")
  }

  /// One scenario: its description, what went wrong, the findings, and the tables behind them.
  private static func section(
    on analysis: ScenarioAnalysis, of run: RunAnalysis, level: Int, in document: inout Document
  ) {
    let (results, scenario) = (run.results, analysis.scenario)
    begin(scenario, of: results, level: level, in: &document)
    document.notices(notices(on: scenario, of: run))
    document.heading(level + 1, scenario.about == nil ? "Time" : "Figures")
    for picture in mainPictures(of: analysis) { document.picture(picture) }
    document.fold("Growth with rows, in small plots") { $0.picture(foldedGrowth(of: analysis)) }
    document.table(mainTable(of: scenario))
    document.paragraph(Prose(scenario).order() ?? "")
    document.list(Prose(scenario).caveats.map { ListItem($0) })
    budgets(of: scenario, in: results, level: level + 1, &document)
    document.heading(level + 1, "Findings")
    details(of: analysis, results.run, in: &document)
    harnessCostSection(on: analysis, level: level + 1, in: &document)
    document.heading(level + 1, "Phases")
    document.picture(PhasePicture.time(scenario))
    document.fold("All phases in figures") { $0.table(phaseTable(of: scenario)) }
    evidence(of: analysis, level: level + 1, in: &document)
    document.heading(level + 1, "Memory")
    document.picture(HeapPicture.course(scenario))
    // If the question asks about it, it is shown above.
    if scenario.about != .heapPeak { document.picture(HeapPicture.peaks(scenario)) }
    document.table(memoryTable(of: scenario))
    latencySection(on: scenario, level: level + 1, in: &document)
    requestSection(on: scenario, level: level + 1, in: &document)
    walSection(on: scenario, level: level + 1, in: &document)
    counterSection(on: scenario, level: level + 1, in: &document)
    contentsSection(on: scenario, level: level + 1, in: &document)
    document.heading(level + 1, "The scenario")
    document.table(questionTable(of: scenario))
    if !scenario.pragmas.isEmpty {
      document.paragraph("Pragmas, as the stores answered when they were read back:")
      document.table(pragmaTable(of: scenario))
    }
  }

  /// The beginning: the verdict, what was measured on what machine and when, and the question.
  static func opening(of scenario: ScenarioReport, _ run: RunRecord, level: Int) -> Opening {
    let taken = scenario.roundsOfCells
    let rounds =
      (taken.lowerBound < taken.upperBound ? "\(Digits.grouped(taken.lowerBound)) to " : "")
      + HumanUnits.counted(taken.upperBound, "round")
    return Opening(
      name: scenario.name,
      facts: [scenario.rowCounts.words, rounds, run.machine, String(run.started.prefix(10))].filter { !$0.isEmpty },
      verdict: Prose(scenario).title, question: scenario.description, level: level)
  }

  /// The pictures that answer the question: growth if rows are swept, and the time of each cell.
  static func mainPictures(of analysis: ScenarioAnalysis) -> [Picture] {
    let scenario = analysis.scenario
    func ranking(_ index: Int) -> Picture? {
      RankingPicture(scenario: scenario, group: scenario.groups[index], index: index).picture
    }
    let asked = [pictureAskedFor(in: scenario)].compactMap(\.self)
    let knees = analysis.knees.compactMap { SweepPicture.knee($0, in: analysis) }
    if let group = analysis.groupBeforeGrowth { return asked + [ranking(group)].compactMap(\.self) + knees }
    let sweeps = [SweepPicture.scaling(analysis)].compactMap(\.self) + knees
    // Of a sweep, show only the last kind of work, which has the most rows.
    return asked + sweeps
      + scenario.groups.indices.compactMap(ranking).suffix(asked.isEmpty && sweeps.isEmpty ? 3 : 1)
  }

  /// The picture of growth that the ranking replaces, because it has too many panels; `nil` if it is shown itself.
  private static func foldedGrowth(of analysis: ScenarioAnalysis) -> Picture? {
    analysis.groupBeforeGrowth == nil ? nil : SweepPicture.scaling(analysis)
  }

  /// The picture of the metric that the question asks about; `nil` for time, or for a metric without a picture.
  private static func pictureAskedFor(in scenario: ScenarioReport) -> Picture? {
    switch scenario.about {
    case .walPeak: WALPicture.growth(scenario)
    case .heapPeak: HeapPicture.peaks(scenario)
    case let figure? where figure.isLatency: LatencyPicture.percentiles(scenario)
    default: nil
    }
  }
}
