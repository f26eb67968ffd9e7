// The findings of a history: changes with their commits, and series that may have one.

/// A change of a metric between two levels.
package struct HistoryChange: Sendable, Hashable, Codable {
  package enum State: Sendable, Hashable, Codable {
    /// Worse, and not accepted.
    case open
    /// Accepted as expected.
    case accepted(reason: String)
    /// Reverted by a later commit: after it, a time is nearer to the level before, and an exact counter is back within
    /// the margin of comparisons.
    case undone(by: String)
    /// An exact counter that grew by at most the margin of comparisons.
    case small
    case better
  }

  /// A condition of the runs that changed at the same commits.
  package struct Condition: Sendable, Hashable, Codable {
    package let name: String
    package let before: String
    package let after: String
    /// The full hash of the first commit with the new value.
    package let commit: String

    package init(name: String, before: String, after: String, commit: String) {
      self.name = name
      self.before = before
      self.after = after
      self.commit = commit
    }
  }

  package let key: HistoryKey
  /// The first commit of the new level, as a full hash.
  package let commit: String
  /// The newest commit that certainly has the old level, and the oldest that certainly has the new one.
  ///
  /// The change lies between them.
  package let base: String
  package let head: String
  /// The medians of the levels before and after the change; for an exact counter, the values.
  package let before: Double
  package let after: Double
  /// The p-value of the whole search, adjusted for all series; `nil` for an exact counter.
  package let p: Double?
  package let state: State
  package let conditions: [Condition]

  /// The level after the change divided by the one before; `nil` if that is zero.
  package var ratio: Double? { before == 0 ? nil : after / before }
}

/// A series that seems to have a change on its own, but not when all series are considered.
package struct HistorySuspect: Sendable, Hashable, Codable {
  package let key: HistoryKey
  /// The commit that may be the first of a new level, and the previous one, as full hashes.
  package let commit: String
  package let base: String
  package let before: Double
  package let after: Double
  /// The p-value of the search in this series alone.
  package let p: Double

  package var ratio: Double? { before == 0 ? nil : after / before }
}

/// The `pair` command that confirms a change live.
package struct HistoryPair: Sendable, Hashable {
  package let base: String
  package let head: String
  /// The path given to the newest run; `nil` for the rows of a store without a scenario file, which `pair` can measure
  /// too.
  package let scenario: String?
  /// The file of engines given to the newest run; `nil` if the cell's engine is not a program.
  package let enginesFile: String?
  /// `key=value`.
  package let settings: [String]
  package let cell: String
  /// The options that make `pair` judge only the changed metric of the cell.
  package let limits: [String]

  /// The options of `pair` that choose what to compare.
  package var options: [String] {
    (scenario.map { ["--scenario", $0] } ?? []) + (enginesFile.map { ["--engines", $0] } ?? []) + ["--only", cell]
      + settings.flatMap { ["--set", $0] }
  }
}
