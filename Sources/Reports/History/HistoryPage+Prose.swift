// The sentences on a history's page.
internal import Analysis
internal import Support

extension HistoryKey {
  /// The name of the metric, shown next to its cell.
  var words: String { isTime ? figure : "\(figure) of \(phase.rawValue)" }
}

extension HistoryPage {
  static func name(of key: HistoryKey) -> String { "\(Markdown.code(key.cell)) \(Markdown.escaped(key.words))" }

  /// `+5.1 % (from 1.20 to 1.26)`.
  static func levels(_ key: HistoryKey, _ before: Double, _ after: Double) -> String {
    let levels = "from \(level(key, before)) to \(level(key, after))"
    guard before != 0 else { return levels }
    return "\(HumanUnits.change(Estimate(median: after / before - 1))) (\(levels))"
  }

  static func level(_ key: HistoryKey, _ value: Double) -> String {
    key.isTime ? Digits.significant(value) : Digits.grouped(Int64(clamping: value))
  }

  func sentence(on change: HistoryChange) -> String {
    let levels = HistoryPage.levels(change.key, change.before, change.after)
    return "\(HistoryPage.name(of: change.key)): \(levels) since \(name(ofCommit: change.commit))"
      + (change.p.map { ", p \(HistoryPage.percent($0))" } ?? "")
  }

  /// A probability in percent; an upper bound if it is small.
  static func percent(_ p: Double) -> String {
    p < 0.0001 ? "below 0.01 %" : "= \(Digits.short(100 * p)) %"
  }

  static func words(for state: HistoryChange.State) -> String {
    switch state {
    case .open: "unexpected"
    case .accepted(let reason): "expected: \(reason)"
    case .undone(let commit): "undone by \(HistoryCommit.name(of: commit))"
    case .small: "small"
    case .better: "better"
    }
  }

  var method: [ListItem] {
    let level = Digits.trimmed(100 * HistoryJudgement.level)
    var items = [
      "Times are those of a cell divided by those of the reference in the same rounds of the same run, so that a faster machine changes "
        + "nothing. A commit is one point: the median of its runs.",
      "A series of times is judged from \(HistoryJudgement.leastPoints) commits on. It is searched by ranks for a split and for a window of at "
        + "least 5 points; p is of the whole search, by seeded random orders, and adjusted for all series (Benjamini and Hochberg). "
        + "Where nothing changes and runs do not depend on one another, a check raises any alarm with a probability of \(level) % at most.",
      "Exact counters repeat to the unit, so one point decides. Growth up to "
        + "\(Digits.trimmed(100 * StoredComparison.figureMargin)) % is small and no failure.",
    ]
    if let likeness = judgement.autocorrelation, likeness >= HistoryJudgement.notableAutocorrelation {
      items.append(
        "**Neighboring commits resemble each other**: the median autocorrelation of the series is "
          + "\(Digits.fixed(likeness, decimals: 2)). So there are more false alarms than that; Documentation/Validation.md says how many. Confirm changes "
          + "live before you act on them.")
    }
    if judgement.shortTimes > 0 {
      items.append(
        "\(HumanUnits.counted(judgement.shortTimes, "series", plural: "series")) of times "
          + "\(judgement.shortTimes == 1 ? "has" : "have") fewer than \(HistoryJudgement.leastPoints) commits and "
          + "\(judgement.shortTimes == 1 ? "is" : "are") not judged yet.")
    }
    let others = judgement.line.others.count
    if others > 0 {
      items.append(
        "\(HumanUnits.counted(others, "run")) of commits that are not on this branch by first parents: left out.")
    }
    let earlier = judgement.line.runsOfOtherQuestions
    if earlier > 0 {
      items.append(
        "\(HumanUnits.counted(earlier, "run")) measured a scenario that has been changed since: left out of its series."
      )
    }
    let disputed = judgement.series.count { $0.points.contains(where: \.isDisputed) }
    if disputed > 0 {
      items.append(
        "\(HumanUnits.counted(disputed, "exact counter")) \(disputed == 1 ? "differs" : "differ") between runs of one "
          + "commit; the last run counts.")
    }
    items += foreign.map { "**Left out**: \(Markdown.escaped($0.file)): \(Markdown.escaped($0.problem))." }
      .map { $0 }
    return items.map { ListItem($0) }
  }
}
