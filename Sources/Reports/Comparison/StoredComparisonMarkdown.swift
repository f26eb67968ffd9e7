// A comparison of stored results in Markdown, short enough for a comment on a pull request.
package import Analysis
internal import Harness
internal import Instruments
internal import Scenarios
internal import Workloads

/// Writes what a comparison of stored results found.
package enum StoredComparisonMarkdown {
  /// The whole page; `base` and `head` are what the user calls the two.
  package static func render(_ comparison: StoredComparison, base: String, head: String) -> String {
    document(comparison, base: base, head: head).markdown
  }

  /// The same as a page of HTML.
  package static func html(_ comparison: StoredComparison, base: String, head: String) -> String {
    Page(title: "\(head) against \(base)", document: document(comparison, base: base, head: head)).html
  }

  private static func document(_ comparison: StoredComparison, base: String, head: String) -> Document {
    var document = Document()
    guard comparison.obstacles.isEmpty else {
      document.heading(1, "Not comparable: \(head) with \(base)")
      document.list(comparison.obstacles.map { ListItem(Markdown.escaped($0)) })
      return document
    }
    document.heading(1, "\(comparison.overall.rawValue): \(head) against \(base)")
    if comparison.failures > 0 {
      document.paragraph("**\(HumanUnits.counted(comparison.failures, "sample")) failed**, on one side or both.")
    }
    document.table(overview(of: comparison))
    for cell in comparison.cells { section(on: cell, in: &document) }
    document.paragraph(
      "Exact figures decide: they repeat to the bit, so every change of one is real; growth up to "
        + "\(Digits.significant(100 * StoredComparison.figureMargin)) % is SMALL, more is a REGRESSION. "
        + "Times were taken in two runs, at two moments, and are advice only; `pair` compares times.")
    return document
  }

  private static func overview(of comparison: StoredComparison) -> Table {
    var table = Table(
      "Cell",
      [
        .text("Verdict"), .text("Figures that changed"), .time("Base's time"), .time("Head's time"),
        .change("Change of the time"),
      ])
    let isOne = Set(comparison.cells.map(\.base.cell.scenario)).count == 1
    for cell in comparison.cells {
      let walls = [cell.base, cell.head].map { $0.main?.wall }
      let ratio = walls[0].flatMap { base in
        walls[1].flatMap { base.median > 0 ? $0.median / base.median : nil }
      }
      let changed = cell.figures.count { $0.verdict != .pass }
      table.append(
        isOne ? cell.base.label : cell.base.cell.id,
        [
          .text(cell.verdict.rawValue), .text("\(changed) of \(cell.figures.count)"),
          .figure(walls[0], or: cell.base.absenceOfTime(in: cell.base.mainPhase)),
          .figure(walls[1], or: cell.head.absenceOfTime(in: cell.head.mainPhase)),
          .figure(ratio.map { $0 - 1 }, or: "one side has no time"),
        ])
    }
    return table
  }

  private static func section(on cell: ComparedCell, in document: inout Document) {
    let changed = cell.figures.filter { $0.verdict != .pass }
    guard !changed.isEmpty else { return }
    document.heading(2, cell.base.cell.id)
    var table = Table(
      "Figure", [.text("Phase"), .number("Base"), .number("Head"), .change("Change"), .text("Verdict")])
    for figure in changed {
      table.append(
        figure.metric.rawValue,
        [
          .text(figure.phase.rawValue), .count(figure.base), .count(figure.head),
          .figure(figure.ratio.map { $0 - 1 }, or: "base has none"),
          .text(figure.verdict.rawValue),
        ])
    }
    document.table(table)
  }
}
