// What a feature costs: two cells that differ in one parameter and in nothing else, one with it and one without.
internal import Harness
internal import Scenarios
internal import Workloads

/// The price of each value of one parameter: history kept, a context told, a reader pinned, a pragma set.
package struct FeaturePrice {
  /// One value against the one that counts as without.
  package struct Offer {
    package let with: Series.Point
    package let without: Series.Point
    /// What a user waits for with the feature, divided by what they wait for without; nil where one has no time.
    package let comparison: Comparison?
    /// What it takes longer for a row, in seconds; nil where the two share no round.
    package let secondsARow: Estimate?
    /// The median of what a user waits for, without and with it.
    package let times: (without: Estimate?, with: Estimate?)
  }

  package let key: String
  package let offers: [Offer]

  /// Nil where no two cells differ in the parameter alone.
  package init?(_ key: String, in scenario: ScenarioResults) {
    self.key = key
    offers = scenario.series(by: key).flatMap { series -> [Offer] in
      guard let without = FeaturePrice.basis(of: series, in: scenario) else { return [] }
      return series.points.filter { $0.setting != without.setting }
        .map { Offer(with: $0, without: without, in: scenario) }
    }
    if offers.isEmpty { return nil }
  }

  /// Words that stand for doing without.
  private static let plain = ["none", "off", "no", "keep"]

  /// What the other values are compared with: the default, a word for nothing, the least share, what the scenario has
  /// for all, the least amount, or else what the scenario names first.
  private static func basis(of series: Series, in scenario: ScenarioResults) -> Series.Point? {
    let points = series.points
    func isWithout(_ point: Series.Point) -> Bool { point.cell.cell.parameters[series.key] == nil }
    if let point = points.first(where: isWithout) ?? points.first(where: { plain.contains($0.setting.text) }) {
      return point
    }
    let shares = points.filter { $0.setting.share != nil }
    if let least = shares.min(by: { $0.setting.order < $1.setting.order }) { return least }
    if series.key == "merge_policy", let own = points.first(where: { $0.setting.text == scenario.mergePolicy }) {
      return own
    }
    return series.amounts.first ?? points.first
  }
}

extension FeaturePrice.Offer {
  fileprivate init(with: Series.Point, without: Series.Point, in scenario: ScenarioResults) {
    self.with = with
    self.without = without
    let walls = scenario.walls(of: with.cell, in: Phase.waitedFor)
    let others = scenario.walls(of: without.cell, in: Phase.waitedFor)
    let ratio = Estimate(ratioOf: walls, to: others)
    comparison = ratio.map { Comparison(ratio: $0) } ?? scenario.comparison(of: with.cell, to: without.cell)
    let rows = with.cell.main?.rows ?? 0
    secondsARow = rows > 0 ? Estimate(differenceOf: walls, to: others)?.scaled(by: 1 / Double(rows)) : nil
    times = (
      Estimate(medianOf: others.sorted { $0.key < $1.key }.map(\.value)),
      Estimate(medianOf: walls.sorted { $0.key < $1.key }.map(\.value))
    )
  }

  /// A figure without and with the feature; nil where one of the two has none.
  package func change(of figure: (CellResults) -> Int64?) -> (without: Int64, with: Int64)? {
    guard let without = figure(without.cell), let with = figure(with.cell) else { return nil }
    return (without, with)
  }
}
