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
