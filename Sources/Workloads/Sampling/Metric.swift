// Every figure beside time: its column name, its unit, where it comes from, and whether it repeats to the bit.

/// A figure of a phase.
///
/// The raw value is its column name in CSV, spelt with its unit.
public enum Metric: String, Codable, Sendable, CaseIterable, CodingKeyRepresentable {
  /// Live heap at its highest, above the level at the start of the phase: exact, over all threads.
  case heapPeak = "heap_peak_bytes"
  /// SQLite's own part at its highest, in the blocks that the allocator hands out, above the level at the start.
  case heapPeakSQLite = "heap_peak_sqlite_bytes"
  /// jemalloc's `stats.allocated` at its highest sampled value.
  case jemallocAllocatedPeak = "jemalloc_allocated_peak_bytes"
  /// jemalloc's `stats.resident` at its highest sampled value.
  case jemallocResidentPeak = "jemalloc_resident_peak_bytes"
  /// The process's resident set at its highest, as the kernel tells the process itself.
  case residentSetPeak = "rss_peak_bytes"
  /// Calls that allocated memory.
  case allocations = "allocations"
  /// Bytes those calls handed out.
  case allocatedBytes = "allocated_bytes"
  /// The WAL file at its largest.
  case walPeak = "wal_peak_bytes"
  /// The WAL file at the end of the phase.
  case walFinal = "wal_final_bytes"
  /// Bytes written to the WAL, over all its generations.
  case walBytesWritten = "wal_bytes_written"
  /// Frames written to the WAL.
  case walFrames = "wal_frames"
  /// Checkpoints that moved pages.
  case checkpoints = "checkpoints"
  /// Syncs of any file.
  case syncs = "syncs"
  /// Bytes written to any file through SQLite.
  case bytesWritten = "bytes_written"
  /// Steps of SQLite's virtual machine.
  case vmSteps = "vm_steps"
  /// SQL statements run.
  case statements = "statements"
  /// The database file at the end of the phase.
  case databaseBytes = "db_bytes"
  /// What is not SQLite's at its highest; the two parts need not be highest at one moment.
  case heapPeakRest = "heap_peak_rest_bytes"
  /// Calls by SQLite that allocated memory.
  case allocationsSQLite = "allocations_sqlite"

  /// Bytes read from any file through SQLite; what it reads through a memory map is not among them.
  case bytesRead = "bytes_read"
  /// Calls that read from any file.
  case readCalls = "read_calls"
  /// Calls that wrote to any file.
  case writeCalls = "write_calls"
  /// Bytes written to the database file.
  case databaseBytesWritten = "db_bytes_written"
  /// Bytes written to a rollback journal.
  case journalBytesWritten = "journal_bytes_written"
  /// Bytes written to temporary files.
  case temporaryBytesWritten = "temp_bytes_written"
  /// Syncs of the database file.
  case databaseSyncs = "db_syncs"
  /// Syncs of the WAL.
  case walSyncs = "wal_syncs"
  /// Syncs of a rollback journal.
  case journalSyncs = "journal_syncs"
  /// Time in syncs of any file.
  case syncTime = "sync_time_ns"
  /// The longest sync.
  case longestSync = "longest_sync_ns"
  /// How often the WAL was begun or started afresh.
  case walGenerations = "wal_generations"
  /// Transactions committed to the WAL.
  case walCommits = "wal_commits"
  /// The most frames that one of them added.
  case walCommitPeak = "wal_commit_peak_frames"
  /// The most frames that a commit left in the WAL and no checkpoint had moved yet.
  case walBacklogPeak = "wal_backlog_peak_frames"
  /// Pages that checkpoints moved into the database file.
  case checkpointedPages = "checkpointed_pages"
  /// Time in checkpoints.
  case checkpointTime = "checkpoint_time_ns"
  /// The longest checkpoint, for which a commit may have had to wait.
  case longestCheckpoint = "longest_checkpoint_ns"
  /// Calls about the WAL's index in shared memory: parts mapped, locks, barriers.
  case sharedMemoryCalls = "shm_calls"
  /// Pages that connections wanted and had in memory.
  case cacheHits = "cache_hits"
  /// Pages that they wanted and had to read.
  case cacheMisses = "cache_misses"
  /// Pages that they wrote.
  case cacheWrites = "cache_writes"
  /// Pages that they wrote in the middle of a transaction, because the cache was full.
  case cacheSpills = "cache_spills"
  /// Sorts that no index spared.
  case sorts = "sorts"
  /// Steps from row to row of tables that were read through.
  case fullScanSteps = "full_scan_steps"
  /// jemalloc's `stats.active` at its highest sampled value: pages that hold a block.
  case jemallocActivePeak = "jemalloc_active_peak_bytes"
  /// jemalloc's `stats.retained` at its highest sampled value: addresses without memory, kept for later.
  case jemallocRetainedPeak = "jemalloc_retained_peak_bytes"
  /// jemalloc's `stats.allocated` after the phase.
  case jemallocAllocatedAfter = "jemalloc_allocated_after_bytes"
  /// jemalloc's `stats.active` after the phase; divided by the former it is the fragmentation.
  case jemallocActiveAfter = "jemalloc_active_after_bytes"
  /// jemalloc's `stats.resident` after the phase, when unused pages were given back: what the process cannot go below.
  case jemallocResidentAfter = "jemalloc_resident_after_bytes"

  /// The pass that measures it.
  public var pass: Pass {
    switch self {
    case .heapPeak, .heapPeakSQLite, .jemallocAllocatedPeak, .jemallocResidentPeak, .residentSetPeak, .allocations,
      .allocatedBytes, .heapPeakRest, .allocationsSQLite, .jemallocActivePeak, .jemallocRetainedPeak,
      .jemallocAllocatedAfter, .jemallocActiveAfter, .jemallocResidentAfter:
      .memory
    default: .counters
    }
  }

  /// Those that were there from the first; the columns of all others stand behind them.
  private static let first: Set<Metric> = [
    .heapPeak, .heapPeakSQLite, .jemallocAllocatedPeak, .jemallocResidentPeak, .residentSetPeak, .allocations,
    .allocatedBytes, .walPeak, .walFinal, .walBytesWritten, .walFrames, .checkpoints, .syncs, .bytesWritten, .vmSteps,
    .statements, .databaseBytes,
  ]

  /// Whether it came after the first ones, so that its columns stand behind all others.
  public var isAppended: Bool { !Metric.first.contains(self) }

  /// Whether two runs of the same thing agree to the bit: all but times and what is sampled.
  public var isExact: Bool {
    switch self {
    case .jemallocAllocatedPeak, .jemallocResidentPeak, .residentSetPeak, .jemallocActivePeak, .jemallocRetainedPeak,
      .jemallocAllocatedAfter, .jemallocActiveAfter, .jemallocResidentAfter:
      false
    default: !isTime
    }
  }

  /// Whether it is exact and more of it is worse, so that growth can be judged: a page found in memory is no loss.
  public var isJudged: Bool { isExact && self != .cacheHits }

  /// Whether there is nothing to measure where the journal is no WAL.
  public var isOfWAL: Bool {
    switch self {
    case .walPeak, .walFinal, .walBytesWritten, .walFrames, .walSyncs, .walGenerations, .walCommits, .walCommitPeak,
      .walBacklogPeak, .checkpoints, .checkpointedPages, .checkpointTime, .longestCheckpoint, .sharedMemoryCalls:
      true
    default: false
    }
  }

  /// Whether the figure is a time, in nanoseconds.
  public var isTime: Bool { rawValue.hasSuffix("_ns") }

  /// Whether the figure counts bytes; what is no time either is a plain count.
  public var isBytes: Bool {
    switch self {
    case .walBytesWritten, .bytesWritten, .bytesRead, .databaseBytesWritten, .journalBytesWritten,
      .temporaryBytesWritten:
      true
    default: rawValue.hasSuffix("_bytes")
    }
  }
}
