// The figures of the meter: plain values, cumulative since it was attached.

/// What SQLite did to its files and how much it computed, since the meter was attached.
///
/// Every figure repeats to the bit when the same program does the same work on the same SQLite.
public struct SQLiteCounters: Sendable, Hashable {
  /// Database files.
  public var database = FileCounters()
  /// Write-ahead logs.
  ///
  /// The shared memory beside them is mapped, never read or written as a file, and not counted.
  public var wal = FileCounters()
  /// Rollback journals, those of transactions over several files included.
  public var journal = FileCounters()
  /// Files without a name: temporary tables, sorters, statement journals.
  public var temporary = FileCounters()

  /// Frames appended to the write-ahead log: pages with a header written before them.
  ///
  /// A page that changes again after the cache spilled it in the same transaction is overwritten where it is and no
  /// new frame. Frames of a transaction that is then rolled back were written, and count.
  public var walFrames: Int64 = 0
  /// Pages overwritten in place in the write-ahead log, within the transaction that appended them.
  public var walOverwrites: Int64 = 0
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

  public init() {}

  /// Bytes written to the write-ahead log, over all its generations.
  public var walBytesWritten: Int64 { wal.bytesWritten }
  /// Syncs of any file.
  public var syncs: Int64 { database.syncs + wal.syncs + journal.syncs + temporary.syncs }
  /// Bytes read from any file; what SQLite reads through a memory map is not seen.
  public var bytesRead: Int64 { database.bytesRead + wal.bytesRead + journal.bytesRead + temporary.bytesRead }
  /// Bytes written to any file.
  public var bytesWritten: Int64 {
    database.bytesWritten + wal.bytesWritten + journal.bytesWritten + temporary.bytesWritten
  }

  /// The figures of one kind of file.
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

/// The kinds of file SQLite keeps.
public enum FileKind: String, Sendable, Hashable, CaseIterable {
  case database, wal, journal, temporary
}

/// Calls and bytes of one kind of file.
///
/// Calls that failed count as calls, but not their bytes.
public struct FileCounters: Sendable, Hashable {
  public var reads: Int64 = 0
  /// Reads past the end of a file give no bytes.
  public var bytesRead: Int64 = 0
  public var writes: Int64 = 0
  public var bytesWritten: Int64 = 0
  public var syncs: Int64 = 0
  public var truncates: Int64 = 0

  public init() {}
}

/// The write-ahead log at one moment of growing.
public struct WALGrowthPoint: Sendable, Hashable {
  /// Rows of the watched table changed by then.
  public var rows: Int
  /// The size of the log's file, in bytes.
  public var walBytes: Int64
  /// Frames appended to the log since watching began.
  public var walFrames: Int64

  public init(rows: Int, walBytes: Int64, walFrames: Int64) {
    self.rows = rows
    self.walBytes = walBytes
    self.walFrames = walFrames
  }
}
