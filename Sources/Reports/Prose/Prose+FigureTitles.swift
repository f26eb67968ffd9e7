// Titles for questions about an exact metric or a latency: the minimum, the maximum, and what changes it.
internal import Analysis
internal import Support

extension Prose {
  /// The minimum and the maximum of the metric, with their cells if there is room.
  func exactTitles(_ answer: Answer, _ figure: MetricID) -> [String] {
    let words = figureWords(figure).uppercasedFirst
    guard let best = answer.best?.median else { return ["\(words) was not measured"] }
    if figure.isLatency { return latencyTitles(answer, figure, words) }
    let place = groups.count > 1 ? place(of: answer.group) : ""
    let subject = words + (place.isEmpty ? "" : " at \(Markdown.code(place))")
    let least = amount(Int64(clamping: best), of: figure)
    let start = "\(subject): \(least)"
    let names = answer.choice.map { nameInTitle($0, of: answer) }
    let chosen =
      names.count <= Prose.mostNamedInTitle ? HumanUnits.list(names) : HumanUnits.counted(names.count, "way")
    guard let worst = answer.against.first, let most = cell(worst.cell)?.main.metrics[figure] else {
      return [isOfEveryCell(answer, figure) ? "\(subject) is \(least) in every cell" : "\(start) with \(chosen)"]
    }
    let end = amount(most, of: figure)
    let change = answer.price.flatMap { price in
      price.timesTheSize.map { ratio in
        "\(start) to \(end); \(Markdown.code("\(price.parameter)=\(price.value)")) makes it "
          + "\(ratio < 1 ? "as little as" : "up to") \(HumanUnits.ratioInTitle(ratio)) times as large"
      }
    }
    return [
      "\(start) with \(chosen), \(end) with \(nameInTitle(worst.cell, of: answer))", change,
      "\(start) with \(chosen), up to \(end)", "\(start) to \(end)",
    ].compactMap(\.self)
  }

  /// Whether several cells were measured under the answer's conditions, and all have the same amount of a metric.
  func isOfEveryCell(_ answer: Answer, _ figure: MetricID) -> Bool {
    let conditions = answer.group.flatMap { groups.indices.contains($0) ? groups[$0].conditions : nil }
    let ids = Set(groups.filter { $0.conditions == conditions }.flatMap(\.cells))
    let all = scenario.measured.filter { ids.contains($0.cell.id) }.map { $0.main.metrics[figure] }
    let known = all.compactMap(\.self)
    return known.count > 1 && known.count == all.count && Set(known.map { amount($0, of: figure) }).count == 1
  }

  private func latencyTitles(_ answer: Answer, _ figure: MetricID, _ words: String) -> [String] {
    if answer.isOfEachWork { return titlesOfEachWork(answer, figure, words) }
    let known = (answer.choice + answer.against.map(\.cell)).compactMap { cell($0)?.main.metrics[figure] }
    let least = amount(Int64(clamping: answer.best?.median ?? 0), of: figure)
    let longest = known.max().map { amount($0, of: figure) } ?? least
    let first = answer.choice.first.map { nameBesideFigure($0, of: answer) } ?? "one cell"
    let place = groups.count > 1 ? place(of: answer.group) : ""
    let subject = words + (place.isEmpty ? "" : " at \(Markdown.code(place))")
    if answer.isOfOneCell { return ["\(subject): \(least) with \(first)", "\(subject): \(least)"] }
    let range = longest == least ? "\(subject): \(least)" : "\(subject): \(least) to \(longest)"
    if answer.verdict == .cannotTell {
      return [
        "\(subject): \(least) with \(first), or by chance: too few rounds to rank them",
        "\(range), perhaps by chance: too few rounds", "Too few rounds to rank the \(rankedFigures(figure))",
      ]
    }
    guard let worst = answer.against.first, let most = cell(worst.cell)?.main.metrics[figure] else {
      let none = "no cell \(waits(figure)) longer for certain"
      return ["\(range); \(none)", "\(range); no order is certain", "\(range); order unclear", range]
    }
    let end = amount(most, of: figure)
    // Cells that may be equally short have their own figures, possibly including the longest of all.
    let count = answer.choice.count + answer.against.count
    return
      (end == longest
      ? ["\(subject): \(least) with \(first), \(end) with \(nameBesideFigure(worst.cell, of: answer))"] : [])
      + (answer.choice.count > 1 ? ["\(range), longer for certain with \(answer.against.count) of \(count) ways"] : [])
      + ["\(subject): \(least) with \(first), up to \(longest)", range]
  }

  /// The range of a latency over all kinds of work, with the kinds at its ends if there is room.
  private func titlesOfEachWork(_ answer: Answer, _ figure: MetricID, _ words: String) -> [String] {
    let known = answer.cases.flatMap { found in
      groups[found.group].cells.compactMap { id in
        cell(id)?.main.metrics[figure].map { (place: place(of: found.group), figure: $0) }
      }
    }
    guard let least = known.min(by: { $0.figure < $1.figure }), let most = known.max(by: { $0.figure < $1.figure })
    else { return ["\(words) was not measured"] }
    let (start, end) = (amount(least.figure, of: figure), amount(most.figure, of: figure))
    let isNamed = start != end && least.place != most.place && !least.place.isEmpty && !most.place.isEmpty
    let named = "\(words): \(start) at \(Markdown.code(least.place)) to \(end) at \(Markdown.code(most.place))"
    let counted =
      "\(words): \(start == end ? start : "\(start) to \(end)") over \(answer.cases.count) kinds of work"
    let titles = isNamed ? [named, counted] : [counted]
    if answer.isOfOneCell { return titles }
    if answer.verdict != .cannotTell {
      return titles.flatMap { ["\($0); no order is certain", "\($0); order unclear"] } + titles
    }
    return titles.flatMap { ["\($0); too few rounds to rank cells", "\($0); too few rounds"] }
      + ["Too few rounds to rank the \(rankedFigures(figure))"]
  }

  /// A cell's name next to its latency: the full name if no condition identifies the work of the answer.
  func nameBesideFigure(_ id: CellID, of answer: Answer) -> String {
    place(of: answer.group).isEmpty ? name(id) : nameInTitle(id, of: answer)
  }

  /// A metric's name for readers.
  func figureWords(_ figure: MetricID) -> String {
    switch figure {
    case .heapPeak: "heap peak"
    case .walPeak: "WAL peak"
    case _ where figure.latencyFigure == .longest:
      // `latency.read.longest` is the latency of one operation, unlike a percentile.
      figure.declaration.name.split(separator: ".").dropFirst().reversed().joined(separator: " ")
    case _ where figure.isLatency:
      // `latency.read.p99` becomes the percentile of the operations.
      figure.declaration.name.split(separator: ".").dropFirst().reversed()
        .map { $0 == "p999" ? "p99.9" : String($0) }.joined(separator: " of ") + "s"
    default: figure.declaration.name.split(separator: "_").joined(separator: " ")
    }
  }

  /// The verb for the latency of a cell's own requests or of concurrent operations.
  func waits(_ figure: MetricID) -> String { figure.isOfRequests ? "takes" : "has others wait" }

  /// The figures of several cells, to be ranked: the longest read of each, but one percentile of all reads.
  func rankedFigures(_ figure: MetricID) -> String {
    figureWords(figure) + (figure.latencyFigure == .longest ? "s" : "")
  }

  func amount(_ figure: Int64, of metric: MetricID) -> String {
    if metric.isTime { return HumanUnits.time(Double(figure) / 1e9) }
    return metric.isBytes ? HumanUnits.bytes(figure) : Digits.grouped(figure)
  }
}

extension Answer {
  /// Whether a question about a metric found only one cell with it among those of equal work.
  var isOfOneCell: Bool { choice.count == 1 && against.isEmpty && peers.isEmpty }

  /// Whether a question about a latency has the shortest for each of several kinds of work, because none of them ranks
  /// its cells.
  var isOfEachWork: Bool {
    cases.count > 1 && cases.contains { $0.group == group } && (verdict == .cannotTell || against.isEmpty)
  }
}
