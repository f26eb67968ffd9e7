// The figures of the meter: plain values, cumulative since it was attached.

/// What SQLite did to its files and how much it computed, since the meter was attached.
///
/// Every figure repeats to the bit when the same program does the same work on the same SQLite.
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
  /// The shared memory beside write-ahead logs.
  public var sharedMemory = SharedMemoryCounters()
  /// Rollback journals, those of transactions over several files included.
  public var journal = FileCounters()
  /// Files without a name: temporary tables, sorters, statement journals.
  public var temporary = FileCounters()

  /// Syncs of the directory that a journal or a write-ahead log was made or removed in, so that its name lasts; none
  /// where ``SQLiteMeter/countsDirectorySyncs`` is false.
  public var directorySyncs: Int64 = 0

  /// Frames appended to the write-ahead log: pages with a header written before them.
  ///
  /// A page that changes again after the cache spilled it in the same transaction is overwritten where it is and no
  /// new frame. Frames of a transaction that is then rolled back were written, and count.
  public var walFrames: Int64 = 0
  /// Pages overwritten in place in the write-ahead log, within the transaction that appended them.
  public var walOverwrites: Int64 = 0
  /// Bytes that made the write-ahead log longer within its generation: its header, and frames with theirs.
  public var walBytesAppended: Int64 = 0
  /// How often a log was begun: made, or restarted from its front after a checkpoint had moved all of it.
  public var walRestarts: Int64 = 0
  /// Transactions that were committed to a log, by the frames that end one.
  public var walCommits: Int64 = 0
  /// The most frames that one of them added to its log, since the peak was last marked.
  public var walCommitPeak: Int64 = 0
  /// The most frames that were in a log and not yet in the database after a commit, including its own, since the peak was last
  /// marked.
  ///
  /// A reader that stays makes it grow.
  ///
  /// It is read from the log's index when a transaction releases its lock: see ``walCommitsWithBacklog``.
  public var walBacklogPeak: Int64 = 0
  /// Commits after which the backlog could be read: none in exclusive locking mode, which takes no locks.
  public var walCommitsWithBacklog: Int64 = 0
  /// The size of the write-ahead log file now, in bytes; 0 when there is none.
  public var walSize: Int64 = 0
  /// The largest `walSize` since the peak was last marked.
  public var walPeak: Int64 = 0
  /// Checkpoints that moved at least one page into the database file, those at closing included.
  public var checkpoints: Int64 = 0
  /// Pages that checkpoints wrote into the database file.
  public var checkpointedPages: Int64 = 0

  /// Statements that finished: see ``SQLiteMeter``.
  public var statements: Int64 = 0
  /// Steps of SQLite's virtual machine in the statements that finished.
  public var vmSteps: Int64 = 0
  /// Sorts in the statements that finished.
  ///
  /// An index could avoid them.
  public var sorts: Int64 = 0
  /// Steps of the statements that finished from row to row of a table that is read through.
  public var fullScanSteps: Int64 = 0
  /// Runs among the statements that finished which read a table through, beyond its first row.
  public var fullScans: Int64 = 0
  /// Rows that the statements that finished put into indexes made for one run.
  public var automaticIndexRows: Int64 = 0
  /// How often SQLite prepared one of the finished statements again by itself.
  public var repreparations: Int64 = 0
  /// The page caches of connections.
  public var pageCache = PageCacheCounters()

  public init() {}

  /// Bytes written to the write-ahead log, over all its generations.
  public var walBytesWritten: Int64 { wal.bytesWritten }
  /// Bytes written to the write-ahead log that appended no frame: pages written again where they are, within the
  /// transaction that appended them, and the headers of frames whose checksums that changed.
  public var walBytesRewritten: Int64 { wal.bytesWritten - walBytesAppended }
  /// Calls that read from any file.
  public var reads: Int64 { database.reads + wal.reads + journal.reads + temporary.reads }
  /// Calls that wrote to any file.
  public var writes: Int64 { database.writes + wal.writes + journal.writes + temporary.writes }
  /// Syncs of any file and of directories: as many as the calls of `fsync` and `fdatasync`.
  public var syncs: Int64 { database.syncs + wal.syncs + journal.syncs + temporary.syncs + directorySyncs }
  /// Bytes read from any file; what SQLite reads through a memory map is not seen.
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

/// What connections found in their page caches, in pages.
///
/// SQLite counts by connection, over all databases that are attached to it, and is asked whenever a statement is over
/// and when the connection closes. What a connection does between two statements, such as reading the schema while it
/// prepares one, counts with the next.
///
/// ```swift
/// let cache = meter.counters().pageCache
/// let hitRate = Double(cache.hits) / Double(max(1, cache.hits + cache.misses))
/// ```
public struct PageCacheCounters: Sendable, Hashable {
  /// Pages that were found in the cache.
  public var hits: Int64 = 0
  /// Pages that were needed and not in the cache.
  public var misses: Int64 = 0
  /// Pages written to the database, or to the log in WAL mode.
  public var writes: Int64 = 0
  /// Changed pages that were written in the middle of a transaction, because the cache was full.
  public var spills: Int64 = 0

  public init() {}
}
