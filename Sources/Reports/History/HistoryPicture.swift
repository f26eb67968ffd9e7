// A figure by commit: its points, the levels between changes, and the changes.
internal import Analysis
internal import Charts
internal import Harness
internal import Instruments
internal import Statistics
internal import Support

enum HistoryPicture {
  /// Nil for a series of one point.
  static func course(_ series: HistorySeries, index: Int, _ judgement: HistoryJudgement) -> Picture? {
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
