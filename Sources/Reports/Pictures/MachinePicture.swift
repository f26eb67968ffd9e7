// What several machines found: the ratio of each cell to its reference, one dot a machine.
internal import Analysis
internal import Charts
internal import BatchmarkEngine
internal import Statistics

enum MachinePicture {
  /// The mean ratio of the machines for each cell, with its interval and the ratio on each machine; nil without ratios.
  static func ratios(_ scenario: ScenarioOnMachines, on machines: Int) -> Picture? {
    let cells = scenario.leastFirst
    let combined = cells.compactMap { cell in cell.combined.map { (cell: cell, ratio: Estimate($0)) } }
    guard !combined.isEmpty else { return nil }
    let appearances = EngineAppearances(cells.map(\.cell))
    let words = combined.map { "\($0.cell.cell.label) \(HumanUnits.ratio($0.ratio))" }
    return Picture(
      scenario.name, "machines",
      chart: IntervalChart(
        title: "Ratios of \(HumanUnits.counted(machines, "machine"))",
        summary: "Times the reference, least first: \(words.joined(separator: "; ")).", axis: .timesReference,
        reference: (1, "reference"), legend: appearances.legend, intervalLabel: "95 % interval of the mean",
        rawLabel: "single machines", rows: cells.map { row($0, appearances) }))
  }

  private static func row(_ cell: CellOnMachines, _ appearances: EngineAppearances) -> IntervalChart.Row {
    let ratio = cell.combined.map(Estimate.init)
    return IntervalChart.Row(
      label: cell.cell.label, value: ratio?.median, low: ratio?.low, high: ratio?.high,
      raw: cell.ratios.compactMap(\.self), appearance: appearances[cell.cell],
      figure: ratio.map { HumanUnits.ratioMedian($0) + "×" } ?? "",
      absence: ratio == nil ? MachineReport.noRatio : nil)
  }
}
