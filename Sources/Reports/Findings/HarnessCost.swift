// What the harness itself takes, where a scenario has cells that show it: its instruments', and what is always there.
internal import Harness
internal import Scenarios
internal import Workloads

/// The cost of the harness, as shares of what its users measure.
struct HarnessCost {
  /// A cell with an instrument, and its time against that of the same cell without.
  struct Attached {
    let cell: CellResults
    let plain: CellResults
    /// Nil where the two share no round and have no times.
    let comparison: Comparison?
  }

  /// What stays in the timing pass, against a cell that does something.
  struct Remainder {
    let plain: CellResults
    /// What is in the phase's own time, which is the empty strategy's.
    let inside: Estimate?
    /// What the readings before and after the phase take.
    let around: Estimate?
    /// Both together.
    let whole: Estimate?
  }

  /// The share that what stays in the timing pass must keep below.
  static let limit = 0.02

  let attached: [Attached]
  let empty: CellResults?
  /// What the empty strategy's phase takes with the readings around it.
  let wholeTime: Estimate?
  /// What the readings take.
  let readingTime: Estimate?
  let remainders: [Remainder]

  /// Nil where the scenario has neither an empty strategy nor an instrument attached.
  init?(_ scenario: ScenarioResults) {
    let plain = scenario.cells.filter { !$0.cell.showsHarnessCost }
    attached = scenario.cells.filter { $0.cell.attachment != nil }.compactMap { cell in
      var bare = cell.cell
      bare.parameters[ParameterKey.attached.name] = nil
      return plain.first { $0.cell == bare }.map {
        Attached(cell: cell, plain: $0, comparison: scenario.comparison(of: cell, to: $0))
      }
    }
    let empty = scenario.cells.first { $0.cell.role == .harnessCost && $0.cell.attachment == nil }
    if attached.isEmpty && empty == nil { return nil }
    self.empty = empty
    let inside = empty.map { scenario.mainWalls(of: $0) } ?? [:]
    let around = empty.map { scenario.rounds(of: $0, \.readingSeconds) } ?? [:]
    let whole = inside.reduce(into: [Int: Double]()) { whole, entry in
      if let reading = around[entry.key] { whole[entry.key] = entry.value + reading }
    }
    readingTime = Estimate(medianOf: Array(around.values))
    wholeTime = Estimate(medianOf: Array(whole.values))
    remainders =
      empty == nil
      ? []
      : plain.map { cell in
        let walls = scenario.mainWalls(of: cell)
        return Remainder(
          plain: cell, inside: Estimate(ratioOf: inside, to: walls), around: Estimate(ratioOf: around, to: walls),
          whole: Estimate(ratioOf: whole, to: walls))
      }
  }
}

extension Cell {
  /// Whether the cell is there to show what the harness costs, and not how rows are best stored.
  var showsHarnessCost: Bool { role == .harnessCost || attachment != nil }
}
