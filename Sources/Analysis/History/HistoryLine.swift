// The runs of a history in the order of their commits: each commit after its first parent.

/// A commit and its runs.
package struct HistoryCommit: Sendable, Hashable {
  /// The full hash.
  package let id: String
  /// In the order in which they finished.
  package let runs: [HistoryRecord]

  /// The shortened hash.
  package var name: String { HistoryCommit.name(of: id) }

  package static func name(of id: String) -> String { String(id.prefix(12)) }
}

/// The commits of a history that have runs, the oldest first.
package struct HistoryLine: Sendable {
  package let commits: [HistoryCommit]
  /// Runs of commits that are not on the line, such as those of other branches.
  package let others: [HistoryRecord]

  /// - Parameters:
  ///   - records: The records in any order. Duplicates count once.
  ///   - firstParents: The hashes of a branch by first parents, the newest first, as `git rev-list --first-parent`
  ///     prints them.
  package init(_ records: [HistoryRecord], firstParents: [String]) {
    var known: Set<String> = []
    let records = records.sorted { ($0.finished, $0.runID) < ($1.finished, $1.runID) }
      .filter { known.insert($0.commit + $0.runID).inserted }
    let byCommit = Dictionary(grouping: records, by: \.commit)
    commits = firstParents.reversed().compactMap { id in byCommit[id].map { HistoryCommit(id: id, runs: $0) } }
    let onLine = Set(firstParents)
    others = records.filter { !onLine.contains($0.commit) }
  }

  /// The current scenarios, each from the newest run that has it.
  package var scenarios: [HistoryScenario] {
    var found: [String: HistoryScenario] = [:]
    for run in commits.flatMap(\.runs) {
      for scenario in run.scenarios { found[scenario.name] = scenario }
    }
    return found.values.sorted { $0.name < $1.name }
  }
}
