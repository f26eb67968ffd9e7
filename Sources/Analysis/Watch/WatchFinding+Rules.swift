// The rules of findings. Each limit is chosen so that the figure can have no other cause.
internal import Support

extension WatchFinding {
  /// Fewer occurrences are not a pattern.
  private static let fewest: Int64 = 20

  /// What a database's figures prove.
  ///
  /// At most `mostOpen` connections to it may have been open at once.
  static func ofDatabase(_ place: Int, _ database: WatchReport.Database, mostOpen: Int64) -> [WatchFinding] {
    var found: [WatchFinding] = []
    if database.loneCommits >= fewest {
      found.append(
        WatchFinding(
          .loneCommits, database: place, .init(.commits, database.commits),
          atBest: max(1, database.commits - database.loneCommits),
          [.init(.rows, database.loneCommits), .init(.syncs, database.syncs)]))
    }
    if database.checkpointsHeldBack >= 3, database.heldBackFrames >= 1000 {
      found.append(
        WatchFinding(
          .longReader, database: place, statement: database.heldBackStatement,
          .init(.walPeakBytes, database.walPeakBytes),
          [
            .init(.checkpointsHeldBack, database.checkpointsHeldBack), .init(.heldBackFrames, database.heldBackFrames),
          ]))
    }
    // A checkpoint on closing delays no commit.
    let running = database.checkpoints - database.connections
    if running >= fewest, database.walCommits < running.multipliedClamped(by: 4) {
      found.append(
        WatchFinding(
          .frequentCheckpoints, database: place, .init(.checkpoints, database.checkpoints), atBest: 1,
          [.init(.commits, database.walCommits), .init(.checkpointedPages, database.checkpointedPages)]))
    }
    let journalCommits = database.commits - database.walCommits
    if database.walCommits == 0, journalCommits >= fewest, database.journal.syncs >= journalCommits {
      found.append(
        WatchFinding(
          .rollbackJournal, database: place, .init(.syncs, database.syncs), [.init(.commits, journalCommits)]))
    }
    // A checkpoint syncs the log once, and a restarted log syncs its header.
    let commitSyncs = database.wal.syncs.subtractingClamped(database.checkpoints)
      .subtractingClamped(database.walRestarts)
    if database.walCommits >= fewest,
      commitSyncs.multipliedClamped(by: 10) >= database.walCommits.multipliedClamped(by: 9)
    {
      found.append(
        WatchFinding(
          .fullSyncs, database: place, .init(.syncs, database.syncs), atBest: max(0, database.syncs - commitSyncs),
          [.init(.commits, database.walCommits)]))
    }
    // Each commit of another connection invalidates a cache, however large it is.
    let keepsCaches = mostOpen <= 1 || database.commits == 0
    found += (keepsCaches ? ofCache(place, database) : []) + ofLocks(place, database)
    return found
  }

  private static func ofCache(_ place: Int, _ database: WatchReport.Database) -> [WatchFinding] {
    guard let stored = database.storedBytes, database.pageBytes > 0 else { return [] }
    let pages = stored / database.pageBytes
    // Each connection has its own cache, which must read each page once.
    let once = pages.multipliedClamped(by: max(1, database.connections))
    guard database.cacheMisses >= 1000, database.cacheMisses >= once.multipliedClamped(by: 4),
      database.cacheMisses.multipliedClamped(by: 9) >= database.cacheHits
    else { return [] }
    return [
      WatchFinding(
        .smallCache, database: place, .init(.cacheMisses, database.cacheMisses), atBest: once,
        [.init(.pages, pages), .init(.cacheHits, database.cacheHits)])
    ]
  }

  private static func ofLocks(_ place: Int, _ database: WatchReport.Database) -> [WatchFinding] {
    var found: [WatchFinding] = []
    // A busy timeout has no effect on a transaction that has read before.
    let refused = database.refusalsAtOnce.subtractingClamped(database.refusedUpgrades)
    if refused > 0 {
      found.append(
        WatchFinding(
          .refusals, database: place, .init(.refusals, refused), atBest: 0,
          [.init(.waited, database.refusals.subtractingClamped(database.refusalsAtOnce))]))
    }
    if database.staleSnapshots > 0 {
      found.append(
        WatchFinding(
          .deferredWriter, database: place, .init(.staleSnapshots, database.staleSnapshots), atBest: 0,
          [.init(.refusedUpgrades, database.refusedUpgrades), .init(.commits, database.commits)]))
    } else if database.refusedUpgrades > 0 {
      found.append(
        WatchFinding(
          .deferredWriter, database: place, .init(.refusedUpgrades, database.refusedUpgrades), atBest: 0,
          [.init(.commits, database.commits)]))
    }
    if database.unfinalized > 0 {
      found.append(
        WatchFinding(.unfinalized, database: place, .init(.unfinalized, database.unfinalized), atBest: 0, []))
    }
    return found
  }

  static func ofStatement(_ place: Int, _ statement: WatchReport.Statement) -> [WatchFinding] {
    guard !statement.text.isEmpty, statement.use != .other else { return [] }
    var found: [WatchFinding] = []
    if statement.preparations >= 50,
      statement.preparations.multipliedClamped(by: 10) >= statement.runs.multipliedClamped(by: 9)
    {
      found.append(
        WatchFinding(
          .preparedPerRow, statement: place, .init(.preparations, statement.preparations), atBest: 1,
          [.init(.runs, statement.runs)]))
    }
    if statement.runsForRows >= fewest {
      found.append(
        WatchFinding(
          .queryPerRow, statement: place, otherStatement: statement.rowsStatement, .init(.runs, statement.runsForRows),
          atBest: 1, [.init(.rows, statement.runsForRows)]))
    }
    if hasUnindexedPredicate(statement) {
      found.append(
        WatchFinding(
          .fullScan, statement: place, .init(.fullScanSteps, statement.fullScanSteps), atBest: 0,
          [.init(.runs, statement.runs), .init(.rows, statement.rowsReturned.addingClamped(statement.rowsChanged))]))
    }
    if statement.automaticIndexRows >= 100 {
      found.append(
        WatchFinding(
          .automaticIndex, statement: place, .init(.automaticIndexRows, statement.automaticIndexRows), atBest: 0,
          [.init(.runs, statement.runs)]))
    }
    // Creating an index sorts once, whatever that costs.
    if statement.sorts > 0, statement.temporaryBytes > 0, !words(of: statement).contains("CREATE") {
      found.append(
        WatchFinding(
          .spilledSort, statement: place, .init(.temporaryBytes, statement.temporaryBytes), atBest: 0,
          [.init(.sorts, statement.sorts), .init(.rows, statement.rowsReturned)]))
    }
    return found
  }

  /// Whether it looked at many rows for each useful one, and has a predicate that an index can serve.
  private static func hasUnindexedPredicate(_ statement: WatchReport.Statement) -> Bool {
    let used = statement.rowsReturned.addingClamped(statement.rowsChanged).addingClamped(statement.runs)
    guard statement.fullScanSteps >= 1000, statement.fullScanSteps >= used.multipliedClamped(by: 20) else {
      return false
    }
    let words = words(of: statement)
    return words.contains("WHERE") && words.isDisjoint(with: ["LIKE", "GLOB", "REGEXP", "MATCH"])
  }

  /// The words of its text, without those in values and comments, which occur if values were requested.
  private static func words(of statement: WatchReport.Statement) -> Set<String> {
    Set(NormalizedSQL(statement.text).text.uppercased().split { !$0.isLetter && $0 != "_" }.map(String.init))
  }
}
