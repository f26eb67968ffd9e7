// The cells of two sides, brought together before anything is measured.
internal import BatchmarkEngine

/// Which cell of head is compared with which of base.
package struct PairedCells: Sendable {
  /// The scenarios of both sides, with one cell each.
  package let pairs: [(base: PlannedScenario, head: PlannedScenario)]

  /// Brings the scenarios' cells together by their place: a side's settings may change parameters, and with them a
  /// cell's name, but neither what there is nor its order.
  ///
  /// - Throws: ``PairedCellsError`` when a side has a scenario or a cell that the other lacks.
  package init(base: [PlannedScenario], head: [PlannedScenario]) throws(PairedCellsError) {
    try PairedCells.compare(base.map(\.scenario.name), head.map(\.scenario.name), "scenario")
    for (one, other) in zip(base, head) {
      // Without their parameters, several cells may have one name.
      let names = [one, other].map { planned in
        planned.scenario.cells.map { "\(planned.scenario.name)/\($0.engine)/\($0.strategy)" }
      }
      try PairedCells.compare(names[0], names[1], "cell")
    }
    pairs = zip(base, head).flatMap { base, head in
      zip(base.scenario.cells, head.scenario.cells).map { (base.with($0), head.with($1)) }
    }
  }

  private static func compare(_ base: [String], _ head: [String], _ noun: String) throws(PairedCellsError) {
    if base == head { return }
    let missing = base.difference(from: head).insertions.map(\.name).map { "head has no \(noun) \($0), which base has" }
    let extra = head.difference(from: base).insertions.map(\.name).map { "base has no \(noun) \($0), which head has" }
    // Cells that differ in their parameters alone share a name.
    var known: Set<String> = []
    throw PairedCellsError(sentences: (missing + extra).filter { known.insert($0).inserted })
  }
}

/// Sides that do not have the same cells.
package struct PairedCellsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One for each scenario or cell that a side lacks.
  package let sentences: [String]

  package var description: String { "not comparable: " + sentences.joined(separator: "; ") }
}

extension CollectionDifference<String>.Change {
  fileprivate var name: String {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
