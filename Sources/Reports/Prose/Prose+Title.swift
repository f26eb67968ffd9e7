// The answer to a scenario's question in one line: the title of a page, and the last line on a terminal.
internal import Analysis
internal import Support

extension Prose {
  /// A longer line would be too long to quote.
  static let mostTitleCharacters = 90

  /// The answer, without a full stop.
  var title: String {
    guard let answer = scenario.answer else { return "No cell has a time" }
    switch answer.kind {
    case .choice: return shortened(answer.about.map { exactTitles(answer, $0) } ?? choiceTitles(answer))
    case .growth, .reference: return shortened(growthTitles(answer))
    case .size: return shortened(sizeTitles(answer))
    case .price: return shortened(priceTitles(answer))
    case .claim: return shortened(claimTitles(answer))
    case .harness: return shortened(harnessTitles(answer))
    }
  }

  /// The first one that is short enough, otherwise the last.
  private func shortened(_ titles: [String]) -> String {
    titles.first { Markdown.plain($0).count <= Prose.mostTitleCharacters } ?? titles.last ?? "No cell has a time"
  }

  /// A cell's name in a title, without what its group has in common if the answer is about one of several groups.
  func nameInTitle(_ id: CellID, of answer: Answer) -> String {
    groups.count > 1 && answer.group != nil ? shortName(id, in: answer.group) : name(id)
  }

  // MARK: A choice

  private func choiceTitles(_ answer: Answer) -> [String] {
    guard let first = answer.choice.first else { return ["No cell has a time"] }
    if answer.verdict == .dependsOn { return dependingTitles(answer) }
    let chosen = choiceName(answer)
    let place = place(of: answer.group)
    // A claim about one kind of work names it if there is room.
    func placed(_ titles: [String]) -> [String] {
      titles.map { place.isEmpty ? $0 : "\($0) at \(Markdown.code(place))" } + (titles.last.map { [$0] } ?? [])
    }
    guard let asked = answer.against.first else {
      let time = answer.best.map { ": \(HumanUnits.time($0.median))" } ?? ""
      if isAloneInItsWork(answer) {
        let own = answer.best.map { ": \(name(first)) takes \(HumanUnits.time($0.median))" } ?? ""
        return placed(["Each cell did other work\(own)", "Each cell did other work"])
      }
      // A name that leaves no room appears only in the table.
      let only = onlyWay(answer)
      return placed([
        "\(nameInTitle(first, of: answer)) is the only way \(only)\(time)",
        (only == "measured" ? "One way was measured" : "Only one way \(only)") + time,
      ])
    }
    let other = nameInTitle(asked.cell, of: answer)
    if answer.verdict == .cannotTell {
      let isShort = asked.certainty == .tooFewRounds
      let isLikely = Prose.areAllLonger(answer.against.filter { answer.choice.contains($0.cell) }.compactMap(\.time))
      let unknown = isLikely ? "the order of times is not certain" : "times cannot be told apart here"
      let times = isShort ? "too few rounds to rank times" : unknown
      let short = isShort ? "too few rounds" : "times are too noisy"
      let base = nameInTitle(asked.base, of: answer)
      var exact = spreadTitles(answer)
      if exact.isEmpty {
        exact = [exactDifference(asked).map { "\(other) needs \($0) of \(base)" } ?? busiest(answer)].compactMap(\.self)
      }
      // A ratio alone would be taken for a ratio of times.
      let known = exact.flatMap { ["\($0); \(times)", "\($0); \(short)"] }
      return placed(known) + placed([times.uppercasedFirst])
    }
    if answer.choice.contains(asked.cell) {
      // None of the cells in question is slower, so the other differences are exact.
      let tied = answer.against.filter { answer.choice.contains($0.cell) }
      let areAlike = tied.allSatisfy { $0.time?.isWithinFivePercent == true }
      let verb = areAlike ? "take the same time" : "\(areAhead(answer) ? "are" : "may be") fastest"
      let same = "\(HumanUnits.list(answer.choice.map { nameInTitle($0, of: answer) })) \(verb)"
      let short = "\(HumanUnits.counted(answer.choice.count, "way")) \(verb)"
      let exact = exactDifference(asked).map { "; \(other) needs \($0)" } ?? ""
      return placed([same + exact, short + exact, same, short])
    }
    guard asked.certainty == .certain, let ratio = asked.time?.median else {
      let rounds =
        asked.certainty == .tooFewRounds ? "too few rounds to rank \(other)" : "\(other) is too noisy to rank"
      return placed(["\(chosen) is fastest; \(rounds)", "\(chosen) is fastest"])
    }
    let base = asked.base == first ? "" : " as \(nameInTitle(asked.base, of: answer))"
    let time = "takes \(HumanUnits.ratioInTitle(ratio)) times as long\(base)"
    let heap = heapInTitle(asked).map { " and \($0)" } ?? ""
    if !areAhead(answer) {
      let likely = "\(nameInTitle(first, of: answer)) may be fastest"
      return placed(["\(likely): \(other) \(time)\(heap)", "\(likely): \(other) \(time)", likely])
    }
    // If the names leave no room for the comparison, give their number.
    return placed(
      ["\(chosen): \(other) \(time)\(heap)"] + [chosen, choiceCount(answer)].map { "\($0): \(other) \(time)" })
      + placed([chosen, choiceCount(answer)])
  }

  /// ``Either `a` or `b` ``; their number if there are many.
  private func choiceName(_ answer: Answer) -> String {
    let names = answer.choice.map { nameInTitle($0, of: answer) }
    if names.count == 1 { return names[0] }
    if names.count == 2 { return "Either \(HumanUnits.list(names, by: "or"))" }
    if names.count <= Prose.mostNamedInTitle { return "Any of \(HumanUnits.list(names))" }
    return choiceCount(answer)
  }

  /// `3 ways to batch`, or `save` or 2 others if they are different.
  private func choiceCount(_ answer: Answer) -> String {
    let count = answer.choice.count
    if answer.choice.allSatisfy({ cell($0)?.cell.isBatch == true }) {
      return HumanUnits.counted(count, "way to batch", plural: "ways to batch")
    }
    let first = answer.choice.first.map { nameInTitle($0, of: answer) } ?? ""
    return count < 2 ? first : "\(first) or \(HumanUnits.counted(count - 1, "other"))"
  }

  /// `x` uses 1.5 times the processor time of `y`; `nil` if processor time orders all cells as wall time does.
  private func busiest(_ answer: Answer) -> String? {
    answer.against.lazy.compactMap { alternative -> String? in
      guard let ratio = alternative.processorTime?.median else { return nil }
      return
        "\(nameInTitle(alternative.cell, of: answer)) uses \(HumanUnits.ratioInTitle(ratio)) times the processor time "
        + "of \(nameInTitle(alternative.base, of: answer))"
    }.first
  }

  static let mostNamedInTitle = 3

  /// `12 times the heap`, if memory differs enough to matter for the choice.
  private func heapInTitle(_ alternative: Answer.Alternative) -> String? {
    guard let ratio = alternative.heap?.ratio else { return nil }
    if ratio >= Prose.notableInTitle { return "\(HumanUnits.ratioInTitle(ratio)) times the heap" }
    return ratio > 0 && ratio <= 1 / Prose.notableInTitle ? "\(Digits.short(ratio * 100)) % of the heap" : nil
  }

  /// `12 times the heap`, or the WAL if the heap is equal.
  func exactDifference(_ alternative: Answer.Alternative) -> String? {
    if let heap = heapInTitle(alternative) { return heap }
    guard let ratio = alternative.wal?.ratio, ratio >= Prose.notableInTitle || ratio <= 1 / Prose.notableInTitle else {
      return nil
    }
    return "\(HumanUnits.ratioInTitle(ratio)) times the WAL"
  }

  /// `save` and `b` need 7.4 times the heap of `c` and `d`, in forms with fewer and fewer names.
  private func spreadTitles(_ answer: Answer) -> [String] {
    let notable = answer.spreads?.first { spread in
      spread.more.first.map { spread.ratio(of: $0) >= Prose.notableInTitle } ?? false
    }
    guard let notable, let most = notable.more.first else { return [] }
    func names(_ cells: [CellID], _ one: String, _ counted: String) -> [String] {
      let all = HumanUnits.list(cells.map { nameInTitle($0, of: answer) })
      let short = cells.count == 1 ? one : counted
      return cells.count <= Prose.mostNamedInTitle ? [all, short] : [short]
    }
    let ratio = spreadRatio(notable, most, HumanUnits.ratioInTitle(notable.ratio(of: most)))
    let figure = notable.metric == .heapPeak ? "heap" : "WAL"
    let verb = most.cells.count == 1 ? "needs" : "need"
    let others = HumanUnits.counted(notable.least.cells.count, "other")
    return names(most.cells, "One way", HumanUnits.counted(most.cells.count, "way")).flatMap { first in
      names(notable.least.cells, "another", others).map { "\(first) \(verb) \(ratio) the \(figure) of \($0)" }
    }
  }

  static let notableInTitle = 1.5

  /// Which strategy wins for which work.
  private func dependingTitles(_ answer: Answer) -> [String] {
    var parts: [(names: String, places: [String])] = []
    for found in answer.cases {
      let names = HumanUnits.list(found.choice.map { shortName($0, in: found.group) }, by: "or")
      let own = place(of: found.group)
      let place = own.isEmpty ? "the other rows" : own
      if let known = parts.firstIndex(where: { $0.names == names }) {
        parts[known].places.append(place)
      } else {
        parts.append((names, [place]))
      }
    }
    let all = parts.map { "\($0.names) at \(HumanUnits.list($0.places.map { Markdown.code($0) }))" }
    let keys = Set(answer.cases.flatMap { placeParameters(of: $0.group).map(\.key) }).sorted()
    let short = "The best way depends on \(HumanUnits.list(keys.map { Markdown.code($0) }))"
    return [all.joined(separator: "; "), keys.isEmpty ? "The best way depends on the work" : short]
  }

  // MARK: Apple's comparison and the harness

  private func claimTitles(_ answer: Answer) -> [String] {
    guard let verdict = appleVerdict(answer.reasons) else { return ["Apple's 62 : 30 : 11 cannot be checked here"] }
    return [verdict]
  }

  private func harnessTitles(_ answer: Answer) -> [String] {
    let share = answer.reasons.first { $0.kind == .harnessCost }
    let added = answer.reasons.filter { $0.kind == .instrumentCost(.costs) }
      .max { ($0.estimates.first?.median ?? 0) < ($1.estimates.first?.median ?? 0) }
    let harness = share.map { "The harness takes \(HumanUnits.share($0.estimates[0])) of \(name($0.cells[0]))" }
    let instrument = added.flatMap { finding in
      cell(finding.cells[0]).map { cell in
        "\(cell.cell.attachment.words) would add \(Digits.short(((finding.estimates.first?.median ?? 1) - 1) * 100)) %"
      }
    }
    let both = harness.flatMap { harness in instrument.map { "\(harness); \($0)" } }
    return [both, harness, instrument?.uppercasedFirst, "No cost of the harness can be seen"].compactMap(\.self)
  }
}
