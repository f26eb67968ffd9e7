// What the contents of all stores of a scenario have in common.
package import BatchmarkEngine
package import Harness

/// Whether all samples of a scenario ended with the same attributes.
package enum ContentsAgreement: Sendable, Hashable {
  /// All of them did, with this hash.
  case shared(hash: String)
  /// Samples with the same swept values did.
  case sharedByCondition
  /// Some stored other rows, or none succeeded.
  case different
  case noSample

  init(_ scenario: ScenarioReport) {
    let cells = scenario.cells
    // Cells without samples, or with other failures, did not store other rows.
    let known = cells.filter { !$0.samples.isEmpty }
    if let hash = scenario.contentHash {
      self = .shared(hash: hash)
    } else if !scenario.sweptConditions.isEmpty, !known.isEmpty,
      !cells.contains(where: { $0.failures.contains(where: ContentJudgement.isOfOtherRows) }),
      known.allSatisfy({ $0.contentHash.figure != nil }),
      known.map(\.cell).distinctConditions.allSatisfy({ conditions in
        Set(known.filter { $0.cell.conditions == conditions }.map(\.contentHash.figure)).count == 1
      })
    {
      self = .sharedByCondition
    } else {
      self = cells.contains { !$0.samples.isEmpty || !$0.failures.isEmpty } ? .different : .noSample
    }
  }
}

/// The links of the rows, if all samples with links have the same ones.
package struct SharedLinks: Sendable, Hashable {
  package var links: [StoredLinks]
  /// Whether every sample has them, or only those with related rows.
  package var isOfEverySample: Bool

  /// `nil` if rows have no links, or if samples differ.
  init?(_ scenario: ScenarioReport) {
    let samples = scenario.cells.flatMap(\.samples)
    let all = Set(samples.compactMap(\.contents.links))
    guard all.count == 1, let links = all.first, !links.isEmpty else { return nil }
    self.links = links
    isOfEverySample = samples.allSatisfy { $0.contents.links != nil }
  }
}

/// A scenario's samples, without those that stored other contents than the rest.
///
/// Cells with the same conditions get the same rows, so all their samples must end with the same contents. A worker
/// checks its store against the source. Here the stores are compared with each other.
package struct ContentJudgement {
  /// The samples that agree, in the order they were taken.
  package let samples: [Sample]
  /// The others, as failures.
  package let failures: [FailedSample]
  /// The common hash of all samples; `nil` if they disagree, if a sweep stores different rows, or without samples.
  package let sharedHash: String?

  /// Judges the samples of cells with the same conditions by their most frequent hash.
  ///
  /// If two are equally frequent, the earlier cell's hash counts as correct. `cells` are the scenario's cells in the
  /// file's order.
  package init(samples all: [Sample], cells: [Cell]) {
    var expected: [String: String] = [:]
    for conditions in cells.distinctConditions {
      let ids = cells.filter { $0.conditions == conditions }.map(\.id)
      let hash = ContentJudgement.hash(of: all, cells: ids)
      for id in ids { expected[id] = hash }
    }
    samples = all.filter { $0.contents.contentHash == expected[$0.cell] }
    failures = all.filter { $0.contents.contentHash != expected[$0.cell] }.map { sample in
      FailedSample(
        cell: sample.cell, pass: sample.pass, round: sample.round,
        reason: "\(ContentJudgement.otherRows): found content hash \(sample.contents.contentHash) "
          + "over \(sample.contents.rows) \(sample.contents.rows == 1 ? "row" : "rows"); expected \(expected[sample.cell] ?? "none")",
        standardError: "")
    }
    let hashes = Set(samples.map(\.contents.contentHash))
    sharedHash = failures.isEmpty && hashes.count == 1 ? hashes.first : nil
  }

  private static let otherRows = "it stored other rows than the other samples"

  /// Whether a sample became a failure because it stored other rows than the rest.
  static func isOfOtherRows(_ failure: FailedSample) -> Bool { failure.reason.hasPrefix(otherRows) }

  /// The most frequent hash among the samples of some cells; `nil` without samples.
  private static func hash(of all: [Sample], cells: [String]) -> String? {
    let own = all.filter { cells.contains($0.cell) }
    var frequency: [String: Int] = [:]
    for sample in own { frequency[sample.contents.contentHash, default: 0] += 1 }
    let most = frequency.values.max() ?? 0
    let inCellOrder = cells.lazy.flatMap { cell in own.lazy.filter { $0.cell == cell } }
    return inCellOrder.map(\.contents.contentHash).first { frequency[$0] == most }
  }
}
