// The values that the SQLite meter published for one process; CStoreMeter's store_meter_layout.h describes each
// counter.

/// One process that used SQLite.
package struct MeterReading: Sendable {
  package var process: Int64 = 0
  package var parent: Int64 = 0
  /// `CLOCK_MONOTONIC`, in nanoseconds.
  package var beganNanoseconds: Int64 = 0
  package var isFork = false
  package var executable = ""
  package var sqliteVersion = ""
  package var threads: Int64 = 0
  package var connectionsOpened: Int64 = 0
  package var connectionsInMemory: Int64 = 0
  /// Connections through a VFS that bypasses the meter.
  package var connectionsElsewhere: Int64 = 0
  package var otherVFS = ""
  /// Connections without metered statements, because the program set a tracer that cannot be chained.
  package var untraced: Int64 = 0
  /// Connections and databases that did not fit into the meter's file.
  package var lostConnections: Int64 = 0
  package var lostDatabases: Int64 = 0
  /// How often and how long SQLite slept while waiting for a lock.
  package var sleeps: Int64 = 0
  package var sleepNanoseconds: Int64 = 0
  package var tracesStatements = true
  /// Whether syncs of directories were counted.
  package var countsDirectories = false
  /// The largest total size of all write-ahead logs since the peak was last marked.
  package var walPeakBytes: Int64 = 0
  /// The meter's own cost: the time of rare work such as creating its file; the number of its other calls; and how many
  /// of these were timed, with their time.
  package var ownRareNanoseconds: Int64 = 0
  package var ownCalls: Int64 = 0
  package var ownTimedCalls: Int64 = 0
  package var ownTimedNanoseconds: Int64 = 0
  /// `nil` if allocations were not metered.
  package var heap: Heap?
  package var databases: [Database] = []
  package var statements: [Statement] = []
  package var connections: [Connections] = []

  /// What the process has allocated.
  package struct Heap: Sendable {
    package var liveBytes: Int64
    package var peakBytes: Int64
    package var allocations: Int64
    package var allocatedBytes: Int64
    /// The peaks of SQLite's part, by its own count, and of the rest; `nil` if SQLite does not count.
    package var peaks: (sqlite: Int64, rest: Int64)?
  }

  /// Calls and bytes of one kind of file.
  package struct File: Sendable {
    package var opens: Int64 = 0
    package var reads: Int64 = 0
    package var bytesRead: Int64 = 0
    package var writes: Int64 = 0
    package var bytesWritten: Int64 = 0
    package var syncs: Int64 = 0
    package var syncNanoseconds: Int64 = 0
    package var longestSyncNanoseconds: Int64 = 0
    package var truncates: Int64 = 0
  }

  /// Transactions of one kind that write.
  package struct Transactions: Sendable {
    package var kind: Kind
    package var begun: Int64
    package var committed: Int64
    package var heldNanoseconds: Int64
    package var longestHeldNanoseconds: Int64

    /// How a transaction got the write lock, in the order of `store_meter_kind`.
    package enum Kind: Int, Sendable, CaseIterable {
      case autocommit, deferred, immediate, exclusive, unknown
    }
  }

  /// Checkpoints of one mode.
  package struct Checkpoints: Sendable {
    package var mode: Mode
    package var runs: Int64
    package var pages: Int64
    package var nanoseconds: Int64
    package var leftForReader: Int64
    package var mostFramesLeft: Int64
    package var leftForWriter: Int64

    /// The mode of a checkpoint as inferred from its locks, in the order of `store_meter_mode`.
    package enum Mode: Int, Sendable, CaseIterable {
      case passive, full, restart, truncate, closing, unknown
    }
  }

  /// The size of a write-ahead log in one interval of time.
  package struct Growth: Sendable {
    /// The interval's beginning, from the start of the process.
    package var nanoseconds: Int64
    package var highestBytes: Int64
    package var lastBytes: Int64
  }

  /// A database; the first entry combines all databases without a file.
  package struct Database: Sendable {
    /// Empty for databases without a file.
    package var path = ""
    /// The values that the program set by PRAGMA, by name.
    package var pragmas: [String: String] = [:]
    package var file = File()
    package var wal = File()
    package var journal = File()
    package var temporary = File()
    package var pageSize: Int64 = 0
    package var connections: Int64 = 0
    package var sharedMaps: Int64 = 0
    package var sharedLocks: Int64 = 0
    package var sharedBarriers: Int64 = 0
    package var walFrames: Int64 = 0
    package var walOverwrites: Int64 = 0
    package var walBytesAppended: Int64 = 0
    package var walRestarts: Int64 = 0
    package var walCommits: Int64 = 0
    package var walCommitPeakFrames: Int64 = 0
    package var walBacklogPeakFrames: Int64 = 0
    package var walCommitsWithBacklog: Int64 = 0
    package var walBytes: Int64 = 0
    package var walPeakBytes: Int64 = 0
    package var writeLocks: Int64 = 0
    package var commits: Int64 = 0
    package var heldNanoseconds: Int64 = 0
    package var longestHeldNanoseconds: Int64 = 0
    /// Commits of one row within 100 ms of the previous one.
    package var loneCommits: Int64 = 0
    package var refusals: Int64 = 0
    package var refusalsAtOnce: Int64 = 0
    package var staleSnapshots: Int64 = 0
    /// Runs that ended with `SQLITE_LOCKED`.
    package var lockedRuns: Int64 = 0
    /// Refusals without waiting, for transactions that had read before.
    package var refusedUpgrades: Int64 = 0
    package var checkpoints: Int64 = 0
    package var checkpointedPages: Int64 = 0
    package var checkpointNanoseconds: Int64 = 0
    package var longestCheckpointNanoseconds: Int64 = 0
    package var checkpointsHeldBack: Int64 = 0
    package var heldBackFrames: Int64 = 0
    /// The number of a statement; 0 for none.
    package var heldBackStatement = 0
    /// The thread of the reader; 0 if it is in another process.
    package var heldBackThread: Int64 = 0
    package var heldBackElsewhere: Int64 = 0
    package var checkpointsRefused: Int64 = 0
    /// Only the modes and kinds that occurred.
    package var checkpointsByMode: [Checkpoints] = []
    package var transactions: [Transactions] = []
    package var directorySyncs: Int64 = 0
    package var directoryNanoseconds: Int64 = 0
    package var longestDirectoryNanoseconds: Int64 = 0
    /// The size of the write-ahead log over time, for the intervals in which it was written to.
    package var growth: [Growth] = []
    package var readLocks: Int64 = 0
    package var longestReadNanoseconds: Int64 = 0
    package var longestReadStatement = 0
    package var cacheHits: Int64 = 0
    package var cacheMisses: Int64 = 0
    package var cacheSpills: Int64 = 0
    package var cacheWrites: Int64 = 0
    package var rowsChanged: Int64 = 0
    package var unfinalized: Int64 = 0
    /// Statement runs that were examined when they ended, and their counters.
    package var statements: Int64 = 0
    package var vmSteps: Int64 = 0
    package var fullScanSteps: Int64 = 0
    package var fullScans: Int64 = 0
    package var sorts: Int64 = 0
    package var automaticIndexRows: Int64 = 0
    package var repreparations: Int64 = 0
  }

  /// The statements with one text; the first entry combines all that did not fit.
  package struct Statement: Sendable {
    package var text = ""
    /// A line for each step, indented by two spaces below its parent; empty if there is no plan or it was not
    /// requested.
    package var plan = ""
    /// Whether only the beginning of the text is kept.
    package var isCut = false
    /// The hash of the whole text.
    package var textHash: UInt64 = 0
    package var database = 0
    package var use = Use.writes
    package var runs: Int64 = 0
    package var preparations: Int64 = 0
    package var timedRuns: Int64 = 0
    package var timedNanoseconds: Int64 = 0
    package var longestNanoseconds: Int64 = 0
    /// Timed runs by duration: the upper limits follow from ``limit(ofTime:)``.
    package var times: [Int64] = []
    package var rowsReturned: Int64 = 0
    package var rowsChanged: Int64 = 0
    package var vmSteps: Int64 = 0
    package var fullScanSteps: Int64 = 0
    package var sorts: Int64 = 0
    package var automaticIndexRows: Int64 = 0
    package var repreparations: Int64 = 0
    package var temporaryFiles: Int64 = 0
    package var temporaryBytes: Int64 = 0
    package var autocommits: Int64 = 0
    package var runsForRows: Int64 = 0
    package var timesForRows: Int64 = 0
    package var rowsStatement = 0
    package var refusals: Int64 = 0
    package var staleSnapshots: Int64 = 0
    package var lockedRuns: Int64 = 0
    /// SQLite's allocations during its runs; 0 if allocations were not metered.
    package var allocations: Int64 = 0
    package var allocatedBytes: Int64 = 0

    /// What a statement does.
    package enum Use: Sendable {
      case writes, queries
      /// Transactions and settings.
      case other
    }

    /// The range of durations, in nanoseconds, that an index of ``times`` counts.
    package static func limits(ofTime place: Int) -> Range<Double> {
      guard place > 0 else { return 0..<8 }
      func limit(_ place: Int) -> Double {
        var value = Double(4 + place % 4) / 4
        for _ in 0..<(place / 4 + 3) { value *= 2 }
        return value
      }
      return limit(place - 1)..<limit(place)
    }
  }

  /// The connections that one thread opened to one database, if statements are metered.
  package struct Connections: Sendable {
    /// 0 for databases without a file.
    package var database = 0
    /// 0 for connections that did not fit.
    package var thread: Int64 = 0
    package var opened: Int64 = 0
    package var mostOpen: Int64 = 0
    /// The total open time of connections that were closed or lost their tracer.
    package var openNanoseconds: Int64 = 0
    package var statements: Int64 = 0
    package var unfinalized: Int64 = 0
  }
}

/// Why a file of the meter cannot be read.
package enum MeterFileError: Error, Sendable, Hashable, CustomStringConvertible {
  case unreadable(path: String, reason: String)
  /// The process has created it but not started using it, or ended in between.
  case notBegun(path: String)
  case other(path: String, found: String, expected: String)

  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .notBegun(let path): "\(path) has no counters yet"
    case .other(let path, let found, let expected):
      "\(path): found \(found), expected \(expected); use the meter's library and batchmark of one build"
    }
  }
}
