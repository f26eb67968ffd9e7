// How time and memory grow with rows, and where strategies cross over, as sentences.
internal import Analysis
internal import Support

extension Prose {
  /// One sentence about all exponents, and one for each break.
  func growth(_ findings: [Finding]) -> [String] {
    let verdicts: [(FindingKind.GrowthVerdict, String)] = [
      (.hardly, "hardly at all with"), (.slower, "more slowly than the rows with"),
      (.proportional, "in proportion to the rows with"),
      (.faster, "**faster than the rows** with"),
    ]
    var parts = verdicts.compactMap { verdict, words -> String? in
      let own = findings.filter { $0.kind == .exponent(verdict) }
      return own.isEmpty ? nil : "\(words) \(exponents(own))"
    }
    let isKnown = !parts.isEmpty
    if isKnown { parts[0] = "time grows " + parts[0] }
    let unknown = findings.filter { $0.kind == .exponent(.unknown) }
    if !unknown.isEmpty { parts.append("too few rounds to say how time grows with \(exponents(unknown))") }
    let unclear = findings.filter { $0.kind == .exponent(.unclear) }
    if !unclear.isEmpty { parts.append("too noisy to say how time grows with \(exponents(unclear))") }
    let breaks = findings.compactMap { finding -> String? in
      guard case .breakInGrowth(let after, let before) = finding.kind else { return nil }
      return
        "**A row takes \(HumanUnits.ratioMedian(finding.estimates[0])) times as long above \(rows(after)) rows** with "
        + "\(series(finding.cells, by: Scaling.key)): up to \(rows(after)) rows each takes one time, from \(rows(before)) rows on the other"
        + "\(HumanUnits.ratioInterval(finding.estimates[0]).map { " \($0)" } ?? "")."
    }
    // The swept rows: the phase may handle only a part of them.
    let all = findings.flatMap(\.cells).compactMap { cell($0).map { scenario.setting(Scaling.key, of: $0).order } }
    guard !parts.isEmpty, let least = all.min(), let most = all.max() else { return breaks }
    let range = [least, most].map { Digits.grouped(Int(clamping: $0)) }
    return ["**From \(range[0]) to \(range[1]) rows**\(isKnown ? "" : ",") \(parts.joined(separator: "; "))."] + breaks
  }

  /// Strategies with their exponents: `save` (exponent 1.12 [1.10, 1.15]).
  ///
  /// If there are many, only the range; the picture shows all of them.
  private func exponents(_ findings: [Finding]) -> String {
    let medians = findings.map(\.estimates[0].median)
    if findings.count > Prose.mostExponents, let least = medians.min(), let most = medians.max() {
      let names = ways(findings.map { series($0.cells, by: Scaling.key) })
      let ends = [least, most].map(Digits.exponent)
      return "\(names) (\(ends[0] == ends[1] ? "exponent \(ends[0])" : "exponents \(ends[0]) to \(ends[1])"))"
    }
    return HumanUnits.list(
      findings.map { "\(series($0.cells, by: Scaling.key)) (exponent \(HumanUnits.ratio($0.estimates[0])))" })
  }

  private static let mostExponents = 4
  private static let mostWays = 8

  /// Names; or their number if there are many.
  func ways(_ names: [String]) -> String {
    names.count > Prose.mostWays ? HumanUnits.counted(names.count, "way") : HumanUnits.list(names)
  }

  /// The heap growth per row, and the strategies that need the same heap for any number of rows.
  func heapGrowth(_ findings: [Finding]) -> [String] {
    var amounts: [(words: String, names: [String])] = []
    for finding in findings where finding.kind == .heapPerRow {
      let words = Digits.significant(finding.estimates[0].median)
      let name = series(finding.cells, by: Scaling.key)
      if let known = amounts.firstIndex(where: { $0.words == words }) {
        amounts[known].names.append(name)
      } else {
        amounts.append((words, [name]))
      }
    }
    let all = amounts.flatMap(\.names)
    let medians = findings.filter { $0.kind == .heapPerRow }.map(\.estimates[0].median)
    let growing =
      all.count > Prose.mostWays
      ? [
        "\(Digits.significant(medians.min() ?? 0)) to \(Digits.significant(medians.max() ?? 0)) bytes a row with \(ways(all))"
      ]
      : amounts.enumerated().map { index, amount in
        "\(amount.words)\(index == 0 ? " bytes a row" : "") with \(HumanUnits.list(amount.names))"
      }
    let flat = findings.filter { $0.kind == .heapIndependentOfRows }
    var parts: [String] = []
    if !growing.isEmpty { parts.append("grows by \(growing.joined(separator: "; "))") }
    if let most = flat.map(\.estimates[0].median).max() {
      let names = ways(flat.map { series($0.cells, by: Scaling.key) })
      parts.append("is at most \(HumanUnits.bytes(Int64(clamping: most))) for any number of rows with \(names)")
    }
    return parts.isEmpty ? [] : ["The heap peak \(parts.joined(separator: "; it "))."]
  }

  // MARK: Against the reference, by kind of work

  /// A strategy for several kinds of work, each with its reference.
  struct ReferenceWay {
    let name: String
    let reference: String
    var all: [Answer.Alternative]
    var certain: [Answer.Alternative] { all.filter { $0.certainty == .certain } }
  }

  /// The strategies that a question about growth compares with their references, the one with most kinds of work first.
  func referenceWays(_ answer: Answer) -> [ReferenceWay] {
    var ways: [ReferenceWay] = []
    for alternative in answer.against {
      let group = groups.firstIndex { $0.cells.contains(alternative.cell) }
      let name = shortName(alternative.cell, in: group)
      if let known = ways.firstIndex(where: { $0.name == name }) {
        ways[known].all.append(alternative)
      } else {
        ways.append(ReferenceWay(name: name, reference: shortName(alternative.base, in: group), all: [alternative]))
      }
    }
    return ways.enumerated().sorted { ($1.element.all.count, $0.offset) < ($0.element.all.count, $1.offset) }
      .map(\.element)
  }

  /// The kind of work of a cell, by the conditions in which kinds differ, and its number of rows.
  func work(of alternative: Answer.Alternative) -> (kind: [ComparableGroup.Condition], rows: String) {
    let conditions = groups.first { $0.cells.contains(alternative.cell) }?.conditions ?? []
    let rows = conditions.first { $0.key == Scaling.key }?.value ?? ""
    return (conditions.filter { $0.key != Scaling.key }, rows)
  }

  /// One sentence for each strategy, beginning with the work that it speeds up most.
  func againstReferences(_ answer: Answer) -> [String] {
    referenceWays(answer).map { way in
      func place(_ alternative: Answer.Alternative) -> String {
        Markdown.code(work(of: alternative).kind.map { "\($0.key)=\($0.value)" }.joined(separator: ","))
      }
      func bounds(_ alternative: Answer.Alternative) -> String { alternative.time.map { " (\(range($0)))" } ?? "" }
      let certain = way.certain.sorted { ($0.time?.median ?? 0) < ($1.time?.median ?? 0) }
      let known = certain.enumerated().compactMap { index, alternative in
        alternative.time.map {
          "\(index == 0 ? times($0) + " as \(way.reference)" : HumanUnits.ratio($0)) at \(place(alternative))"
        }
      }
      let rest = way.all.filter { $0.certainty != .certain }
      let alike = rest.filter { $0.time?.isWithinFivePercent == true }
      let short = rest.filter { $0.certainty == .tooFewRounds && !alike.contains($0) }
      let noisy = rest.filter { !alike.contains($0) && !short.contains($0) }
      // The keys that name the kinds, for a list of all of them.
      let keys = Set(way.all.flatMap { work(of: $0).kind.map(\.key) }).sorted().map { Markdown.code($0) }
      func at(_ alternatives: [Answer.Alternative]) -> String {
        alternatives.count > 2 && alternatives.count == way.all.count
          ? "for every \(HumanUnits.list(keys))" : "at \(HumanUnits.list(alternatives.map(place)))"
      }
      let parts = [
        known.isEmpty ? nil : "takes \(HumanUnits.list(known))",
        alike.isEmpty ? nil : "takes as long\(known.isEmpty ? " as \(way.reference)" : "") \(at(alike))",
        short.isEmpty ? nil : "has too few rounds to rank \(at(short))",
        noisy.isEmpty ? nil : "is too noisy to rank at \(HumanUnits.list(noisy.map { place($0) + bounds($0) }))",
      ]
      let rows = work(of: way.all[0]).rows
      return "\(rows.isEmpty ? "" : "At \(Markdown.code("\(Scaling.key)=\(rows)")), ")**\(way.name)** "
        + "\(parts.compactMap(\.self).joined(separator: "; it "))."
    }
  }

  /// The cells of two series, which are listed one after the other.
  private func split(_ finding: Finding) -> (first: [CellID], second: [CellID])? {
    guard let first = finding.cells.first.flatMap(cell)?.cell else { return nil }
    return finding.cells.firstIndex { id in cell(id).map { !isAlike($0.cell, first) } ?? false }
      .map { (Array(finding.cells[..<$0]), Array(finding.cells[$0...])) }
  }

  /// The order of two series that do not cross over.
  func noCrossover(_ finding: Finding) -> String? {
    guard case .noCrossover(let order) = finding.kind, let (first, second) = split(finding) else { return nil }
    let (one, other) = (series(first, by: Scaling.key), series(second, by: Scaling.key))
    return switch order {
    case .fasterAtEverySize: "\(one) is faster than \(other) at every size."
    case .fasterAtSome: "\(one) is faster than \(other) at some sizes; the others are too noisy to rank them."
    case .fasterAtSomeFewRounds:
      "\(one) is faster than \(other) at some sizes; the others have too few rounds to tell."
    case .fasterAtSomeUnranked:
      "\(one) is faster than \(other) at some sizes; the others are too noisy or have too few rounds to rank them."
    case .changesOften: "\(one) and \(other) change places more than once."
    case .tooNoisy: "Too noisy to rank \(one) and \(other) at any size."
    case .tooFewRounds: "Too few rounds to rank \(one) and \(other)."
    case .unranked: "Too noisy or too few rounds to rank \(one) and \(other) at any size."
    }
  }

  func crossover(_ finding: Finding) -> String? {
    // The strategy that wins below comes before the one that wins above.
    guard finding.kind == .crossover, let (below, above) = split(finding) else { return nil }
    let size = finding.estimates[0]
    guard let low = size.low, let high = size.high else { return nil }
    let (one, other) = (series(below, by: Scaling.key), series(above, by: Scaling.key))
    if finding.certainty == .undecided {
      return
        "\(other) seems to win over \(one) from about \(rows(size.median)) rows, between \(rows(low)) and \(rows(high)), but "
        + "that is not certain."
    }
    return
      "**\(other) wins over \(one) from about \(rows(size.median)) rows**: at \(rows(low)) rows \(one) is faster, at "
      + "\(rows(high)) rows \(other)."
  }

  /// Whether two cells differ only in their rows.
  private func isAlike(_ cell: Cell, _ other: Cell) -> Bool {
    var (one, two) = (cell, other)
    one.parameters[Scaling.key] = nil
    two.parameters[Scaling.key] = nil
    return one == two
  }

  /// A number of rows with at most three significant digits.
  private func rows(_ size: Double) -> String {
    guard size < 0x1p62, size >= 1 else { return Digits.significant(size) }
    var unit = 1.0
    while size / unit >= 1_000 { unit *= 10 }
    return Digits.grouped(Int(clamping: ((size / unit).rounded() * unit).rounded()))
  }
}
