// The table that closes a run on the terminal.
package import Analysis
internal import Harness
internal import Instruments
internal import Scenarios
internal import Workloads

/// The main phase of every cell in lines of at most 120 columns.
package enum TerminalTable {
  /// One table a scenario, with what the reader must know above it, and below it what there is to conclude.
  ///
  /// - Parameters:
  ///   - results: The run to show.
  ///   - colour: Whether to use the terminal's bold for the clear winner and faint for intervals.
  /// - Returns: Lines, each ended by a line feed.
  package static func render(_ results: RunResults, colour: Bool) -> String {
    var lines: [String] = []
    if !results.run.isComparable { lines += [styled(RunReport.notComparable, .bold, colour), ""] }
    for (index, scenario) in results.scenarios.enumerated() {
      if index > 0 { lines.append("") }
      lines += section(on: scenario, of: results, colour: colour)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private enum Style: String {
    case bold = "\u{1B}[1m"
    case faint = "\u{1B}[2m"
  }

  private static func styled(_ text: String, _ style: Style, _ colour: Bool) -> String {
    colour && !text.isEmpty ? style.rawValue + text + "\u{1B}[0m" : text
  }

  private static func section(on scenario: ScenarioResults, of results: RunResults, colour: Bool) -> [String] {
    let analysis = ScenarioAnalysis(scenario)
    let report = ScenarioReport(analysis)
    let rows = report.figures.map { [$0.label.onOneLine] + figures(of: $0) }
    let widths = columnWidths(of: rows)
    let winners = Set(analysis.rankings.compactMap { $0.winner?.cell })
    var lines = [
      "\(scenario.name.onOneLine): \(report.rows.words), \(report.question.operation.phase.rawValue) phase"
        .cut(to: lineWidth),
      "",
      line(titles, widths: widths) { text, _ in text },
    ]
    for (cell, row) in zip(report.figures, rows) {
      lines.append(
        line(row, widths: widths) { text, column in
          column == intervalColumn
            ? styled(text, .faint, colour) : winners.contains(cell.cell) ? styled(text, .bold, colour) : text
        })
    }
    lines += remarks(on: report, of: results.run, hasGaps: rows.contains { $0.contains(dash) })
    lines += [""] + Prose(analysis).sentences(on: analysis.answer).flatMap { Markdown.plain($0).folded(to: lineWidth) }
    let budgets = BudgetLines.render(results.judgements(of: scenario), of: scenario)
    return budgets.isEmpty ? lines : lines + [""] + budgets.map { $0.cut(to: lineWidth) }
  }

  // MARK: Columns

  private static let titles = [
    "cell", "wall time", "95 %", "rows/s", "x reference", "heap peak", "resident", "WAL peak",
  ]
  private static let intervalColumn = 2
  private static let dash = "—"
  private static let gap = "  "
  /// As many characters as fit a terminal that is not narrow.
  static let lineWidth = 120

  /// What stands to the right of a cell's name.
  private static func figures(of cell: CellFigures) -> [String] {
    let main = cell.main
    let bytes = { (metric: MetricID) in main[metric].figure.map { HumanUnits.bytes($0) } ?? dash }
    return [
      main.wall.figure.map { HumanUnits.time($0.median) } ?? dash,
      main.wall.figure.flatMap { HumanUnits.timeInterval($0) } ?? "",
      main.rowsPerSecond.figure.map { HumanUnits.rate($0) } ?? dash,
      cell.timesReference.figure.map { Digits.significant($0.median) } ?? dash,
      bytes(.heapPeak), bytes(.residentSetPeak), bytes(.walPeak),
    ]
  }

  /// As wide as the widest text; the names give way when the line would not fit.
  private static func columnWidths(of rows: [[String]]) -> [Int] {
    var widths = titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
    let others = widths.dropFirst().reduce(0) { $0 + $1 + gap.count }
    widths[0] = max(min(widths[0], lineWidth - others), titles[0].count)
    return widths
  }

  /// Pads first and styles then: escape sequences have no width.
  private static func line(_ texts: [String], widths: [Int], style: (String, Int) -> String) -> String {
    var fields: [String] = []
    for (column, (text, width)) in zip(texts, widths).enumerated() {
      let text = text.cut(to: width)
      let padding = String(repeating: " ", count: width - text.count)
      let isLeft = column == 0 || column == intervalColumn
      fields.append(isLeft ? style(text, column) + padding : padding + style(text, column))
    }
    return fields.joined(separator: gap)
  }

  // MARK: Below the table

  private static func remarks(on scenario: ScenarioReport, of run: RunRecord, hasGaps: Bool) -> [String] {
    let tally = scenario.tally
    var lines: [String] = []
    if hasGaps { lines.append("\(dash) not measured; the report says why") }
    if tally.failed > 0 { lines.append("\(HumanUnits.counted(tally.failed, "sample")) failed; the report says why") }
    if tally.missing > 0 {
      let word = run.isInterrupted ? "interrupted: " : ""
      lines.append(
        "\(word)\(Digits.grouped(tally.missing)) of \(HumanUnits.counted(tally.planned, "sample")) were not taken")
    }
    return lines.isEmpty ? [] : [""] + lines
  }
}
