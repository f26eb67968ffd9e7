// Judges budgets from results alone, so that stored results can be judged again, by their own budgets or by others.
package import Harness
internal import Instruments
package import BatchmarkEngine

extension Report {
  /// The scenario's budgets with their verdicts, in their order and that of the cells.
  package func judgements(of scenario: ScenarioReport) -> [BudgetJudgement] {
    judgements(of: scenario, by: scenario.budgets)
  }

  /// Budgets judged by the figures of a scenario.
  ///
  /// A time is judged by its median, a latency over the operations of all rounds, and an exact metric by its value in
  /// every sample. In a quick run, only exact metrics are judged.
  package func judgements(of scenario: ScenarioReport, by budgets: [Budget]) -> [BudgetJudgement] {
    budgets.flatMap { budget -> [BudgetJudgement] in
      let cells: [String?] = budget.figure.cells.isEmpty ? [nil] : budget.figure.cells
      return cells.map { scenario.judgement(of: budget, for: $0, isQuick: run.isQuick) }
    }
  }
}

extension Sequence<BudgetJudgement> {
  /// The command status for some judgements.
  package var status: CommandStatus {
    let verdicts = Set(map(\.verdict))
    if verdicts.contains(.broken) { return .regression }
    return verdicts.contains(.undecided) ? .inconclusive : .success
  }
}

extension ScenarioReport {
  fileprivate func judgement(of budget: Budget, for cell: String?, isQuick: Bool) -> BudgetJudgement {
    var judgement = BudgetJudgement(budget: budget, cell: cell, verdict: .skipped)
    guard let cell else {
      judgement.gap = .renamed
      return judgement
    }
    do throws(NoReading) {
      let found = try reading(of: budget.figure, in: cell, isQuick: isQuick)
      var limit = JudgedFigure(budget.limit.number)
      if let other = budget.limit.figure {
        guard let cell = other.cells.first else { throw NoReading(.skipped, .renamed) }
        limit = try reading(of: other, in: cell, isQuick: isQuick).times(budget.limit.number)
      }
      (judgement.found, judgement.limit) = (found, limit)
      var holds = budget.comparison.holds(found.value, limit.value)
      // If samples differ in an exact metric, each of them must meet the budget.
      if judgement.figure?.isExact == true && judgement.spansLimit(holding: holds) { holds = false }
      judgement.verdict = holds ? .held : .broken
    } catch {
      (judgement.verdict, judgement.gap) = (error.verdict, error.gap)
    }
    return judgement
  }

  private func reading(of figure: BudgetFigure, in id: String, isQuick: Bool) throws(NoReading) -> JudgedFigure {
    let missing = NoReading(.undecided, .missing(cell: id, phase: figure.phase, column: figure.column))
    guard let cell = cells.first(where: { $0.cell.id == id }) else { throw NoReading(.skipped, .leftOut(cell: id)) }
    guard let kind = MetricID(rawValue: figure.column), let phase = Phase(rawValue: figure.phase) else { throw missing }
    if isQuick && !kind.isExact { throw NoReading(.skipped, .quick) }
    if !cell.failures.isEmpty { throw NoReading(.undecided, .failed(cell: id, samples: cell.failures.count)) }
    // A latency has an interval, as a time does. The maximum has none, because it grows with the number of operations.
    if kind.isLatency, phase == cell.mainPhase, let seconds = cell.latency(kind) {
      return JudgedFigure(
        seconds.median, low: seconds.low, high: seconds.high,
        isTooSparse: seconds.low == nil && kind.latencyFigure != .longest)
    }
    guard let reading = cell.summary(of: phase)?.reading(of: kind) else { throw missing }
    return reading
  }
}

/// There is no figure to judge by.
private struct NoReading: Error {
  let verdict: BudgetVerdict
  let gap: BudgetGap

  init(_ verdict: BudgetVerdict, _ gap: BudgetGap) { (self.verdict, self.gap) = (verdict, gap) }
}

extension BudgetJudgement {
  fileprivate func spansLimit(holding holds: Bool) -> Bool {
    var judged = self
    judged.verdict = holds ? .held : .broken
    return judged.spansLimit
  }
}

extension PhaseReport {
  fileprivate func reading(of figure: MetricID) -> JudgedFigure? {
    switch figure {
    case .wall: return wall.figure.map(JudgedFigure.init)
    case .timesReference: return timesReference.figure.map(JudgedFigure.init)
    case .cpu: return cpuMedian.figure.map { JudgedFigure($0) }
    case .rowsPerSecond:
      guard let wall = wall.figure, let rowsPerSecond = rowsPerSecond.figure else { return nil }
      // A low rate corresponds to a long time.
      let ends = [wall.high, wall.low].map { $0.flatMap { $0 > 0 ? Double(rows) / $0 : nil } }
      return JudgedFigure(rowsPerSecond, low: ends[0], high: ends[1], isTooSparse: wall.low == nil)
    default:
      guard let value = metrics[figure] else { return nil }
      let seen = disagreements[figure] ?? []
      // Limits of times are in seconds.
      let factor = figure.isTime ? 1e-9 : 1
      return JudgedFigure(Double(value), low: seen.min().map(Double.init), high: seen.max().map(Double.init))
        .times(factor)
    }
  }
}

extension CellReport {
  /// Why a metric of a phase is missing.
  package func absence(of figure: MetricID, in phase: Phase) -> String {
    let summary = summary(of: phase) ?? PhaseReport(phase, of: self)
    let reason =
      switch figure {
      case .wall: summary.wall.reason
      case .timesReference: summary.timesReference.reason
      case .cpu: summary.cpuMedian.reason
      case .rowsPerSecond: summary.rowsPerSecond.reason
      default: summary[figure].reason
      }
    return reason ?? "the figure is no number to judge by"
  }
}

extension JudgedFigure {
  fileprivate init(_ estimate: Estimate) {
    self.init(estimate.median, low: estimate.low, high: estimate.high, isTooSparse: estimate.low == nil)
  }
}
