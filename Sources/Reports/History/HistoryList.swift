// The runs of a history in a table, and the values of its series.
package import Analysis
internal import Support

/// Tables of a history for the terminal and for Markdown.
package enum HistoryList {
  /// Every run, the oldest commit first; runs that are not on the branch come last.
  package static func runs(_ line: HistoryLine, as form: PageForm = .markdown) -> String {
    var table = Table(
      "Commit",
      [
        .text("Finished"), .text("Machine"), .text("Compiler"), .text("SQLite"), .text("Scenarios"), .number("Cells"),
        .text("Run"),
      ])
    for commit in line.commits { for run in commit.runs { append(run, named: commit.name, to: &table) } }
    for run in line.others {
      append(run, named: HistoryCommit.name(of: run.commit) + " (not on this branch)", to: &table)
    }
    var document = Document()
    if table.isEmpty { document.paragraph("The history has no runs yet.") } else { document.table(table) }
    return document.text(as: form)
  }

  /// The series with a change, or all series.
  static func shown(_ judgement: HistoryJudgement, isWhole: Bool) -> [HistorySeries] {
    let changed = Set(judgement.changes.map(\.key))
    return judgement.series.filter { isWhole || changed.contains($0.key) }
  }

  private static func append(_ run: HistoryRecord, named name: String, to table: inout Table) {
    table.append(
      name,
      [
        .text(run.finished), .text(run.conditions.machine), .text(run.conditions.compiler),
        .text(run.conditions.sqlite ?? ""), .text(run.scenarios.map(\.name).joined(separator: ", ")),
        .count(run.scenarios.reduce(0) { $0 + $1.cells.count }), .text(run.runID),
      ])
  }

  /// A table for each series, with its points and changes.
  ///
  /// - Parameters:
  ///   - judgement: The history.
  ///   - isWhole: Whether series without a change are shown too.
  ///   - form: The form of the output.
  /// - Returns: The tables, and the number of series left out.
  package static func series(
    _ judgement: HistoryJudgement, isWhole: Bool, as form: PageForm = .markdown
  ) -> String {
    var document = Document()
    let changes = Dictionary(grouping: judgement.changes, by: \.key)
    let shown = shown(judgement, isWhole: isWhole)
    let alike = judgement.series.count - shown.count
    for series in shown {
      document.heading(2, "\(series.key.cell) \(series.key.words)")
      var table = Table(
        "Commit", [series.key.isTime ? .ratio("Times the reference") : .number("Count"), .text("Change")])
      for point in series.points {
        let commit = judgement.line.commits[point.commit]
        let change = changes[series.key]?.first { $0.commit == commit.id }
        table.append(
          commit.name,
          [
            series.key.isTime
              ? .estimate(Estimate(median: point.value, low: point.low, high: point.high))
              : .count(Int64(clamping: point.value)),
            .text(
              change.map {
                Markdown.plain(HistoryPage.levels($0.key, $0.before, $0.after)) + ", "
                  + HistoryPage.words(for: $0.state)
              }
                ?? ""),
          ])
      }
      document.table(table)
    }
    if alike > 0 {
      let series = HumanUnits.counted(alike, "series", plural: "series")
      document.paragraph("\(series) without a change \(alike == 1 ? "is" : "are") left out; `--all` shows every one.")
    }
    return document.text(as: form)
  }
}
