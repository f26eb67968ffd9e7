// What the commands that change a history, or look for a commit, print for programs.
internal import Analysis
internal import Harness
internal import Reports

/// What `history add` did.
struct HistoryAddDocument: CommandDocument {
  static let title = "A run that was added to a history"

  var file: String
  var commit: String
  var runID: String
  /// False where the history had the run already.
  var isNew: Bool
  /// How the cells differ from those of the last run.
  var warnings: [String]
  /// Cells that are not kept: a sample failed or is missing.
  var leftOut: [String]
}

/// What `history accept` wrote down.
struct HistoryAcceptDocument: CommandDocument {
  static let title = "Changes of a history that were accepted"

  /// The file of accepted changes.
  var file: String
  var changes: [HistoryChangeEntry]
}

/// What `history backfill` added.
struct HistoryBackfillDocument: CommandDocument {
  static let title = "Commits that were run for a history"

  struct Commit: Codable {
    var commit: String
    /// Absent where it did not build or run.
    var added: HistoryAddDocument?
    /// Why it is left out.
    var errors: [String] = []
  }

  var commits: [Commit] = []
}

/// What `history bisect` found.
struct HistoryBisectDocument: CommandDocument {
  static let title = "The commit of a change"

  /// What live comparisons found.
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
  /// The report on the comparison of the two commits; absent where none was written.
  var report: String?
}

/// What `history prune` removed, or would.
struct HistoryPruneDocument: CommandDocument {
  static let title = "Runs that were removed from a history"

  var isDryRun: Bool
  var files: [String]
}
