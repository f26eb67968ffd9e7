// The same scenarios on several machines: what is true on all of them, how much they differ, and how they order cells.
internal import Analysis
internal import Charts

/// Writes the combined results of several machines.
enum MachineReport {
  /// Further columns are only in the CSV file.
  private static let mostColumns = 12
  /// More counters than this are only given as a number.
  private static let mostCounters = 20

  /// Why a cell has no combined ratio.
  static let noRatio = "no machine has times of it and of its reference"

  /// The whole page.
  static func document(_ comparison: MachineComparison) -> Document {
    var document = Document()
    document.heading(1, title(of: comparison))
    document.paragraph(RunReport.absence(ofMachines: comparison.absent))
    for scenario in comparison.scenarios { section(on: scenario, comparison, in: &document) }
    document.heading(2, "How it was combined")
    document.paragraph(method(of: comparison))
    RunReport.machines(comparison.machines, alike: comparison.alike, in: &document)
    return document
  }

  static func title(of comparison: MachineComparison) -> String {
    let subject =
      "\(HumanUnits.list(comparison.scenarios.map(\.name))) on \(HumanUnits.counted(comparison.machines.count, "machine"))"
    return [subject, verdict(on: comparison)].compactMap(\.self).joined(separator: ": ")
  }

  /// Whether the machines order the cells alike, in a few words; `nil` if there is nothing to compare.
  private static func verdict(on comparison: MachineComparison) -> String? {
    guard comparison.scenarios.contains(where: \.hasComparableOrders) else { return nil }
    let reversals = comparison.scenarios.flatMap(\.reversals)
    let certain = reversals.count(where: \.isCertain)
    if certain > 0 { return "they differ in the order of \(HumanUnits.counted(certain, "pair")) of cells" }
    return reversals.isEmpty
      ? "all put the cells in the same order" : "they differ only in the order of cells that are too close to rank"
  }

  private static func method(of comparison: MachineComparison) -> String {
    let count = comparison.machines.count
    let words =
      "Every machine measured all cells. A ratio is formed on each machine, of times of the same round; the tables have "
      + "the geometric mean of the machines' ratios. "
    if count < CombinedRatio.leastMachines {
      return words
        + "Of \(HumanUnits.counted(count, "machine")) there is no interval: it takes \(CombinedRatio.leastMachines) machines, and "
        + "\(CombinedRatio.advisedMachines) are advised."
    }
    return words
      + "The interval is Student's t interval of the machines, so it is about the average of other machines of this kind"
      + (count < CombinedRatio.advisedMachines ? "; \(CombinedRatio.advisedMachines) machines are advised." : ".")
  }

  private static func section(
    on scenario: ScenarioOnMachines, _ comparison: MachineComparison, in document: inout Document
  ) {
    document.heading(2, "\(scenario.name): \(scenario.rowCounts.words)")
    document.paragraph(order(of: scenario, comparison))
    document.list(scenario.reversals.map { ListItem(words(on: $0, comparison)) })
    let references = scenario.references
    if references.count == 1 {
      document.paragraph("The reference is \(Markdown.code(references[0].label)).")
    }
    document.picture(picture(of: scenario, on: comparison.machines.count))
    document.table(combined(scenario))
    let uneven = scenario.cells.filter { !$0.hasEqualRounds }
    if !uneven.isEmpty {
      document.paragraph(
        "Not every machine has as many rounds of \(HumanUnits.list(uneven.map { Markdown.code($0.cell.label) })); each machine counts the same."
      )
    }
    if comparison.machines.count <= mostColumns {
      document.fold("The ratio on each machine") { $0.table(byMachine(scenario, comparison)) }
    }
    counters(of: scenario, comparison, in: &document)
  }

  /// Whether the machines agree on the order of cells by speed.
  private static func order(of scenario: ScenarioOnMachines, _ comparison: MachineComparison) -> String {
    if scenario.cells.isEmpty { return "No cell has a reference, so there are no ratios to combine." }
    if comparison.machines.count == 1 {
      return "Whether another machine puts the cells in the same order is not known."
    }
    if !scenario.hasComparableOrders {
      return "No two machines have times of the same cell and of its reference, so their orders cannot be compared."
    }
    if scenario.reversals.isEmpty { return "All machines put the cells in the same order." }
    let certain = scenario.reversals.count(where: \.isCertain)
    let pairs = HumanUnits.counted(scenario.reversals.count, "pair")
    return certain == 0
      ? "Machines differ in the order of \(pairs) of cells that are too close to rank on some of them."
      : "**Machines differ in the order of \(pairs) of cells, \(certain) of them beyond their noise.**"
  }

  private static func words(on reversal: MachineReversal, _ comparison: MachineComparison) -> String {
    let names = [reversal.first, reversal.second].map { Markdown.code($0.label) }
    let places = [reversal.firstFaster, reversal.secondFaster].map { machines in
      (machines.count == 1 ? "shard " : "shards ")
        + HumanUnits.list(machines.map { comparison.machines[$0].shard.description })
    }
    return "\(names[0]) takes less time than \(names[1]) on \(places[0]), and more on \(places[1])"
      + (reversal.isCertain ? "." : "; too close to rank.")
  }

  private static func combined(_ scenario: ScenarioOnMachines) -> Table {
    var table = Table(
      "Cell",
      [.ratio("Times the reference"), .share("Spread"), .ratio("Least"), .ratio("Greatest"), .number("Machines")])
    for cell in scenario.leastFirst {
      let combined = cell.combined
      table.append(
        cell.cell.label,
        [
          .figure(combined.map(Estimate.init), or: noRatio),
          .figure(
            combined.flatMap { $0.spread.map { $0 - 1 } }, or: combined == nil ? noRatio : "one machine has no spread"),
          .figure(combined?.least, or: noRatio), .figure(combined?.greatest, or: noRatio),
          .count(combined?.machines ?? 0),
        ])
    }
    return table
  }

  private static func byMachine(_ scenario: ScenarioOnMachines, _ comparison: MachineComparison) -> Table {
    var table = Table("Cell", comparison.machines.map { .ratio($0.shard.description) })
    for cell in scenario.leastFirst {
      table.append(cell.cell.label, cell.ratios.map { .figure($0, or: "the machine has no times of both") })
    }
    return table
  }

  private static func counters(
    of scenario: ScenarioOnMachines, _ comparison: MachineComparison, in document: inout Document
  ) {
    if comparison.machines.count == 1 { return }
    let found = scenario.disagreements
    guard !found.isEmpty else {
      return document.paragraph(
        scenario.comparesCounters
          ? "Exact counters are the same on all machines."
          : "No two machines counted anything of the same cell, so it is not known whether exact counters are the same."
      )
    }
    document.paragraph(
      "**\(HumanUnits.counted(found.count, "exact counter")) \(found.count == 1 ? "is" : "are") not the same on all machines**, though "
        + "executable and SQLite are: other libraries, kernels or variables may be why.")
    var table = Table(
      "Cell", [.text("Phase"), .text("Counter")] + comparison.machines.map { .number($0.shard.description) })
    for one in found.prefix(mostCounters) {
      table.append(
        one.cell.label,
        [.text(one.phase.rawValue), .text(one.metric.rawValue)]
          + one.values.map { .figure($0, or: "not counted there") })
    }
    document.fold("Counters that differ") { folded in
      folded.table(table)
      if found.count > mostCounters {
        folded.paragraph(
          "\(found.count - mostCounters) more \(found.count == mostCounters + 1 ? "is" : "are") not shown.")
      }
    }
  }
}

extension ScenarioOnMachines {
  /// The reference cells of ratios, in the scenario's order.
  fileprivate var references: [Cell] {
    cells.reduce(into: []) { known, cell in
      if !known.contains(cell.reference) { known.append(cell.reference) }
    }
  }

  /// The cells grouped by reference, those with the smallest ratio first.
  var leastFirst: [CellOnMachines] {
    references.flatMap { reference in
      cells.filter { $0.reference == reference }
        .sorted { ($0.combined?.ratio ?? .infinity) < ($1.combined?.ratio ?? .infinity) }
    }
  }
}

extension Estimate {
  /// The combined ratio of several machines.
  init(_ combined: CombinedRatio) {
    self.init(median: combined.ratio, low: combined.interval?.lowerBound, high: combined.interval?.upperBound)
  }
}

extension MachineReport {
  /// The machines' mean ratio for each cell, with its interval and the ratio on each machine; `nil` without ratios.
  static func picture(of scenario: ScenarioOnMachines, on machines: Int) -> Picture? {
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
      absence: ratio == nil ? noRatio : nil)
  }
}
