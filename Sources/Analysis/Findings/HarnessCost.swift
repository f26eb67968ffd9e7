// The cost of the harness itself, for scenarios with cells that show it: that of its instruments, and the constant
// part.
internal import Harness
internal import BatchmarkEngine

/// The cost of the harness, as shares of what users measure.
package struct HarnessCost {
  /// A cell with an instrument, and its time compared with the same cell without it.
  package struct Attached {
    package let cell: CellReport
    package let plain: CellReport
    /// `nil` if the two share no round and have no times.
    package let comparison: Comparison?
  }

  /// The constant cost in the timing pass, relative to a cell that does real work.
  package struct Remainder {
    package let plain: CellReport
    /// The cost within the phase's own time, which is that of the empty strategy.
    package let inside: Estimate?
    /// The cost of the readings before and after the phase.
    package let around: Estimate?
    /// Both costs together.
    package let whole: Estimate?
  }

  /// The upper limit for the share of the constant cost in the timing pass.
  package static let limit = 0.02

  package let attached: [Attached]
  package let empty: CellReport?
  /// The time of the empty strategy's phase with the readings around it.
  package let wholeTime: Estimate?
  /// The time of the readings.
  package let readingTime: Estimate?
  package let remainders: [Remainder]

  /// Each cell with an instrument, and the same cell without it.
  static func attachedPairs(in scenario: ScenarioReport) -> [(cell: CellReport, plain: CellReport)] {
    let plain = scenario.cells.filter { !$0.cell.showsHarnessCost }
    return scenario.cells.filter { $0.cell.attachment != nil }.compactMap { cell in
      var bare = cell.cell
      bare.parameters[ParameterKey.attached.name] = nil
      return plain.first { $0.cell == bare }.map { (cell, $0) }
    }
  }

  /// `nil` if the scenario has neither an empty strategy nor an attached instrument.
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
  /// The constant cost in the timing pass, and the cost of each instrument.
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
