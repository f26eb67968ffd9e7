// How long SQLite waited for its files: never the same twice, and so apart from the counters.

/// Time spent in calls of one sort.
///
/// ```swift
/// let syncs = meter.times().wal
/// print("\(syncs.total) in all, the longest \(syncs.longest)")
/// ```
public struct SpentTime: Sendable, Hashable {
  /// All of them together.
  public var total: Duration = .zero
  /// The longest of them since the peak was last marked.
  public var longest: Duration = .zero

  public init() {}
}

/// How long syncs and checkpoints took since the meter was attached, on a clock that stops while the system sleeps.
///
/// ```swift
/// let times = meter.times(of: "quakes.sqlite")
/// print("\(times.syncs.total) in syncs, \(times.checkpoints.total) in checkpoints")
/// ```
public struct SQLiteTimes: Sendable, Hashable {
  /// Syncs of database files.
  public var database = SpentTime()
  /// Syncs of write-ahead logs.
  public var wal = SpentTime()
  /// Syncs of rollback journals.
  public var journal = SpentTime()
  /// Syncs of files without a name.
  public var temporary = SpentTime()
  /// Removals of journals that sync the directory, with that sync; the directory's sync after making a journal is part
  /// of the journal's own.
  public var directory = SpentTime()
  /// Checkpoints from lock to unlock, with their waits for readers and writers, and also those that moved no page.
  ///
  /// A connection that takes no locks, in exclusive locking mode or as the last to close, is timed from the first page
  /// it moves to the last.
  public var checkpoints = SpentTime()

  public init() {}

  /// Syncs of any file and of directories.
  public var syncs: SpentTime {
    var syncs = directory
    for kind in FileKind.allCases {
      syncs.total += self[kind].total
      syncs.longest = max(syncs.longest, self[kind].longest)
    }
    return syncs
  }

  /// Syncs of one kind of file.
  ///
  /// ```swift
  /// let times = meter.times()
  /// for kind in FileKind.allCases { print(kind, times[kind].total) }
  /// ```
  public subscript(kind: FileKind) -> SpentTime {
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
