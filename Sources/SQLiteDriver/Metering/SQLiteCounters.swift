// The meter's figures: plain values, cumulative since it was attached.

/// What SQLite did to its files and how much it computed, since the meter was attached.
///
/// Every figure is exactly repeatable if the same program does the same work with the same SQLite.
///
/// ```swift
/// let counters = meter.counters(of: "quakes.sqlite")
/// print(counters.statements, counters.walFrames, counters.syncs)
/// ```
public struct SQLiteCounters: Sendable, Hashable {
  /// Database files.
  public var database = FileCounters()
  /// Write-ahead logs.
  public var wal = FileCounters()
  /// The shared memory of write-ahead logs.
  public var sharedMemory = SharedMemoryCounters()
  /// Rollback journals, including those of transactions over several files.
  public var journal = FileCounters()
  /// Unnamed files: temporary tables, sorters, statement journals.
  public var temporary = FileCounters()

  /// Syncs of a directory after a journal or a write-ahead log was created or removed there, so that the change
  /// survives a crash; 0 if ``SQLiteMeter/countsDirectorySyncs`` is false.
  public var directorySyncs: Int64 = 0

  /// Frames appended to the write-ahead log: pages with a header written before them.
  ///
  /// A page that changes again after the cache spilled it in the same transaction is overwritten in place and adds no
  /// frame. Frames of transactions that were rolled back count, because they were written.
  public var walFrames: Int64 = 0
  /// Pages overwritten in place in the write-ahead log by the transaction that appended them.
  public var walOverwrites: Int64 = 0
  /// Bytes by which the write-ahead log grew within its generation: its header, and frames with their headers.
  public var walBytesAppended: Int64 = 0
  /// How often a log began: when it was created, or when it restarted after a checkpoint had moved all of it.
  public var walRestarts: Int64 = 0
  /// Transactions committed to a log, counted by their final frames.
  public var walCommits: Int64 = 0
  /// The most frames that a transaction added to its log, since the peak was last marked.
  public var walCommitPeak: Int64 = 0
  /// The most frames that a log held after a commit that were not yet in the database, since the peak was last marked.
  ///
  /// It grows while a reader keeps its snapshot.
  ///
  /// It is read from the log's index when a transaction releases its lock: see ``walCommitsWithBacklog``.
  public var walBacklogPeak: Int64 = 0
  /// Commits after which the backlog could be read: none in exclusive locking mode, which takes no locks.
  public var walCommitsWithBacklog: Int64 = 0
  /// The size of the write-ahead log file now, in bytes; 0 when there is none.
  public var walSize: Int64 = 0
  /// The largest `walSize` since the peak was last marked.
  public var walPeak: Int64 = 0
  /// Checkpoints that moved at least one page into the database file, including those at closing.
  public var checkpoints: Int64 = 0
  /// Pages that checkpoints wrote into the database file.
  public var checkpointedPages: Int64 = 0

  /// Finished statements: see ``SQLiteMeter``.
  public var statements: Int64 = 0
  /// Virtual machine steps of the finished statements.
  public var vmSteps: Int64 = 0
  /// Sorts in the finished statements.
  ///
  /// An index could have avoided them.
  public var sorts: Int64 = 0
  /// Steps from row to row in full table scans of the finished statements.
  public var fullScanSteps: Int64 = 0
  /// Runs of finished statements that scanned a table beyond its first row.
  public var fullScans: Int64 = 0
  /// Rows that finished statements put into automatic indexes.
  public var automaticIndexRows: Int64 = 0
  /// How often SQLite itself prepared one of the finished statements again.
  public var repreparations: Int64 = 0
  /// The page caches of connections.
  public var pageCache = PageCacheCounters()

  public init() {}

  /// Bytes written to the write-ahead log, over all of its generations.
  public var walBytesWritten: Int64 { wal.bytesWritten }
  /// Bytes written to the write-ahead log that appended no frame: pages overwritten in place by the transaction that
  /// appended them, and headers of frames whose checksums changed because of that.
  public var walBytesRewritten: Int64 { wal.bytesWritten - walBytesAppended }
  /// Read calls on any file.
  public var reads: Int64 { database.reads + wal.reads + journal.reads + temporary.reads }
  /// Write calls on any file.
  public var writes: Int64 { database.writes + wal.writes + journal.writes + temporary.writes }
  /// Syncs of any file and of directories: the number of calls of `fsync` and `fdatasync`.
  public var syncs: Int64 { database.syncs + wal.syncs + journal.syncs + temporary.syncs + directorySyncs }
  /// Bytes read from any file, except through a memory map.
  public var bytesRead: Int64 { database.bytesRead + wal.bytesRead + journal.bytesRead + temporary.bytesRead }
  /// Bytes written to any file.
  public var bytesWritten: Int64 {
    database.bytesWritten + wal.bytesWritten + journal.bytesWritten + temporary.bytesWritten
  }

  /// The figures of one kind of file.
  ///
  /// ```swift
  /// for kind in FileKind.allCases {
  ///   print("\(kind): \(counters[kind].bytesWritten) bytes written")
  /// }
  /// ```
  public subscript(kind: FileKind) -> FileCounters {
    get {
      switch kind {
      case .database: database
      case .wal: wal
      case .journal: journal
      case .temporary: temporary
      }
    }
    set {
      switch kind {
      case .database: database = newValue
      case .wal: wal = newValue
      case .journal: journal = newValue
      case .temporary: temporary = newValue
      }
    }
  }
}

/// Page cache statistics of connections, in pages.
///
/// SQLite counts for each connection, over all attached databases. The meter reads the counts when a statement ends and
/// when the connection closes. Work between two statements, such as reading the schema to prepare one, counts toward
/// the next statement.
///
/// ```swift
/// let cache = meter.counters().pageCache
/// let hitRate = Double(cache.hits) / Double(max(1, cache.hits + cache.misses))
/// ```
public struct PageCacheCounters: Sendable, Hashable {
  /// Pages that were found in the cache.
  public var hits: Int64 = 0
  /// Pages that were needed but not in the cache.
  public var misses: Int64 = 0
  /// Pages written to the database, or to the log in WAL mode.
  public var writes: Int64 = 0
  /// Changed pages written in the middle of a transaction because the cache was full.
  public var spills: Int64 = 0

  public init() {}
}
