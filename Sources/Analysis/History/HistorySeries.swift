// Metrics over commits, which are searched for changes.
package import BatchmarkEngine
internal import Instruments
internal import Statistics

/// The subject of a series.
package struct HistoryKey: Sendable, Hashable, Codable, Comparable {
  package let cell: String
  package let phase: Phase
  /// ``timesReference``, or the column of an exact counter.
  package let figure: String

  package init(cell: String, phase: Phase, figure: String) {
    self.cell = cell
    self.phase = phase
    self.figure = figure
  }

  /// The wall time divided by the reference's in the same run.
  package static let timesReference = "times_reference"

  package var isTime: Bool { figure == HistoryKey.timesReference }

  /// The options that make `pair` judge only this metric, with the margin of comparisons.
  ///
  /// A metric without a phase belongs to the operation's phase.
  var pairLimits: [String] {
    if isTime { return ["--time-only"] }
    let name = phase.isMain ? figure : "\(phase.rawValue).\(figure)"
    return ["--exact-only", "--margin", "exact=none,plans=none,\(name)=\(Int(100 * StoredComparison.figureMargin))%"]
  }

  package static func < (one: HistoryKey, other: HistoryKey) -> Bool {
    (one.cell, one.isTime ? 0 : 1, one.phase.rawValue, one.figure)
      < (other.cell, other.isTime ? 0 : 1, other.phase.rawValue, other.figure)
  }
}

/// A metric's value at a commit.
package struct HistoryPoint: Sendable, Hashable, Codable {
  /// The index of the commit in its ``HistoryLine``.
  package let commit: Int
  /// The median of the commit's runs; for an exact counter, the value of the last run.
  package let value: Double
  /// The interval of a ratio, if the commit has one run.
  package let low: Double?
  package let high: Double?
  /// Whether runs of the commit differ in an exact counter.
  package let isDisputed: Bool
}

/// A metric of a cell over commits.
package struct HistorySeries: Sendable, Hashable {
  package let key: HistoryKey
  /// In the order of commits.
  package let points: [HistoryPoint]
}

extension HistoryLine {
  /// Every series of the current scenarios, sorted.
  ///
  /// Points with another fingerprint are left out, because they answered a different question.
  package var series: [HistorySeries] {
    let today = Dictionary(scenarios.map { ($0.name, $0.fingerprint) }) { $1 }
    var points: [HistoryKey: [HistoryPoint]] = [:]
    for (index, commit) in commits.enumerated() {
      var values: [HistoryKey: [Estimate]] = [:]
      for scenario in commit.runs.flatMap(\.scenarios) where today[scenario.name] == scenario.fingerprint {
        for cell in scenario.cells {
          for phase in cell.phases {
            for (key, value) in phase.figures(of: cell.id) { values[key, default: []].append(value) }
          }
        }
      }
      for (key, values) in values {
        if let point = HistoryPoint(values, of: key, at: index) { points[key, default: []].append(point) }
      }
    }
    return points.map { HistorySeries(key: $0.key, points: $0.value) }.sorted { $0.key < $1.key }
  }

  /// How many runs on the line measured a scenario with a different question than its current one.
  package var runsOfOtherQuestions: Int {
    let today = Dictionary(scenarios.map { ($0.name, $0.fingerprint) }) { $1 }
    return commits.flatMap(\.runs).count { run in
      run.scenarios.contains { today[$0.name] != $0.fingerprint }
    }
  }
}

extension HistoryPhase {
  /// The judged figures: the ratio of the cell's main phase, and exact counters.
  fileprivate func figures(of cell: String) -> [(HistoryKey, Estimate)] {
    // A metric may have had another name when its run was recorded.
    var figures = counters.map { name, count in
      (
        HistoryKey(cell: cell, phase: phase, figure: MetricID(rawValue: name)?.rawValue ?? name),
        Estimate(median: Double(count))
      )
    }
    if isMain, let timesReference, timesReference.median > 0, timesReference.median.isFinite {
      figures.append((HistoryKey(cell: cell, phase: phase, figure: HistoryKey.timesReference), timesReference))
    }
    return figures
  }
}

extension HistoryPoint {
  /// The combined value of a commit's runs, in the order in which they finished.
  fileprivate init?(_ values: [Estimate], of key: HistoryKey, at commit: Int) {
    guard let last = values.last, let middle = median(values.map(\.median)) else { return nil }
    let isOne = values.count == 1
    self.init(
      commit: commit, value: key.isTime ? middle : last.median, low: key.isTime && isOne ? last.low : nil,
      high: key.isTime && isOne ? last.high : nil,
      isDisputed: !key.isTime && Set(values.map(\.median)).count > 1)
  }
}
