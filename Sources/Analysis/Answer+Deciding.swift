// Decides how to answer a scenario's question: its kind, by what varies, and the findings that decide it.
internal import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Scenarios
internal import Statistics

extension Answer {
  /// Decides the answer of a scenario from its findings.
  init(_ scenario: ScenarioReport, rankings: [Ranking], comparisons: Comparisons) {
    let findings = scenario.mainFindings
    func reasons(_ isReason: (FindingKind) -> Bool) -> [Finding] { findings.filter { isReason($0.kind) } }
    /// Whether the findings cover at least half of the measured cells.
    func areOfMost(_ reasons: [Finding]) -> Bool {
      let named = Set(reasons.flatMap(\.cells))
      return !reasons.isEmpty && 2 * named.count >= scenario.measured.count { !$0.cell.isReference }
    }
    let about = scenario.about
    // How long concurrent operations wait is a different question from the cells' own times.
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
      let prices = Answer.dearestFirst(prices, in: scenario)
      return Answer(.price, about: about, .findings, price: Answer.price(of: prices, in: scenario), reasons: prices)
    }
    let growth = reasons { kind in
      switch kind {
      case .exponent, .breakInGrowth, .heapPerRow, .heapIndependentOfRows: true
      default: false
      }
    }
    // The cost of a parameter that every strategy has is a question for each number of rows. Growth is only a question
    // for strategies.
    let ofWays = prices.filter { finding in
      Answer.setting(finding.kind).map { !ScenarioReport.workKeys.contains($0[0]) } ?? false
    }
    let priced = Set(ofWays.flatMap(\.cells))
    let ways = Answer.ways(of: scenario)
    if about == nil, !priced.isEmpty, ways.isSubset(of: priced), !growth.isEmpty {
      self = answer(by: ofWays)
      return
    }
    // Growth is only known for time and for the heap.
    let grown = about == nil ? growth : growth.filter { [.heapPerRow, .heapIndependentOfRows].contains($0.kind) }
    if about == nil || about == .heapPeak, areOfMost(grown) {
      self.init(
        .growth, about: about, .findings, against: Answer.atMostRows(scenario, by: comparisons), reasons: growth)
      return
    }
    if let about {
      self.init(scenario, exact: about)
      // If every strategy has a cell with its own parameter and one without it, the question is how the parameter
      // changes the figure.
      if Answer.isPriced(about, by: prices, of: ways) {
        let price = answer(by: prices)
        (kind, verdict, self.price, self.reasons) = (.price, .findings, price.price, price.reasons)
      }
      return
    }
    let sizes = reasons { kind in
      switch kind {
      case .knee: true
      // Only for a whole series, not for cells with fewer rounds than others.
      case .noKnee(_, let rounds): rounds > 0
      default: false
      }
    }
    if !sizes.isEmpty, Answer.isOfMost(sizes, in: scenario) {
      self.init(
        .size, about: about, .findings, against: Answer.smallest(of: sizes, in: scenario, by: comparisons),
        reasons: sizes)
      return
    }
    // The extra cost of the work itself is not an answer if the scenario compares libraries that all do it, or changes
    // of a model.
    if ofWays.isEmpty && Answer.isOfManyEngines(scenario) || scenario.operation == .migrate {
      let references = Answer.atMostRows(scenario, by: comparisons)
      if !references.isEmpty {
        self.init(
          .reference, about: about, .findings, against: references,
          reasons: reasons { kind in
            switch kind {
            case .fastest, .tied, .order, .slowest: true
            default: false
            }
          })
        return
      }
    }
    // If a strategy occurs only once, the question is how it compares with the others.
    let varied = Set(scenario.variedKeys.flatMap { scenario.series(by: $0) }.flatMap(\.points).map(\.cell.cell.id))
    if areOfMost(prices), !ways.isEmpty, ways.isSubset(of: varied) {
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

  /// The cells that a question is about: those of the object graph if there are at least two, otherwise all except the
  /// reference.
  private static func ways(of scenario: ScenarioReport) -> Set<CellID> {
    let others = scenario.measured.filter { !$0.cell.isReference && !$0.samples.isEmpty }
    let own = others.filter(\.cell.isRankedFirst)
    return Set((own.count > 1 ? own : others).map(\.cell.id))
  }

  /// Whether the series of some knees contain more than half of all cells.
  private static func isOfMost(_ sizes: [Finding], in scenario: ScenarioReport) -> Bool {
    let keys = Set(sizes.compactMap { $0.kind.sweptParameter })
    let cells = keys.flatMap { scenario.series(by: $0) }.filter { series in
      sizes.contains { finding in series.points.contains { finding.cells.contains($0.cell.cell.id) } }
    }.flatMap(\.points).map(\.cell.cell.id)
    return 2 * Set(cells).count > scenario.cells.count
  }
}

extension Answer {
  /// The smallest amount of each series compared with the best, or with the largest if no other is known to be better.
  private static func smallest(
    of sizes: [Finding], in scenario: ScenarioReport, by comparisons: Comparisons
  ) -> [Alternative] {
    sizes.compactMap { finding in
      guard let parameter = finding.kind.sweptParameter, finding.cells.count > 1,
        let series = scenario.series(by: parameter).first(where: { series in
          series.points.contains { $0.cell.cell.id == finding.cells[1] }
        }), let least = series.amounts.first?.cell, let most = series.amounts.last?.cell
      else { return nil }
      let best: CellReport? =
        switch finding.kind {
        case .knee(_, .undecided) where finding.cells[1] == least.cell.id: most
        case .knee: scenario.results(of: [finding.cells[1]]).first
        default: most
        }
      guard let best, least.cell != best.cell else { return nil }
      var found = Alternative(least, against: best, by: comparisons)
      found.written = Exact(.bytesWritten, of: least, best)
      return found
    }
  }

  /// Whether the default engine has few of the strategies.
  private static func isOfManyEngines(_ scenario: ScenarioReport) -> Bool {
    let ways = scenario.measured.filter { !$0.cell.isReference }
    return 3 * ways.count { $0.cell.isOfDefaultEngine == true } < ways.count
  }

  /// The default engine's cells, or those of all engines if its own are few, compared with the references of their work
  /// at the most rows.
  ///
  /// Empty if there is only one kind of work, because growth says more then.
  private static func atMostRows(_ scenario: ScenarioReport, by comparisons: Comparisons) -> [Alternative] {
    func rows(_ cell: CellReport) -> Double { scenario.setting(Scaling.key, of: cell).order }
    let most = scenario.measured.map(rows).max()
    let all = scenario.measured.filter { rows($0) == most && !$0.cell.isReference }
    let own = all.filter { $0.cell.isOfDefaultEngine == true }
    let found = (isOfManyEngines(scenario) ? all : own).compactMap { cell in
      scenario.reference(of: cell).map { Alternative(cell, against: $0, by: comparisons) }
    }
    return Set(found.map(\.base)).count > 1 ? found : []
  }
}

extension FindingKind {
  /// The parameter of the knee.
  fileprivate var sweptParameter: String? {
    switch self {
    case .knee(let parameter, _), .noKnee(let parameter, _): parameter
    default: nil
    }
  }
}
