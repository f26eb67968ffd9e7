// How long SQLite waited for its files. Times never repeat exactly, so they are separate from the counters.

/// Time spent in one kind of call.
///
/// ```swift
/// let syncs = meter.times().wal
/// print("\(syncs.total) in all, the longest \(syncs.longest)")
/// ```
public struct SpentTime: Sendable, Hashable {
  /// The time of all calls together.
  public var total: Duration = .zero
  /// The longest call since the peak was last marked.
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
  /// Syncs of unnamed files.
  public var temporary = SpentTime()
  /// Removals of journals that sync the directory, including that sync.
  ///
  /// The directory sync after creating a journal counts as part of the journal's own sync.
  public var directory = SpentTime()
  /// Checkpoints from lock to unlock, including waits for readers and writers, and checkpoints that moved no page.
  ///
  /// A connection without locks, in exclusive locking mode or as the last to close, is timed from the first page that
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
