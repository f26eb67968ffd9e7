// The cost of a parameter's values: which value comes first in an answer, and its effect on time, memory and files.
internal import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Scenarios
internal import Statistics

extension Answer {
  /// Prices, beginning with those of the value that has the largest effect on the metric of the question.
  ///
  /// A parameter in which few strategies or cells differ comes after those that the scenario varies most. The metric is
  /// time if the question begins with no other. If no time is certain, the bytes decide, and then what is likely.
  static func dearestFirst(_ prices: [Finding], in scenario: ScenarioReport) -> [Finding] {
    var counts: [String: Int] = [:]
    for case .price(let parameter, _, _) in prices.map(\.kind) { counts[parameter, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let reach = Dictionary(uniqueKeysWithValues: counts.keys.map { ($0, Answer.reach(of: $0, in: scenario)) })
    let asked = scenario.askedSizes
    func size(_ finding: Finding) -> (
      isMain: Int, reach: Int, isFirst: Int, change: Double, possible: Double, median: Double
    ) {
      let parameter = setting(finding.kind)?[0] ?? ""
      let isMain = 2 * counts[parameter, default: 0] >= most ? 1 : 0
      func weighed(
        _ isFirst: Bool, _ change: Double, _ possible: Double = 0, _ median: Double = 0
      ) -> (isMain: Int, reach: Int, isFirst: Int, change: Double, possible: Double, median: Double) {
        (isMain, reach[parameter, default: 0], isFirst ? 1 : 0, change, possible, median)
      }
      switch finding.kind {
      case .price(_, _, .costs), .price(_, _, .saves):
        return weighed(scenario.about == nil, finding.estimates.first.map { change($0.median, to: 1) } ?? 0)
      case .priceInBytes(_, _, let figure) where asked.contains(figure) && finding.estimates.count > 1:
        let change = change(finding.estimates[0].median, to: finding.estimates[1].median)
        return weighed(figure.metric == scenario.about, change)
      case .price:
        // Without anything certain, what its own interval shows, and then what the median suggests.
        guard let ratio = finding.estimates.first else { return weighed(false, 0) }
        return weighed(false, 0, ratio.nearestChange, Answer.change(ratio.median, to: 1))
      default: return weighed(false, 0)
      }
    }
    guard let dearest = prices.max(by: { size($0) < size($1) }), let setting = setting(dearest.kind) else {
      return prices
    }
    return prices.filter { Answer.setting($0.kind) == setting } + prices.filter { Answer.setting($0.kind) != setting }
  }

  /// The number of strategies with cells that differ in a parameter.
  private static func reach(of parameter: String, in scenario: ScenarioReport) -> Int {
    let ways = scenario.series(by: parameter).filter { !$0.points.contains(where: \.cell.cell.isReference) }
    return Set(ways.map { [$0.common.engine, $0.common.strategy] }).count
  }

  /// How far apart two figures are: the absolute logarithm of their ratio; 0 if one is not positive.
  private static func change(_ figure: Double, to other: Double) -> Double {
    logRatio(figure, to: other).map(\.magnitude) ?? 0
  }

  /// Whether a ratio is large enough to be reported.
  private static func isNotable(_ ratio: Double) -> Bool { change(ratio, to: 1) >= change(FeaturePrice.notable, to: 1) }

  /// Whether every strategy differs from another in only one parameter with a known effect on the metric.
  static func isPriced(_ figure: MetricID, by prices: [Finding], of ways: Set<CellID>) -> Bool {
    var priced: [String: Set<CellID>] = [:]
    for finding in prices {
      guard case .priceInBytes(let parameter, _, let size) = finding.kind, size.metric == figure else { continue }
      priced[parameter, default: []].formUnion(finding.cells)
    }
    return priced.values.contains { ways.isSubset(of: $0) }
  }

  /// The price that comes first.
  static func price(of prices: [Finding], in scenario: ScenarioReport) -> Price? {
    guard case .price(let parameter, let value, _)? = prices.first?.kind else { return nil }
    let own = prices.filter { setting($0.kind) == [parameter, value] }
    let times = own.filter { if case .price = $0.kind { true } else { false } }
    let certain = times.filter { finding in
      if case .price(_, _, let effect) = finding.kind { effect == .costs || effect == .saves } else { false }
    }.compactMap(\.estimates.first?.median)
    let sizes = sizes(of: own, in: scenario, isTimeCertain: !certain.isEmpty)
    return Price(
      parameter: parameter, value: value, least: certain.min(), most: certain.max(),
      isOfAll: !certain.isEmpty && certain.count == times.count,
      isSameTime: certain.isEmpty && times.allSatisfy { $0.estimates.first?.isWithinFivePercent == true },
      size: sizes.first?.figure, timesTheSize: sizes.first?.ratio,
      others: sizes.count > 1 ? Array(sizes.dropFirst()) : nil)
  }

  /// The largest change of each metric that the question names, or the largest of all if it names none.
  private static func sizes(of prices: [Finding], in scenario: ScenarioReport, isTimeCertain: Bool) -> [SizeChange] {
    var largest: [FindingKind.SizeFigure: SizeChange] = [:]
    for finding in prices {
      guard case .priceInBytes(_, _, let figure) = finding.kind, finding.estimates.count > 1,
        finding.estimates[1].median > 0
      else { continue }
      let found = SizeChange(figure: figure, ratio: finding.estimates[0].median / finding.estimates[1].median)
      if let known = largest[figure], change(known.ratio, to: 1) >= change(found.ratio, to: 1) { continue }
      largest[figure] = found
    }
    let asked = scenario.askedSizes.compactMap { largest[$0] }
    if scenario.namesSizes {
      let changed = asked.filter { isNotable($0.ratio) }
      // The metric that the question begins with is reported even if nothing changes it.
      return changed.isEmpty ? asked.filter { $0.figure.metric == scenario.about } : changed
    }
    // If a time is certain, add only large differences; otherwise nothing else is known.
    let least = isTimeCertain ? 1.5 : FeaturePrice.notable
    return asked.max { change($0.ratio, to: 1) < change($1.ratio, to: 1) }
      .flatMap { change($0.ratio, to: 1) >= change(least, to: 1) ? [$0] : nil } ?? []
  }

  /// The value that changes an exact metric most, and the factor; `nil` if none changes it.
  static func price(of figure: MetricID, in scenario: ScenarioReport) -> Price? {
    let changes = scenario.mainFindings.compactMap { finding -> (setting: [String], size: SizeChange)? in
      guard case .priceInBytes(let parameter, let value, let size) = finding.kind, size.metric == figure,
        finding.estimates.count > 1, finding.estimates[1].median > 0
      else { return nil }
      let ratio = finding.estimates[0].median / finding.estimates[1].median
      return isNotable(ratio) ? ([parameter, value], SizeChange(figure: size, ratio: ratio)) : nil
    }
    return changes.max { change($0.size.ratio, to: 1) < change($1.size.ratio, to: 1) }.map { most in
      Price(
        parameter: most.setting[0], value: most.setting[1], least: nil, most: nil, isOfAll: false, isSameTime: false,
        size: most.size.figure, timesTheSize: most.size.ratio)
    }
  }

  /// The parameter and the value of a price.
  static func setting(_ kind: FindingKind) -> [String]? {
    switch kind {
    case .price(let parameter, let value, _), .priceInBytes(let parameter, let value, _): [parameter, value]
    default: nil
    }
  }
}

extension Estimate {
  /// How far a ratio's interval is from 1 at least: an absolute logarithm; 0 if it reaches 1, or without an interval.
  fileprivate var nearestChange: Double {
    guard let low, let high, low > 1 || high < 1 else { return 0 }
    return logRatio(low > 1 ? low : high, to: 1).map(\.magnitude) ?? 0
  }
}
