// A history judged, as a page: what changed and who expects it, what to do, and each series by commit.
package import Analysis
internal import Harness
internal import Statistics
internal import Instruments

/// Writes what a history says.
package struct HistoryPage {
  let judgement: HistoryJudgement
  /// The words of a command that confirms a change, accepts it, and so on.
  let commands: HistoryCommands
  /// What is no record of a run.
  let foreign: [HistoryFolder.Foreign]

  package init(_ judgement: HistoryJudgement, commands: HistoryCommands, foreign: [HistoryFolder.Foreign]) {
    self.judgement = judgement
    self.commands = commands
    self.foreign = foreign
  }

  /// What `check` prints: changes and suspects, without the series.
  package func brief(as form: PageForm = .markdown) -> String { document(hasSeries: false).text(as: form) }

  /// Writes `history.md`, `history.html` and the pictures.
  ///
  /// - Returns: The path of the page.
  /// - Throws: ``ReportError`` when a file cannot be written.
  package func write(in directory: String) throws(ReportError) -> String {
    let document = document(hasSeries: true)
    let page = directory + "/history.html"
    try publish([(directory + "/history.md", document.markdown), (page, html)], document.pictures, in: directory)
    return page
  }

  /// The page in one file.
  var html: String { Page(title: title, document: document(hasSeries: true)).html }

  private var title: String {
    let open = judgement.open.count
    if open > 0 { return "REGRESSION: \(HumanUnits.counted(open, "unexpected change"))" }
    return judgement.status == .success ? "PASS: no unexpected change for the worse" : "Too few runs to judge"
  }

  /// With each series by commit, or only what was found.
  func document(hasSeries: Bool) -> Document {
    var document = Document()
    document.heading(1, title)
    document.paragraph(overview)
    if !judgement.open.isEmpty {
      document.heading(2, "Unexpected changes")
      document.list(judgement.open.map(item))
    }
    if !judgement.suspects.isEmpty {
      document.heading(2, "Suspects")
      document.paragraph(
        "Looked at alone, these series seem to change (p up to \(Digits.trimmed(100 * HistoryJudgement.suspectLevel)) %). "
          + "Among \(HumanUnits.counted(judgement.judgedTimes, "series", plural: "series")), chance makes some look like that."
      )
      document.list(judgement.suspects.map(item))
    }
    let rest = judgement.changes.filter { $0.state != .open }
    if !rest.isEmpty {
      document.heading(2, "Other changes")
      document.table(table(of: rest))
    }
    if hasSeries { series(in: &document) }
    document.heading(2, "How it was judged")
    document.list(method)
    return document
  }

  private var overview: String {
    let commits = judgement.line.commits
    let runs = commits.reduce(0) { $0 + $1.runs.count }
    guard let first = commits.first, let last = commits.last else { return "No run is of a commit of this branch." }
    return
      "\(HumanUnits.counted(runs, "run")) of \(HumanUnits.counted(commits.count, "commit")), from "
      + "\(Markdown.code(first.name)) to \(Markdown.code(last.name)). Judged: "
      + "\(HumanUnits.counted(judgement.judgedTimes, "series", plural: "series")) of times and "
      + "\(HumanUnits.counted(judgement.judgedCounters, "exact counter"))."
  }

  private func item(_ change: HistoryChange) -> ListItem {
    var items = [
      "It lies after \(Markdown.code(HistoryCommit.name(of: change.base))) and at "
        + "\(Markdown.code(HistoryCommit.name(of: change.head))) at the latest."
    ]
    items += change.conditions.map { condition in
      "At \(Markdown.code(HistoryCommit.name(of: condition.commit))) the \(condition.name) changed too: from "
        + "\(Markdown.escaped(condition.before)) to \(Markdown.escaped(condition.after))."
    }
    if let pair = judgement.pair(change.key, base: change.base, head: change.head) {
      items.append("Confirm it: \(Markdown.code(commands.pair(pair)))")
    }
    items.append("Find the commit: \(Markdown.code(commands.bisect(change)))")
    items.append("Expect it: \(Markdown.code(commands.accept(change)))")
    return ListItem("\(HistoryPage.sentence(on: change)).", items)
  }

  private func item(_ suspect: HistorySuspect) -> ListItem {
    let pair = judgement.pair(suspect.key, base: suspect.base, head: suspect.commit)
    return ListItem(
      "\(HistoryPage.name(of: suspect.key)): \(HistoryPage.levels(suspect.key, suspect.before, suspect.after)) since "
        + "\(Markdown.code(HistoryCommit.name(of: suspect.commit))), p \(HistoryPage.percent(suspect.p)).",
      pair.map { ["Confirm it: \(Markdown.code(commands.pair($0)))"] } ?? [])
  }

  private func table(of changes: [HistoryChange]) -> Table {
    var table = Table("Figure", [.text("Since"), .change("Change"), .text("State")])
    for change in changes {
      table.append(
        "\(change.key.cell) \(change.key.words)",
        [
          .text(HistoryCommit.name(of: change.commit)), .figure(change.ratio.map { $0 - 1 }, or: "it was 0 before"),
          .text(HistoryPage.words(for: change.state)),
        ])
    }
    return table
  }

  /// A picture of each series of times, and of each exact counter that changed.
  private func series(in document: inout Document) {
    document.heading(2, "By commit")
    let changed = Set(judgement.changes.map(\.key))
    for (index, series) in judgement.series.enumerated() where series.key.isTime || changed.contains(series.key) {
      guard let picture = HistoryPicture.course(series, index: index, judgement) else { continue }
      document.heading(3, "\(series.key.cell) \(series.key.words)")
      document.picture(picture)
    }
  }
}
