// What a feature costs: two cells that differ in one parameter and in nothing else, one with it and one without.
internal import Harness
internal import Instruments
internal import BatchmarkEngine

/// The price of each value of one parameter: history kept, a context notified, a reader pinned, a pragma set.
package struct FeaturePrice {
  /// One value against the one that counts as without.
  package struct Offer {
    package let with: Series.Point
    package let without: Series.Point
    /// What a user waits for with the feature, divided by what they wait for without; nil where one has no time.
    package let comparison: Comparison?
    /// What it takes longer for a row of all passes, in seconds; nil where the two share no round, or made other numbers of
    /// passes over the rows.
    package let secondsARow: Estimate?
    /// The median of what a user waits for, without and with it.
    package let times: (without: Estimate?, with: Estimate?)
  }

  package let key: String
  package let offers: [Offer]
  /// The figures that the question names: what a value does to them is said where it is nothing, too.
  private let named: [FindingKind.SizeFigure]

  /// A value and the one that counts as without.
  struct Contrast {
    let with: Series.Point
    let without: Series.Point

    var claim: Claim { Claim(with.cell.cell.id, without.cell.cell.id, .waiting) }
  }

  /// The values of a parameter with what each is compared to.
  static func pairs(_ key: String, in scenario: ScenarioReport) -> [Contrast] {
    scenario.series(by: key).flatMap { series -> [Contrast] in
      guard let without = FeaturePrice.basis(of: series, in: scenario) else { return [] }
      return series.points.filter { $0.setting != without.setting }.map { Contrast(with: $0, without: without) }
    }
  }

  /// `nil` if no two cells differ only in the parameter.
  init?(_ key: String, by comparisons: Comparisons) {
    self.key = key
    named = comparisons.scenario.namesSizes ? comparisons.scenario.askedSizes : []
    offers = FeaturePrice.pairs(key, in: comparisons.scenario).map { Offer($0, by: comparisons) }
    if offers.isEmpty { return nil }
  }

  /// Words that mean doing without.
  private static let plain = ["none", "off", "no", "keep"]

  /// What the other values are compared with: the default, a word for nothing, the least share, what the scenario has
  /// for all, the least amount, or else what the scenario names first; nil among words of a strategy's own without its default.
  private static func basis(of series: Series, in scenario: ScenarioReport) -> Series.Point? {
    let points = series.points
    func isWithout(_ point: Series.Point) -> Bool { point.cell.cell.parameters[series.key] == nil }
    if let point = points.first(where: isWithout) ?? points.first(where: { plain.contains($0.setting.text) }) {
      return point
    }
    if ["readers", "writers", "offset"].contains(series.key), let none = points.first(where: { $0.setting.text == "0" })
    {
      return none
    }
    let shares = points.filter { $0.setting.share != nil }
    if let least = shares.min(by: { $0.setting.order < $1.setting.order }) { return least }
    if series.key == "merge_policy", let own = points.first(where: { $0.setting.text == scenario.mergePolicy }) {
      return own
    }
    // A strategy's own parameter has a default. If no cell has it, no other word means doing without.
    return series.amounts.first ?? points.first { $0.cell.cell.defaults[series.key] == nil }
  }
}

extension FeaturePrice.Offer {
  fileprivate init(_ contrast: FeaturePrice.Contrast, by comparisons: Comparisons) {
    let (with, without, scenario) = (contrast.with, contrast.without, comparisons.scenario)
    self.with = with
    self.without = without
    let walls = scenario.walls(of: with.cell, in: Phase.waitedFor)
    let others = scenario.walls(of: without.cell, in: Phase.waitedFor)
    comparison = comparisons.comparison(of: with.cell, to: without.cell, .waiting)
    let rows = with.cell.rowsOfAllPasses
    let isOfSamePasses = with.cell.passes == without.cell.passes
    secondsARow =
      rows > 0 && isOfSamePasses ? Estimate(differenceOf: walls, to: others)?.scaled(by: 1 / Double(rows)) : nil
    times = (
      Estimate(medianOf: others.sorted { $0.key < $1.key }.map(\.value)),
      Estimate(medianOf: walls.sorted { $0.key < $1.key }.map(\.value))
    )
  }

  /// A figure without and with the feature; nil where one of the two has none.
  package func change(of figure: (CellReport) -> Int64?) -> (without: Int64, with: Int64)? {
    guard let without = figure(without.cell), let with = figure(with.cell) else { return nil }
    return (without, with)
  }
}

extension FeaturePrice {
  /// From which change on a figure of memory or files is reported beside the time.
  package static let notable = 1.05

  /// What each value does to the time, and to memory and files where that is much.
  var findings: [Finding] {
    offers.flatMap { offer -> [Finding] in
      let ids = [offer.with.cell.cell.id, offer.without.cell.cell.id]
      let verdict = offer.comparison?.verdict
      let value = offer.with.setting.text
      let time = Finding(
        .price(parameter: key, value: value, FindingKind.Effect(verdict)), ids,
        [offer.comparison?.ratio, offer.comparison == nil ? nil : offer.secondsARow].compactMap(\.self),
        verdict.map { Certainty($0) } ?? .undecided)
      let bytes = FindingKind.SizeFigure.allCases.compactMap { figure -> Finding? in
        guard let change = offer.change(of: { $0.bytes(of: figure) }) else { return nil }
        let (more, less) = (Double(max(change.without, change.with)), Double(min(change.without, change.with)))
        guard more > less * FeaturePrice.notable || named.contains(figure) else { return nil }
        return Finding(
          .priceInBytes(parameter: key, value: value, figure), ids,
          [change.with, change.without].map { Estimate(median: Double($0)) }, .exact)
      }
      return [time] + bytes
    }
  }
}

extension CellReport {
  /// The rows of the operation and of its repetitions.
  fileprivate var rowsOfAllPasses: Int { main.rows + (summary(of: .reingest)?.rows ?? 0) }

  /// How often the operation processed its rows; nil if it handled none.
  fileprivate var passes: Int? { main.rows > 0 ? rowsOfAllPasses / main.rows : nil }

  /// A figure of memory or files that a parameter may change; nil where it was not measured.
  fileprivate func bytes(of figure: FindingKind.SizeFigure) -> Int64? {
    switch figure {
    case .heapPeak: main.metrics[.heapPeak]
    case .walPeak: main.metrics[.walPeak]
    case .database: databaseBytes.figure
    }
  }
}
