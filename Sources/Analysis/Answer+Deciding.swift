// How a scenario's question is answered: which kind of question it is, by what varies, and which findings decide it.
internal import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Scenarios
internal import Statistics

extension Answer {
  /// Decides the answer of a scenario whose findings are in.
  init(_ scenario: ScenarioReport, rankings: [Ranking], comparisons: Comparisons) {
    let findings = scenario.mainFindings
    func reasons(_ isReason: (FindingKind) -> Bool) -> [Finding] { findings.filter { isReason($0.kind) } }
    /// Whether findings are of half of the measured cells or more.
    func areOfMost(_ reasons: [Finding]) -> Bool {
      let named = Set(reasons.flatMap(\.cells))
      return !reasons.isEmpty && 2 * named.count >= scenario.measured.count { !$0.cell.isReference }
    }
    let about = scenario.about
    // Who waits beside the cells is another question than the cells' own times.
    if let about, about.isLatency {
      self.init(scenario, latency: about)
      return
    }
    let claims = reasons { if case .appleClaim = $0 { true } else { false } }
    if !claims.isEmpty {
      self.init(.claim, about: about, .findings, reasons: claims)
      return
    }
    let prices = reasons { kind in
      switch kind {
      case .price, .priceInBytes: true
      default: false
      }
    }
    func answer(by prices: [Finding]) -> Answer {
      let prices = Answer.dearestFirst(prices)
      return Answer(.price, about: about, .findings, price: Answer.price(of: prices), reasons: prices)
    }
    let growth = reasons { kind in
      switch kind {
      case .exponent, .breakInGrowth, .heapPerRow, .heapIndependentOfRows: true
      default: false
      }
    }
    // What a parameter of every way costs is asked of each number of rows, and growth of the ways alone.
    let ofWays = prices.filter { finding in
      Answer.setting(finding.kind).map { !ScenarioReport.workKeys.contains($0[0]) } ?? false
    }
    let priced = Set(ofWays.flatMap(\.cells))
    let ways = Answer.ways(of: scenario)
    if about == nil, !priced.isEmpty, ways.isSubset(of: priced), !growth.isEmpty {
      self = answer(by: ofWays)
      return
    }
    if areOfMost(growth) {
      self.init(
        .growth, about: about, .findings, against: Answer.atMostRows(scenario, by: comparisons), reasons: growth)
      return
    }
    if let about = scenario.about {
      self.init(scenario, exact: about)
      return
    }
    let sizes = reasons { if case .knee = $0 { true } else { false } }
    if !sizes.isEmpty, Answer.isOfMost(sizes, in: scenario) {
      self.init(
        .size, about: about, .findings, against: Answer.smallest(of: sizes, in: scenario, by: comparisons),
        reasons: sizes)
      return
    }
    // Where a way stands alone, it is asked how that compares with the others.
    let varied = Set(scenario.variedKeys.flatMap { scenario.series(by: $0) }.flatMap(\.points).map(\.cell.cell.id))
    if areOfMost(prices), ways.isSubset(of: varied) {
      self = answer(by: prices)
      return
    }
    let instruments = reasons { kind in
      switch kind {
      case .harnessCost, .instrumentCost: true
      default: false
      }
    }
    if 2 * scenario.cells.count(where: \.cell.showsHarnessCost) > scenario.cells.count, !instruments.isEmpty {
      self.init(.harness, about: about, .findings, reasons: instruments)
      return
    }
    self.init(scenario, rankings, comparisons)
  }

  /// The ways that a question is about: those through the object graph where there are two or more, or else all but the
  /// reference.
  private static func ways(of scenario: ScenarioReport) -> Set<CellID> {
    let others = scenario.measured.filter { !$0.cell.isReference && !$0.samples.isEmpty }
    let own = others.filter(\.cell.isRankedFirst)
    return Set((own.count > 1 ? own : others).map(\.cell.id))
  }

  /// Whether the series of some knees have more than half of all cells.
  private static func isOfMost(_ sizes: [Finding], in scenario: ScenarioReport) -> Bool {
    let keys = Set(sizes.compactMap { if case .knee(let parameter, _) = $0.kind { parameter } else { nil } })
    let cells = keys.flatMap { scenario.series(by: $0) }.filter { series in
      sizes.contains { finding in series.points.contains { finding.cells.contains($0.cell.cell.id) } }
    }.flatMap(\.points).map(\.cell.cell.id)
    return 2 * Set(cells).count > scenario.cells.count
  }
}

extension Answer {
  /// The smallest amount of each series that has a knee, against the best.
  private static func smallest(
    of sizes: [Finding], in scenario: ScenarioReport, by comparisons: Comparisons
  ) -> [Alternative] {
    sizes.compactMap { finding in
      guard case .knee(let parameter, _) = finding.kind, finding.cells.count > 1,
        let best = scenario.results(of: [finding.cells[1]]).first,
        let series = scenario.series(by: parameter).first(where: { series in
          series.points.contains { $0.cell.cell.id == finding.cells[1] }
        }), let least = series.amounts.first?.cell, least.cell != best.cell
      else { return nil }
      return Alternative(least, against: best, by: comparisons)
    }
  }

  /// The default engine's ways against the references of their work at most rows; none where that is one kind of work,
  /// since their growth says more then.
  private static func atMostRows(_ scenario: ScenarioReport, by comparisons: Comparisons) -> [Alternative] {
    func rows(_ cell: CellReport) -> Double { scenario.setting(Scaling.key, of: cell).order }
    let most = scenario.measured.map(rows).max()
    let own = scenario.measured.filter { rows($0) == most && $0.cell.isOfDefaultEngine == true && !$0.cell.isReference }
    let found = own.compactMap { cell in
      scenario.reference(of: cell).map { Alternative(cell, against: $0, by: comparisons) }
    }
    return Set(found.map(\.base)).count > 1 ? found : []
  }

  /// Prices with those of the value first that changes a time most for certain; where none is certain, the bytes most.
  ///
  /// A parameter that few cells differ in stands behind those that the scenario varies most.
  private static func dearestFirst(_ prices: [Finding]) -> [Finding] {
    var counts: [String: Int] = [:]
    for case .price(let parameter, _, _) in prices.map(\.kind) { counts[parameter, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    func size(_ finding: Finding) -> (isMain: Int, isTime: Int, change: Double) {
      let isMain = 2 * counts[setting(finding.kind)?[0] ?? "", default: 0] >= most ? 1 : 0
      switch finding.kind {
      case .price(_, _, .costs), .price(_, _, .saves):
        return (isMain, 1, finding.estimates.first.map { change($0.median, to: 1) } ?? 0)
      case .priceInBytes where finding.estimates.count > 1:
        return (isMain, 0, change(finding.estimates[0].median, to: finding.estimates[1].median))
      default: return (isMain, 0, 0)
      }
    }
    guard let dearest = prices.max(by: { size($0) < size($1) }), let setting = setting(dearest.kind) else {
      return prices
    }
    return prices.filter { Answer.setting($0.kind) == setting } + prices.filter { Answer.setting($0.kind) != setting }
  }

  /// How far two figures are apart as a ratio, whichever is more; 0 where one is not above 0.
  private static func change(_ figure: Double, to other: Double) -> Double {
    logRatio(figure, to: other).map(\.magnitude) ?? 0
  }

  /// The price that stands first.
  private static func price(of prices: [Finding]) -> Price? {
    guard case .price(let parameter, let value, _)? = prices.first?.kind else { return nil }
    let own = prices.filter { setting($0.kind) == [parameter, value] }
    let times = own.filter { if case .price = $0.kind { true } else { false } }
    let certain = times.filter { finding in
      if case .price(_, _, let effect) = finding.kind { effect == .costs || effect == .saves } else { false }
    }.compactMap(\.estimates.first?.median)
    let sizes = own.compactMap { finding -> (figure: FindingKind.SizeFigure, ratio: Double)? in
      guard case .priceInBytes(_, _, let figure) = finding.kind, finding.estimates.count > 1,
        finding.estimates[1].median > 0
      else { return nil }
      return (figure, finding.estimates[0].median / finding.estimates[1].median)
    }
    // Beside a certain time only what is much; else it is all that is known.
    let notable = certain.isEmpty ? 1 : 1.5
    let largest = sizes.max { change($0.ratio, to: 1) < change($1.ratio, to: 1) }
      .flatMap { change($0.ratio, to: 1) >= change(notable, to: 1) ? $0 : nil }
    return Price(
      parameter: parameter, value: value, least: certain.min(), most: certain.max(),
      isOfAll: !certain.isEmpty && certain.count == times.count,
      isSameTime: certain.isEmpty && times.allSatisfy { $0.estimates.first?.isWithinFivePercent == true },
      size: largest?.figure, timesTheSize: largest?.ratio)
  }

  /// The value that changes an exact figure most, and how many times as much that then is; nil where none changes it.
  private static func price(of figure: MetricID, in scenario: ScenarioReport) -> Price? {
    let changes = scenario.mainFindings.compactMap {
      finding -> (setting: [String], size: FindingKind.SizeFigure, ratio: Double)? in
      guard case .priceInBytes(let parameter, let value, let size) = finding.kind, size.metric == figure,
        finding.estimates.count > 1, finding.estimates[1].median > 0
      else { return nil }
      return ([parameter, value], size, finding.estimates[0].median / finding.estimates[1].median)
    }
    return changes.max { change($0.ratio, to: 1) < change($1.ratio, to: 1) }.map { most in
      Price(
        parameter: most.setting[0], value: most.setting[1], least: nil, most: nil, isOfAll: false, isSameTime: false,
        size: most.size, timesTheSize: most.ratio)
    }
  }

  private static func setting(_ kind: FindingKind) -> [String]? {
    switch kind {
    case .price(let parameter, let value, _), .priceInBytes(let parameter, let value, _): [parameter, value]
    default: nil
    }
  }
}

// MARK: - A choice by time

extension Answer {
  private init(_ scenario: ScenarioReport, _ rankings: [Ranking], _ comparisons: Comparisons) {
    let choices = rankings.indices.compactMap { index in
      Choice(rankings[index].cells, of: index, by: comparisons)
    }
    // The work that most of the ways did that a user may choose from; of several the last, which has most rows.
    let most = choices.map(\.candidates.count).max()
    guard let main = choices.last(where: { $0.candidates.count == most }) else {
      self.init(.choice, about: scenario.about, .cannotTell)
      return
    }
    let comparable = choices.filter { $0.candidates.count == most && $0.candidates.count > 1 }
    let winners = Set(comparable.map { choice in Set(choice.best.map { scenario.nameApartFromWork($0.cell) }) })
    let isDecided = comparable.allSatisfy(\.isDecided)
    if comparable.count > 1, winners.count > 1, isDecided {
      self.init(
        .choice, about: scenario.about, .dependsOn, group: main.group, choice: main.best.map(\.cell.id),
        best: main.first.main.wall.figure, against: main.alternatives, peers: main.peers,
        cases: comparable.map { Case(group: $0.group, choice: $0.best.map(\.cell.id)) }, reasons: main.reasons(scenario)
      )
      return
    }
    self.init(
      .choice, about: scenario.about, main.verdict, group: main.group, choice: main.best.map(\.cell.id),
      best: main.first.main.wall.figure, against: main.alternatives, peers: main.peers,
      reasons: main.reasons(scenario))
  }

  /// What to choose of the cells of one kind of work.
  private struct Choice {
    let group: Int
    /// The ways the question is about, the shortest median first: those through the object graph where there are two or more, or
    /// else all.
    let candidates: [CellReport]
    /// Those that nothing is faster than for certain.
    let best: [CellReport]
    let isJudged: Bool
    let alternatives: [Alternative]
    let peers: [Alternative]

    init?(_ cells: [CellReport], of group: Int, by comparisons: Comparisons) {
      let timed = cells.compactMap { cell in cell.main.wall.figure.map { (cell: cell, median: $0.median) } }
        .sorted { ($0.median, $0.cell.cell.id) < ($1.median, $1.cell.cell.id) }.map(\.cell)
      let own = timed.filter(\.cell.isRankedFirst)
      let candidates =
        own.count > 1
        ? own : timed.count(where: { !$0.cell.isReference }) > 1 ? timed.filter { !$0.cell.isReference } : timed
      guard !candidates.isEmpty else { return nil }
      self.group = group
      self.candidates = candidates
      let judged = comparisons.judged(candidates)
      isJudged = judged.count > 1 || candidates.count == 1
      let leading = Set(comparisons.order(of: judged.isEmpty ? candidates : judged).undominated)
      let best = isJudged ? candidates.filter { leading.contains($0.cell.id) } : [candidates[0]]
      self.best = best.isEmpty ? [candidates[0]] : best
      let base = self.best[0]
      func alternative(_ cell: CellReport) -> Alternative { Alternative(cell, against: base, by: comparisons) }
      // One that has too few rounds is weighed last.
      let weighed = judged.count > 1 ? judged : candidates
      let asked = Choice.asked(weighed, besides: self.best)
      let others = candidates.filter { cell in cell.cell != base.cell && cell.cell != asked?.cell }
      alternatives = (asked.map { [$0] } ?? []).map(alternative) + others.map(alternative)
      peers = timed.filter { cell in !candidates.contains { $0.cell == cell.cell } }.map(alternative)
    }

    /// What people weigh the choice against: the best save where batches are chosen, the best batch where saves are, or else
    /// the slowest.
    private static func asked(_ candidates: [CellReport], besides best: [CellReport]) -> CellReport? {
      let others = candidates.filter { cell in !best.contains { $0.cell == cell.cell } }
      let isBatch = best[0].cell.isBatch
      if best[0].cell.isSave || isBatch {
        let counterpart = { (cell: CellReport) in isBatch ? cell.cell.isSave : cell.cell.isBatch }
        if let found = others.first(where: counterpart) ?? candidates.first(where: counterpart) { return found }
      }
      return others.last ?? candidates.dropFirst().last
    }

    var first: CellReport { best[0] }
    var isDecided: Bool { isJudged && best.count < candidates.count }
    var verdict: Verdict {
      !isJudged || (best.count == candidates.count && candidates.count > 1 && !areClose)
        ? .cannotTell : best.count == 1 ? .one : .alike
    }

    /// Whether the whole interval of each that ties with the first lies within 5 %: then they take the same time.
    private var areClose: Bool {
      best.dropFirst().allSatisfy { cell in
        alternatives.first { $0.cell == cell.cell.id }?.time.map(\.isWithinFivePercent) == true
      }
    }

    func reasons(_ scenario: ScenarioReport) -> [Finding] {
      scenario.mainFindings.filter { finding in
        guard finding.group == group else { return false }
        switch finding.kind {
        case .fastest, .tied, .fastestOfObjectGraph, .unranked, .onlyCell, .order, .slowest, .leanest: return true
        default: return false
        }
      }
    }
  }
}

extension Estimate {
  /// Whether a ratio's whole interval lies where no user would choose by it.
  package var isWithinFivePercent: Bool {
    guard let low, let high else { return false }
    return low >= 0.95 && high <= 1.05
  }
}

extension Answer.Alternative {
  fileprivate init(_ cell: CellReport, against base: CellReport, by comparisons: Comparisons) {
    let comparison = comparisons.comparison(of: cell, to: base)
    self.init(
      cell: cell.cell.id, base: base.cell.id, time: comparison?.ratio,
      certainty: comparison.map { Certainty($0.verdict) } ?? .tooFewRounds,
      heap: Answer.Exact(.heapPeak, of: cell, base), wal: Answer.Exact(.walPeak, of: cell, base),
      processorTime: comparisons.scenario.processorTime(of: cell, to: base, beside: comparison?.ratio))
  }
}

extension Answer.Exact {
  fileprivate init?(_ metric: MetricID, of cell: CellReport, _ base: CellReport) {
    guard let figure = cell.main.metrics[metric], let other = base.main.metrics[metric] else { return nil }
    self.init(figure: figure, base: other)
  }
}

extension ScenarioReport {
  /// The ratio of processor times, where it is certain on its own and says other than that of wall times: more by a tenth where
  /// those are alike, or less where those are more.
  fileprivate func processorTime(of cell: CellReport, to other: CellReport, beside wall: Estimate?) -> Estimate? {
    let own = rounds(of: cell, \.cpuSeconds)
    let others = rounds(of: other, \.cpuSeconds)
    guard let ratio = Estimate(ratioOf: own, to: others), let low = ratio.low, let high = ratio.high, let wall else {
      return nil
    }
    let isMore = low > 1.1 && (wall.low ?? 0) <= 1
    let isLess = high < 0.9 && (wall.high ?? .infinity) >= 1
    return isMore || isLess ? ratio : nil
  }

  /// A cell's name without what says which work it does.
  fileprivate func nameApartFromWork(_ cell: Cell) -> String {
    var cell = cell
    for key in ScenarioReport.workKeys { cell.parameters[key] = nil }
    return cell.label
  }
}

// MARK: - A choice by an exact figure

extension Answer {
  /// Who needs the least of a figure and who the most, of the cells through the object graph where there are two or more.
  private init(_ scenario: ScenarioReport, exact about: MetricID) {
    // The kind of work that most cells did, the last of several: only equal work is compared.
    let most = scenario.groups.map(\.cells.count).max()
    let group = scenario.groups.lastIndex { $0.cells.count == most }
    let comparable = Set(group.map { scenario.groups[$0].cells } ?? [])
    let cells = scenario.measured.filter { comparable.contains($0.cell.id) }
    let known = cells.compactMap { cell in cell.main.metrics[about].map { (cell: cell, figure: $0) } }
    let own = known.filter(\.cell.cell.isRankedFirst)
    let asked = (own.count > 1 ? own : known).sorted { ($0.figure, $0.cell.cell.id) < ($1.figure, $1.cell.cell.id) }
    guard let least = asked.first else {
      self.init(.choice, about: about, .cannotTell)
      return
    }
    // Three digits are what is shown: what reads alike is alike.
    let best = asked.filter { Double($0.figure) < Double(least.figure) * 1.005 + 0.5 }
    func alternative(_ other: (cell: CellReport, figure: Int64)) -> Alternative {
      var found = Alternative(
        cell: other.cell.cell.id, base: least.cell.cell.id, time: scenario.ratio(of: other.cell, to: least.cell),
        certainty: .exact)
      found.heap = Exact(.heapPeak, of: other.cell, least.cell)
      found.wal = Exact(.walPeak, of: other.cell, least.cell)
      return found
    }
    let chosen = Set(best.map(\.cell.cell.id))
    let peers = known.filter { entry in !asked.contains { $0.cell.cell == entry.cell.cell } }
    self.init(
      .choice, about: about, best.count == asked.count ? .alike : best.count == 1 ? .one : .alike, group: group,
      choice: best.map(\.cell.cell.id), best: Estimate(median: Double(least.figure)),
      against: asked.reversed().filter { !chosen.contains($0.cell.cell.id) }.map(alternative),
      peers: peers.map(alternative), price: Answer.price(of: about, in: scenario))
  }
}

extension FindingKind.SizeFigure {
  /// The figure of a cell; nil for what is none of its main phase.
  fileprivate var metric: MetricID? {
    switch self {
    case .heapPeak: .heapPeak
    case .walPeak: .walPeak
    case .database: nil
    }
  }
}

// MARK: - A choice by a latency

extension Answer {
  /// The cells beside which operations waited least, of all that have some beside them.
  private init(_ scenario: ScenarioReport, latency about: MetricID) {
    let known = scenario.measured.compactMap { cell in cell.latency(about).map { (cell: cell, seconds: $0) } }
    let own = known.filter(\.cell.cell.isRankedFirst)
    let asked = (own.count > 1 ? own : known)
      .sorted { ($0.seconds.median, $0.cell.cell.id) < ($1.seconds.median, $1.cell.cell.id) }
    guard let least = asked.first else {
      self.init(.choice, about: about, .cannotTell)
      return
    }
    /// Whether the intervals show that others waited longer there; without intervals nothing does.
    func isLonger(_ other: Estimate) -> Bool {
      guard let high = least.seconds.high, let low = other.low else { return false }
      return low > high
    }
    let best = asked.filter { !isLonger($0.seconds) }
    let others = asked.filter { isLonger($0.seconds) }
    let hasIntervals = asked.allSatisfy { $0.seconds.low != nil }
    func alternative(_ other: (cell: CellReport, seconds: Estimate)) -> Alternative {
      Alternative(
        cell: other.cell.cell.id, base: least.cell.cell.id, time: scenario.ratio(of: other.cell, to: least.cell),
        certainty: hasIntervals ? .estimated : .tooFewRounds)
    }
    self.init(
      .choice, about: about, !hasIntervals ? .cannotTell : best.count == 1 ? .one : .alike,
      choice: best.map(\.cell.cell.id), best: Estimate(median: least.seconds.median * 1e9),
      against: (hasIntervals ? others : Array(asked.dropFirst())).reversed().map(alternative),
      peers: known.filter { entry in !asked.contains { $0.cell.cell == entry.cell.cell } }.map(alternative))
  }
}
