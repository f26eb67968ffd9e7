// What the harness itself takes, where a scenario has cells that show it: its instruments', and what is always there.
internal import Harness
internal import BatchmarkEngine

/// The cost of the harness, as shares of what its users measure.
package struct HarnessCost {
  /// A cell with an instrument, and its time against that of the same cell without.
  package struct Attached {
    package let cell: CellReport
    package let plain: CellReport
    /// Nil where the two share no round and have no times.
    package let comparison: Comparison?
  }

  /// What stays in the timing pass, against a cell that does something.
  package struct Remainder {
    package let plain: CellReport
    /// What is in the phase's own time, which is the empty strategy's.
    package let inside: Estimate?
    /// What the readings before and after the phase take.
    package let around: Estimate?
    /// Both together.
    package let whole: Estimate?
  }

  /// The share that what stays in the timing pass must keep below.
  package static let limit = 0.02

  package let attached: [Attached]
  package let empty: CellReport?
  /// What the empty strategy's phase takes with the readings around it.
  package let wholeTime: Estimate?
  /// What the readings take.
  package let readingTime: Estimate?
  package let remainders: [Remainder]

  /// Each cell with an instrument, and the same cell without.
  static func attachedPairs(in scenario: ScenarioReport) -> [(cell: CellReport, plain: CellReport)] {
    let plain = scenario.cells.filter { !$0.cell.showsHarnessCost }
    return scenario.cells.filter { $0.cell.attachment != nil }.compactMap { cell in
      var bare = cell.cell
      bare.parameters[ParameterKey.attached.name] = nil
      return plain.first { $0.cell == bare }.map { (cell, $0) }
    }
  }

  /// Nil where the scenario has neither an empty strategy nor an instrument attached.
  init?(_ scenario: ScenarioReport, by comparisons: Comparisons) {
    let plain = scenario.cells.filter { !$0.cell.showsHarnessCost }
    attached = HarnessCost.attachedPairs(in: scenario).map { cell, plain in
      Attached(cell: cell, plain: plain, comparison: comparisons.comparison(of: cell, to: plain))
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

extension HarnessCost {
  /// What stays in the timing pass, and what each instrument takes.
  var findings: [Finding] {
    remainders.compactMap { remainder in
      remainder.whole.map { Finding(.harnessCost, [remainder.plain.cell.id], [$0], .estimated) }
    }
      + attached.compactMap { attached in
        attached.comparison.map {
          Finding(
            .instrumentCost(FindingKind.Effect($0.verdict)), [attached.cell.cell.id, attached.plain.cell.id],
            [$0.ratio], Certainty($0.verdict))
        }
      }
  }
}
