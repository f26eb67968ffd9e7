// The fastest, slowest and leanest cells, as sentences.
internal import Support
internal import Analysis

extension Prose {
  /// The sentences on the rankings of all groups.
  func ranking(_ findings: [Finding]) -> [String] {
    let groups = Set(findings.compactMap(\.group))
    if groups.count <= 1 {
      return [speed(findings), leanest(findings), restriction].compactMap(\.self)
    }
    // Groups with the same ending share a part of the sentence.
    var parts: [(words: String, groups: [Int])] = []
    for group in groups.sorted() {
      let own = findings.filter { $0.group == group }
      guard let words = standing(own) else { continue }
      if let last = parts.indices.last, parts[last].words == words {
        parts[last].groups.append(group)
      } else {
        parts.append((words, [group]))
      }
    }
    if parts.count == 1, parts[0].groups.count == self.groups.count { return ["In every group \(parts[0].words)."] }
    return parts.map { "\(title(of: $0.groups)), \($0.words)." }
  }

  // MARK: One group

  func speed(_ findings: [Finding]) -> String? {
    var sentences = findings.compactMap { finding -> String? in
      switch finding.kind {
      case .fastestOfObjectGraph: choice(finding)
      case .fastest: fastest(finding, among: findings)
      case .tied: tied(finding, slowest: findings.first { $0.kind == .slowest })
      case .unranked(let rounds): unranked(finding, rounds: rounds, isAll: !findings.contains(where: \.isOrder))
      case .onlyCell:
        "\(name(finding.cells[0])) is the only cell\(only): \(HumanUnits.time(finding.estimates[0]))."
      case .order(let order):
        order.tiers.count > 2 || !order.unplaced.isEmpty ? self.order(order, of: finding.group) : nil
      default: nil
      }
    }
    let timeless = findings.filter { $0.kind == .timeless }.flatMap(\.cells)
    let isNobodyRanked = findings.contains { if case .unranked = $0.kind { true } else { false } }
    if sentences.isEmpty, !isNobodyRanked, findings.contains(where: { $0.kind == .timeless }) {
      return "**Nothing can be said of speed**: no cell has a time."
    }
    let reasons = timeless.compactMap { cell($0)?.main.wall.reason }
    for reason in reasons.enumerated().filter({ reasons.firstIndex(of: $1) == $0 }).map(\.element) {
      let cells = timeless.filter { cell($0)?.main.wall.reason == reason }
      sentences.append(
        "\(names(cells)) \(cells.count == 1 ? "has" : "have") no time: \(Markdown.escaped(reason)).")
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// What distinguishes a cell that is alone: all others have no time, or did other work.
  private var only: String {
    let timed = scenario.cells.count { $0.main.wall.figure != nil }
    // Cells that show the harness's own cost did the same work.
    if timed > 1, scenario.cells.count(where: { !$0.cell.showsHarnessCost }) == 1 { return " that is ranked" }
    return scenario.cells.count == 1 ? "" : timed == 1 ? " with a time" : " that did its work"
  }

  /// `a and b are faster than c, d lies between`: the known part of the order.
  private func order(_ order: PartialOrder, of group: Int?) -> String {
    func short(_ ids: [CellID]) -> String {
      HumanUnits.list(ids.map { groups.count > 1 ? shortName($0, in: group) : name($0) })
    }
    let tiers = order.tiers.enumerated().map { index, tier in
      tier.count > Prose.mostTied ? "\(tier.count) \(index == 0 ? "cells" : "others")" : short(tier)
    }
    // Cells without a known position may be faster than the first one.
    let start = order.unplaced.isEmpty ? "For certain, fastest first" : "Only this order is certain, fastest first"
    var text = "\(start): \(tiers.joined(separator: "; then "))"
    if !order.unplaced.isEmpty, order.unplaced.count <= Prose.mostTied {
      text += ". Too noisy to place: \(short(order.unplaced.map(\.cell)))"
    } else if !order.unplaced.isEmpty {
      text += ". Too noisy to place: \(order.unplaced.count) cells"
    }
    return text + "."
  }

  private func choice(_ finding: Finding) -> String {
    let time = HumanUnits.time(finding.estimates[0])
    if finding.certainty == .certain {
      return
        "Through the object graph, **\(name(finding.cells[0])) is fastest**, \(time); the next, \(name(finding.cells[1])), takes "
        + "\(times(finding.estimates[1]))."
    }
    let start =
      "Through the object graph, \(name(finding.cells[0])) has the shortest median, \(time), which may be chance: "
    if finding.cells.count > Prose.mostTied {
      let others = HumanUnits.counted(finding.cells.count - 1, "other")
      return start + "\(others) take \(span(finding.estimates.dropFirst()))."
    }
    let others = zip(finding.cells, finding.estimates).dropFirst().map { "\(name($0)) takes \(range($1))" }
    return start + "\(HumanUnits.list(others))."
  }

  /// `0.49 to 3.8 times as long`: from the lowest to the highest end of several intervals.
  func span(_ ratios: some Collection<Estimate>) -> String {
    let least = ratios.map { $0.low ?? $0.median }.min() ?? 1
    let most = ratios.map { $0.high ?? $0.median }.max() ?? 1
    return "\(Digits.short(least)) to \(Digits.short(most)) times as long"
  }

  /// Whether each one takes longer by its own interval.
  ///
  /// Together with other claims, even that may be uncertain.
  static func areAllLonger(_ ratios: some Collection<Estimate>) -> Bool {
    !ratios.isEmpty && ratios.allSatisfy { $0.low.map { $0 > 1 } ?? false }
  }

  private func fastest(_ finding: Finding, among findings: [Finding]) -> String {
    var text = "**\(name(finding.cells[0])) is fastest\(ofRanked(findings))**, "
    text += "\(HumanUnits.time(finding.estimates[0])); the next, "
    text += "\(name(finding.cells[1])), takes \(times(finding.estimates[1]))"
    if let slowest = findings.first(where: { $0.kind == .slowest }) {
      text += "; the slowest, \(name(slowest.cells[1])), \(times(slowest.estimates[0]))"
    }
    return text + "."
  }

  /// A restriction of the claim about the fastest cell if a cell with too few rounds has a shorter time; otherwise
  /// empty.
  private func ofRanked(_ findings: [Finding]) -> String {
    let hasRival = findings.contains { finding in
      guard case .unranked = finding.kind else { return false }
      return finding.estimates.dropFirst().contains { $0.median < 1 }
    }
    return hasRival ? " of the cells with enough rounds" : ""
  }

  private func tied(_ finding: Finding, slowest: Finding?) -> String {
    let others = zip(finding.cells.dropFirst(), finding.estimates.dropFirst())
    let bounds = finding.estimates.dropFirst().flatMap { [$0.low, $0.high] }
    let isClose = bounds.allSatisfy { $0.map(Prose.sameTime.contains) ?? false }
    let first = name(finding.cells[0])
    let isLikely = Prose.areAllLonger(finding.estimates.dropFirst())
    let likely = "**\(first) may be fastest**, but that is not certain: "
    var text: String
    if isClose {
      text = "**\(names(finding.cells)) take the same time** to within 5 %, \(HumanUnits.time(finding.estimates[0]))"
    } else if finding.cells.count > Prose.mostTied, isLikely {
      text =
        likely + "\(HumanUnits.counted(finding.cells.count - 1, "other")) take \(span(finding.estimates.dropFirst()))"
    } else if finding.cells.count > Prose.mostTied {
      let others = HumanUnits.counted(finding.cells.count - 2, "other cell")
      text =
        "**Too noisy to rank \(name(finding.cells[0])), \(name(finding.cells[1])) and \(others)**: against the first they "
      text += "take \(span(finding.estimates.dropFirst()))"
    } else if finding.cells.count == 2, let other = finding.estimates.last {
      text =
        isLikely
        ? "**\(first) may be faster than \(name(finding.cells[1]))**, which takes \(range(other)), but that is not certain"
        : "**Too noisy to rank \(names(finding.cells))**: \(range(other))"
    } else {
      text = isLikely ? likely : "**Too noisy to rank \(names(finding.cells))**: against \(first), "
      text += HumanUnits.list(others.map { "\(name($0)) takes \(range($1))" })
    }
    if let slowest { text += "; the slowest, \(name(slowest.cells[1])), takes \(times(slowest.estimates[0]))" }
    // The answer above already has the advice.
    let needsAdvice = !isClose && scenario.answer?.verdict != .cannotTell
    return text + (needsAdvice ? ". Stop other programs, or take more rounds." : ".")
  }

  /// More cells are summarized by their range; the tables list all of them.
  private static let mostTied = 4
  /// A difference within this range is too small to choose a strategy by.
  private static let sameTime = 0.95...1.05

  private func unranked(_ finding: Finding, rounds: Int, isAll: Bool) -> String? {
    if isAll, let answer = scenario.answer, answer.isOfTooFewRounds {
      // The answer above says so for its own strategies.
      return answer.choice.first == finding.cells[0]
        ? nil
        : "Of all cells, \(name(finding.cells[0])) has the shortest median, "
          + "\(HumanUnits.time(finding.estimates[0].median)), which may be chance."
    }
    if isAll {
      return advised(
        "**Too few rounds to rank the cells by time**: of \(HumanUnits.counted(rounds, "round")), \(name(finding.cells[0])) has "
          + "the shortest median, \(HumanUnits.time(finding.estimates[0].median)), which may be chance.")
    }
    let cells = zip(finding.cells, finding.estimates).dropFirst().map { id, ratio in
      "\(name(id)) (\(range(ratio)))"
    }
    return "Too few rounds to rank \(HumanUnits.list(cells))."
  }

  /// The cell with the smallest heap, the heap of the fastest cell, and the cell with the largest heap.
  ///
  /// Exact figures need no interval.
  func leanest(_ findings: [Finding]) -> String? {
    guard let finding = findings.first(where: { $0.kind == .leanest }), let most = finding.estimates.last?.median else {
      return nil
    }
    let own = findings.filter { $0.group == finding.group }
    let fastest =
      own.first { $0.kind == .fastestOfObjectGraph } ?? own.first { $0.kind == .fastest || $0.kind == .tied }
    let group = finding.group.flatMap { groups.indices.contains($0) ? groups[$0].cells : nil } ?? []
    // Figures with the same text look equal to a reader.
    let mostText = HumanUnits.bytes(Int64(clamping: most))
    let largest = group.filter { heapPeak($0).map(HumanUnits.bytes) == mostText }
    let least = Int64(clamping: finding.estimates[0].median)
    let upTo = finding.cells.compactMap(heapPeak).max() ?? least
    let middle = fastest?.cells.first.flatMap { id in
      finding.cells.contains(id) || largest.contains(id) ? nil : heapPeak(id).map { (id: id, bytes: $0) }
    }
    let isOfAll = group.compactMap(cell).allSatisfy { $0.cell.showsHarnessCost || $0.main.metrics[.heapPeak] != nil }
    let ofKnown = isOfAll ? "" : " of the cells whose heap was measured"
    // Only figures that are shown determine the unit.
    let bytes = [least, upTo] + (middle.map { [$0.bytes] } ?? []) + (largest.isEmpty ? [] : [Int64(clamping: most)])
    let amounts = HumanUnits.bytes(bytes)
    var text =
      "**\(names(finding.cells)) \(finding.cells.count == 1 ? "needs" : "need") the least memory\(ofKnown)**, with a heap peak of "
    text += amounts[0] == amounts[1] ? amounts[0] : "\(amounts[0]) to \(amounts[1])"
    if let middle { text += "; \(name(middle.id)) needs \(amounts[2])" }
    if let amount = amounts.last, !largest.isEmpty {
      text += "; \(names(largest)) \(largest.count == 1 ? "needs" : "need") the most, \(amount)"
    }
    return text + "."
  }

  private func heapPeak(_ id: CellID) -> Int64? { cell(id)?.main.metrics[.heapPeak] }

  /// A note that the times exclude merging, if some cell merges.
  private var restriction: String? {
    guard scenario.cells.contains(where: { $0.summary(of: .merge)?.wall.figure != nil }) else { return nil }
    return "The ranking is by the time to store alone, without telling other contexts."
  }

  // MARK: Several groups

  /// A part of a sentence, with names that omit what all compared cells have in common.
  private func standing(_ findings: [Finding]) -> String? {
    for finding in findings {
      func short(_ id: CellID) -> String { shortName(id, in: finding.group) }
      let first = finding.cells.first.map(short) ?? ""
      switch finding.kind {
      case .fastest: return "**\(first) is fastest\(ofRanked(findings))**"
      case .tied where finding.estimates.dropFirst().allSatisfy(\.isWithinFivePercent):
        let others = finding.cells.count - 1
        return finding.cells.count > Prose.mostTied
          ? "\(first) and \(HumanUnits.counted(others, "other cell")) take the same time to within 5 %"
          : "\(HumanUnits.list(finding.cells.map(short))) take the same time to within 5 %"
      case .tied where Prose.areAllLonger(finding.estimates.dropFirst()):
        return "\(first) may be fastest, but that is not certain"
      case .tied where finding.cells.count > Prose.mostTied:
        let others = HumanUnits.counted(finding.cells.count - 2, "other cell")
        return "\(first), \(short(finding.cells[1])) and \(others) are too noisy to rank"
      case .tied: return "\(HumanUnits.list(finding.cells.map(short))) are too noisy to rank"
      case .unranked: return "there are too few rounds to rank the cells"
      // A cell that is the only one for its work is reported elsewhere.
      case .onlyCell: return isAlone(finding) ? nil : "only \(first) has a time"
      case .timeless: return "no cell has a time"
      default: continue
      }
    }
    return nil
  }

  /// A cell's name without the settings that all cells of its group share, and without those that define its kind of
  /// work.
  func shortName(_ id: CellID, in group: Int?) -> String {
    guard var short = cell(id)?.cell else { return name(id) }
    let others = group.flatMap { groups.indices.contains($0) ? groups[$0].cells : nil } ?? []
    let members = others.compactMap { cell($0)?.cell }
    for (key, value) in short.parameters
    where ScenarioReport.workKeys.contains(key) || members.allSatisfy({ $0.parameters[key] == value }) {
      short.parameters[key] = nil
    }
    return Markdown.code(short.label)
  }

  /// The conditions of a group.
  ///
  /// If another group has the same conditions, also what else all its cells share, such as a pragma.
  func place(of index: Int?) -> String {
    guard let index, groups.indices.contains(index) else { return "" }
    return placeParameters(of: index).map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  func placeParameters(of index: Int) -> [(key: String, value: String)] {
    let group = groups[index]
    let namesakes = groups.indices.filter { $0 != index && groups[$0].conditions == group.conditions }
    let named = group.conditions.map { (key: $0.key, value: $0.value) }
    guard !namesakes.isEmpty else { return named }
    let others = namesakes.map { shared(by: groups[$0]) }
    let own = shared(by: group).filter { key, value in
      !group.conditions.contains { $0.key == key } && others.contains { $0[key] != nil && $0[key] != value }
    }
    let known = named + own.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    // If a cell does not set it, ask the store.
    let answered = namesakes.compactMap { groups[$0].ending?.durability }
    let pragmas = (group.ending?.durability ?? []).filter { pragma in
      !known.contains { $0.key == pragma.name }
        && answered.contains { $0.contains { $0.name == pragma.name && $0.value != pragma.value } }
    }
    return known + pragmas.map { (key: $0.name, value: $0.word) }
  }

  /// The parameters that all cells of a group have, as text.
  private func shared(by group: ComparableGroup) -> [String: String] {
    let all = group.cells.compactMap { cell($0)?.cell.parameters.mapValues(\.description) }
    return all.dropFirst().reduce(all.first ?? [:]) { known, other in known.filter { other[$0.key] == $0.value } }
  }

  private func isAlone(_ finding: Finding) -> Bool {
    guard let index = finding.group, groups.indices.contains(index) else { return false }
    return groups[index].cells.count == 1
  }

  /// What distinguishes a group, as the heading above its cells: `rows=1000, cells with 5 relationships`.
  func heading(of index: Int) -> String {
    let group = groups[index]
    let parts = [group.name.isEmpty ? nil : group.name, ending(of: group).map { "cells \($0)" }].compactMap(\.self)
    return parts.isEmpty ? "all cells" : parts.joined(separator: ", ")
  }

  /// What distinguishes groups from the others: `At rows=1000`; for a scenario with one group, all cells.
  func title(of indices: [Int]) -> String {
    let conditions = indices.map { groups[$0].name }.filter { !$0.isEmpty }
    var known: Set<String> = []
    let places = conditions.filter { known.insert($0).inserted }.map { Markdown.code($0) }
    let endings = indices.compactMap { ending(of: groups[$0]) }
    let among = endings.isEmpty ? "" : "among cells \(HumanUnits.list(Array(Set(endings)).sorted()))"
    if places.isEmpty { return among.isEmpty ? "Of all cells" : among.uppercasedFirst }
    return "At \(HumanUnits.list(places))" + (among.isEmpty ? "" : ", \(among)")
  }
}

extension Finding {
  /// Whether the finding says which cell is first.
  fileprivate var isOrder: Bool { kind == .fastest || kind == .tied }
}
