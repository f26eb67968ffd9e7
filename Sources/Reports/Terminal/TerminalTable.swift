// The table that closes a run on the terminal.
package import Analysis
internal import Harness
internal import BatchmarkEngine

/// The main phase of every cell in lines of at most 120 columns, and what there is to conclude.
package enum TerminalTable {
  /// As many characters as fit a terminal that is not narrow.
  package static let lineWidth = 120
  /// A narrower terminal wraps lines.
  private static let leastWidth = 20

  /// One table a scenario, the fastest cell first, and below it the answer in a sentence and the budgets.
  ///
  /// Of samples that are missing it says nothing: that is for standard error, with what to do about it.
  ///
  /// - Parameters:
  ///   - results: The run to show.
  ///   - color: Whether to use the terminal's bold for the clear winner and faint for intervals.
  ///   - columns: How wide the terminal is; the columns of the table that matter least give way, whole.
  ///   - isASCII: Whether the terminal shows no characters but those of ASCII.
  /// - Returns: Lines, each ended by a line feed.
  package static func render(
    _ results: Report, color: Bool, columns: Int = lineWidth, isASCII: Bool = false
  ) -> String {
    let width = min(max(columns, leastWidth), lineWidth)
    var lines: [String] = []
    if !results.run.isComparable {
      lines += TerminalText.folded(RunReport.notComparable, to: width).map { styled($0, .bold, color) } + [""]
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
    let layout = TerminalLayout(cells, width: width)
    let winners = Set(analysis.rankings.compactMap { $0.winner?.cell })
    let title = "\(scenario.name.onOneLine): \(scenario.rowCounts.words), \(scenario.operation.phase.rawValue) phase"
    var lines = TerminalText.folded(title, to: width) + ["", layout.head]
    for cell in cells {
      lines += layout.lines(of: cell) { text, column in
        column == .interval
          ? styled(text, .faint, color) : winners.contains(cell.cell) ? styled(text, .bold, color) : text
      }
    }
    if layout.hasGaps {
      lines += [""] + TerminalText.folded("\(TerminalLayout.dash) not measured; the report says why", to: width)
    }
    let prose = Prose(scenario)
    let answer = ["\(prose.title).".uppercasedFirst] + prose.shortAnswer
    lines += [""] + answer.flatMap { TerminalText.folded(Markdown.plain($0), to: width) }
    let budgets = BudgetLines.render(results.judgements(of: scenario), of: scenario)
    guard !budgets.isEmpty else { return lines }
    return lines + [""] + budgets.flatMap { TerminalText.folded($0, to: width, indent: 2) }
  }
}
