// The final table of a run on the terminal.
package import Analysis

/// The main phase of every cell in lines of at most 120 columns, and the conclusions.
package enum TerminalTable {
  /// A line length that fits most terminals.
  package static let lineWidth = 120
  /// The minimum width; a narrower terminal wraps lines.
  private static let leastWidth = 20

  /// For each scenario the answer, a table of its cells with a heading for each group of equal work, and the budgets.
  ///
  /// It does not mention missing samples. Standard error does, with advice.
  ///
  /// - Parameters:
  ///   - results: The run to show.
  ///   - color: Whether to use the terminal's bold for the clear winner and faint for intervals.
  ///   - columns: The width of the terminal. If there is no room, the least important columns of the table are dropped.
  ///   - isASCII: Whether the terminal shows only ASCII characters.
  /// - Returns: Lines, each ending with a line feed.
  package static func render(
    _ results: Report, color: Bool, columns: Int = lineWidth, isASCII: Bool = false
  ) -> String {
    let width = min(max(columns, leastWidth), lineWidth)
    var lines: [String] = []
    if !results.run.isComparable {
      lines += TerminalText.folded(Prose.notComparable, to: width).map { styled($0, .bold, color) } + [""]
    }
    for (index, scenario) in results.scenarios.enumerated() {
      if index > 0 { lines.append("") }
      lines += section(on: scenario, of: results, color: color, width: width)
    }
    return lines.map { (isASCII ? TerminalText.ascii($0) : $0) + "\n" }.joined()
  }

  private enum Style: String {
    case bold = "\u{1B}[1m"
    case faint = "\u{1B}[2m"
  }

  private static func styled(_ text: String, _ style: Style, _ color: Bool) -> String {
    color && !text.isEmpty ? style.rawValue + text + "\u{1B}[0m" : text
  }

  private static func section(
    on scenario: ScenarioReport, of results: Report, color: Bool, width: Int
  ) -> [String] {
    let analysis = ScenarioAnalysis(scenario)
    let scenario = analysis.scenario
    let cells = scenario.bestFirst
    let winners = Set(analysis.rankings.compactMap { $0.winner?.cell })
    let prose = Prose(scenario, givesAdvice: !results.run.isQuick)
    let layout = TerminalLayout(
      cells, asked: scenario.about.map { ($0, prose.figureWords($0)) }, showsProcessorTime: scenario.hasDisturbedTimes,
      width: width)
    let answer = TerminalText.folded(Markdown.plain("\(prose.title).".uppercasedFirst), to: width)
    var lines = answer.map { styled($0, .bold, color) }
    lines += prose.shortAnswer.flatMap { TerminalText.folded(Markdown.plain($0), to: width) }
    let title = "\(scenario.name.onOneLine): \(scenario.rowCounts.words), \(scenario.operation.phase.rawValue) phase"
    lines += [""] + TerminalText.folded(title, to: width) + ["", layout.head]
    func append(_ cell: CellReport) {
      lines += layout.lines(of: cell) { text, column in
        column == .interval
          ? styled(text, .faint, color) : winners.contains(cell.cell) ? styled(text, .bold, color) : text
      }
    }
    for (index, group) in scenario.groups.enumerated() {
      if scenario.groups.count > 1 {
        lines += TerminalText.folded(Markdown.plain(prose.heading(of: index)) + ":", to: width)
      }
      for cell in cells where group.cells.contains(cell.cell.id) { append(cell) }
    }
    let grouped = Set(scenario.groups.flatMap(\.cells))
    for cell in cells where !grouped.contains(cell.cell.id) { append(cell) }
    if layout.hasGaps {
      lines += [""] + TerminalText.folded("\(TerminalLayout.dash) not measured; the report says why", to: width)
    }
    if !layout.titlesLeftOut.isEmpty {
      let titles = HumanUnits.list(layout.titlesLeftOut)
      let advice = width < lineWidth ? "a wider window has room, and the report has all" : "the report has all"
      lines += [""] + TerminalText.folded("No room here for \(titles); \(advice)", to: width)
    }
    if let order = prose.order(hasHeadings: true) {
      lines += [""] + TerminalText.folded(Markdown.plain(order), to: width)
    }
    for caveat in prose.caveats { lines += TerminalText.folded(Markdown.plain(caveat), to: width, indent: 2) }
    let budgets = BudgetText.lines(results.judgements(of: scenario), of: scenario)
    guard !budgets.isEmpty else { return lines }
    return lines + [""] + budgets.flatMap { TerminalText.folded($0, to: width, indent: 2) }
  }
}
