// Turns the steps that the search finds in a series into changes between commits.
internal import Statistics

/// A position in a series where the level changes.
struct HistoryStep {
  /// The index of the new level's first point, and the range of its possible values.
  let index: Int
  let range: ClosedRange<Int>
  let before: Double
  let after: Double
  /// `nil` for an exact counter.
  let p: Double?
}

extension HistorySeries {
  /// The changes of a series of times, with the medians of the levels around them.
  func steps(_ found: ChangePointSearch.Series) -> [HistoryStep] {
    let bounds = [0] + found.changes.map(\.index) + [points.count]
    let levels = zip(bounds, bounds.dropFirst()).map { level($0..<$1) }
    return found.changes.enumerated().map { number, change in
      HistoryStep(
        index: change.index, range: change.range, before: levels[number], after: levels[number + 1],
        p: change.adjustedP)
    }
  }

  /// Every position where an exact counter differs from the previous commit.
  var counterSteps: [HistoryStep] {
    points.indices.dropFirst().filter { points[$0].value != points[$0 - 1].value }.map { index in
      HistoryStep(
        index: index, range: index...index, before: points[index - 1].value, after: points[index].value, p: nil)
    }
  }

  /// The distance of each point from its level.
  func residuals(_ steps: [HistoryStep]) -> [Double] {
    let bounds = [0] + steps.map(\.index) + [points.count]
    return zip(bounds, bounds.dropFirst()).flatMap { start, end in
      let level = level(start..<end)
      return points[start..<end].map { $0.value - level }
    }
  }

  private func level(_ part: Range<Int>) -> Double { median(points[part].map(\.value)) ?? 0 }

  func suspect(_ found: ChangePointSearch.Series, in line: HistoryLine) -> HistorySuspect {
    HistorySuspect(
      key: key, commit: commit(found.suspect, line), base: commit(found.suspect - 1, line),
      before: level(0..<found.suspect), after: level(found.suspect..<points.count), p: found.p)
  }

  /// A step as a change between commits.
  func change(
    _ step: HistoryStep, among steps: [HistoryStep], in line: HistoryLine, _ accepted: AcceptedChanges
  ) -> HistoryChange {
    HistoryChange(
      key: key, commit: commit(step.index, line), base: commit(step.range.lowerBound - 1, line),
      head: commit(step.range.upperBound, line), before: step.before, after: step.after, p: step.p,
      state: state(of: step, among: steps, in: line, accepted), conditions: conditions(at: step, in: line))
  }

  /// The hash at a point.
  private func commit(_ point: Int, _ line: HistoryLine) -> String { line.commits[points[point].commit].id }

  private func state(
    of step: HistoryStep, among steps: [HistoryStep], in line: HistoryLine, _ accepted: AcceptedChanges
  ) -> HistoryChange.State {
    if let known = accepted.changes.first(where: { isMeant(step, by: $0, in: line) }) {
      return .accepted(reason: known.reason)
    }
    if step.after < step.before { return .better }
    if step.p == nil, isWithinMargin(step.after, of: step) { return .small }
    let later = steps.first { other in
      other.index > step.index
        && (step.p == nil
          ? isWithinMargin(other.after, of: step) : abs(other.after - step.before) < abs(other.after - step.after))
    }
    return later.map { .undone(by: commit($0.index, line)) } ?? .open
  }

  /// Whether a count exceeds the one before a step by at most the margin of comparisons.
  private func isWithinMargin(_ value: Double, of step: HistoryStep) -> Bool {
    value - step.before <= StoredComparison.figureMargin * step.before
  }

  /// How many commits an accepted change may move when more runs become known.
  private static let slack = 2

  /// Whether the step is an accepted change: the same metric, at a commit in the step's range or near it.
  private func isMeant(_ step: HistoryStep, by accepted: AcceptedChange, in line: HistoryLine) -> Bool {
    guard accepted.cell == key.cell, accepted.phase == key.phase, accepted.figure == key.figure,
      let point = points.firstIndex(where: { line.commits[$0.commit].id == accepted.commit })
    else { return false }
    let slack = step.p == nil ? 0 : HistorySeries.slack
    return (step.range.lowerBound - slack...step.range.upperBound + slack).contains(point)
  }

  /// What else changed at the commits of a step's range.
  private func conditions(at step: HistoryStep, in line: HistoryLine) -> [HistoryChange.Condition] {
    let first = points[step.range.lowerBound - 1].commit
    let last = points[step.range.upperBound].commit
    return (first..<last).flatMap { index -> [HistoryChange.Condition] in
      guard let old = line.commits[index].runs.last, let new = line.commits[index + 1].runs.last else { return [] }
      var changed = new.conditions.differences(from: old.conditions)
      for (name, word) in [
        ("program of the engine", \HistoryCell.programVersion), ("SQLite of the engine's program", \.programSQLite),
      ] {
        if let before = old.cell(key.cell)?[keyPath: word], let after = new.cell(key.cell)?[keyPath: word],
          before != after
        {
          changed.append((name, before, after))
        }
      }
      return changed.map {
        HistoryChange.Condition(name: $0.name, before: $0.before, after: $0.after, commit: line.commits[index + 1].id)
      }
    }
  }
}
