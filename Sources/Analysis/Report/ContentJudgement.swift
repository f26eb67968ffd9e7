// Every cell with the same conditions is given the same rows, so every sample of them must end with the same contents. A
// worker checks its store against the source; here the stores are checked against one another.
package import Harness
package import BatchmarkEngine

/// A scenario's samples after those with other contents than the rest were taken out.
package struct ContentJudgement {
  /// The samples that agree, in the order they were taken.
  package let samples: [Sample]
  /// The others, as failures.
  package let failures: [FailedSample]
  /// The hash of every sample; nil when they disagree, when a sweep has them store different rows, or without any.
  package let sharedHash: String?

  /// Judges the samples of cells with the same conditions by their most frequent hash.
  ///
  /// Of two that are equally frequent, the one that an earlier cell has is taken for the right one; `cells` are the
  /// scenario's cells in the file's order.
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
        reason: "it stored other rows than the other samples: found content hash \(sample.contents.contentHash) "
          + "over \(sample.contents.rows) rows; expected \(expected[sample.cell] ?? "none")",
        standardError: "")
    }
    let hashes = Set(samples.map(\.contents.contentHash))
    sharedHash = failures.isEmpty && hashes.count == 1 ? hashes.first : nil
  }

  /// The hash that most samples of some cells have; nil without samples.
  private static func hash(of all: [Sample], cells: [String]) -> String? {
    let own = all.filter { cells.contains($0.cell) }
    var frequency: [String: Int] = [:]
    for sample in own { frequency[sample.contents.contentHash, default: 0] += 1 }
    let most = frequency.values.max() ?? 0
    let inCellOrder = cells.lazy.flatMap { cell in own.lazy.filter { $0.cell == cell } }
    return inCellOrder.map(\.contents.contentHash).first { frequency[$0] == most }
  }
}
