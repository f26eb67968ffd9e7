// The results of `watch` as CSV: one row per database, statement or moment.
internal import Analysis
internal import Support

/// Writes the figures of a watched program.
enum WatchCSV {
  static func databases(_ report: WatchReport) -> String {
    CSV.render(
      [
        CSVColumn("path") { $0.path },
        CSVColumn("connections") { "\($0.connections)" },
        CSVColumn("commits") { "\($0.commits)" },
        CSVColumn("rollbacks") { "\($0.rollbacks)" },
        CSVColumn("rows_changed") { "\($0.rowsChanged)" },
        CSVColumn("autocommit_transactions") { transactions(.autocommit, $0) },
        CSVColumn("deferred_transactions") { transactions(.deferred, $0) },
        CSVColumn("immediate_transactions") { transactions(.immediate, $0) },
        CSVColumn("exclusive_transactions") { transactions(.exclusive, $0) },
        CSVColumn("write_lock_s") { CSV.seconds($0.heldSeconds) },
        CSVColumn("write_lock_longest_s") { CSV.seconds($0.longestHeldSeconds) },
        CSVColumn("refusals") { "\($0.refusals)" },
        CSVColumn("refusals_at_once") { "\($0.refusalsAtOnce)" },
        CSVColumn("refused_upgrades") { "\($0.refusedUpgrades)" },
        CSVColumn("stale_snapshots") { "\($0.staleSnapshots)" },
        CSVColumn("wal_peak_bytes") { "\($0.walPeakBytes)" },
        CSVColumn("wal_frames") { "\($0.walFrames)" },
        CSVColumn("wal_overwrites") { "\($0.walOverwrites)" },
        CSVColumn("wal_restarts") { "\($0.walRestarts)" },
        CSVColumn("checkpoints") { "\($0.checkpoints)" },
        CSVColumn("checkpointed_pages") { "\($0.checkpointedPages)" },
        CSVColumn("checkpoint_s") { CSV.seconds($0.checkpointSeconds) },
        CSVColumn("checkpoints_held_back") { "\($0.checkpointsHeldBack)" },
        CSVColumn("checkpoints_left_for_reader") { database in
          "\(database.checkpointsByMode.reduce(Int64(0)) { $0.addingClamped($1.leftForReader) })"
        },
        CSVColumn("checkpoints_left_for_writer") { database in
          "\(database.checkpointsByMode.reduce(Int64(0)) { $0.addingClamped($1.leftForWriter) })"
        },
        CSVColumn("checkpoints_refused") { "\($0.checkpointsRefused)" },
        CSVColumn("syncs") { "\($0.syncs)" },
        CSVColumn("directory_syncs") { $0.directorySyncs.map { "\($0)" } },
        CSVColumn("bytes_written") { "\($0.bytesWritten)" },
        CSVColumn("database_bytes_read") { "\($0.file.bytesRead)" },
        CSVColumn("database_bytes_written") { "\($0.file.bytesWritten)" },
        CSVColumn("wal_bytes_written") { "\($0.wal.bytesWritten)" },
        CSVColumn("journal_bytes_written") { "\($0.journal.bytesWritten)" },
        CSVColumn("temporary_bytes_written") { "\($0.temporary.bytesWritten)" },
        CSVColumn("stored_bytes") { $0.storedBytes.map { "\($0)" } },
        CSVColumn("cache_hits") { "\($0.cacheHits)" },
        CSVColumn("cache_misses") { "\($0.cacheMisses)" },
        CSVColumn("cache_spills") { "\($0.cacheSpills)" },
        CSVColumn("unfinalized") { "\($0.unfinalized)" },
        CSVColumn("locked_runs") { "\($0.lockedRuns)" },
      ], report.databases)
  }

  private static func transactions(_ kind: WatchReport.Transactions.Kind, _ database: WatchReport.Database) -> String {
    "\(database.transactions.first { $0.kind == kind }?.begun ?? 0)"
  }

  static func statements(_ report: WatchReport) -> String {
    CSV.render(
      [
        CSVColumn("statement") { $0.text },
        CSVColumn("use") { $0.use.rawValue },
        CSVColumn("database") { statement in
          statement.database.flatMap { report.databases.indices.contains($0) ? report.databases[$0].path : nil }
        },
        CSVColumn("plan") { $0.plan?.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "; ") },
        CSVColumn("runs") { "\($0.runs)" },
        CSVColumn("preparations") { "\($0.preparations)" },
        CSVColumn("rows_returned") { "\($0.rowsReturned)" },
        CSVColumn("rows_changed") { "\($0.rowsChanged)" },
        CSVColumn("timed_runs") { "\($0.timedRuns)" },
        CSVColumn("total_s") { CSV.seconds($0.totalSeconds) },
        CSVColumn("median_s") { CSV.seconds($0.medianSeconds) },
        CSVColumn("longest_s") { CSV.seconds($0.longestSeconds) },
        CSVColumn("allocations") { $0.allocations.map { "\($0)" } },
        CSVColumn("allocated_bytes") { $0.allocatedBytes.map { "\($0)" } },
        CSVColumn("vm_steps") { "\($0.vmSteps)" },
        CSVColumn("full_scan_steps") { "\($0.fullScanSteps)" },
        CSVColumn("sorts") { "\($0.sorts)" },
        CSVColumn("automatic_index_rows") { "\($0.automaticIndexRows)" },
        CSVColumn("repreparations") { "\($0.repreparations)" },
        CSVColumn("temporary_bytes") { "\($0.temporaryBytes)" },
        CSVColumn("autocommits") { "\($0.autocommits)" },
        CSVColumn("runs_for_rows") { "\($0.runsForRows)" },
        CSVColumn("locked_runs") { "\($0.lockedRuns)" },
      ], report.statements)
  }

  static func connections(_ report: WatchReport) -> String {
    CSV.render(
      [
        CSVColumn("process") { "\($0.process)" },
        CSVColumn("thread") { $0.thread.map { "\($0)" } },
        CSVColumn("database") { connections in
          connections.database.flatMap { report.databases.indices.contains($0) ? report.databases[$0].path : nil }
        },
        CSVColumn("connections") { "\($0.opened)" },
        CSVColumn("most_open") { "\($0.mostOpen)" },
        CSVColumn("open_s") { CSV.seconds($0.openSeconds) },
        CSVColumn("statements") { "\($0.statements)" },
        CSVColumn("unfinalized") { "\($0.unfinalized)" },
      ], report.connections)
  }

  static func logs(_ report: WatchReport) -> String {
    let rows = report.databases.flatMap { database in database.walGrowth.map { (path: database.path, moment: $0) } }
    return CSV.render(
      [
        CSVColumn("path") { $0.path },
        CSVColumn("elapsed_s") { CSV.number($0.moment.seconds, decimals: 3) },
        CSVColumn("highest_bytes") { "\($0.moment.highestBytes)" },
        CSVColumn("last_bytes") { "\($0.moment.lastBytes)" },
      ], rows)
  }

  static func growth(_ report: WatchReport) -> String {
    CSV.render(
      [
        CSVColumn("elapsed_s") { CSV.number($0.seconds, decimals: 3) },
        CSVColumn("rows_changed") { "\($0.rowsChanged)" },
        CSVColumn("commits") { "\($0.commits)" },
        CSVColumn("wal_bytes") { "\($0.walBytes)" },
        CSVColumn("resident_bytes") { $0.residentBytes.map { "\($0)" } },
        CSVColumn("heap_bytes") { $0.heapBytes.map { "\($0)" } },
      ], report.growth)
  }
}
