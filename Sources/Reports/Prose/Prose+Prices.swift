// The cost of a parameter's value or of an instrument, as sentences.
internal import Analysis
internal import Support

extension Prose {
  /// One value of one parameter in one cell.
  private struct Price {
    let parameter: String
    let value: String
    let effect: FindingKind.Effect
    let time: Finding
    var bytes: [(figure: FindingKind.SizeFigure, finding: Finding)]
  }

  /// If a parameter has few prices, the text lists each one; otherwise it gives the range for each value.
  func prices(_ findings: [Finding]) -> [String] {
    var prices: [Price] = []
    for finding in findings {
      switch finding.kind {
      case .price(let parameter, let value, let effect):
        prices.append(Price(parameter: parameter, value: value, effect: effect, time: finding, bytes: []))
      case .priceInBytes(_, _, let figure):
        if let last = prices.indices.last { prices[last].bytes.append((figure, finding)) }
      default: break
      }
    }
    var parameters: [String] = []
    for price in prices where !parameters.contains(price.parameter) { parameters.append(price.parameter) }
    // A statement that applies to every price comes once, at the beginning, unless another answer makes it about all
    // times.
    let timed = prices.filter { !$0.time.estimates.isEmpty }
    let areUnknown = !timed.isEmpty && timed.allSatisfy { $0.effect == .unknown }
    let isSaid = scenario.answer.map { $0.isOfTooFewRounds && $0.kind != .price } ?? false
    return (areUnknown && !isSaid ? [advised("**Too few rounds to judge times.**")] : [])
      + parameters.flatMap { parameter -> [String] in
        let own = prices.filter { $0.parameter == parameter }
        if own.count <= Prose.few { return own.map(sentence) }
        var values: [String] = []
        for price in own where !values.contains(price.value) { values.append(price.value) }
        return values.map { value in range(of: own.filter { $0.value == value }) }
      }
  }

  private static let few = 3

  private func sentence(_ price: Price) -> String {
    let value = Markdown.code("\(price.parameter)=\(price.value)")
    let without = name(price.time.cells[1])
    let text =
      switch price.effect {
      case .costs: "**\(value) costs \(without) time**: \(amount(price.time))"
      case .saves: "**\(value) saves \(without) time**: \(amount(price.time))"
      case .unseen: unseen(value, without, price.time.estimates[0])
      case .unknown:
        price.time.estimates.first.map { "**\(value)** with \(without): \(range($0)), perhaps by chance" }
          ?? "What \(value) costs \(without) in time is unknown: \(timeless(price.time.cells))"
      }
    let changes = price.bytes.map { figure, finding in
      isChange(finding)
        ? "\(figure.words) \(bytes(finding).joined(separator: " instead of "))"
        : "\(figure.words) \(bytes(finding.estimates[0])), the same to within 5 %"
    }
    return ([text] + changes).joined(separator: "; ") + "."
  }

  /// Why two cells cannot be compared by time.
  private func timeless(_ cells: [CellID]) -> String {
    let lacking = cells.filter { cell($0)?.main.wall.figure == nil }
    if lacking.isEmpty { return "the two share no round" }
    return "\(names(lacking)) \(lacking.count == 1 ? "has" : "have") no time"
  }

  /// A cost that is uncertain given all other claims, or zero.
  private func unseen(_ value: String, _ without: String, _ ratio: Estimate) -> String {
    if let low = ratio.low, low > 1 {
      return "**\(value) may cost \(without) time**, but that is not certain: \(range(ratio))"
    }
    if let high = ratio.high, high < 1 {
      return "**\(value) may save \(without) time**, but that is not certain: \(range(ratio))"
    }
    return ratio.isWithinFivePercent
      ? "**\(value) makes no difference to the time of \(without)** to within 5 %: \(range(ratio))"
      : "What \(value) costs \(without) in time is not certain: \(range(ratio))"
  }

  /// `+12.3 % [10.1, 14.0], 1.20 µs a row`; a multiple if it is large.
  private func amount(_ finding: Finding) -> String {
    guard let ratio = finding.estimates.first else { return "" }
    let relation = ratio.median >= 2 ? times(ratio) : HumanUnits.addition(ratio)
    guard finding.estimates.count > 1 else { return relation }
    let row = finding.estimates[1]
    return relation + ", \(row.median > 0 ? "+" : "")\(HumanUnits.time(row)) a row"
  }

  /// One sentence for a value: the range of its price over the cells.
  private func range(of prices: [Price]) -> String {
    let value = prices.first.map { Markdown.code("\($0.parameter)=\($0.value)") } ?? ""
    let timed = prices.filter { !$0.time.estimates.isEmpty }.sorted {
      $0.time.estimates[0].median < $1.time.estimates[0].median
    }
    guard let least = timed.first, let most = timed.last else {
      return "What \(value) costs is unknown: none of its cells has a time."
    }
    let names = baseNames(of: prices)
    func base(_ finding: Finding) -> String { names[finding.cells[1]] ?? name(finding.cells[1]) }
    func end(_ price: Price) -> String { "\(HumanUnits.ratio(price.time.estimates[0])) (\(base(price.time)))" }
    let costs = timed.count { $0.effect == .costs }
    let saves = timed.count { $0.effect == .saves }
    let isJudged = timed.contains { $0.effect != .unknown }
    let doubt = isJudged ? "" : ", perhaps by chance"
    var parts = [
      timed.count == 1
        ? "**\(value)** takes \(times(most.time.estimates[0])) (\(base(most.time)))\(doubt)"
        : "**\(value)** takes \(end(least)) to \(end(most)) times as long\(doubt)"
    ]
    if isJudged {
      let cells = HumanUnits.counted(timed.count, "cell")
      let effects = [
        costs > 0 ? "it costs time in \(costs == timed.count ? "all" : "\(costs)") of \(cells)" : nil,
        saves > 0
          ? "it saves time in \(saves == timed.count ? "all" : "\(saves)")\(costs > 0 ? "" : " of \(cells)")" : nil,
      ].compactMap(\.self)
      if timed.count == 1 {
        parts.append(
          costs > 0
            ? "it costs time" : saves > 0 ? "it saves time" : possible(timed) ?? "no difference is certain")
      } else {
        parts.append(
          effects.isEmpty
            ? possible(timed) ?? "no difference is certain in any of \(cells)" : HumanUnits.list(effects))
      }
    }
    parts += FindingKind.SizeFigure.allCases.compactMap { sizeRange(of: prices, $0, base) }
    return parts.joined(separator: "; ") + "."
  }

  /// The names of the cells without the value, by cell, without swept parameters that all of them share.
  private func baseNames(of prices: [Price]) -> [CellID: String] {
    let bases = prices.compactMap { cell($0.time.cells[1])?.cell }
    guard bases.count > 1, let first = bases.first else { return [:] }
    let shared = scenario.variedKeys.filter { key in bases.allSatisfy { $0.parameters[key] == first.parameters[key] } }
    return bases.reduce(into: [:]) { names, base in
      var short = base
      for key in shared { short.parameters[key] = nil }
      names[base.id] = Markdown.code(short.label)
    }
  }

  /// What prices may be by their own intervals, if too many claims leave none certain; `nil` if all intervals include 1.
  private func possible(_ timed: [Price]) -> String? {
    let costs = timed.count { ($0.time.estimates[0].low ?? 0) > 1 }
    let saves = timed.count { ($0.time.estimates[0].high ?? .infinity) < 1 }
    func part(_ verb: String, _ count: Int) -> String? {
      if count == 0 { return nil }
      if timed.count == 1 { return "\(verb) time" }
      let share = count == timed.count ? "all \(count)" : "\(count) of \(timed.count)"
      return "\(verb) time in \(share) cells"
    }
    let parts = [part("cost", costs), part("save", saves)].compactMap(\.self)
    return parts.isEmpty ? nil : "it may \(HumanUnits.list(parts)), but that is not certain"
  }

  /// The largest change of a size in each direction, for a title; `nil` if nothing changes it.
  private func sizeRange(
    of prices: [Price], _ figure: FindingKind.SizeFigure, _ base: (Finding) -> String
  ) -> String? {
    let findings: [Finding] = prices.compactMap { price in price.bytes.first { $0.figure == figure }?.finding }
    var changes: [(finding: Finding, ratio: Double)] = []
    for finding in findings where finding.estimates.count > 1 && finding.estimates[1].median > 0 {
      changes.append((finding, finding.estimates[0].median / finding.estimates[1].median))
    }
    changes.sort { $0.ratio < $1.ratio }
    if changes.isEmpty { return nil }
    changes.removeAll { !isChange($0.finding) }
    if changes.isEmpty { return "\(figure.words) the same to within 5 % in every cell" }
    let ends = [changes.first { $0.ratio < 1 }, changes.last { $0.ratio >= 1 }].compactMap(\.self)
    let words: [String] = ends.map { finding, ratio in
      "\(ratio >= 1 ? "up to" : "down to") \(bytes(finding).joined(separator: " from ")) "
        + "(\(base(finding)))"
    }
    return "\(figure.words) \(HumanUnits.list(words))"
  }

  /// Whether two sizes differ by more than the threshold.
  ///
  /// A size that the question names must not differ at all.
  private func isChange(_ finding: Finding) -> Bool {
    let (with, without) = (finding.estimates[0].median, finding.estimates[1].median)
    return max(with, without) > min(with, without) * FeaturePrice.notable
  }

  /// The sizes with and without the value, in one unit.
  private func bytes(_ finding: Finding) -> [String] {
    HumanUnits.bytes(finding.estimates.prefix(2).map { Int64(clamping: $0.median) })
  }

  private func bytes(_ estimate: Estimate) -> String { HumanUnits.bytes(Int64(clamping: estimate.median)) }

  // MARK: The harness

  func harness(_ finding: Finding) -> String? {
    switch finding.kind {
    case .harnessCost:
      "**The harness takes \(HumanUnits.share(finding.estimates[0])) of the time of \(name(finding.cells[0]))**: "
        + "\(HarnessCost.judgement(of: finding.estimates[0]))."
    case .instrumentCost(let effect): instrument(finding, effect)
    default: nil
    }
  }

  private func instrument(_ finding: Finding, _ effect: FindingKind.Effect) -> String? {
    guard let cell = cell(finding.cells[0]) else { return nil }
    let words = cell.cell.attachment.words
    let plain = name(finding.cells[1])
    let addition = HumanUnits.addition(finding.estimates[0])
    return switch effect {
    case .costs: "**\(words.uppercasedFirst)** adds \(addition) to \(plain)."
    case .saves:
      "**\(words.uppercasedFirst)** adds nothing that can be seen to \(plain), which was even faster with it: "
        + "\(addition)."
    case .unseen where finding.estimates[0].isWithinFivePercent:
      "**\(words.uppercasedFirst)** adds nothing that can be seen to \(plain): \(addition)."
    case .unseen: "What \(words) adds to \(plain) is not certain: \(addition)."
    case .unknown: "**\(words.uppercasedFirst)** changes the time of \(plain) by \(addition), perhaps by chance."
    }
  }
}

extension FindingKind.SizeFigure {
  var words: String {
    switch self {
    case .heapPeak: "heap peak"
    case .walPeak: "WAL peak"
    case .database: "database"
    }
  }

  /// The same, for a title.
  var short: String {
    switch self {
    case .heapPeak: "heap"
    case .walPeak: "WAL"
    case .database: "file"
    }
  }
}

extension HarnessCost {
  static func judgement(of share: Estimate) -> String {
    let limit = "\(Digits.fixed(HarnessCost.limit * 100, decimals: 0)) %"
    guard let high = share.high else {
      return "too few rounds to say whether that is below \(limit)"
    }
    return high < HarnessCost.limit
      ? "the interval is wholly below \(limit)" : "**the interval is not wholly below \(limit)**"
  }
}

extension Attachment? {
  /// The instrument in words.
  var words: String {
    switch self {
    case nil, .nothing: "nothing"
    case .meteringVFS: "the metering VFS"
    case .sampler: "the memory sampler"
    case .allocationMeter: "the idle allocation meter"
    case .speedProbe: "the probe of the processor's speed"
    }
  }
}
