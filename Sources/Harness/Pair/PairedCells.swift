// Matches the cells of two sides before anything is measured.
package import BatchmarkEngine

/// Which cell of head is compared with which of base.
package struct PairedCells: Sendable {
  /// The scenarios of both sides, with one cell each.
  package let pairs: [(base: PlannedScenario, head: PlannedScenario)]

  /// Matches cells by their position: a side's settings may change parameters, and with them a cell's name, but neither
  /// the set of cells nor its order.
  ///
  /// - Throws: ``PairedCellsError`` if a side has a scenario or a cell that the other lacks.
  package init(base: [PlannedScenario], head: [PlannedScenario]) throws(PairedCellsError) {
    do throws(PairedCellsError) {
      try PairedCells.check(base, head)
    } catch {
      throw PairedCellsError(sentences: error.sentences + PairedCells.advice(on: base.flatMap(\.scenario.cells)))
    }
    pairs = zip(base, head).flatMap { base, head in
      zip(base.scenario.cells, head.scenario.cells).map { (base.with($0), head.with($1)) }
    }
  }

  /// What to set if cells differ in more than their strategies, one sentence for each scenario.
  package static func advice(on cells: [Cell]) -> [String] {
    Dictionary(grouping: cells, by: \.scenario).sorted { $0.key < $1.key }.compactMap { scenario, cells in
      let varied = cells.variedParameters
      if varied.isEmpty { return nil }
      let values = varied.map { "\($0.values.count) values of \($0.key)" }.joined(separator: ", ")
      let settings = varied.map { "--set \($0.key)=\($0.values[0])" }.joined(separator: " ")
      return "\(scenario) has cells with \(values); \(settings) takes one value on both sides"
    }
  }

  private static func check(_ base: [PlannedScenario], _ head: [PlannedScenario]) throws(PairedCellsError) {
    try PairedCells.compare(base.map(\.scenario.name), head.map(\.scenario.name), "scenario")
    for (one, other) in zip(base, head) {
      // Without their parameters, several cells may have the same name.
      let names = [one, other].map { planned in
        planned.scenario.cells.map { "\(planned.scenario.name)/\($0.engine)/\($0.strategy)" }
      }
      try PairedCells.compare(names[0], names[1], "cell")
    }
  }

  private static func compare(_ base: [String], _ head: [String], _ noun: String) throws(PairedCellsError) {
    if base == head { return }
    let missing = base.difference(from: head).insertions.map(\.name).map { "head has no \(noun) \($0), which base has" }
    let extra = head.difference(from: base).insertions.map(\.name).map { "base has no \(noun) \($0), which head has" }
    // Cells that differ only in their parameters share a name.
    var known: Set<String> = []
    throw PairedCellsError(sentences: (missing + extra).filter { known.insert($0).inserted })
  }
}

/// The sides do not have the same cells.
package struct PairedCellsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for each scenario or cell that a side lacks.
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
