// The judgement of a history as a page: what changed and whether it is expected, what to do, and each series by commit.
package import Analysis
internal import Charts
internal import Support

/// Writes the findings of a history.
package struct HistoryPage {
  let judgement: HistoryJudgement
  /// The commands that confirm a change, accept it, and so on.
  let commands: HistoryCommands
  /// Files that are not records of a run.
  let foreign: [HistoryFolder.Foreign]
  /// The address of a commit without its hash; `nil` if the repository is on no known site.
  let commitAddress: String?

  package init(
    _ judgement: HistoryJudgement, commands: HistoryCommands, foreign: [HistoryFolder.Foreign],
    commitAddress: String? = nil
  ) {
    self.judgement = judgement
    self.commands = commands
    self.foreign = foreign
    self.commitAddress = commitAddress
  }

  /// A commit's name, with a link if its address is known.
  func name(ofCommit id: String) -> String {
    let name = HistoryCommit.name(of: id)
    return commitAddress.map { Markdown.link(name, to: $0 + id) } ?? Markdown.code(name)
  }

  /// The output of `check`: changes and suspects, without the series.
  package func brief(as form: PageForm = .markdown) -> String { document(hasSeries: false).text(as: form) }

  /// Writes `history.md`, `history.html` and the pictures.
  ///
  /// - Returns: The path of the page.
  /// - Throws: ``ReportError`` if a file cannot be written.
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

  /// The document, with or without each series by commit.
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
        "Looked at alone, \(judgement.suspects.count == 1 ? "this series seems" : "these series seem") to change (p up to \(Digits.trimmed(100 * HistoryJudgement.suspectLevel)) %). "
          + (judgement.judgedTimes == 1
            ? "Chance can make it look like that."
            : "Among \(Digits.grouped(judgement.judgedTimes)) series, chance makes some look like that.")
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
      "\(HumanUnits.counted(runs, "run")) of \(HumanUnits.counted(commits.count, "commit")), "
      + (commits.count == 1
        ? Markdown.code(first.name) : "from \(Markdown.code(first.name)) to \(Markdown.code(last.name))")
      + ". Judged: "
      + "\(HumanUnits.counted(judgement.judgedTimes, "series", plural: "series")) of times and "
      + "\(HumanUnits.counted(judgement.judgedCounters, "exact counter"))."
  }

  private func item(_ change: HistoryChange) -> ListItem {
    var items = [
      "It came after \(name(ofCommit: change.base)), with \(name(ofCommit: change.head)) at the latest."
    ]
    items += change.conditions.map { condition in
      "At \(name(ofCommit: condition.commit)) the \(condition.name) changed too: from "
        + "\(Markdown.escaped(condition.before)) to \(Markdown.escaped(condition.after))."
    }
    if let pair = judgement.pair(change.key, base: change.base, head: change.head) {
      items.append("Confirm it: \(Markdown.code(commands.pair(pair)))")
    }
    items.append("Find the commit: \(Markdown.code(commands.bisect(change)))")
    items.append("Expect it: \(Markdown.code(commands.accept(change)))")
    return ListItem("\(sentence(on: change)).", items)
  }

  private func item(_ suspect: HistorySuspect) -> ListItem {
    let pair = judgement.pair(suspect.key, base: suspect.base, head: suspect.commit)
    return ListItem(
      "\(HistoryPage.name(of: suspect.key)): \(HistoryPage.levels(suspect.key, suspect.before, suspect.after)) since "
        + "\(name(ofCommit: suspect.commit)), p \(HistoryPage.percent(suspect.p)).",
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

  /// One line for each series that changed.
  ///
  /// Folded: series of times that did not change, and each series in full.
  private func series(in document: inout Document) {
    let changed = Set(judgement.changes.map(\.key))
    let shown = judgement.series.filter { $0.points.count > 1 && ($0.key.isTime || changed.contains($0.key)) }
    guard !shown.isEmpty else { return }
    document.heading(2, "By commit")
    document.picture(HistoryPage.lines("changes", shown.filter { changed.contains($0.key) }, judgement))
    let unchanged = shown.filter { !changed.contains($0.key) }
    if !unchanged.isEmpty {
      document.fold("\(HumanUnits.counted(unchanged.count, "series", plural: "series")) of times without a change") {
        $0.picture(HistoryPage.lines("unchanged", unchanged, judgement))
      }
    }
    document.fold("Each series in full") { folded in
      for (index, series) in judgement.series.enumerated() where shown.contains(where: { $0.key == series.key }) {
        guard let picture = HistoryPage.course(series, index: index, judgement) else { continue }
        folded.heading(3, "\(series.key.cell) \(series.key.words)")
        folded.picture(picture)
      }
    }
  }
}

extension HistoryPage {
  /// One line per series, with marks at its changes; `nil` without any series.
  private static func lines(_ name: String, _ series: [HistorySeries], _ judgement: HistoryJudgement) -> Picture? {
    guard !series.isEmpty else { return nil }
    let commits = judgement.line.commits
    let last = Double(max(commits.count - 1, 1))
    let order = Dictionary(commits.enumerated().map { ($1.id, Double($0)) }, uniquingKeysWith: { first, _ in first })
    let rows = series.map { series in
      SparklineChart.Row(
        label: series.key.cell, gloss: series.key.words,
        points: series.points.map { LineChart.Point(x: Double($0.commit) / last, y: $0.value) },
        changes: judgement.changes.filter { $0.key == series.key }.compactMap { change in
          order[change.commit].map { ($0 - 0.5) / last }
        }, figure: series.points.last.map { HistoryPage.level(series.key, $0.value) } ?? "")
    }
    let words = rows.map { "\($0.label) \($0.gloss): \($0.figure), \(HumanUnits.counted($0.changes.count, "change"))" }
    return Picture(
      "history", name,
      chart: SparklineChart(
        title: "By commit, each on a scale of its own; dashed where it changed",
        summary: words.joined(separator: "; ") + ".", rows: rows))
  }

  /// `nil` for a series with one point.
  private static func course(_ series: HistorySeries, index: Int, _ judgement: HistoryJudgement) -> Picture? {
    guard series.points.count > 1 else { return nil }
    let commits = judgement.line.commits
    let isTime = series.key.isTime
    let points = series.points.map {
      LineChart.Point(x: Double($0.commit), y: $0.value, low: $0.low, high: $0.high)
    }
    let changes = judgement.changes.filter { $0.key == series.key }
    let order = Dictionary(uniqueKeysWithValues: commits.enumerated().map { ($1.id, Double($0)) })
    let words = changes.map { change in
      "\(HistoryCommit.name(of: change.commit)): \(Markdown.plain(HistoryPage.levels(change.key, change.before, change.after)))"
    }
    return Picture(
      "history", "\(index + 1)",
      chart: LineChart(
        title: "\(series.key.cell), \(series.key.words), by commit",
        summary: words.isEmpty ? "No change." : words.joined(separator: "; ") + ".",
        x: Axis(title: "commit", kind: .linear) { value in
          let place = Int(clamping: value.rounded())
          return Double(place) == value && commits.indices.contains(place) ? String(commits[place].id.prefix(7)) : ""
        },
        y: isTime
          ? Axis(title: "times the reference", kind: .linear) { Digits.trimmed($0) + "×" }
          : Axis(title: series.key.figure, kind: .linear) { Digits.trimmed($0) },
        series: [
          LineChart.Series(
            label: isTime ? "each commit" : series.key.figure, appearance: Appearance(index: 0), points: points,
            style: isTime ? .marks : .step)
        ],
        rules: changes.compactMap { change in
          order[change.commit].map {
            LineChart.Rule(.vertical, at: $0 - 0.5, label: HistoryPage.words(for: change.state))
          }
        }))
  }
}
