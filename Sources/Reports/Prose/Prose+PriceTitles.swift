// Titles for questions about the cost of a value: its time, and its effect on memory and files.
internal import Analysis

extension Prose {
  /// The effect of a parameter's value on time, memory and files.
  func priceTitles(_ answer: Answer) -> [String] {
    guard let price = answer.price else { return ["No price is certain"] }
    let setting = Markdown.code("\(price.parameter)=\(price.value)")
    let sizes = price.sizes
    // List all metrics or, if there is no room for them, only the first one.
    let lists = sizes.isEmpty ? [] : sizes.count == 1 ? [sizes] : [sizes, [sizes[0]]]
    let isUnchanged = sizes.count == 1 && sizes.allSatisfy { words([$0]).isEmpty }
    let needs =
      isUnchanged
      ? ["\(setting) changes the \(sizes[0].figure.short) by less than 5 %"]
      : lists.map { "\(setting) needs \(words($0))" }
    // Use a comma before text that contains an "and".
    func both(_ time: String) -> [String] {
      zip(needs, lists).map { "\($0)\($1.count > 1 ? "," : "") and \(time)" }
    }
    guard let least = price.least, let most = price.most else {
      if price.isSameTime { return both("takes the same time") + ["\(setting) takes the same time"] }
      let times = times(of: price, in: answer)
      let isShort = !times.isEmpty && times.allSatisfy { $0.certainty == .tooFewRounds }
      let isTimeless = times.allSatisfy { $0.estimates.isEmpty }
      let doubts =
        isTimeless
        ? ["; there are no times to compare"]
        : isShort
          ? ["; too few rounds to rank times", "; too few rounds"]
          : ["; times cannot be told apart here", "; its time is not certain"]
      // A ratio without a name would be read as the metric of the question.
      let ends = doubts + (answer.about == nil ? [] : [""])
      let bases = isUnchanged ? [""] : [otherWork(than: price, in: answer).map { " of \($0)" }, ""].compactMap(\.self)
      let exact = needs.flatMap { words in bases.flatMap { base in ends.map { words + base + $0 } } }
      if isTimeless { return exact + ["What \(setting) costs is unknown: there are no times to compare"] }
      if isShort { return exact + ["Too few rounds to judge what \(setting) costs"] }
      let likely = likelyTimes(times).map { ["\(setting) may take \($0), but that is not certain"] } ?? []
      return exact + likely + ["What \(setting) costs is not certain here"]
    }
    let ends = [least, most].map(HumanUnits.ratioInTitle)
    let span = ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"
    // If it saves time in one cell and costs time in another, give both ends.
    let isWhole = price.isOfAll || least < 1 && most > 1
    let time = "takes \(isWhole ? span : most > 1 ? "up to \(ends[1])" : "as little as \(ends[0])") times as long"
    if answer.about != nil { return both(time) + needs + ["\(setting) \(time)"] }
    let all = lists.map { "\(setting) \(time)\(sizes.count > 1 ? "," : " and") \(words($0))" }
    return (isUnchanged ? [] : all) + ["\(setting) \(time)"]
  }

  /// `up to 16 times as long`: what times may be by their own intervals, if other claims leave none certain; `nil` if
  /// no interval excludes 1, or if some are longer and some shorter.
  private func likelyTimes(_ times: [Finding]) -> String? {
    let longer = times.compactMap(\.estimates.first).filter { ($0.low ?? 0) > 1 }.map(\.median)
    let shorter = times.compactMap(\.estimates.first).filter { ($0.high ?? .infinity) < 1 }.map(\.median)
    if let most = longer.max(), shorter.isEmpty { return "up to \(HumanUnits.ratioInTitle(most)) times as long" }
    if let least = shorter.min(), longer.isEmpty {
      return "as little as \(HumanUnits.ratioInTitle(least)) times as long"
    }
    return nil
  }

  /// The setting that a price is compared with, if the two do different work; `nil` if they do the same work in another
  /// way.
  private func otherWork(than price: Answer.Price, in answer: Answer) -> String? {
    guard ScenarioReport.workKeys.contains(price.parameter) else { return nil }
    let bases = answer.reasons.compactMap { finding -> String? in
      guard case .priceInBytes(price.parameter, price.value, _) = finding.kind else { return nil }
      return finding.cells.last.map { setting(price.parameter, of: $0) }
    }
    return Set(bases).count == 1 ? bases.first : nil
  }

  /// `up to 1.6 times the WAL and 1.5 times the file`; empty for sizes that do not change.
  private func words(_ sizes: [Answer.SizeChange]) -> String {
    let changed = sizes.filter { max($0.ratio, 1 / $0.ratio) >= FeaturePrice.notable }
    let parts = changed.enumerated().map { index, size -> String in
      let start = size.ratio < 1 ? "as little as " : "up to "
      let isSaid = index > 0 && (changed[index - 1].ratio < 1) == (size.ratio < 1)
      let part =
        size.ratio < 1 ? "\(Digits.short(size.ratio * 100)) % of" : "\(HumanUnits.ratioInTitle(size.ratio)) times"
      return "\(isSaid ? "" : start)\(part) the \(size.figure.short)"
    }
    return HumanUnits.list(parts)
  }

  /// What is known about the time of a price, cell by cell.
  private func times(of price: Answer.Price, in answer: Answer) -> [Finding] {
    answer.reasons.filter { finding in
      if case .price(price.parameter, price.value, _) = finding.kind { true } else { false }
    }
  }
}
