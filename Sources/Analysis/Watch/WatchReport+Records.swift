// Databases and statements of a watched program, over all of its processes.
internal import Instruments
internal import Support

extension WatchReport {
  /// Calls and bytes of one kind of file.
  package struct File: Codable, Sendable {
    package var reads: Int64 = 0
    package var bytesRead: Int64 = 0
    package var writes: Int64 = 0
    package var bytesWritten: Int64 = 0
    package var syncs: Int64 = 0
    package var syncSeconds: Double? = 0
    package var longestSyncSeconds: Double? = 0

    mutating func add(_ other: MeterReading.File) {
      reads = reads.addingClamped(other.reads)
      bytesRead = bytesRead.addingClamped(other.bytesRead)
      writes = writes.addingClamped(other.writes)
      bytesWritten = bytesWritten.addingClamped(other.bytesWritten)
      syncs = syncs.addingClamped(other.syncs)
      syncSeconds += Double(other.syncNanoseconds) / 1e9
      longestSyncSeconds = max(longestSyncSeconds ?? 0, Double(other.longestSyncNanoseconds) / 1e9)
    }
  }

  /// Transactions of one kind that write.
  package struct Transactions: Codable, Sendable {
    package var kind: Kind
    package var begun: Int64 = 0
    package var committed: Int64 = 0
    /// How long they held the write lock, in total and at most, in seconds.
    package var heldSeconds: Double? = 0
    package var longestHeldSeconds: Double? = 0

    /// How a transaction got the lock.
    package enum Kind: String, Codable, Sendable, CaseIterable {
      /// A statement outside a transaction.
      case autocommit
      /// BEGIN, and a later statement that wrote.
      case deferred
      case immediate, exclusive
      /// If statements are not metered, or nothing is locked for a transaction, as in exclusive locking mode.
      case unknown
    }

    init(kind: Kind) { self.kind = kind }
  }

  /// Checkpoints of one mode.
  package struct Checkpoints: Codable, Sendable {
    package var mode: Mode
    package var runs: Int64 = 0
    package var pages: Int64 = 0
    package var seconds: Double? = 0
    /// Checkpoints that a reader kept from moving all frames or from restarting the log, and the most frames that one left.
    package var leftForReader: Int64 = 0
    package var mostFramesLeft: Int64 = 0
    /// Checkpoints that did not get the write lock, and continued as passive ones.
    package var leftForWriter: Int64 = 0

    /// What a checkpoint did, as its locks show it; one that others blocked may have been meant to do more.
    package enum Mode: String, Codable, Sendable, CaseIterable {
      case passive, full, restart, truncate
      /// As the last connection closes.
      case closing
      /// Without a lock, in exclusive locking mode, where nothing shows the mode.
      case unknown
    }

    init(mode: Mode) { self.mode = mode }
  }

  /// The size of a write-ahead log in one stretch of time, in which it was written to.
  package struct WALMoment: Codable, Sendable {
    /// When it began, since the program did.
    package var seconds: Double
    package var highestBytes: Int64
    package var lastBytes: Int64
  }

  /// A reader that held a checkpoint up.
  package struct Reader: Codable, Sendable, Hashable {
    package var process: Int64
    package var thread: Int64
  }

  /// A database file.
  ///
  /// One without a path is for databases in memory and files that belong to no database.
  package struct Database: Codable, Sendable {
    package var path: String
    /// What the program set by PRAGMA, by name.
    package var pragmas: [String: String] = [:]
    /// The size of its file after the program ended; nil if there is none.
    package var storedBytes: Int64?
    package var pageBytes: Int64 = 0
    package var connections: Int64 = 0
    package var file = File()
    package var wal = File()
    package var journal = File()
    package var temporary = File()
    package var rowsChanged: Int64 = 0
    package var commits: Int64 = 0
    /// Transactions that the program took back with ROLLBACK.
    package var rollbacks: Int64 = 0
    /// How long the lock for writing was held, in all and at most, in seconds.
    package var heldSeconds: Double? = 0
    package var longestHeldSeconds: Double? = 0
    /// Commits of one row, each within 100 ms of the one before.
    package var loneCommits: Int64 = 0
    package var walCommits: Int64 = 0
    package var walFrames: Int64 = 0
    package var walOverwrites: Int64 = 0
    package var walRestarts: Int64 = 0
    package var walPeakBytes: Int64 = 0
    /// The most frames that were in the log and not yet in the database.
    package var walBacklogPeakFrames: Int64 = 0
    package var checkpoints: Int64 = 0
    package var checkpointedPages: Int64 = 0
    package var checkpointSeconds: Double? = 0
    package var longestCheckpointSeconds: Double? = 0
    /// Checkpoints that left frames for a reader, and the most that one left.
    package var checkpointsHeldBack: Int64 = 0
    package var heldBackFrames: Int64 = 0
    /// The place among ``WatchReport/statements`` of what the oldest reader ran.
    package var heldBackStatement: Int?
    /// Who that reader was; nil where it was none of the process that ran the checkpoint.
    package var heldBackReader: Reader?
    /// How often the reader was in another process than the checkpoint.
    package var heldBackElsewhere: Int64 = 0
    /// Checkpoints that did not begin, since another was running.
    package var checkpointsRefused: Int64 = 0
    package var checkpointsByMode: [Checkpoints] = []
    package var transactions: [Transactions] = []
    /// Syncs of the folder, as a journal is made or deleted; nil where they cannot be counted.
    package var directorySyncs: Int64?
    /// How the log grew: up to 64 moments a process, in the order of time.
    package var walGrowth: [WALMoment] = []
    package var longestReadSeconds: Double? = 0
    package var longestReadStatement: Int?
    /// Locks that another connection held, and those of them whose statement did not wait.
    package var refusals: Int64 = 0
    package var refusalsAtOnce: Int64 = 0
    /// The refusals whose transaction had read before.
    ///
    /// SQLite does not wait then, whatever the busy timeout is.
    package var refusedUpgrades: Int64 = 0
    /// Transactions that had read and then could not write, since another had written in between.
    package var staleSnapshots: Int64 = 0
    /// Runs that SQLite refused with `SQLITE_LOCKED`: a table was in use by another statement of the same connection, or by
    /// another connection of a shared cache.
    package var lockedRuns: Int64 = 0
    package var cacheHits: Int64 = 0
    package var cacheMisses: Int64 = 0
    package var cacheSpills: Int64 = 0
    /// Statements that were not finalized when their connection was closed.
    package var unfinalized: Int64 = 0

    /// Bytes written to the files of the database, its log and its journal.
    package var bytesWritten: Int64 {
      file.bytesWritten.addingClamped(wal.bytesWritten).addingClamped(journal.bytesWritten)
    }

    /// Bytes written for each byte that is stored; nil where nothing is.
    package var writeAmplification: Double? {
      storedBytes.flatMap { $0 > 0 ? Double(bytesWritten) / Double($0) : nil }
    }

    package var syncs: Int64 { file.syncs.addingClamped(wal.syncs).addingClamped(journal.syncs) }
  }

  /// The statements of one text.
  package struct Statement: Codable, Sendable {
    /// Empty for those for which the meter had no room.
    package var text: String
    package var isCut: Bool
    package var use: Use
    /// SQLite's plan when it first ran, a line a step, each below another with two spaces more; nil where none is known.
    package var plan: String?
    /// The place among ``WatchReport/databases`` of the one that ran it last.
    package var database: Int?
    package var runs: Int64 = 0
    package var preparations: Int64 = 0
    package var rowsReturned: Int64 = 0
    package var rowsChanged: Int64 = 0
    /// The total of all runs, estimated from those that were timed; nil where none was.
    ///
    /// In seconds, from the first step to the end: a query's time has what the program does between rows.
    package var totalSeconds: Double?
    package var medianSeconds: Double?
    package var longestSeconds: Double?
    package var timedRuns: Int64 = 0
    package var vmSteps: Int64 = 0
    package var fullScanSteps: Int64 = 0
    package var sorts: Int64 = 0
    package var automaticIndexRows: Int64 = 0
    package var repreparations: Int64 = 0
    package var temporaryFiles: Int64 = 0
    package var temporaryBytes: Int64 = 0
    /// Runs outside a transaction, of statements that write.
    package var autocommits: Int64 = 0
    /// Runs of a query that were one for each row of another.
    package var runsForRows: Int64 = 0
    /// The place of that other one.
    package var rowsStatement: Int?
    package var refusals: Int64 = 0
    package var staleSnapshots: Int64 = 0
    /// Runs of it that SQLite refused with `SQLITE_LOCKED`.
    package var lockedRuns: Int64 = 0
    /// Calls by which SQLite allocated in runs of it, and their bytes; nil where allocations were not metered.
    package var allocations: Int64?
    package var allocatedBytes: Int64?

    package enum Use: String, Codable, Sendable, CaseIterable {
      case writes, queries, other
    }
  }
}
