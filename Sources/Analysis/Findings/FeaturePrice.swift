// The price of a feature: the difference between two cells that differ only in one parameter, one with the feature and
// one without.
internal import Harness
internal import Instruments
internal import BatchmarkEngine

/// The price of each value of one parameter: keeping history, notifying a context, pinning a reader, setting a pragma.
package struct FeaturePrice {
  /// One value compared with the one that means without.
  package struct Offer {
    package let with: Series.Point
    package let without: Series.Point
    /// The time that a user waits with the feature, divided by the time without; `nil` if one cell has no time.
    package let comparison: Comparison?
    /// The additional time per row over all passes, in seconds; `nil` if the two share no round, or passed over the
    /// rows a different number of times.
    package let secondsARow: Estimate?
    /// The median waiting time of a user, without and with it.
    package let times: (without: Estimate?, with: Estimate?)
  }

  package let key: String
  package let offers: [Offer]
  /// The metrics that the question names.
  ///
  /// A value's effect on them is reported even if there is none.
  private let named: [FindingKind.SizeFigure]

  /// A value and the one that means without.
  struct Contrast {
    let with: Series.Point
    let without: Series.Point

    var claim: Claim { Claim(with.cell.cell.id, without.cell.cell.id, .waiting) }
  }

  /// The values of a parameter, each with the one it is compared with.
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

  /// Words that mean without.
  private static let plain = ["none", "off", "no", "keep"]

  /// The value that others are compared with: the default, a word for nothing, the smallest share, the scenario's
  /// common setting, the smallest amount, or else the first one in the scenario.
  ///
  /// `nil` if a strategy's own parameter has words but no cell with its default.
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
    // A strategy's own parameter has a default. If no cell has it, no other word means without.
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

  /// A metric without and with the feature; `nil` if either is missing.
  package func change(of figure: (CellReport) -> Int64?) -> (without: Int64, with: Int64)? {
    guard let without = figure(without.cell), let with = figure(with.cell) else { return nil }
    return (without, with)
  }
}

extension FeaturePrice {
  /// The smallest change of memory or files that is reported next to the time.
  package static let notable = 1.05

  /// The effect of each value on the time, and on memory and files if it is large.
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

  /// How often the operation processed its rows; `nil` if it handled none.
  fileprivate var passes: Int? { main.rows > 0 ? rowsOfAllPasses / main.rows : nil }

  /// A metric of memory or files that a parameter may change; `nil` if it was not measured.
  fileprivate func bytes(of figure: FindingKind.SizeFigure) -> Int64? {
    switch figure {
    case .heapPeak: main.metrics[.heapPeak]
    case .walPeak: main.metrics[.walPeak]
    case .database: databaseBytes.figure
    }
  }
}

extension ScenarioReport {
  /// The metrics of memory and files that the question names, in its order; all of them if it names none.
  var askedSizes: [FindingKind.SizeFigure] {
    namesSizes ? namedSizes : FindingKind.SizeFigure.allCases
  }

  /// Whether the question names any of them.
  var namesSizes: Bool { !namedSizes.isEmpty }

  private var namedSizes: [FindingKind.SizeFigure] {
    let figures: [MetricID] = (about.map { [$0] } ?? []) + (alsoAbout ?? [])
    return figures.compactMap { figure in FindingKind.SizeFigure.allCases.first { $0.metric == figure } }
  }
}

extension FindingKind.SizeFigure {
  /// The metric's name among those that a question may be about.
  var metric: MetricID {
    switch self {
    case .heapPeak: .heapPeak
    case .walPeak: .walPeak
    case .database: .databaseBytes
    }
  }
}
