// Databases and statements of a watched program, over all of its processes.
internal import Instruments
internal import Support

extension WatchReport {
  /// Calls and bytes for one kind of file.
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

  /// Write transactions of one kind.
  package struct Transactions: Codable, Sendable {
    package var kind: Kind
    package var begun: Int64 = 0
    package var committed: Int64 = 0
    /// How long they held the write lock, in total and at most, in seconds.
    package var heldSeconds: Double? = 0
    package var longestHeldSeconds: Double? = 0

    /// How a transaction got the lock.
    package enum Kind: String, Codable, Sendable, CaseIterable {
      /// A statement outside of a transaction.
      case autocommit
      /// BEGIN, and a later statement that wrote.
      case deferred
      case immediate, exclusive
      /// Used if statements are not metered, or if no lock is taken, as in exclusive locking mode.
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
    /// Checkpoints that a reader kept from moving all frames or from restarting the log, and the most frames that one
    /// left.
    package var leftForReader: Int64 = 0
    package var mostFramesLeft: Int64 = 0
    /// Checkpoints that did not get the write lock and continued as passive ones.
    package var leftForWriter: Int64 = 0

    /// The mode of a checkpoint, deduced from its locks.
    ///
    /// A blocked checkpoint may have been meant to do more.
    package enum Mode: String, Codable, Sendable, CaseIterable {
      case passive, full, restart, truncate
      /// On closing the last connection.
      case closing
      /// A checkpoint without locks, in exclusive locking mode, where the mode is not visible.
      case unknown
    }

    init(mode: Mode) { self.mode = mode }
  }

  /// The size of a write-ahead log in an interval of time in which it was written to.
  package struct WALMoment: Codable, Sendable {
    /// The beginning of the interval, in seconds since the program began.
    package var seconds: Double
    package var highestBytes: Int64
    package var lastBytes: Int64
  }

  /// A reader that held back a checkpoint.
  package struct Reader: Codable, Sendable, Hashable {
    package var process: Int64
    package var thread: Int64
  }

  /// A database file.
  ///
  /// Without a path, it combines all in-memory databases and the files that belong to no database.
  package struct Database: Codable, Sendable {
    package var path: String
    /// The pragmas that the program set, by name.
    package var pragmas: [String: String] = [:]
    /// The size of its file after the program ended; `nil` if there is none.
    package var storedBytes: Int64?
    package var pageBytes: Int64 = 0
    package var connections: Int64 = 0
    package var file = File()
    package var wal = File()
    package var journal = File()
    package var temporary = File()
    package var rowsChanged: Int64 = 0
    package var commits: Int64 = 0
    /// Transactions that the program rolled back.
    package var rollbacks: Int64 = 0
    /// How long the write lock was held, in total and at most, in seconds.
    package var heldSeconds: Double? = 0
    package var longestHeldSeconds: Double? = 0
    /// Commits of a single row, each within 100 ms of the previous one.
    package var loneCommits: Int64 = 0
    package var walCommits: Int64 = 0
    package var walFrames: Int64 = 0
    package var walOverwrites: Int64 = 0
    package var walRestarts: Int64 = 0
    package var walPeakBytes: Int64 = 0
    /// The most frames in the log that were not in the database yet.
    package var walBacklogPeakFrames: Int64 = 0
    package var checkpoints: Int64 = 0
    package var checkpointedPages: Int64 = 0
    package var checkpointSeconds: Double? = 0
    package var longestCheckpointSeconds: Double? = 0
    /// Checkpoints that left frames because of a reader, and the most frames that one left.
    package var checkpointsHeldBack: Int64 = 0
    package var heldBackFrames: Int64 = 0
    /// The index in ``WatchReport/statements`` of the oldest reader's statement.
    package var heldBackStatement: Int?
    /// That reader; `nil` if it was in another process than the checkpoint.
    package var heldBackReader: Reader?
    /// How often the reader was in another process than the checkpoint.
    package var heldBackElsewhere: Int64 = 0
    /// Checkpoints that did not begin because another one was running.
    package var checkpointsRefused: Int64 = 0
    package var checkpointsByMode: [Checkpoints] = []
    package var transactions: [Transactions] = []
    /// Syncs of the folder when a journal is created or deleted; `nil` if they cannot be counted.
    package var directorySyncs: Int64?
    /// The growth of the log: up to 64 moments per process, ordered by time.
    package var walGrowth: [WALMoment] = []
    package var longestReadSeconds: Double? = 0
    package var longestReadStatement: Int?
    /// Locks refused because another connection held them, and how many of these statements did not wait.
    package var refusals: Int64 = 0
    package var refusalsAtOnce: Int64 = 0
    /// The refusals in transactions that had read before.
    ///
    /// SQLite does not wait then, whatever the busy timeout is.
    package var refusedUpgrades: Int64 = 0
    /// Transactions that had read and then could not write, because another one had written in between.
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

    /// Bytes written for each stored byte; `nil` if nothing is stored.
    package var writeAmplification: Double? {
      storedBytes.flatMap { $0 > 0 ? Double(bytesWritten) / Double($0) : nil }
    }

    package var syncs: Int64 { file.syncs.addingClamped(wal.syncs).addingClamped(journal.syncs) }
  }

  /// All statements with the same text.
  package struct Statement: Codable, Sendable {
    /// Empty for statements that the meter had no room for.
    package var text: String
    package var isCut: Bool
    package var use: Use
    /// SQLite's plan at the first run, one line per step, with substeps indented by two spaces; `nil` if unknown.
    package var plan: String?
    /// The index in ``WatchReport/databases`` of the database it last ran on.
    package var database: Int?
    package var runs: Int64 = 0
    package var preparations: Int64 = 0
    package var rowsReturned: Int64 = 0
    package var rowsChanged: Int64 = 0
    /// The total time of all runs, estimated from the timed ones; `nil` if none was timed.
    ///
    /// It is in seconds, from the first step to the end, so a query's time includes the program's work between rows.
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
    /// Runs of write statements outside of a transaction.
    package var autocommits: Int64 = 0
    /// Runs of a query that came one per row of another query.
    package var runsForRows: Int64 = 0
    /// The index of that other query.
    package var rowsStatement: Int?
    package var refusals: Int64 = 0
    package var staleSnapshots: Int64 = 0
    /// Runs that SQLite refused with `SQLITE_LOCKED`.
    package var lockedRuns: Int64 = 0
    /// SQLite's allocations in its runs, and their bytes; `nil` if allocations were not metered.
    package var allocations: Int64?
    package var allocatedBytes: Int64?

    package enum Use: String, Codable, Sendable, CaseIterable {
      case writes, queries, other
    }
  }
}
