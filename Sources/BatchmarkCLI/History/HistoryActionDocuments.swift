// The output for programs of the commands that change a history or search for a commit.
internal import Analysis
internal import Harness
internal import Reports

/// The result of `history add`.
struct HistoryAddDocument: CommandDocument {
  static let title = "A run that was added to a history"

  var file: String
  var commit: String
  var runID: String
  /// False if the history already had the run.
  var isNew: Bool
  /// How the cells differ from those of the previous run.
  var warnings: [String]
  /// Cells that are not recorded, because a sample failed or is missing.
  var leftOut: [String]
}

/// The result of `history accept`.
struct HistoryAcceptDocument: CommandDocument {
  static let title = "Changes of a history that were accepted"

  /// The file of accepted changes.
  var file: String
  var changes: [HistoryChangeEntry]
}

/// The result of `history backfill`.
struct HistoryBackfillDocument: CommandDocument {
  static let title = "Commits that were run for a history"

  struct Commit: Codable {
    var commit: String
    /// Absent if it did not build or run.
    var added: HistoryAddDocument?
    /// Why it was skipped.
    var errors: [String] = []
  }

  var commits: [Commit] = []
}

/// The result of `history bisect`.
struct HistoryBisectDocument: CommandDocument {
  static let title = "The commit of a change"

  /// The outcome of live comparisons.
  enum Outcome: String, Codable, CaseIterable {
    case found, unconfirmed, inconclusive

    init(_ status: CommandStatus) {
      self = status == .regression ? .found : status == .success ? .unconfirmed : .inconclusive
    }
  }

  var change: HistoryChangeEntry
  var outcome: Outcome
  /// The newest commit without the change, and the oldest with it.
  var base: String
  var head: String
  /// A sentence for each cause, or why there is none; absent if no cause was searched for.
  var causes: [String]?
  /// The report on the comparison of the two commits; absent if none was written.
  var report: String?
}

/// The runs that `history prune` removed, or would remove.
struct HistoryPruneDocument: CommandDocument {
  static let title = "Runs that were removed from a history"

  var isDryRun: Bool
  var files: [String]
}
