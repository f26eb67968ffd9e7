// The answer to a question about an exact metric or a latency, as sentences: the minimum, and the values of the others.
internal import Analysis
internal import Support

extension Prose {
  /// The cells with the minimum, and then the values of the others.
  func exact(_ answer: Answer, _ metric: MetricID) -> [String] {
    guard let best = answer.best?.median else {
      return ["**The \(figureWords(metric)) was not measured.**"]
    }
    if metric.isLatency, answer.isOfEachWork { return [shortestOfEachWork(answer, metric)] }
    let least = amount(Int64(clamping: best), of: metric)
    let first = metric.isLatency ? shortest(answer, metric, least) : fewest(answer, metric, least)
    // Cells with the same amount share a sentence.
    var levels: [(names: [String], amount: String, figure: Int64)] = []
    for alternative in answer.against {
      guard let figure = cell(alternative.cell)?.main.metrics[metric] else { continue }
      let name =
        metric.isLatency ? nameBesideFigure(alternative.cell, of: answer) : nameInTitle(alternative.cell, of: answer)
      let amount = amount(figure, of: metric)
      if let last = levels.indices.last, levels[last].amount == amount {
        levels[last].names.append(name)
      } else {
        levels.append(([name], amount, figure))
      }
    }
    let others = levels.map { level in
      let ratio = best > 0 ? Double(level.figure) / best : nil
      let times = ratio.map {
        ", \(HumanUnits.ratioMedian(Estimate(median: $0))) times as \(metric.isLatency ? "long" : "much")"
      }
      return "\(list(level.names)) \(level.names.count == 1 ? "has" : "have") \(level.amount)\(times ?? "")"
    }
    var shown = others.prefix(Prose.mostSentences).map { $0 + "." }
    let rest = levels.dropFirst(Prose.mostSentences).reduce(0) { $0 + $1.names.count }
    if rest > 0 { shown.append("\(Digits.grouped(rest)) more \(rest == 1 ? "is" : "are") in the table.") }
    return [first] + shown + (metric.isLatency ? shortestElsewhere(answer, metric) : [])
  }

  /// The cells with the least of an exact metric.
  private func fewest(_ answer: Answer, _ metric: MetricID, _ least: String) -> String {
    let words = figureWords(metric)
    let place = groups.count > 1 ? place(of: answer.group) : ""
    if answer.against.isEmpty, isOfEveryCell(answer, metric) {
      let claim = "the \(words) is \(least) in every cell.**"
      return place.isEmpty ? "**\(claim.uppercasedFirst)" : "At \(Markdown.code(place)), **\(claim)"
    }
    let names = list(answer.choice.map { nameInTitle($0, of: answer) })
    let verb = answer.choice.count == 1 ? "has" : "have"
    let scope = scope(of: answer) { peer in
      let figure = cell(peer.cell)?.main.metrics[metric]
      return figure.map { Double($0) < answer.best?.median ?? 0 && amount($0, of: metric) != least } ?? false
    }
    let claim =
      answer.against.isEmpty
      ? "**\(words.uppercasedFirst): \(least)** with \(names)"
      : "**\(names) \(verb) the \(words.hasSuffix("peak") ? "lowest" : "least") \(words)**\(scope), \(least)"
    return (place.isEmpty ? claim : "At \(Markdown.code(place)), \(claim)") + "."
  }

  /// The cells with the shortest waits of concurrent operations, and whether that is certain.
  private func shortest(_ answer: Answer, _ metric: MetricID, _ least: String) -> String {
    let words = figureWords(metric)
    let names = answer.choice.map { nameBesideFigure($0, of: answer) }
    let all = list(names)
    let place = groups.count > 1 ? place(of: answer.group) : ""
    let start = place.isEmpty ? "" : "At \(Markdown.code(place)), "
    if answer.isOfOneCell {
      return "\(start)**\(start.isEmpty ? words.uppercasedFirst : words): \(least)** with \(all)."
    }
    if answer.verdict == .cannotTell {
      return advised(
        "\(start)**\(start.isEmpty ? "Too" : "too") few rounds to rank the \(rankedFigures(metric))**: \(least) "
          + "with \(all), which may be chance.")
    }
    if answer.against.isEmpty {
      let first = answer.choice.first.map { nameBesideFigure($0, of: answer) } ?? "one cell"
      return "\(start)**\(start.isEmpty ? "No" : "no") cell \(waits(metric)) longer for certain**: the \(words) is "
        + "shortest with \(first), \(least)."
    }
    let (shortest, others) = shortestOnes(answer.choice, names, metric)
    return "\(start)**\(start.isEmpty ? "The" : "the") \(words) is shortest with \(shortest)**, \(least)\(others)."
  }

  /// The cell with the shortest latency, then those that may be equally short, with the longest of their figures.
  private func shortestOnes(_ ids: [CellID], _ names: [String], _ metric: MetricID) -> (first: String, others: String) {
    let figures = ids.compactMap { cell($0)?.main.metrics[metric] }
    guard figures.count == names.count, let longest = figures.dropFirst().max(),
      Set(figures.map { amount($0, of: metric) }).count > 1
    else { return (list(names), "") }
    let count = names.count - 1
    let others =
      names.count <= Prose.mostNamedInTitle ? list(Array(names.dropFirst())) : HumanUnits.counted(count, "other")
    let most = "\(count == 1 ? "" : "up to ")\(amount(longest, of: metric))"
    return (names[0], "; with \(others), \(most), it is not longer for certain")
  }

  /// The shortest for each kind of work, if none of them ranks its cells.
  private func shortestOfEachWork(_ answer: Answer, _ metric: MetricID) -> String {
    let parts = answer.cases.compactMap { found -> String? in
      guard let id = found.choice.first, let figure = cell(id)?.main.metrics[metric] else { return nil }
      let place = place(of: found.group)
      let start = "\(amount(figure, of: metric)) with "
      return start + (place.isEmpty ? name(id) : "\(shortName(id, in: found.group)) at \(Markdown.code(place))")
    }
    let words = figureWords(metric)
    if answer.isOfOneCell { return "**No two cells did the same work**: the \(words) is \(list(parts))." }
    // A cell that the question does not ask about may have less.
    let isLeast = answer.cases.allSatisfy { found in
      let all = groups[found.group].cells.compactMap { cell($0)?.main.metrics[metric] }
      return found.choice.first.flatMap(cell)?.main.metrics[metric] == all.min()
    }
    let scope = isLeast ? "" : " through the object graph"
    if answer.verdict != .cannotTell {
      return "**No cell \(waits(metric)) longer for certain**: the shortest \(words) of each kind of work\(scope) is "
        + "\(list(parts)), perhaps by chance."
    }
    return advised(
      "**Too few rounds to rank the \(rankedFigures(metric))**: the shortest of each kind of work\(scope) is "
        + "\(list(parts)), perhaps by chance.")
  }

  /// The cells of other work with the shortest waits of concurrent operations, if that is certain.
  private func shortestElsewhere(_ answer: Answer, _ metric: MetricID) -> [String] {
    answer.cases.filter { $0.group != answer.group }.compactMap { found in
      guard let figure = found.choice.first.flatMap(cell)?.main.metrics[metric] else { return nil }
      let place = place(of: found.group)
      let names = found.choice.map { place.isEmpty ? name($0) : shortName($0, in: found.group) }
      let (shortest, others) = shortestOnes(found.choice, names, metric)
      let start = place.isEmpty ? "Of other work" : "At \(Markdown.code(place))"
      return "\(start), it is shortest with \(shortest), \(amount(figure, of: metric))\(others)."
    }
  }
}
