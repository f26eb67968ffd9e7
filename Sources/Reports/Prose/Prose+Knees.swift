// The value of a parameter above which a larger one hardly helps, as sentences.
internal import Analysis

extension Prose {
  /// One sentence for each finding; strategies with the same finding share it.
  func knees(_ findings: [Finding]) -> [String] {
    let found = alike(findings) { $0 == $1 }.map { names, knee in
      "**\(HumanUnits.list(names)) \(knee.claim(of: names.count))**\(knee.rest)."
    }
    return found + missingKnees(findings)
  }

  /// The best sizes, in a few words for a title; `nil` if there are none or too many, or if most cells belong to
  /// another question.
  func kneeVerdict(_ findings: [Finding]) -> String? {
    let parts = alike(findings) { $0.one == $1.one }
    let names = parts.flatMap(\.names)
    let swept = findings.lazy.compactMap { finding in
      if case .knee(let parameter, _) = finding.kind { parameter } else { nil }
    }.first
    guard let swept, (1...2).contains(parts.count) else { return nil }
    let cells = scenario.cells.count { names.contains(series([$0.cell.id], by: swept)) }
    guard 2 * cells > scenario.cells.count else { return nil }
    return parts.map { "\(HumanUnits.list($0.names)) \($0.knee.claim(of: $0.names.count))" }.joined(separator: "; ")
  }

  /// The sizes that are or may be the best for any strategy, for a title without room for names; `nil` if there are
  /// none.
  func kneeSettings(_ findings: [Finding]) -> String? {
    let best = findings.flatMap { finding -> [(parameter: String, setting: Setting)] in
      guard case .knee(let parameter, let knee) = finding.kind else { return [] }
      // From the smallest size that may be enough to the one that is known to be enough.
      return [finding.cells[2], finding.cells[knee == .found ? 0 : 1]].compactMap { id in
        cell(id).map { (parameter, scenario.setting(parameter, of: $0)) }
      }
    }.sorted { $0.setting.order < $1.setting.order }
    guard let least = best.first, let most = best.last, Set(best.map(\.parameter)).count == 1 else { return nil }
    let range = [least, most].map(\.setting.text)
    return
      "Best \(Markdown.code(least.parameter)): \(range[0] == range[1] ? range[0] : range.joined(separator: " to "))"
  }

  /// The knees with the same text, each with its strategies.
  private func alike(
    _ findings: [Finding], _ isAlike: (KneeSentence, KneeSentence) -> Bool
  ) -> [(names: [String], knee: KneeSentence)] {
    var parts: [(names: [String], knee: KneeSentence)] = []
    for finding in findings {
      guard case .knee(let parameter, let knee) = finding.kind else { continue }
      let words = words(on: finding, parameter, knee)
      let name = series(finding.cells, by: parameter)
      if let known = parts.firstIndex(where: { isAlike($0.knee, words) }) {
        parts[known].names.append(name)
      } else {
        parts.append(([name], words))
      }
    }
    return parts
  }

  /// Series with too few rounds.
  ///
  /// Whole series of one parameter share a sentence.
  private func missingKnees(_ findings: [Finding]) -> [String] {
    var whole: [(parameter: String, rounds: Int, names: [String])] = []
    var parts: [String] = []
    for finding in findings {
      guard case .noKnee(let parameter, let rounds) = finding.kind else { continue }
      let name = series(finding.cells, by: parameter)
      if rounds == 0 {
        // A missing time is explained with the cell.
        let timed = finding.cells.filter { cell($0)?.main.wall.figure != nil }
        let short = timed.filter { cell($0)?.main.wall.figure?.low == nil }
        if timed.isEmpty { continue }
        let settings = HumanUnits.list((short.isEmpty ? timed : short).map { setting(parameter, of: $0) })
        parts.append(
          short.isEmpty && timed.count < finding.cells.count
            ? "With \(name) only \(settings) \(timed.count == 1 ? "has" : "have") a time, too few to find a knee."
            : "Too few rounds to judge \(settings) with \(name).")
      } else if let known = whole.firstIndex(where: { $0.parameter == parameter && $0.rounds == rounds }) {
        whole[known].names.append(name)
      } else {
        whole.append((parameter, rounds, [name]))
      }
    }
    let sentences = whole.map { parameter, rounds, names in
      "**Too few rounds to find the knee of \(Markdown.code(parameter)) with \(list(names))**: "
        + "\(HumanUnits.counted(rounds, "common round"))."
    }
    // Another answer gives the advice itself.
    let isSaid = scenario.answer.map { $0.isOfTooFewRounds && $0.kind != .size } ?? false
    return sentences.dropLast() + sentences.suffix(1).map { isSaid ? $0 : advised($0) } + parts
  }

  /// The sentence about a strategy, without its name.
  private struct KneeSentence: Equatable {
    /// The text after the name of one strategy, and after the names of several.
    let one: String
    let several: String
    let rest: String

    func claim(of count: Int) -> String { count == 1 ? one : several }
  }

  private func words(on finding: Finding, _ parameter: String, _ knee: FindingKind.Knee) -> KneeSentence {
    let (first, best, earliest, last) = (finding.cells[0], finding.cells[1], finding.cells[2], finding.cells[3])
    let margin = Digits.fixed(Knees.margin * 100, decimals: 0) + " %"
    let value = setting(parameter, of: best)
    let atBest = ("is at its best with \(value)", "are at their best with \(value)")
    var (claim, rest): ((one: String, several: String), String) =
      switch knee {
      case .found:
        (
          ("needs no more than \(setting(parameter, of: first))", "need no more than \(setting(parameter, of: first))"),
          ": it is the smallest shown to take at most \(margin) longer than the best, \(value)"
        )
      case .smallest: (atBest, ", the smallest: more of it gains nothing")
      case .best: (atBest, "")
      case .needed: (atBest, ", and every smaller one takes more than \(margin) longer")
      case .stillGaining:
        (
          ("still gains at \(value)", "still gain at \(value)"),
          ", the largest: every smaller one takes more than \(margin) longer; try larger ones"
        )
      case .all:
        (
          ("is at its best with all rows at once", "are at their best with all rows at once"),
          ": every smaller \(Markdown.code(parameter)) takes more than \(margin) longer"
        )
      case .undecided:
        (
          ("may be better with more than \(value)", "may be better with more than \(value)"),
          ", which has the shortest median"
            + (finding.estimates.first.map { ": \(setting(parameter, of: last)) takes \(range($0))" } ?? "")
        )
      }
    if knee == .undecided { return KneeSentence(one: claim.one, several: claim.several, rest: rest) }
    if knee == .best, isSmallest(earliest, of: parameter) {
      claim = ("has the shortest median with \(value)", "have the shortest median with \(value)")
      rest =
        ", but any amount from \(setting(parameter, of: earliest)) on may be enough: too noisy to tell"
    } else if earliest != first {
      rest +=
        "; \(setting(parameter, of: earliest)) may be enough too, but noise hides whether it is"
    }
    if let decline = finding.estimates.first, last != best {
      rest += "; \(setting(parameter, of: last)) takes \(times(decline)) as the best"
    }
    return KneeSentence(one: claim.one, several: claim.several, rest: rest)
  }

  /// Whether a cell has the smallest amount of its series.
  private func isSmallest(_ id: CellID, of parameter: String) -> Bool {
    scenario.series(by: parameter).contains { $0.amounts.first?.cell.cell.id == id }
  }
}
