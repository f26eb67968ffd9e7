// The only place that turns findings into sentences, for all renderers. The sentences are Markdown; other renderers
// remove the marks.
internal import Analysis

/// Sentences about one scenario's findings.
struct Prose {
  let scenario: ScenarioReport
  /// Cells by id.
  private let cells: [CellID: CellReport]
  private let givesAdvice: Bool

  /// - Parameters:
  ///   - scenario: The scenario with its findings.
  ///   - givesAdvice: Whether to advise what to do about too few rounds; false if something else does, such as the
  ///     warning of a quick run.
  init(_ scenario: ScenarioReport, givesAdvice: Bool = true) {
    self.scenario = scenario
    self.givesAdvice = givesAdvice
    cells = Dictionary(scenario.cells.map { ($0.cell.id, $0) }) { first, _ in first }
  }

  var groups: [ComparableGroup] { scenario.groups }

  /// Whole sentences in the order of the findings.
  ///
  /// Adjacent findings on one topic share sentences.
  func sentences(on findings: [Finding]) -> [String] {
    var sentences: [String] = []
    var rest = findings[...]
    while let first = rest.first {
      let topic = Topic(first.kind)
      let own = rest.prefix { Topic($0.kind) == topic }
      rest = rest.dropFirst(own.count)
      sentences += self.sentences(on: Array(own), of: topic)
    }
    return sentences
  }

  private func sentences(on findings: [Finding], of topic: Topic) -> [String] {
    switch topic {
    case .apple: isSaidByAnswer(findings) ? [] : findings.flatMap(apple)
    case .growth: growth(findings)
    case .heapGrowth: heapGrowth(findings)
    case .reference: reference(findings)
    case .crossover: findings.compactMap { crossover($0) ?? noCrossover($0) }
    case .knee: knees(findings)
    case .price: prices(findings)
    case .harness: findings.compactMap(harness)
    case .work: work(findings)
    case .ranking: ranking(findings)
    case .roles: roles(findings)
    case .shares: shares(findings)
    case .rows: findings.compactMap(bytesPerRow)
    }
  }

  /// The topics that one sentence can cover.
  private enum Topic {
    case apple, growth, heapGrowth, reference, crossover, knee, price, harness, work, ranking, roles, shares, rows

    init(_ kind: FindingKind) {
      self =
        switch kind {
        case .appleClaim: .apple
        case .exponent, .breakInGrowth: .growth
        case .heapPerRow, .heapIndependentOfRows: .heapGrowth
        case .timesReference: .reference
        case .crossover, .noCrossover: .crossover
        case .knee, .noKnee: .knee
        case .price, .priceInBytes: .price
        case .harnessCost, .instrumentCost: .harness
        case .unequalWork: .work
        case .fastest, .fastestOfObjectGraph, .slowest, .tied, .order, .unranked, .onlyCell, .timeless, .leanest:
          .ranking
        case .objectByObjectAgainstBatch: .roles
        case .share: .shares
        case .bytesPerRow: .rows
        }
    }
  }

  /// What to do about too few rounds; `nil` if that is said elsewhere.
  var advice: String? { givesAdvice ? "Take \(Estimate.leastRounds) rounds or more." : nil }

  /// Sentences about too few rounds, followed by the advice.
  func advised(_ sentences: String) -> String { [sentences, advice].compactMap(\.self).joined(separator: " ") }

  // MARK: Names

  func cell(_ id: CellID) -> CellReport? { cells[id] }

  /// A cell's name as code; its id if the scenario does not have it.
  func name(_ id: CellID) -> String { Markdown.code(cells[id]?.label ?? id) }

  func names(_ ids: some Sequence<CellID>) -> String { list(ids.map(name)) }

  /// Names in a sentence; if there are very many, the first ones and the number of others.
  func list(_ names: [String]) -> String {
    guard names.count > Prose.mostInSentence else { return HumanUnits.list(names) }
    let shown = names.prefix(Prose.shownOfMany)
    return HumanUnits.list(shown + [HumanUnits.counted(names.count - shown.count, "other")])
  }

  /// The mark on everything that a debug build measured.
  static let notComparable = "Not comparable: debug build"

  private static let mostInSentence = 12
  private static let shownOfMany = 3

  /// What the cells of a series have in common: the first one's name without the parameter in which they differ.
  func series(_ ids: [CellID], by key: String) -> String {
    guard var common = ids.first.flatMap({ cells[$0]?.cell }) else { return "" }
    common.parameters[key] = nil
    return Markdown.code(common.label)
  }

  /// `key=value` of a cell as code; the parameter's default if the cell does not set it.
  func setting(_ key: String, of id: CellID) -> String {
    guard let cell = cells[id] else { return Markdown.code(key) }
    return Markdown.code("\(key)=\(scenario.setting(key, of: cell).text)")
  }

  // MARK: Ratios

  /// `2.31 times as long [2.25, 2.40]`.
  func times(_ ratio: Estimate) -> String {
    [HumanUnits.ratioMedian(ratio) + " times as long", HumanUnits.ratioInterval(ratio)]
      .compactMap(\.self).joined(separator: " ")
  }

  /// `0.92 to 3.2 times as long`: the possible range if nothing is certain.
  func range(_ ratio: Estimate) -> String {
    guard let low = ratio.low, let high = ratio.high else { return "\(Digits.short(ratio.median)) times as long" }
    let ends = [low, high].map(Digits.short)
    // Two digits, or three if the ends would look the same with two.
    let texts = ends[0] == ends[1] ? [low, high].map(Digits.significant) : ends
    return "\(texts[0]) to \(texts[1]) times as long"
  }
}
