// A judged history: every series searched for changes, without the accepted ones.
package import Harness
internal import Scenarios
internal import Statistics

/// The findings of a history.
package struct HistoryJudgement: Sendable {
  package let line: HistoryLine
  /// All selected series.
  package let series: [HistorySeries]
  /// In the order of series, and then of commits.
  package let changes: [HistoryChange]
  package let suspects: [HistorySuspect]
  /// Series of times that were searched for changes.
  package let judgedTimes: Int
  /// Series of times with too few points.
  package let shortTimes: Int
  /// Series of exact counters with at least two points.
  package let judgedCounters: Int

  /// How similar points are to the previous ones: the median autocorrelation around their levels, over the judged
  /// series of times; `nil` if there are none.
  package let autocorrelation: Double?

  /// An autocorrelation that clearly causes more false alarms than the level allows.
  package static let notableAutocorrelation = 0.1

  /// The probability of any false alarm among series of times.
  package static let level = 0.005
  /// The highest p-value at which a single series is suspected.
  package static let suspectLevel = 0.01
  /// The minimum number of commits for a series of times to be judged.
  package static let leastPoints = ChangePointSearch.leastPoints

  /// - Parameters:
  ///   - line: The runs.
  ///   - accepted: The accepted changes.
  ///   - isAsked: Which series to judge. With fewer series, smaller changes can be found.
  package init(
    _ line: HistoryLine, accepted: AcceptedChanges = AcceptedChanges(), isAsked: (HistoryKey) -> Bool = { _ in true }
  ) {
    self.line = line
    series = line.series.filter { isAsked($0.key) }
    let times = series.filter(\.key.isTime)
    let counters = series.filter { !$0.key.isTime }
    var search = ChangePointSearch(level: HistoryJudgement.level)
    let found = search.search(times.map { $0.points.map(\.value) }) ?? []
    var changes: [HistoryChange] = []
    var suspects: [HistorySuspect] = []
    var likenesses: [Double] = []
    for case (let series, let result?) in zip(times, found) {
      let steps = series.steps(result)
      if let likeness = Statistics.autocorrelation(series.residuals(steps)) { likenesses.append(likeness) }
      changes += steps.map { series.change($0, among: steps, in: line, accepted) }
      if steps.isEmpty, result.p <= HistoryJudgement.suspectLevel {
        suspects.append(series.suspect(result, in: line))
      }
    }
    for series in counters {
      let steps = series.counterSteps
      changes += steps.map { series.change($0, among: steps, in: line, accepted) }
    }
    let order = Dictionary(uniqueKeysWithValues: line.commits.enumerated().map { ($1.id, $0) })
    self.changes = changes.sorted { ($0.key, order[$0.commit] ?? 0) < ($1.key, order[$1.commit] ?? 0) }
    self.suspects = suspects
    autocorrelation = median(likenesses)
    judgedTimes = found.count { $0 != nil }
    shortTimes = found.count { $0 == nil }
    judgedCounters = counters.count { $0.points.count > 1 }
  }

  /// Worse, and not accepted.
  package var open: [HistoryChange] { changes.filter { $0.state == .open } }

  /// The exit status of `check`.
  package var status: CommandStatus {
    if judgedTimes + judgedCounters == 0 { return .inconclusive }
    return open.isEmpty ? .success : .regression
  }

  /// The comparison that confirms a change of a cell between two commits.
  package func pair(_ key: HistoryKey, base: String, head: String) -> HistoryPair? {
    for scenario in line.scenarios {
      guard let cell = scenario.cells.first(where: { $0.id == key.cell }) else { continue }
      return HistoryPair(
        base: base, head: head, scenario: scenario.file == ScenarioSchema.storeSuiteName ? nil : scenario.file,
        enginesFile: cell.programVersion == nil ? nil : scenario.enginesFile, settings: scenario.settings,
        cell: key.cell, limits: key.pairLimits)
    }
    return nil
  }
}
