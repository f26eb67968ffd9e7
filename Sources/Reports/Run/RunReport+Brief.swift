// report.md: what to choose and why, readable in a minute. Everything else is in report.html and in the CSV files.
internal import Analysis

extension RunReport {
  /// Further findings are only on the page.
  private static let mostFindings = 5

  /// The verdict, the answer, one picture, one table, a few findings, and one line per warning.
  static func brief(_ run: RunAnalysis) -> Document {
    var document = document(of: run, brief)
    document.paragraph(
      "Everything else is in `report.html`, which any browser opens: all phases, memory, WAL, counters, how it was measured "
        + "and on what. `summary.csv`, `samples.csv` and `growth.csv` have the figures, `results.json` has all.")
    return document
  }

  private static func brief(
    _ analysis: ScenarioAnalysis, of run: RunAnalysis, level: Int, in document: inout Document
  ) {
    let (results, scenario) = (run.results, analysis.scenario)
    begin(scenario, of: results, level: level, in: &document)
    document.picture(mainPictures(of: analysis).first)
    let notes = Tradeoffs(scenario)
    document.table(briefTable(of: scenario, notes))
    document.paragraph(Prose(scenario).order() ?? "")
    if scenario.cells.contains(where: { $0.latencies != nil }) { document.table(latencyTable(of: scenario)) }
    document.list(notes.lines + Prose(scenario).caveats.map { ListItem($0) })
    document.list(budgetItems(of: scenario, in: results))
    document.list(findings(of: scenario, results.run).prefix(mostFindings).map { ListItem($0) })
    document.list(warningLines(on: scenario, of: run))
  }

  /// What most readers want to know about each cell.
  private static func briefTable(of scenario: ScenarioReport, _ notes: Tradeoffs) -> Table {
    let asked = askedLatency(scenario)
    var table = Table(
      "Cell",
      (asked.map { [$0.column] } ?? []) + [
        .time("Time"), .time("CPU time"), .ratio("Times the reference"), .bytes("Heap peak"), .bytes("Resident peak"),
        .bytes("WAL peak"),
      ])
    for cell in scenario.bestFirst {
      let main = cell.main
      table.append(
        cell.label + notes.letters(of: cell),
        (asked.map { [$0.value(cell)] } ?? []) + [
          .figure(main.wall), .figure(main.cpuMedian), timesReference(of: cell), .figure(main[.heapPeak]),
          .figure(main[.residentSetPeak]), .figure(main[.walPeak]),
        ])
    }
    return table
  }
}

/// The trade-offs of strategies as footnotes; cells with the same ones share a letter.
private struct Tradeoffs {
  private var lists: [[String]] = []
  private var indices: [CellID: Int] = [:]

  init(_ scenario: ScenarioReport) {
    let strategies = scenario.strategies
    for cell in scenario.bestFirst {
      guard let note = strategies.first(where: { $0.covers(cell) }), !note.tradeoffs.isEmpty else { continue }
      if let known = lists.firstIndex(of: note.tradeoffs) {
        indices[cell.cell.id] = known
      } else {
        indices[cell.cell.id] = lists.count
        lists.append(note.tradeoffs)
      }
    }
  }

  /// ` (a)`; empty for a cell without trade-offs.
  func letters(of cell: CellReport) -> String { indices[cell.cell.id].map { " (\(letter($0)))" } ?? "" }

  var lines: [ListItem] {
    lists.enumerated().map {
      ListItem("(\(letter($0))) trade-offs: \($1.map { Markdown.escaped($0) }.joined(separator: ", ")).")
    }
  }

  private func letter(_ index: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return index < letters.count ? String(letters[index]) : "\(index + 1)"
  }
}
