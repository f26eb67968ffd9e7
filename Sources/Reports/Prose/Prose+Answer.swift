// The answer to a scenario's question in one paragraph: the choice and how certain it is, the cost of the alternatives,
// the choice's trade-offs, and then its peers.
internal import Analysis
internal import Support

extension Prose {
  /// With more sentences, the answer would be a list.
  static let mostSentences = 6

  /// The answer as sentences, the most important first.
  var answer: [String] {
    guard let answer = scenario.answer else { return ["**Nothing can be said of speed**: no cell has a time."] }
    let apart = work(
      scenario.mainFindings.filter { finding in
        if case .unequalWork(let difference) = finding.kind {
          !isSaidByPlace(finding, difference, of: answer)
        } else {
          false
        }
      })
    switch answer.kind {
    case .choice:
      guard let about = answer.about else { return chosen(answer) + apart.prefix(2) }
      return exact(answer, about) + apart.prefix(1)
    case .growth, .reference: return Array(growth(answer).prefix(Prose.mostSentences))
    case .size: return sizes(answer) + apart.prefix(1)
    case .price:
      // First the metric that the question asks about, then what changes it.
      let figures = answer.about.map { Array(exact(answer, $0).prefix(2)) } ?? []
      return figures + priced(answer) + apart.prefix(1)
    case .claim: return claimed(answer)
    case .harness: return Array(sentences(on: answer.reasons).prefix(Prose.mostSentences))
    }
  }

  /// The end of a run's output on the terminal: the first two sentences of the answer.
  var shortAnswer: [String] { Array(answer.prefix(2)) }

  // MARK: A choice

  private func chosen(_ answer: Answer) -> [String] {
    guard !answer.choice.isEmpty else { return ["**Nothing can be said of speed**: no cell has a time."] }
    let place = groups.count > 1 ? place(of: answer.group) : ""
    let start = place.isEmpty ? "" : "At \(Markdown.code(place)), "
    let claim = standing(answer)
    let isContinued = !start.isEmpty && (claim.hasPrefix("**Too ") || claim.hasPrefix("**No "))
    let first = isContinued ? "**" + String(claim.dropFirst(2)).lowercasedFirst : claim
    return [start + first] + otherCases(answer) + weighed(answer)
      + [tradeoffs(answer), peers(answer)].compactMap(\.self)
  }

  /// Engines' notes on their figures, one line each with its cells.
  var caveats: [String] {
    scenario.caveats.map { "\(owners($0.cells)): \(Markdown.escaped($0.text))." }
  }

  /// The cells by name, or by their engine if they are all of the engine's cells.
  private func owners(_ ids: [CellID]) -> String {
    let engines = Set(ids.compactMap { cell($0)?.cell.engine })
    guard ids.count > 2, engines.count == 1, let engine = engines.first,
      ids.count == scenario.cells.count(where: { $0.cell.engine == engine })
    else { return names(ids) }
    return "All cells of \(Markdown.code(engine))"
  }

  /// The chosen cells with their time, and how certain the choice is.
  private func standing(_ answer: Answer) -> String {
    let names = answer.choice.map { nameInTitle($0, of: answer) }
    let time = answer.best.map { ", \(HumanUnits.time($0))" } ?? ""
    let tied = answer.against.filter { answer.choice.contains($0.cell) }
    let spread = tied.compactMap(\.time)
    switch answer.verdict {
    case .one where answer.against.isEmpty && isAloneInItsWork(answer):
      let takes = answer.best.map { "; \(name(answer.choice[0])) takes \(HumanUnits.time($0))" } ?? ""
      return "**No two cells did the same work**\(takes)."
    case .one where answer.against.isEmpty: return "**\(names[0]) is the only way \(onlyWay(answer))**\(time)."
    case .one where names.count == 1, .dependsOn where names.count == 1: return "**\(names[0]) is fastest**\(time)."
    case .alike, .dependsOn:
      let close = spread.allSatisfy(\.isWithinFivePercent)
      if close {
        return "**\(list(names)) take the same time**\(spread.isEmpty ? "" : " to within 5 %")\(time)."
      }
      let first = answer.best.map { ": \(names[0]) takes \(HumanUnits.time($0))" } ?? ""
      return "**\(list(names)) \(areAhead(answer) ? "are" : "may be") fastest**, too noisy to tell apart\(first), "
        + "\(names.count == 2 ? "the other" : "the others")\(first.isEmpty ? " at" : "") \(span(spread))."
    case .cannotTell:
      // Among cells that noise makes indistinguishable, one with too few rounds is compared separately.
      if answer.isOfTooFewRounds {
        let rounds = answer.choice.first.flatMap(cell)?.main.samples ?? 0
        return advised(
          "**Too few rounds to rank the cells by time**: of \(HumanUnits.counted(rounds, "round")), \(names[0]) has the "
            + "shortest median\(scope(of: answer) { ($0.time?.median ?? 1) < 1 })\(answer.best.map { ", \(HumanUnits.time($0.median))" } ?? ""), perhaps by chance."
        )
      }
      let others = names.count == 2 ? "the other takes" : "the others take"
      if Prose.areAllLonger(spread) {
        return "**\(names[0]) may be fastest, but that is not certain**: \(others) \(span(spread)). "
          + "Stop other programs, or take more rounds."
      }
      return
        "**Too noisy to rank \(HumanUnits.list(names.count > Prose.mostNamed ? ["\(names.count) ways"] : names)) by time**"
        + "\(spread.isEmpty ? "" : ": against \(names[0]), \(others) \(span(spread))"). "
        + "Stop other programs, or take more rounds."
    default: return "**\(names[0]) is fastest**\(time)."
    }
  }

  /// Whether none of the chosen cells may take as long as a cell that certainly takes longer than the first of them.
  func areAhead(_ answer: Answer) -> Bool {
    let slower = answer.against.filter {
      !answer.choice.contains($0.cell) && $0.base == answer.choice.first && $0.isCertainlySlower
    }
    let chosen = answer.against.filter { answer.choice.contains($0.cell) }.compactMap(\.time)
    guard let least = slower.compactMap(\.time?.low).min(), let most = chosen.map({ $0.high ?? $0.median }).max() else {
      return true
    }
    return most < least
  }

  /// What distinguishes the only cell of an answer: the others under its conditions have no time, or did other work.
  func onlyWay(_ answer: Answer) -> String {
    let conditions = answer.group.map { groups[$0].conditions }
    let ids = Set(groups.filter { $0.conditions == conditions }.flatMap(\.cells))
    let others = scenario.measured.filter { ids.contains($0.cell.id) && !answer.choice.contains($0.cell.id) }
    if others.isEmpty { return "measured" }
    return others.contains { $0.main.wall.figure != nil } ? "that did its work" : "with a time"
  }

  /// The cells among which the first choice is the best, if a peer is better: those of the object graph, or all except
  /// the reference; empty if it is the best of all.
  func scope(of answer: Answer, _ isBetter: (Answer.Alternative) -> Bool) -> String {
    guard answer.peers.contains(where: isBetter) else { return "" }
    let ways = (answer.choice + answer.against.map(\.cell)).compactMap(cell)
    return ways.allSatisfy(\.cell.isRankedFirst) ? " through the object graph" : " besides the reference"
  }

  private static let mostNamed = 4

  /// What to choose if the answer depends on the work.
  private func otherCases(_ answer: Answer) -> [String] {
    answer.cases.filter { $0.group != answer.group }.map { found in
      let names = HumanUnits.list(found.choice.map { shortName($0, in: found.group) })
      let place = place(of: found.group)
      let verb = found.choice.count == 1 ? "is" : "are"
      return place.isEmpty
        ? "For other rows, \(names) \(verb) fastest." : "At \(Markdown.code(place)), \(names) \(verb) fastest."
    }
  }

  /// The time and memory of the alternatives, the one that the question asks about first.
  private func weighed(_ answer: Answer) -> [String] {
    let others = answer.against.filter { !answer.choice.contains($0.cell) }
    let asked = answer.against.first
    let spreads = answer.spreads ?? []
    let exact = spreads.map { spread($0, of: answer) }
    var sentences = answer.verdict == .cannotTell ? exact : []
    if let asked, spreads.isEmpty, answer.choice.contains(asked.cell) || answer.verdict == .cannotTell {
      if let words = words(nil, needs(asked)) { sentences.append("\(nameInTitle(asked.cell, of: answer)) \(words).") }
    }
    let shown = others.prefix(Prose.mostWeighed).filter { answer.verdict != .cannotTell || $0 != asked }
    let weighed = shown.compactMap { alternative -> String? in
      // If no cell has enough rounds, the first sentence says so.
      let time = answer.isOfTooFewRounds ? nil : takes(alternative, of: answer)
      return words(time, spreads.isEmpty ? needs(alternative) : [])
        .map { "\(nameInTitle(alternative.cell, of: answer)) \($0)." }
    }
    sentences += weighed
    if answer.verdict != .cannotTell { sentences += exact }
    let rest = others.dropFirst(Prose.mostWeighed)
    if !rest.isEmpty, !weighed.isEmpty {
      sentences.append("\(HumanUnits.counted(rest.count, "more way")) \(rest.count == 1 ? "is" : "are") in the table.")
    }
    let busy = answer.against.first { $0.processorTime != nil }
    if let busy, let processor = busy.processorTime {
      sentences.append(
        "\(nameInTitle(busy.cell, of: answer)) uses \(HumanUnits.ratioMedian(processor)) times the processor time of "
          + "\(nameInTitle(busy.base, of: answer)).")
    }
    return sentences
  }

  private static let mostWeighed = 3

  /// `takes 1.50 times as long [1.47, 1.53]`, with the name of the compared cell unless it is the first choice; `nil`
  /// if no time is known.
  private func takes(_ alternative: Answer.Alternative, of answer: Answer) -> String? {
    guard let time = alternative.time else { return nil }
    let base = alternative.base == answer.choice.first ? "" : " as \(nameInTitle(alternative.base, of: answer))"
    switch alternative.certainty {
    case .certain, .exact, .estimated: return "takes \(times(time))\(base)"
    case .undecided: return "is too noisy to rank (\(range(time)))"
    case .tooFewRounds: return "has too few rounds to rank"
    }
  }

  /// The time of an alternative and then its needs, separated by a comma if there are several things; `nil` if there is
  /// nothing.
  private func words(_ time: String?, _ needs: [String]) -> String? {
    let needed = needs.isEmpty ? nil : "needs \(HumanUnits.list(needs))"
    let parts = [time, needed].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: needs.count > 1 ? ", and " : " and ")
  }

  /// `12.1 times the heap (29.0 MiB for 2.40 MiB)`, and the WAL; empty if it needs the same amount.
  private func needs(_ alternative: Answer.Alternative) -> [String] {
    [("heap", alternative.heap), ("WAL", alternative.wal)].compactMap { name, figure -> String? in
      guard let figure, let ratio = figure.ratio, ratio > Prose.notableInText || ratio < 1 / Prose.notableInText else {
        return nil
      }
      let amounts = HumanUnits.bytes([figure.figure, figure.base]).joined(separator: " for ")
      return "\(HumanUnits.ratioMedian(Estimate(median: ratio))) times the \(name) (\(amounts))"
    }
  }

  private static let notableInText = 1.1

  /// `save` and `b` need 7.40 times the heap of `c` (17.8 MiB for 2.40 MiB), `d` 2.00 times.
  private func spread(_ spread: Answer.Spread, of answer: Answer) -> String {
    let parts = spread.more.prefix(Prose.mostWeighed).enumerated().map { index, level in
      let ratio = spreadRatio(spread, level, HumanUnits.ratioMedian(Estimate(median: spread.ratio(of: level))))
      let names = list(level.cells.map { nameInTitle($0, of: answer) })
      guard index == 0 else { return "\(names) \(ratio)" }
      let amounts = HumanUnits.bytes([level.figure, spread.least.figure]).joined(separator: " for ")
      let least = list(spread.least.cells.map { nameInTitle($0, of: answer) })
      let verb = level.cells.count == 1 ? "needs" : "need"
      return "\(names) \(verb) \(ratio) the \(spread.metric == .heapPeak ? "heap" : "WAL") of \(least) (\(amounts))"
    }
    return parts.joined(separator: ", ") + "."
  }

  /// `7.4 times`, or `up to 7.4 times` if that applies only to the first cells.
  func spreadRatio(_ spread: Answer.Spread, _ level: Answer.Spread.Level, _ ratio: String) -> String {
    func isShown(_ level: Answer.Spread.Level) -> Bool {
      let texts = level.cells.compactMap { cell($0)?.main.metrics[spread.metric] }.map(HumanUnits.bytes)
      return Set(texts).count <= 1
    }
    return isShown(level) && isShown(spread.least) ? "\(ratio) times" : "up to \(ratio) times"
  }

  /// The trade-offs of the choice that the alternative does not have; without a choice, those of either.
  private func tradeoffs(_ answer: Answer) -> String? {
    guard let first = answer.choice.first.flatMap(cell), let asked = answer.against.first.flatMap({ cell($0.cell) })
    else { return nil }
    var (names, lost) = ([first.cell.id], first.tradeoffs.filter { !asked.tradeoffs.contains($0) })
    if answer.verdict == .cannotTell {
      // If none is chosen, name all cells with the trade-off.
      if lost.isEmpty { lost = asked.tradeoffs.filter { !first.tradeoffs.contains($0) } }
      let all = answer.choice + answer.against.map(\.cell).filter { !answer.choice.contains($0) }
      names = all.filter { id in cell(id).map { Set(lost).isSubset(of: $0.tradeoffs) } ?? false }
    } else if answer.choice.contains(asked.cell.id) {
      return nil
    }
    return lost.isEmpty
      ? nil
      : "The price of \(list(names.map { nameInTitle($0, of: answer) })): "
        + "\(HumanUnits.list(lost.map { Markdown.escaped($0) }))."
  }

  /// The reference and other engines compared with the choice, in one sentence.
  private func peers(_ answer: Answer) -> String? {
    let known = answer.peers.filter { $0.time?.low != nil }
    guard let base = known.first?.base else { return nil }
    func distance(_ peer: Answer.Alternative) -> Double { peer.time?.timesApart ?? .infinity }
    let nearest = known.sorted { distance($0) < distance($1) }
    let shown = known.count > Prose.mostPeers ? [nearest[0], nearest[nearest.count - 1]] : known
    let words = shown.map { alternative -> String in
      let time = alternative.time.map { HumanUnits.ratio($0) } ?? ""
      return "\(nameInTitle(alternative.cell, of: answer)) \(time)"
    }
    let rest = known.count > shown.count ? " (the nearest and the furthest of \(known.count))" : ""
    let caveats = scenario.caveats.filter { caveat in shown.contains { caveat.cells.contains($0.cell) } }
    return "As multiples of \(nameInTitle(base, of: answer))'s time\(rest): \(HumanUnits.list(words))."
      + caveats.map { " \(Markdown.escaped($0.text).uppercasedFirst)." }.joined()
  }

  private static let mostPeers = 4

  // MARK: Findings

  private func growth(_ answer: Answer) -> [String] {
    let more = scenario.mainFindings.filter { finding in
      switch finding.kind {
      case .crossover: true
      case .timesReference: finding.group == nil && answer.against.isEmpty
      default: false
      }
    }
    let found = sentences(on: answer.reasons)
    // This follows the sentences about time, which come first.
    let rounds = answer.isOfTooFewRounds ? [advice].compactMap(\.self) : []
    return batching(answer) + againstReferences(answer) + found.prefix(1) + rounds + found.dropFirst()
      + sentences(on: more)
  }

  private func sizes(_ answer: Answer) -> [String] {
    let costs = answer.against.filter(\.isCertainlySlower).compactMap { alternative in
      alternative.time.map { "\(name(alternative.cell)) takes \(times($0)) as \(name(alternative.base))" }
    }
    return knees(answer.reasons)
      + (costs.isEmpty ? [] : ["What too little costs: \(HumanUnits.list(Array(costs.prefix(Prose.mostSentences))))."])
      + written(answer)
  }

  /// How much more is written if a value is too small.
  ///
  /// Strategies with equal numbers share a sentence.
  private func written(_ answer: Answer) -> [String] {
    var parts: [(ratio: String, amounts: String, all: [Answer.Alternative])] = []
    for alternative in answer.against {
      guard let bytes = alternative.written, let ratio = bytes.ratio, ratio >= Prose.notableInTitle else { continue }
      let (words, amounts) = (
        HumanUnits.ratioMedian(Estimate(median: ratio)), HumanUnits.bytes([bytes.figure, bytes.base])
      )
      let part = (ratio: words, amounts: amounts.joined(separator: " for "), all: [alternative])
      if let known = parts.firstIndex(where: { $0.ratio == part.ratio && $0.amounts == part.amounts }) {
        parts[known].all.append(alternative)
      } else {
        parts.append(part)
      }
    }
    return parts.prefix(Prose.mostSentences).map { ratio, amounts, all in
      "\(names(all.map(\.cell))) \(all.count == 1 ? "writes" : "each write") \(ratio) times the bytes of "
        + "\(names(all.map(\.base))) (\(amounts))."
    }
  }

  /// The prices of the parameter that matters most, and the number of other prices.
  private func priced(_ answer: Answer) -> [String] {
    let all = prices(answer.reasons)
    let shown = all.prefix(Prose.mostSentences)
    let rest = all.count - shown.count
    return shown + (rest > 0 ? ["\(HumanUnits.counted(rest, "more price")) \(rest == 1 ? "is" : "are") below."] : [])
      + [waiting(answer.reasons)].compactMap(\.self)
  }

  /// What else a user waits for; `nil` if there is nothing.
  ///
  /// The table has the time of the operation itself.
  private func waiting(_ prices: [Finding]) -> String? {
    let cells = prices.flatMap(\.cells).compactMap(cell)
    let merges = cells.contains { $0.summary(of: .merge)?.wall.figure != nil }
    let repeats = cells.contains { $0.summary(of: .reingest)?.wall.figure != nil }
    let others = [merges ? "telling other contexts" : nil, repeats ? "storing the rows again" : nil].compactMap(\.self)
    return others.isEmpty ? nil : "These times include \(HumanUnits.list(others)); those in the table do not."
  }

  private func claimed(_ answer: Answer) -> [String] {
    let claims =
      answer.reasons.count > 1
      ? [apple(answer.reasons), appleShares(answer.reasons)].compactMap(\.self)
      : answer.reasons.first.map(apple) ?? []
    return claims + [waiting(answer.reasons)].compactMap(\.self)
  }
}
