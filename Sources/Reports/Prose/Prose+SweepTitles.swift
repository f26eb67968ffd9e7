// Titles for questions about sweeps: how time and memory grow, and how much is enough.
internal import Analysis
internal import Support

extension Prose {
  /// How time and memory grow, or a strategy's time relative to its reference.
  func growthTitles(_ answer: Answer) -> [String] {
    let ways = referenceWays(answer)
    if ways.count > Prose.mostNamedInTitle, let titles = referenceSpanTitles(ways) { return titles }
    if let way = ways.first { return referenceTitles(way) }
    let times = answer.reasons.compactMap { finding -> (FindingKind.GrowthVerdict, Finding)? in
      if case .exponent(let verdict) = finding.kind { (verdict, finding) } else { nil }
    }
    let breaks = answer.reasons.filter { if case .breakInGrowth = $0.kind { true } else { false } }
    let faster =
      times.filter { $0.0 == .faster }.map { series($0.1.cells, by: Scaling.key) }
      + breaks.map { series($0.cells, by: Scaling.key) }
    let known = times.filter { ![.unclear, .unknown].contains($0.0) }
    let flat = times.count { $0.0 == .hardly }
    let part = known.count < times.count ? " in \(known.count) of \(times.count) ways" : ""
    let time: String
    let isTimeKnown = !known.isEmpty || !breaks.isEmpty
    let isShort = !times.isEmpty && times.allSatisfy { $0.0 == .unknown }
    if !isTimeKnown {
      time =
        isShort ? "Too few rounds to say how time grows with rows" : "How time grows with rows is not certain here"
    } else if !faster.isEmpty {
      let named =
        faster.count <= Prose.mostNamedInTitle ? HumanUnits.list(faster) : HumanUnits.counted(faster.count, "way")
      time = "Time grows faster than the rows with \(named)"
    } else if times.allSatisfy({ $0.0 == .proportional }) {
      time = "Time grows in proportion to the rows"
    } else if times.allSatisfy({ $0.0 == .hardly }) {
      time = "Time hardly grows with the rows"
    } else if flat > 0 {
      time = "Time hardly grows with the rows in \(flat) of \(times.count) ways"
    } else {
      time = "Time grows no faster than the rows\(part)"
    }
    guard let heap = heapGrowthTitle(answer, isAfterGrowth: isTimeKnown) else { return [time] }
    let bare = heap.replacing(Prose.orNotAtAll, with: "")
    // The metric that the question asks about comes first.
    if answer.about != nil { return [heap, bare].map(\.uppercasedFirst) }
    if faster.isEmpty, isTimeKnown, 2 * known.count < times.count,
      let heap = heapGrowthTitle(answer, isAfterGrowth: false)
    {
      // What is known of a few strategies is no answer for all, but memory is.
      let bare = heap.replacing(Prose.orNotAtAll, with: "")
      let doubts = ["how time grows is clear", "time growth is clear"].map {
        "\($0) in \(known.count) of \(times.count) ways"
      }
      return [heap, bare].flatMap { words in doubts.map { "\(words.uppercasedFirst); \($0)" } } + [bare.uppercasedFirst]
    }
    let doubt = isShort ? "too few rounds" : "times are too noisy"
    let exact = isTimeKnown ? [] : [heap, bare].map { "\($0.uppercasedFirst); \(doubt)" } + [bare.uppercasedFirst]
    return ["\(time); \(heap)", "\(time); \(bare)"] + exact + [time]
  }

  /// The heap growth per row; `nil` if unknown.
  ///
  /// After a clause about the growth of the time, it does not repeat the verb.
  private func heapGrowthTitle(_ answer: Answer, isAfterGrowth: Bool) -> String? {
    let perRow = answer.reasons.filter { $0.kind == .heapPerRow }
    let flat = answer.reasons.filter { $0.kind == .heapIndependentOfRows }
    let isShort = isAfterGrowth && answer.about == nil
    guard let most = perRow.max(by: { $0.estimates[0].median < $1.estimates[0].median }) else {
      if flat.isEmpty { return nil }
      // Skip strategies with a heap that is neither flat nor grows by a fixed amount per row.
      let all = scenario.series(by: Scaling.key).count { $0.amounts.count > 1 }
      let names = flat.count < all ? " with \(ways(flat.map { series($0.cells, by: Scaling.key) }))" : ""
      return (isShort ? "memory does not" : "heap does not grow with the rows") + names
    }
    return "\(isShort ? "heap by" : "heap grows by") up to \(Digits.short(most.estimates[0].median)) bytes a row "
      + "(\(series(most.cells, by: Scaling.key)))\(flat.isEmpty ? "" : Prose.orNotAtAll)"
  }

  private static let orNotAtAll = ", or not at all"

  /// A strategy's time relative to the reference, over the kinds of work with the most rows; if no time is certain, its
  /// memory.
  private func referenceTitles(_ way: ReferenceWay) -> [String] {
    if way.certain.isEmpty { return referenceSizeTitles(way) }
    let medians = way.certain.compactMap(\.time?.median).sorted()
    let ends = [medians.first, medians.last].map { HumanUnits.ratioInTitle($0 ?? 1) }
    let span = ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"
    let keys = Set(way.all.flatMap { work(of: $0).kind.map(\.key) }).sorted()
    let varied = HumanUnits.list(keys.map { Markdown.code($0) })
    let time = "\(way.name) takes \(span) times as long as \(way.reference)"
    if way.certain.count == way.all.count { return ["\(time) for every \(varied)", time] }
    if way.certain.count > 1 {
      return ["\(time) for \(way.certain.count) of \(way.all.count) values of \(varied)", time]
    }
    // A single kind of work has a name, and says nothing of the others.
    let kind = work(of: way.certain[0]).kind.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    let unclear = way.all.count { $0.certainty != .certain && $0.time?.isWithinFivePercent != true }
    let others = unclear == 0 ? "" : "; \(HumanUnits.counted(unclear, "other")) unclear"
    return ["\(time) at \(Markdown.code(kind))\(others)", "\(time) at \(Markdown.code(kind))", time]
  }

  /// Which of many strategies are nearest to their reference in time and which are furthest; `nil` if that is certain
  /// for at most one.
  private func referenceSpanTitles(_ ways: [ReferenceWay]) -> [String]? {
    let known = ways.flatMap { way in
      way.certain.compactMap { alternative in alternative.time.map { (way: way, ratio: $0.median) } }
    }.sorted { ($0.ratio, $0.way.name) < ($1.ratio, $1.way.name) }
    guard let least = known.first, let most = known.last, least.way.name != most.way.name else { return nil }
    let ends = [least, most].map { HumanUnits.ratioInTitle($0.ratio) }
    let span =
      "\(least.way.name) takes \(ends[0]) times as long as \(least.way.reference), \(most.way.name) \(ends[1]) times"
    // The slowest strategies are those with the fewest rounds.
    let slower = ways.count { way in
      way.all.contains { $0.certainty == .tooFewRounds && ($0.time?.median ?? 0) > most.ratio }
    }
    return (slower == 0 ? [] : ["\(span); \(slower) slower unranked"]) + [span]
  }

  /// A strategy's memory and WAL relative to the reference's, whichever differs more.
  private func referenceSizeTitles(_ way: ReferenceWay) -> [String] {
    if way.all.allSatisfy({ $0.time?.isWithinFivePercent == true }) {
      return ["\(way.name) takes as long as \(way.reference)"]
    }
    let isShort = way.all.allSatisfy { $0.certainty == .tooFewRounds }
    let figures = [("heap", way.all.compactMap { $0.heap?.ratio }), ("WAL", way.all.compactMap { $0.wal?.ratio })]
    /// The range of the ratios, if every kind of work has one and the range is notable.
    func span(_ ratios: [Double]) -> (words: String, size: Double)? {
      guard ratios.count == way.all.count, let least = ratios.min(), let most = ratios.max(), least > 0 else {
        return nil
      }
      let ends = [least, most].map(HumanUnits.ratioInTitle)
      let size = max(most, 1 / least)
      return size < Prose.notableInTitle ? nil : (ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])", size)
    }
    let found = figures.compactMap { name, ratios in span(ratios).map { (name: name, words: $0.words, size: $0.size) } }
      .max { $0.size < $1.size }
    let times = isShort ? "too few rounds to rank times" : "times cannot be told apart here"
    let short = isShort ? "too few rounds" : "times are too noisy"
    let exact = found.map { "\(way.name) needs \($0.words) times the \($0.name) of \(way.reference)" }
    return [exact.map { "\($0); \(times)" }, exact.map { "\($0); \(short)" }].compactMap(\.self)
      + [
        isShort
          ? "Too few rounds to say whether \(way.name) takes longer than \(way.reference)"
          : "Whether \(way.name) takes longer than \(way.reference) is not certain here"
      ]
  }

  // MARK: Sizes

  /// Which amounts are enough, and what the smallest one costs.
  ///
  /// If noise hides it, what the amounts write or need.
  func sizeTitles(_ answer: Answer) -> [String] {
    let clear = answer.reasons.filter { isClear($0, in: answer) }
    let verdict = clear.allSatisfy(isNarrow) ? kneeVerdict(clear) : nil
    let costs = answer.against.filter(\.isCertainlySlower)
    let dearest = costs.max { ($0.time?.median ?? 0) < ($1.time?.median ?? 0) }
    // A range without names would include strategies with an unknown best amount.
    let isOpen = answer.reasons.contains { $0.certainty != .estimated }
    let best = isOpen ? nil : kneeSettings(clear)
    let cost = dearest.flatMap { alternative in
      alternative.time.map { time in
        "\(name(alternative.cell)) takes \(HumanUnits.ratioInTitle(time.median)) times as long"
      }
    }
    let all =
      [
        verdict.flatMap { verdict in cost.map { "\(verdict); \($0)" } },
        best.flatMap { best in cost.map { "\(best); \($0)" } }, verdict, best,
      ].compactMap(\.self) + costTitles(dearest, in: answer, isOpen: isOpen)
    if !all.isEmpty { return all }
    return clear.isEmpty || isOpen
      ? hiddenSizeTitles(answer, isPartlyKnown: !clear.isEmpty) : ["How much is enough differs by cell"]
  }

  /// What too little costs at most, beside what, if it is not known how much is enough.
  private func costTitles(_ dearest: Answer.Alternative?, in answer: Answer, isOpen: Bool) -> [String] {
    guard let dearest, let time = dearest.time, let parameter = sweptParameter(answer) else { return [] }
    let words = "\(HumanUnits.ratioInTitle(time.median)) times as long as"
    let most = answer.against.count > 1 ? "up to " : ""
    let titles = [
      "\(name(dearest.cell)) takes \(words) \(name(dearest.base))",
      "\(setting(parameter, of: dearest.cell)) takes \(most)\(words) \(setting(parameter, of: dearest.base))",
    ]
    return titles.map { "\($0); the best \(isOpen ? "is unclear" : "differs by cell")" } + titles
  }

  /// Whether some smaller amount is known to be worse, or the smallest to be enough, and no larger one may be better.
  private func isClear(_ finding: Finding, in answer: Answer) -> Bool {
    guard case .knee(_, let knee) = finding.kind, knee != .undecided else { return false }
    let (first, earliest) = (finding.cells[0], finding.cells[2])
    return first == earliest || !answer.against.contains { $0.cell == earliest }
  }

  /// Whether it is known which amount is enough.
  private func isNarrow(_ finding: Finding) -> Bool { finding.cells[0] == finding.cells[2] }

  /// What the amounts write or need, and why times do not say how much is enough, at least of some strategies.
  private func hiddenSizeTitles(_ answer: Answer, isPartlyKnown: Bool) -> [String] {
    let isShort = answer.reasons.allSatisfy { if case .noKnee = $0.kind { true } else { false } }
    let times = isShort ? "too few rounds to rank times" : "times cannot be told apart here"
    let short = isShort ? "too few rounds" : "times are too noisy"
    let parameter = sweptParameter(answer)
    let most = answer.against.max { ($0.written?.ratio ?? 0) < ($1.written?.ratio ?? 0) }
    var exact: [String] = []
    if let most {
      let (cell, base) = (name(most.cell), name(most.base))
      if let ratio = most.written?.ratio, ratio >= Prose.notableInTitle {
        let words = "\(HumanUnits.ratioInTitle(ratio)) times the bytes of"
        exact.append("\(cell) writes \(words) \(base)")
        // If there are several strategies, use the one that writes most, and a form without its name if there is no
        // room.
        if let parameter {
          let (amount, other) = (setting(parameter, of: most.cell), setting(parameter, of: most.base))
          let isOfSeveral = answer.against.count > 1
          exact.insert(
            "\(amount) writes \(isOfSeveral ? "up to " : "")\(words) \(other)", at: isOfSeveral ? 0 : exact.endIndex)
        }
      } else if let difference = exactDifference(most) {
        exact.append("\(cell) needs \(difference) of \(base)")
      }
    }
    let unknown = parameter.map { parameter in
      isShort
        ? "Too few rounds to say how much \(Markdown.code(parameter)) is enough"
        : "How much \(Markdown.code(parameter)) is enough is not certain here"
    }
    let doubts = isPartlyKnown ? ["the best is unclear"] : [times, short]
    return exact.flatMap { words in doubts.map { "\(words); \($0)" } } + [unknown].compactMap(\.self)
  }

  /// The parameter for which the question asks how much is enough.
  func sweptParameter(_ answer: Answer) -> String? {
    answer.reasons.lazy.compactMap { finding -> String? in
      switch finding.kind {
      case .knee(let parameter, _), .noKnee(let parameter, _): parameter
      default: nil
      }
    }.first
  }
}
