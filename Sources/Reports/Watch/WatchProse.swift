// Findings about a watched program as sentences, for the page and the terminal.
package import Analysis

/// Turns findings into sentences.
package enum WatchProse {
  /// The finding, in Markdown without a full stop.
  static func title(_ finding: WatchFinding) -> String {
    let count = Digits.grouped(finding.figure.value)
    return switch finding.kind {
    case .loneCommits: "A transaction for each row: \(figure(finding, .rows)) commits of one row in a row"
    case .preparedPerRow: "Prepared for each run: \(count) preparations for \(figure(finding, .runs)) runs"
    case .queryPerRow: "A query for each row of another: \(count) runs, one a row"
    case .fullScan:
      "A predicate without an index: \(count) rows read through for \(figure(finding, .rows)) that were of use"
    case .automaticIndex: "An index made for each run: \(count) rows of automatic indexes"
    case .longReader:
      "A reader kept the write-ahead log from starting afresh: it grew to \(HumanUnits.bytes(finding.figure.value))"
    case .frequentCheckpoints:
      "Checkpoints in the way of commits: \(count) for \(figure(finding, .commits)) commits"
    case .rollbackJournal: "A rollback journal: \(count) syncs for \(figure(finding, .commits)) commits"
    case .fullSyncs: "A sync at each commit: \(count) syncs for \(figure(finding, .commits)) commits"
    case .smallCache:
      "A page cache that is too small: \(count) pages read, though the database has \(figure(finding, .pages))"
    case .refusals: "Locks refused without a wait: \(count)"
    case .deferredWriter: "Transactions that read first and then could not write: \(count)"
    case .spilledSort: "Sorts that spilled to temporary files: \(HumanUnits.bytes(finding.figure.value))"
    case .unfinalized: "Statements not finalized when their connection was closed: \(count)"
    }
  }

  /// The advice, in Markdown.
  static func advice(_ finding: WatchFinding) -> String {
    switch finding.kind {
    case .loneCommits: "Put the rows of one task between `BEGIN` and `COMMIT`."
    case .preparedPerRow: "Prepare it once, bind the values, and reset it after each run."
    case .queryPerRow: "Ask once, with a join or `IN`."
    case .fullScan: "Make an index on the columns that `WHERE` compares; `EXPLAIN QUERY PLAN` shows whether it is used."
    case .automaticIndex:
      "SQLite builds this index for each run and drops it: make it once, on the column that the join compares."
    case .longReader:
      "Reset or finalize the statement as soon as its rows are read; until then no checkpoint can finish."
    case .frequentCheckpoints: "Raise `wal_autocheckpoint`, or checkpoint between tasks."
    case .rollbackJournal:
      "`PRAGMA journal_mode = WAL` needs fewer syncs, and it does not block readers while it writes."
    case .fullSyncs:
      "With `PRAGMA synchronous = NORMAL` a write-ahead log is synced at checkpoints alone: a power cut may lose the last commits, and damages nothing."
    case .smallCache: "Raise `cache_size` to the pages that are used again and again."
    case .refusals: "Set a busy timeout, so that SQLite waits for the lock."
    case .deferredWriter: "Begin transactions that will write with `BEGIN IMMEDIATE`."
    case .spilledSort: "Make an index that has the rows in this order, or raise `cache_size`."
    case .unfinalized: "Finalize every statement before the connection is closed; until then it stays open."
    }
  }

  /// A figure of the evidence, with thousands separators.
  private static func figure(_ finding: WatchFinding, _ name: WatchFinding.Evidence.Name) -> String {
    Digits.grouped(finding.evidence.first { $0.name == name }?.value ?? 0)
  }

  /// The subject, in Markdown: the statement or the database.
  static func subject(_ finding: WatchFinding, in report: WatchReport) -> [String] {
    var lines: [String] = []
    let statement = finding.statement.flatMap { report.statements.indices.contains($0) ? report.statements[$0] : nil }
    if let statement { lines.append(Markdown.code(statement.text.cut(to: 300))) }
    if let plan = statement?.plan {
      let steps = plan.split(separator: "\n").map { Markdown.code(String($0.drop { $0 == " " })) }
      lines.append("Its plan: \(steps.joined(separator: ", then "))")
    }
    if let other = finding.otherStatement, report.statements.indices.contains(other) {
      lines.append("For the rows of \(Markdown.code(report.statements[other].text.cut(to: 300)))")
    }
    let database = finding.database ?? statement?.database
    if let database, report.databases.indices.contains(database) {
      lines.append("In \(Markdown.code(name(of: report.databases[database])))")
    }
    return lines
  }

  /// The displayed name of a database.
  static func name(of database: WatchReport.Database) -> String {
    database.path.isEmpty ? "(no file)" : database.path
  }

  static func words(_ kind: WatchReport.Transactions.Kind) -> String {
    switch kind {
    case .autocommit: "one statement each"
    case .deferred: "BEGIN, later a write"
    case .immediate: "BEGIN IMMEDIATE"
    case .exclusive: "BEGIN EXCLUSIVE"
    case .unknown: "of a kind that is not known"
    }
  }

  static func words(_ mode: WatchReport.Checkpoints.Mode) -> String {
    switch mode {
    case .passive: "passive"
    case .full: "full"
    case .restart: "restart"
    case .truncate: "truncate"
    case .closing: "as the last connection closed"
    case .unknown: "in exclusive locking mode"
    }
  }

  /// The evidence as names and numbers, in plain text.
  static func evidence(_ finding: WatchFinding) -> String {
    let best = finding.atBest.map { ", at best \(Digits.grouped($0))" } ?? ""
    let figures =
      ["\(words(finding.figure.name)) \(Digits.grouped(finding.figure.value))\(best)"]
      + finding.evidence.map { "\(words($0.name)) \(Digits.grouped($0.value))" }
    return figures.joined(separator: "; ")
  }

  private static func words(_ name: WatchFinding.Evidence.Name) -> String {
    switch name {
    case .commits: "commits"
    case .rows: "rows"
    case .syncs: "syncs"
    case .runs: "runs"
    case .preparations: "preparations"
    case .fullScanSteps: "full-scan steps"
    case .automaticIndexRows: "rows of automatic indexes"
    case .walPeakBytes: "bytes of the WAL at its peak"
    case .heldBackFrames: "frames held back"
    case .checkpointsHeldBack: "checkpoints held back"
    case .checkpoints: "checkpoints"
    case .checkpointedPages: "pages checkpointed"
    case .cacheMisses: "cache misses"
    case .cacheHits: "cache hits"
    case .pages: "pages of the database"
    case .refusals: "refusals"
    case .waited: "refusals waited for"
    case .staleSnapshots: "stale snapshots"
    case .refusedUpgrades: "refusals after reading"
    case .temporaryBytes: "temporary bytes"
    case .sorts: "sorts"
    case .unfinalized: "statements"
    }
  }

  /// Why something was not metered, in plain text with a full stop.
  package static func sentence(_ gap: WatchReport.Gap) -> String {
    switch gap {
    case .otherVFS(let name, let connections):
      "\(HumanUnits.counted(Int(clamping: connections), "connection")) not metered: opened through the program's VFS '\(name)'."
    case .ownSQLite(let file):
      "Not metered: \(file) has a SQLite of its own, and only a shared libsqlite3 that calls itself by name can be metered."
    case .untraced(let connections):
      "Statements of \(HumanUnits.counted(Int(clamping: connections), "connection")) not metered: the program set a tracer of its own by sqlite3_trace or sqlite3_profile."
    case .noRoom(let connections, let databases):
      "The meter had no room for \(HumanUnits.counted(Int(clamping: connections), "connection")) and \(HumanUnits.counted(Int(clamping: databases), "database"))."
    case .unreadable(let reason): "Figures of one process are missing: \(reason)."
    case .notPreloaded(let reason): "Not metered: \(reason)."
    case .stillRunning(let processes):
      "\(HumanUnits.counted(Int(clamping: processes), "process", plural: "processes")) of the program still ran when it had ended: nothing is metered after that."
    }
  }
}
