// The output of the history commands for programs.
package import Analysis

/// The runs of a history, the oldest commit first; runs without a commit of the branch come last.
package struct HistoryRunsDocument: CommandDocument {
  package static let title = "The runs of a history"

  struct Run: Codable {
    var runID: String
    var commit: String
    /// Whether the commit is on the branch, following first parents.
    var isOnBranch: Bool
    var finished: String
    var conditions: HistoryConditions
    var scenarios: [String]
    var cells: Int

    init(_ run: HistoryRecord, isOnBranch: Bool) {
      (runID, commit, finished, conditions) = (run.runID, run.commit, run.finished, run.conditions)
      self.isOnBranch = isOnBranch
      scenarios = run.scenarios.map(\.name)
      cells = run.scenarios.reduce(0) { $0 + $1.cells.count }
    }
  }

  var runs: [Run]

  package init(_ line: HistoryLine) {
    runs =
      line.commits.flatMap(\.runs).map { Run($0, isOnBranch: true) } + line.others.map { Run($0, isOnBranch: false) }
  }
}

/// Series of a history by commit.
package struct HistorySeriesDocument: CommandDocument {
  package static let title = "The series of a history"

  struct Series: Codable {
    var cell: String
    var phase: String
    var metric: String
    var points: [Point]
  }

  struct Point: Codable {
    var commit: String
    /// A multiple of the reference, or a count.
    var value: Double
    var low: Double?
    var high: Double?
    /// The change in this commit.
    var change: HistoryChangeEntry.State?
  }

  var series: [Series]

  /// The series that a table shows.
  package init(_ judgement: HistoryJudgement, isWhole: Bool) {
    series = HistoryList.shown(judgement, isWhole: isWhole).map { series in
      Series(
        cell: series.key.cell, phase: series.key.phase.rawValue, metric: series.key.figure,
        points: series.points.map { point in
          let commit = judgement.line.commits[point.commit].id
          let change = judgement.changes.first { $0.key == series.key && $0.commit == commit }
          return Point(
            commit: commit, value: point.value, low: point.low, high: point.high,
            change: change.map { HistoryChangeEntry.State($0.state) })
        })
    }
  }
}

/// A change of a series.
package struct HistoryChangeEntry: Codable {
  enum State: String, Codable, CaseIterable {
    case unexpected, expected, undone, small, better

    init(_ state: HistoryChange.State) {
      self =
        switch state {
        case .open: .unexpected
        case .accepted: .expected
        case .undone: .undone
        case .small: .small
        case .better: .better
        }
    }
  }

  var cell: String
  var phase: String
  var metric: String
  var state: State
  /// Why it is expected.
  var reason: String?
  /// The commit that reverted it.
  var undoneBy: String?
  var commit: String
  /// The last commit before it, and the first one that certainly has it.
  var base: String
  var head: String
  var before: Double
  var after: Double
  /// The ratio of after to before; absent if it was 0 before.
  var ratio: Double?
  var p: Double?
  var conditions: [HistoryChange.Condition]

  /// What to do about an unexpected change.
  var next: NextSteps?

  /// Commands that show more about a change, quoted for a shell.
  struct NextSteps: Codable {
    var confirm: String?
    var bisect: String
    var accept: String
  }

  package init(_ change: HistoryChange) {
    (cell, phase, metric) = (change.key.cell, change.key.phase.rawValue, change.key.figure)
    state = State(change.state)
    if case .accepted(let reason) = change.state { self.reason = reason }
    if case .undone(let commit) = change.state { undoneBy = commit }
    (commit, base, head) = (change.commit, change.base, change.head)
    (before, after, ratio, p) = (change.before, change.after, change.ratio, change.p)
    conditions = change.conditions
  }
}

/// The results of a history check.
package struct HistoryCheckDocument: CommandDocument {
  package static let title = "The changes of a history"

  struct Suspect: Codable {
    var cell: String
    var metric: String
    var commit: String
    var base: String
    var before: Double
    var after: Double
    var ratio: Double?
    var p: Double
  }

  var judgedTimes: Int
  var judgedCounters: Int
  /// The number of series of times with too few commits.
  var shortTimes: Int
  var changes: [HistoryChangeEntry]
  var suspects: [Suspect]
  /// The page that was written.
  package var page: String?

  package init(_ page: HistoryPage) {
    let judgement = page.judgement
    (judgedTimes, judgedCounters) = (judgement.judgedTimes, judgement.judgedCounters)
    shortTimes = judgement.shortTimes
    changes = judgement.changes.map { change in
      var entry = HistoryChangeEntry(change)
      guard change.state == .open else { return entry }
      let pair = judgement.pair(change.key, base: change.base, head: change.head)
      entry.next = HistoryChangeEntry.NextSteps(
        confirm: pair.map(page.commands.pair), bisect: page.commands.bisect(change),
        accept: page.commands.accept(change))
      return entry
    }
    suspects = judgement.suspects.map {
      Suspect(
        cell: $0.key.cell, metric: $0.key.figure, commit: $0.commit, base: $0.base, before: $0.before, after: $0.after,
        ratio: $0.ratio, p: $0.p)
    }
  }
}
