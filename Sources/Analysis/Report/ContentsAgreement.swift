// What can be said of the contents of all stores of a scenario together.
package import Harness
internal import BatchmarkEngine

/// Whether the samples of a scenario ended with the same attributes.
package enum ContentsAgreement: Sendable, Hashable {
  /// All of them, with this hash.
  case shared(hash: String)
  /// Those with the same swept values did.
  case sharedByCondition
  /// Some stored other rows, or none succeeded.
  case different
  case noSample

  init(_ scenario: ScenarioReport) {
    let cells = scenario.cells
    if let hash = scenario.contentHash {
      self = .shared(hash: hash)
    } else if !scenario.sweptConditions.isEmpty,
      cells.allSatisfy({ $0.contentHash.figure != nil && $0.failures.isEmpty }),
      cells.map(\.cell).distinctConditions.allSatisfy({ conditions in
        Set(cells.filter { $0.cell.conditions == conditions }.map(\.contentHash.figure)).count == 1
      })
    {
      self = .sharedByCondition
    } else {
      self = cells.contains { !$0.samples.isEmpty || !$0.failures.isEmpty } ? .different : .noSample
    }
  }
}

/// What rows are linked to, where every sample that has links has the same.
package struct SharedLinks: Sendable, Hashable {
  package var links: [StoredLinks]
  /// Whether every sample has them, or only those whose rows are related.
  package var isOfEverySample: Bool

  /// Nil where rows stand alone, and where samples differ.
  init?(_ scenario: ScenarioReport) {
    let samples = scenario.cells.flatMap(\.samples)
    let all = Set(samples.compactMap(\.contents.links))
    guard all.count == 1, let links = all.first, !links.isEmpty else { return nil }
    self.links = links
    isOfEverySample = samples.allSatisfy { $0.contents.links != nil }
  }
}

/// What engines say of their cells' figures, such as that a library has no faster way.
package struct EngineCaveat: Sendable, Hashable {
  /// A whole clause.
  package let text: String
  package fileprivate(set) var cells: [CellID]
}

extension ScenarioReport {
  /// Each once, with all cells that it is about, in their order.
  package var caveats: [EngineCaveat] {
    var found: [EngineCaveat] = []
    for cell in cells {
      for text in Set(cell.samples.flatMap { $0.engineNotes ?? [] }).sorted() {
        if let known = found.firstIndex(where: { $0.text == text }) {
          found[known].cells.append(cell.cell.id)
        } else {
          found.append(EngineCaveat(text: text, cells: [cell.cell.id]))
        }
      }
    }
    return found
  }
}

/// What a strategy does, and what its user goes without.
package struct StrategyNote: Sendable, Hashable {
  package var label: String
  package var summary: String
  /// What it does in at most ``mostOfGloss`` characters.
  package var gloss: String
  package var tradeoffs: [String]

  package static let mostOfGloss = 40

  /// One a strategy: cells that differ only in parameters share it.
  static func all(in scenario: ScenarioReport) -> [StrategyNote] {
    var known: Set<String> = []
    return scenario.cells.compactMap { cell in
      var strategy = cell.cell
      strategy.parameters = [:]
      strategy.conditionKeys = []
      guard known.insert(strategy.id).inserted else { return nil }
      return StrategyNote(
        label: strategy.label, summary: cell.summary, gloss: gloss(of: cell), tradeoffs: cell.tradeoffs)
    }
  }

  /// What the strategy says, or its summary, up to the first comma where it is too long; cut where that is too long too.
  private static func gloss(of cell: CellReport) -> String {
    let summary = cell.summary.hasSuffix(".") ? cell.summary.dropLast() : cell.summary[...]
    let clause = summary.count <= mostOfGloss ? summary : summary.prefix { $0 != "," }
    let gloss = cell.gloss ?? String(clause)
    return gloss.count <= mostOfGloss ? gloss : gloss.prefix(mostOfGloss - 1) + "…"
  }
}
