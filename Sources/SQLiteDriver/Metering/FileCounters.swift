// Counts of file operations, by kind of file.

/// The kinds of files that SQLite keeps.
///
/// For the shared memory of a write-ahead log see ``SharedMemoryCounters``.
///
/// ```swift
/// let counters = meter.counters()
/// let synced = FileKind.allCases.filter { counters[$0].syncs > 0 }
/// ```
public enum FileKind: String, Sendable, Hashable, CaseIterable {
  case database, wal, journal, temporary
}

/// Calls and bytes for one kind of file.
///
/// Failed calls count as calls, but their bytes do not count.
///
/// ```swift
/// let log = meter.counters().wal
/// print("\(log.writes) writes of \(log.bytesWritten) bytes, \(log.syncs) syncs")
/// ```
public struct FileCounters: Sendable, Hashable {
  public var reads: Int64 = 0
  /// Reads past the end of a file add nothing.
  public var bytesRead: Int64 = 0
  /// Write calls.
  public var writes: Int64 = 0
  public var bytesWritten: Int64 = 0
  /// Calls of `fsync` and similar functions.
  public var syncs: Int64 = 0
  public var truncates: Int64 = 0

  public init() {}
}

/// Calls that use the shared memory in which connections keep the index of a write-ahead log (the `-shm` file).
///
/// It is mapped into memory, so there are no bytes to count. A connection in exclusive locking mode has none.
///
/// ```swift
/// let before = meter.counters().sharedMemory.locks
/// try connection.execute("DELETE FROM quake WHERE magnitude < 1")
/// let locks = meter.counters().sharedMemory.locks - before
/// ```
public struct SharedMemoryCounters: Sendable, Hashable {
  /// Requests for a 32 KiB part, already mapped or not.
  public var maps: Int64 = 0
  /// Locks taken, released or refused.
  public var locks: Int64 = 0
  public var barriers: Int64 = 0

  public init() {}

  /// Calls of any kind.
  public var calls: Int64 { maps + locks + barriers }
}
