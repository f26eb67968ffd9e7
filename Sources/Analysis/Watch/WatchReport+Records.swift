// Databases and statements of a watched program, over all of its processes.
internal import Instruments

extension WatchReport {
  /// Calls and bytes of one kind of file.
  package struct File: Codable, Sendable {
    package var reads: Int64 = 0
    package var bytesRead: Int64 = 0
    package var writes: Int64 = 0
    package var bytesWritten: Int64 = 0
    package var syncs: Int64 = 0
    package var syncSeconds: Double = 0
    package var longestSyncSeconds: Double = 0

    mutating func add(_ other: MeterReading.File) {
      reads = reads.addingClamped(other.reads)
      bytesRead = bytesRead.addingClamped(other.bytesRead)
      writes = writes.addingClamped(other.writes)
      bytesWritten = bytesWritten.addingClamped(other.bytesWritten)
      syncs = syncs.addingClamped(other.syncs)
      syncSeconds += Double(other.syncNanoseconds) / 1e9
      longestSyncSeconds = max(longestSyncSeconds, Double(other.longestSyncNanoseconds) / 1e9)
    }
  }

  /// A database file; one without a path stands for databases in memory and files that belong to no database.
  package struct Database: Codable, Sendable {
    package var path: String
    /// What the program set by PRAGMA, by name.
    package var pragmas: [String: String] = [:]
    /// The size of its file when the program had ended; nil where there is none.
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
    package var heldSeconds: Double = 0
    package var longestHeldSeconds: Double = 0
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
    package var checkpointSeconds: Double = 0
    package var longestCheckpointSeconds: Double = 0
    /// Checkpoints that left frames for a reader, and the most that one left.
    package var checkpointsHeldBack: Int64 = 0
    package var heldBackFrames: Int64 = 0
    /// The place among ``WatchReport/statements`` of what the oldest reader ran.
    package var heldBackStatement: Int?
    package var longestReadSeconds: Double = 0
    package var longestReadStatement: Int?
    /// Locks that another connection held, and those of them whose statement did not wait.
    package var refusals: Int64 = 0
    package var refusalsAtOnce: Int64 = 0
    /// Transactions that had read and then could not write, since another had written in between.
    package var staleSnapshots: Int64 = 0
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
    /// The place among ``WatchReport/databases`` of the one that ran it last.
    package var database: Int?
    package var runs: Int64 = 0
    package var preparations: Int64 = 0
    package var rowsReturned: Int64 = 0
    package var rowsChanged: Int64 = 0
    /// Of all runs, estimated from those that were timed; nil where none was.
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

    package enum Use: String, Codable, Sendable, CaseIterable {
      case writes, queries, other
    }
  }
}
