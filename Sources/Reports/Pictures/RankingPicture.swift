// How long each cell takes: cells that did the same work, fastest first.
internal import Analysis
internal import Charts

/// The picture of a ranking.
struct RankingPicture {
  let scenario: ScenarioReport
  let group: ComparableGroup
  /// Its position among the report's groups.
  let index: Int

  /// `nil` if fewer than two cells have a time.
  var picture: Picture? {
    let cells = scenario.fastestFirst.filter { group.cells.contains($0.cell.id) }
    let timed = cells.filter { $0.main.wall.figure != nil }
    guard timed.count > 1 else { return nil }
    // Use ratios if every cell has one: noise that is common to a round cancels out.
    let isRelative = timed.allSatisfy { $0.main.timesReference.figure != nil }
    let (appearances, notes) = (EngineAppearances(scenario), scenario.strategies)
    // Sort by the drawn values; the medians may have a different order.
    let drawn = isRelative ? scenario.leastFirst { $0.main.timesReference.figure?.median } : cells
    let rows = drawn.filter { group.cells.contains($0.cell.id) }
    let chart = IntervalChart(
      title: "Time of \(scenario.operation.noun)" + (group.name.isEmpty ? "" : " at \(group.name)"),
      summary: summary(of: timed, isRelative), axis: isRelative ? .timesReference : .seconds,
      reference: isRelative ? (1, "reference") : nil, legend: appearances.legend,
      intervalLabel: "95 % interval of the median", rawLabel: "single rounds",
      rows: rows.map { cell in row(cell, notes.first { $0.covers(cell) }, isRelative, appearances) })
    return Picture(scenario.name, "ranking" + (scenario.groups.count > 1 ? "-\(index + 1)" : ""), chart: chart)
  }

  private func row(
    _ cell: CellReport, _ note: StrategyNote?, _ isRelative: Bool, _ appearances: EngineAppearances
  ) -> IntervalChart.Row {
    let wall = cell.main.wall.figure
    let shown = isRelative ? cell.main.timesReference.figure : wall
    let isReference = isRelative && cell.cell.isReference
    return IntervalChart.Row(
      label: note?.label ?? cell.label, gloss: gloss(of: cell, note), value: shown?.median,
      low: isReference ? nil : shown?.low, high: isReference ? nil : shown?.high,
      raw: isReference ? [] : isRelative ? scenario.ratios(of: cell) : rounds(of: cell),
      appearance: appearances[cell.cell],
      figure: isReference
        ? "reference" : isRelative ? shown.map { HumanUnits.ratioMedian($0) + "×" } ?? "" : time(wall),
      detail: isRelative ? time(wall) : "", absence: cell.main.wall.reason)
  }

  /// Seconds of the main phase in each round with valid times.
  private func rounds(of cell: CellReport) -> [Double] {
    scenario.mainWalls(of: cell).sorted { $0.key < $1.key }.map(\.value)
  }

  /// The cell's parameters, or what its strategy does.
  private func gloss(of cell: CellReport, _ note: StrategyNote?) -> String {
    // The title shows what all cells of the picture have in common.
    var own = cell.cell
    for condition in group.conditions { own.parameters[condition.key] = nil }
    return own.parametersText.isEmpty ? note?.gloss ?? "" : own.parametersText
  }

  private func time(_ estimate: Estimate?) -> String { estimate.map { HumanUnits.timeMedian($0) } ?? "" }

  private func summary(of cells: [CellReport], _ isRelative: Bool) -> String {
    let words = cells.map { cell in
      let ratio = isRelative && !cell.cell.isReference ? cell.main.timesReference.figure : nil
      let times = ratio.map { ", \(HumanUnits.ratio($0)) times the reference" } ?? ""
      return "\(cell.label) \(time(cell.main.wall.figure))\(times)"
    }
    return "Fastest first: \(words.joined(separator: "; "))."
  }
}

extension StrategyNote {
  /// Whether it applies to the cell's strategy, whatever its parameters.
  func covers(_ cell: CellReport) -> Bool {
    var strategy = cell.cell
    strategy.parameters = [:]
    strategy.conditionKeys = []
    return strategy.label == label
  }
}

extension Axis {
  /// Ratios; each grid line is double the previous one.
  static var timesReference: Axis {
    Axis(title: "times the reference", steps: .doubling) { Digits.trimmed($0) + "×" }
  }

  static var seconds: Axis { Axis(title: "time") { HumanUnits.roundTime($0) } }

  static func bytes(_ title: String, _ kind: Kind = .linear) -> Axis {
    Axis(title: title, kind: kind, steps: .doubling) { HumanUnits.roundBytes($0) }
  }

  static func rows(_ title: String = "rows") -> Axis {
    Axis(title: title, kind: .logarithmic) { Digits.trimmed($0) }
  }
}
