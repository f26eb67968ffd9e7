// Comparisons of stored results in Markdown, short enough for a comment on a pull request.
package import Analysis

/// A comparison, and the user's name for its base.
package typealias NamedComparison = (base: String, comparison: StoredComparison)

/// Writes the findings of comparisons between one stored result and others.
package enum StoredComparisonMarkdown {
  /// The whole page; `head` is the user's name for the judged result.
  package static func render(
    _ comparisons: [NamedComparison], head: String, as form: PageForm = .markdown
  ) -> String {
    document(comparisons, head: head).text(as: form)
  }

  /// The same, as an HTML page.
  package static func html(_ comparisons: [NamedComparison], head: String) -> String {
    let bases = HumanUnits.list(comparisons.map(\.base))
    return Page(title: "\(head) against \(bases)", document: document(comparisons, head: head)).html
  }

  private static func document(_ comparisons: [NamedComparison], head: String) -> Document {
    var document = Document()
    if comparisons.count > 1 { summary(of: comparisons, head: head, in: &document) }
    for one in comparisons {
      section(on: one, head: head, level: comparisons.count > 1 ? 2 : 1, in: &document)
    }
    if comparisons.contains(where: \.comparison.obstacles.isEmpty) {
      document.paragraph(
        "Exact figures decide: they repeat to the bit, so every change of one is real; growth up to "
          + "\(Digits.trimmed(100 * StoredComparison.figureMargin)) % is SMALL, more is a REGRESSION. "
          + "Times were taken in two runs, at two moments, and are advice only; `pair` compares times.")
    }
    return document
  }

  /// One line for each of several comparisons.
  private static func summary(of comparisons: [NamedComparison], head: String, in document: inout Document) {
    let whole = comparisons.map(\.comparison).filter(\.obstacles.isEmpty)
    let verdict = whole.isEmpty ? "Not comparable" : Verdict.worst(of: whole.map(\.overall)).rawValue
    document.heading(1, "\(verdict): \(head) against \(HumanUnits.counted(comparisons.count, "baseline"))")
    var table = Table("Against", [.verdict("Verdict"), .number("Figures that changed"), .number("Figures compared")])
    for one in comparisons {
      let figures = one.comparison.cells.flatMap(\.figures)
      table.append(
        one.base,
        one.comparison.obstacles.isEmpty
          ? [
            .text(one.comparison.overall.rawValue), .count(figures.count { $0.verdict != .pass }),
            .count(figures.count),
          ] : [.text("not comparable")])
    }
    document.table(table)
  }

  private static func section(on one: NamedComparison, head: String, level: Int, in document: inout Document) {
    let comparison = one.comparison
    guard comparison.obstacles.isEmpty else {
      document.heading(level, "Not comparable: \(head) with \(one.base)")
      document.list(comparison.obstacles.map { ListItem(Markdown.escaped($0)) })
      environment(comparison, in: &document)
      return
    }
    document.heading(level, "\(comparison.overall.rawValue): \(head) against \(one.base)")
    if comparison.failures > 0 {
      document.paragraph("**\(HumanUnits.counted(comparison.failures, "sample")) failed**, on one side or both.")
    }
    if comparison.isOfOneRun { document.paragraph("**Both are the same run**, which cannot show a change.") }
    document.paragraph(unjudged(in: comparison))
    environment(comparison, in: &document)
    document.table(overview(of: comparison))
    for cell in comparison.cells { section(on: cell, level: level + 1, in: &document) }
  }

  /// The cells without any exact figure; empty if every cell has some.
  private static func unjudged(in comparison: StoredComparison) -> String {
    let cells = comparison.cells.filter(\.figures.isEmpty)
    if comparison.judgedCells.isEmpty {
      return "**Nothing was compared**: no cell has an exact figure, as where others read or write beside it."
    }
    return cells.isEmpty
      ? ""
      : "Not compared, since they have no exact figure: \(HumanUnits.list(cells.map { Markdown.code($0.base.cell.id) }))."
  }

  /// The differences between the machines and environments, before the figures.
  private static func environment(_ comparison: StoredComparison, in document: inout Document) {
    if comparison.environment.isEmpty { return document.paragraph("Both ran on the same machine and environment.") }
    document.paragraph("**Machine and environment differ**, which may be what changed the figures:")
    var table = Table("Fact", [.text("Base"), .text("Head")])
    for difference in comparison.environment {
      table.append(
        difference.name.uppercasedFirst,
        [.text(difference.base ?? "unknown"), .text(difference.head ?? "unknown")])
    }
    document.table(table)
  }

  private static func overview(of comparison: StoredComparison) -> Table {
    var table = Table(
      "Cell",
      [
        .verdict("Verdict"), .text("Figures that changed"), .time("Base's time"), .time("Head's time"),
        .change("Change of the time"),
      ])
    let isOne = Set(comparison.cells.map(\.base.cell.scenario)).count == 1
    for cell in comparison.cells {
      let walls = [cell.base, cell.head].map(\.main.wall)
      let ratio = walls[0].figure.flatMap { base in
        walls[1].figure.flatMap { base.median > 0 ? $0.median / base.median : nil }
      }
      let changed = cell.figures.count { $0.verdict != .pass }
      table.append(
        isOne ? cell.base.label : cell.base.cell.id,
        [
          .text(cell.verdict.rawValue), .text("\(changed) of \(cell.figures.count)"),
          .figure(walls[0]), .figure(walls[1]),
          .figure(ratio.map { $0 - 1 }, or: "one side has no time"),
        ])
    }
    return table
  }

  private static func section(on cell: ComparedCell, level: Int, in document: inout Document) {
    let changed = cell.figures.filter { $0.verdict != .pass }
    guard !changed.isEmpty else { return }
    document.heading(level, cell.base.cell.id)
    var table = Table(
      "Figure", [.text("Phase"), .number("Base"), .number("Head"), .change("Change"), .verdict("Verdict")])
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
