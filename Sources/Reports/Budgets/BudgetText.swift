// The text of judged budgets: the metric, the limit and what else a reader must know, as lines for a terminal and a
// report.
package import Analysis

/// A judged budget as reports show it.
package struct BudgetText {
  let scenario: ScenarioReport
  let judgement: BudgetJudgement

  /// One line for each judged budget and cell, without a line feed: `BROKEN save.syncs <= 5: 8`.
  package static func lines(_ judgements: [BudgetJudgement], of scenario: ScenarioReport) -> [String] {
    let width = BudgetVerdict.allCases.map(\.rawValue.count).max() ?? 0
    return judgements.map { judgement in
      let words = BudgetText(scenario: scenario, judgement: judgement)
      let verdict = judgement.verdict.rawValue
      return verdict + String(repeating: " ", count: width - verdict.count + 2) + judgement.budget.text.onOneLine
        + (words.label.map { ", \($0.onOneLine)" } ?? "") + ": " + words.finding.onOneLine
    }
  }

  /// The cell's name if the budget's own text may refer to several cells; `nil` if it refers to one.
  var label: String? {
    guard let id = judgement.cell, judgement.budget.figure.cells.count > 1 else { return nil }
    return label(of: id)
  }

  /// `250 ms [245, 302], and the limit is 206 ms [200, 249]; the interval reaches beyond the limit`.
  var finding: String {
    if let gap = judgement.gap { return sentence(on: gap) }
    guard let found = judgement.found, let limit = judgement.limit, let figure = judgement.figure else { return "" }
    let bound = judgement.budget.limit.figure == nil ? "" : ", and the limit is \(text(limit, figure))"
    return text(found, figure) + bound + remark(figure)
  }

  private func remark(_ figure: MetricID) -> String {
    if judgement.spansLimit {
      return figure.isExact
        ? "; its samples differ, and must all keep to the limit"
        : "; the interval reaches beyond the limit, so this may be chance"
    }
    return judgement.hasNoInterval ? "; too few rounds for an interval" : ""
  }

  private func sentence(on gap: BudgetGap) -> String {
    switch gap {
    case .quick: "a quick run gives no times to judge by"
    case .leftOut(let cell): "\(label(of: cell)) was not measured"
    case .renamed: "no cell has that name under the settings of the run"
    case .failed(let cell, let samples): "\(HumanUnits.counted(samples, "sample")) of \(label(of: cell)) failed"
    case .missing(let cell, let phase, let column):
      "\(label(of: cell)) has no \(column) in the phase \(phase): \(absence(in: cell, phase: phase, column: column))"
    }
  }

  private func absence(in id: String, phase: String, column: String) -> String {
    guard let cell = scenario.cells.first(where: { $0.cell.id == id }), let phase = Phase(rawValue: phase),
      let figure = MetricID(rawValue: column)
    else { return "this version does not know it" }
    return cell.absence(of: figure, in: phase)
  }

  private func label(of id: String) -> String { scenario.cells.first { $0.cell.id == id }?.label ?? id }

  // MARK: Figures

  private func text(_ reading: JudgedFigure, _ figure: MetricID) -> String {
    let value = text(reading.value, figure)
    guard let low = reading.low, let high = reading.high else { return value }
    if figure.isExact { return "\(text(low, figure)) to \(text(high, figure))" }
    switch figure.declaration.kind {
    case .time: return HumanUnits.time(Estimate(median: reading.value, low: low, high: high))
    case .bytes, .number: return "\(value) [\(text(low, figure)), \(text(high, figure))]"
    }
  }

  /// Exact metrics keep their last digit: one byte too many breaks a budget.
  private func text(_ value: Double, _ figure: MetricID) -> String {
    let digits = Int64(exactly: value).map { Digits.grouped($0) } ?? Digits.significant(value)
    return switch figure.declaration.kind {
    case .time: HumanUnits.time(value)
    case .number: digits
    case .bytes where value < 1024: "\(digits) B"
    case .bytes: "\(digits) B" + (Int64(exactly: value.rounded()).map { " (\(HumanUnits.bytes($0)))" } ?? "")
    }
  }
}
