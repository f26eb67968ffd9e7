// One rule of a gate: a metric, and how far it may change.
import BatchmarkEngine

/// Reads the text of a rule.
struct GateReading {
  let metrics: [MetricDeclaration]
  let words: MetricReader

  /// The word for the wall time of the main phase.
  static let time = "time"
  /// The word for every exact metric.
  static let exact = "exact"
  /// The word for SQLite's query plans.
  static let plans = "plans"
  /// The limit for plans that must not change.
  static let unchanged = "unchanged"
  /// The limit for a metric that is not judged.
  static let none = "none"
  /// A smaller slowdown can be caused by the layout of the executable.
  static let leastTimeShare = 0.01

  /// The metric to the left of a limit, `[cell.][phase.]metric`.
  func subject(
    _ text: String
  ) throws(MetricMistake) -> (cells: [String]?, phase: String, subject: GateRule.Subject, kind: MetricKind) {
    var scanner = BudgetScanner(text)
    let token = scanner.rest()
    let parts = token.parts
    let last = parts.last ?? token
    if let latency = latency(token) {
      let example = words.cells?.first.map(\.strategy) ?? "cell"
      throw MetricMistake(
        offset: latency.offset, found: "the latency \(shown(latency.text)) in a gate, which pair judges",
        expected:
          "time, exact or an exact figure here, and for the latency a budget, such as budgets: [\(example).\(latency.text) "
          + "<= 50 ms]: pair has two builds take turns within a sample, and operations beside one would wait for the other"
      )
    }
    let (subject, kind) = try figure(last)
    guard parts.count > 1 else { return (nil, words.mainPhase, subject, kind) }
    let front = token.prefix(before: last)
    let isPhase = words.phases.contains(front.text)
    let (cells, phase): ([String]?, String) =
      isPhase ? (nil, front.text) : front.text == "*" ? (nil, words.mainPhase) : try words.subject(front)
    if subject == .time && phase != words.mainPhase {
      throw MetricMistake(
        offset: 0, found: "the time of the phase \(shown(phase))",
        expected: "\(GateReading.time) alone, the time of \(words.mainPhase): both sides take no other phase by turns")
    }
    if subject == .plans && phase != words.mainPhase {
      throw MetricMistake(
        offset: 0, found: "the plans of the phase \(shown(phase))",
        expected: "\(GateReading.plans) alone, the plans of \(words.mainPhase): those of no other phase are asked for")
    }
    return (cells, phase, subject, kind)
  }

  /// The latency at the end of the text.
  ///
  /// Its name contains dots.
  private func latency(_ token: BudgetToken) -> BudgetToken? {
    token.parts.lazy.map { BudgetToken(text: token.suffix(from: $0), offset: $0.offset) }.first { words in
      metrics.contains { $0.id.isLatency && ($0.name == words.text || $0.column == words.text) }
    }
  }

  private func figure(_ token: BudgetToken) throws(MetricMistake) -> (GateRule.Subject, MetricKind) {
    if token.text == GateReading.time { return (.time, .time) }
    if token.text == GateReading.exact { return (.exact, .number) }
    if token.text == GateReading.plans { return (.plans, .number) }
    let judged = metrics.filter(\.isJudged)
    if let figure = judged.first(where: { $0.name == token.text || $0.column == token.text }) {
      return (.figure(figure.column), figure.kind)
    }
    let known = [GateReading.time, GateReading.exact, GateReading.plans] + judged.map(\.name)
    throw MetricMistake(
      offset: token.offset, found: token.text.isEmpty ? "no figure" : "the figure \(shown(token.text))",
      expected: "one of " + known.joined(separator: ", "),
      suggestion: token.text == "wall" ? GateReading.time : nearestWord(to: token.text, among: known))
  }

  /// How far the metric may change: `3%`, `100`, `64 KiB`, with `±` for both directions; `nil` for `none`.
  func limit(
    _ text: String, of subject: GateRule.Subject, _ kind: MetricKind
  ) throws(MetricMistake) -> GateLimit? {
    if text == GateReading.none { return nil }
    if subject == .plans {
      if text == GateReading.unchanged { return GateLimit(.absolute(0), isTwoSided: true) }
      throw MetricMistake(
        offset: 0, found: shown(text), expected: "\(GateReading.unchanged) or \(GateReading.none)",
        suggestion: nearestWord(to: text, among: [GateReading.unchanged, GateReading.none]))
    }
    let sign = ["±", "+-"].first(where: text.hasPrefix)
    let amount = text.dropFirst(sign?.count ?? 0)
    guard let limit = share(amount, of: subject) ?? absolute(String(amount), of: subject, kind) else {
      throw MetricMistake(offset: 0, found: shown(text), expected: expectation(of: subject, kind))
    }
    return GateLimit(limit, isTwoSided: sign != nil)
  }

  private func share(_ text: Substring, of subject: GateRule.Subject) -> GateLimit.Amount? {
    guard text.hasSuffix("%"), let percent = decimalNumber(String(text.dropLast())), percent >= 0, percent <= 100,
      subject != .time || percent >= 100 * GateReading.leastTimeShare
    else { return nil }
    return .share(percent / 100)
  }

  private func absolute(_ text: String, of subject: GateRule.Subject, _ kind: MetricKind) -> GateLimit.Amount? {
    var scanner = BudgetScanner(text)
    guard subject != .time, let value = scanner.number()?.value, value >= 0 else { return nil }
    let unit = scanner.rest().text
    let units = subject == .exact ? [] : kind.units
    if unit.isEmpty && units.isEmpty { return Int64(exactly: value).map { .absolute($0) } }
    guard let factor = units.first(where: { $0.name == unit })?.factor else { return nil }
    // Values counted in nanoseconds are written in seconds.
    return Int64(exactly: (value * factor * (kind == .time ? 1e9 : 1)).rounded()).map { .absolute($0) }
  }

  private func expectation(of subject: GateRule.Subject, _ kind: MetricKind) -> String {
    if subject == .time { return "a percentage from 1% to 100%, such as 3%, or \(GateReading.none)" }
    let units = subject == .exact ? [] : kind.units
    let number = units.isEmpty ? "100" : "64 \(units[min(1, units.count - 1)].name)"
    return "a percentage such as 1%, a number such as \(number), with ± before it for both directions, "
      + "or \(GateReading.none)"
  }
}
