// report.md: what to choose and why, in at most a minute. What is left out is in report.html and in the CSV files.
internal import Analysis
internal import Harness
internal import Instruments
internal import Scenarios

extension RunReport {
  /// More findings than these are left to the page.
  private static let mostFindings = 5

  /// The verdict, the answer, one picture, one table, a few findings, and the warnings in a line each.
  static func brief(_ run: RunAnalysis) -> Document {
    let results = run.results
    var document = Document()
    if !results.run.isComparable { document.paragraph("**\(notComparable)**") }
    let level = run.scenarios.count == 1 ? 1 : 2
    if level > 1 || run.scenarios.isEmpty { document.heading(1, title(of: results.scenarios)) }
    document.paragraph(absence(in: results))
    for (scenario, analysis) in zip(run.report.scenarios, run.scenarios) {
      brief(scenario, analysis, of: run, level: level, in: &document)
    }
    document.paragraph(
      "Everything else is in `report.html`, which any browser opens: all phases, memory, WAL, counters, how it was measured "
        + "and on what. `summary.csv`, `samples.csv` and `growth.csv` have the figures, `results.json` has all.")
    return document
  }

  private static func brief(
    _ report: ScenarioReport, _ analysis: ScenarioAnalysis, of run: RunAnalysis, level: Int,
    in document: inout Document
  ) {
    let results = run.results
    let prose = Prose(analysis)
    document.open(opening(of: report, prose, results.run(of: analysis.scenario), level: level))
    answer(of: analysis, in: &document)
    document.paragraph(changedRows(of: analysis.scenario, report.rows))
    warnings(on: report, of: results.run, in: &document)
    document.picture(mainPictures(of: report, analysis).first)
    let notes = Sacrifices(report)
    document.table(briefTable(of: report, notes))
    document.list(notes.lines)
    document.list(budgetItems(of: analysis.scenario, in: results))
    document.list(findings(of: analysis).prefix(mostFindings).map { ListItem($0) })
    document.list(warningLines(on: analysis.scenario, of: run))
  }

  /// What most readers want of each cell.
  private static func briefTable(of report: ScenarioReport, _ notes: Sacrifices) -> Table {
    var table = Table(
      "Cell",
      [
        .time("Time"), .ratio("Times the reference"), .bytes("Heap peak"), .bytes("Resident peak"), .bytes("WAL peak"),
      ])
    for cell in report.fastestFirst {
      let main = cell.main
      table.append(
        cell.label + notes.letters(of: cell),
        [
          .figure(main.wall), timesReference(of: cell), .figure(main[.heapPeak]), .figure(main[.residentSetPeak]),
          .figure(main[.walPeak]),
        ])
    }
    return table
  }
}

/// What users of strategies go without, as footnotes: cells that give up the same share a letter.
private struct Sacrifices {
  private var lists: [[String]] = []
  private var indices: [CellID: Int] = [:]

  init(_ report: ScenarioReport) {
    for cell in report.fastestFirst {
      guard let note = report.strategies.first(where: { $0.covers(cell) }), !note.givesUp.isEmpty else { continue }
      if let known = lists.firstIndex(of: note.givesUp) {
        indices[cell.cell.id] = known
      } else {
        indices[cell.cell.id] = lists.count
        lists.append(note.givesUp)
      }
    }
  }

  /// ` (a)`; empty for a cell that gives up nothing.
  func letters(of cell: CellFigures) -> String { indices[cell.cell.id].map { " (\(letter($0)))" } ?? "" }

  var lines: [ListItem] {
    lists.enumerated().map {
      ListItem("(\(letter($0))) gives up: \($1.map { Markdown.escaped($0) }.joined(separator: ", ")).")
    }
  }

  private func letter(_ index: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return index < letters.count ? String(letters[index]) : "\(index + 1)"
  }
}
