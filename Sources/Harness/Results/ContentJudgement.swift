// Every cell of a scenario is given the same rows, so every sample must end with the same contents. A worker checks
// its store against the source; here the stores are checked against one another.
internal import Workloads

/// A scenario's samples after those with other contents than the rest were taken out.
struct ContentJudgement {
  /// The samples that agree, in the order they were taken.
  let samples: [Sample]
  /// The others, as failures.
  let failures: [FailedSample]
  /// The hash of every sample; nil when they disagree or there is none.
  let sharedHash: String?

  /// Judges the samples by the most frequent hash.
  ///
  /// Of two that are equally frequent, the one that an earlier cell has is taken for the right one; `cells` are the
  /// ids of the scenario's cells in the file's order.
  init(samples all: [Sample], cells: [String]) {
    var frequency: [String: Int] = [:]
    for sample in all { frequency[sample.contents.contentHash, default: 0] += 1 }
    let most = frequency.values.max() ?? 0
    let inCellOrder = cells.lazy.flatMap { cell in all.lazy.filter { $0.cell == cell } }
    guard
      let expected = inCellOrder.map(\.contents.contentHash).first(where: { frequency[$0] == most })
    else {
      (samples, failures, sharedHash) = (all, [], nil)
      return
    }
    samples = all.filter { $0.contents.contentHash == expected }
    failures = all.filter { $0.contents.contentHash != expected }.map { sample in
      FailedSample(
        cell: sample.cell, pass: sample.pass, round: sample.round,
        reason: "it stored other rows than the other samples: found content hash \(sample.contents.contentHash) "
          + "over \(sample.contents.rows) rows; expected \(expected)",
        standardError: "")
    }
    sharedHash = failures.isEmpty ? expected : nil
  }
}
