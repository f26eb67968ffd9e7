// The meter's Swift API: attach it once, then read its counters.
internal import CSQLite
internal import CStoreMeter
internal import CStoreMeterLinked

/// Counts what SQLite does in this process, whichever library uses it.
///
/// Attaching registers a pass-through VFS as the default, and hooks for every connection that opens later. It does not
/// count connections that were opened before or that name another VFS. Engines do not notice the meter: the VFS passes
/// every call on unchanged, writes nothing, and does not use the WAL hook, which would turn automatic checkpoints off.
/// The meter costs time, so do not quote times from a process that uses it.
///
/// It is the same C meter that `batchmark watch` preloads into programs, with its counters in this process's memory.
///
/// ### What a statement is
/// The connection's profile hook counts a statement each time it finishes: when the last step finds no further row or
/// fails, or when a statement that still had rows is reset or finalized. A statement that runs a thousand times counts
/// a thousand times; one that is still on a row does not count yet. `BEGIN`, `COMMIT` and pragmas are statements;
/// triggers are part of the statement that fires them. The counters of virtual machine steps, sorts and full-scan steps
/// are read from the statement when it finishes, and reset. The page cache counters of its connection are read at the
/// same moments and when the connection closes, but not reset.
///
/// A library that sets its own trace or update hook on a connection replaces the meter's. The meter notices a replaced
/// trace hook when the connection closes: see ``ConnectionCounters``, which also counts the connections that named
/// another VFS. The counters of such connections are too low to use.
///
/// ```swift
/// let meter = try SQLiteMeter.attach()
/// let connection = try Connection(path: "quakes.sqlite")
/// try connection.execute("DELETE FROM quake")
/// print(meter.counters(of: "quakes.sqlite").bytesWritten)
/// ```
public final class SQLiteMeter: Sendable {
  private static let attached: Result<SQLiteMeter, SQLiteError> = {
    let library = store_meter_linked_library()
    let code = store_meter_trace(library)
    guard code == SQLITE_OK else { return .failure(refusal(code, of: "hooks for new connections")) }
    let vfsCode = store_meter_register(library)
    guard vfsCode == SQLITE_OK else { return .failure(refusal(vfsCode, of: "a metering VFS")) }
    return .success(SQLiteMeter())
  }()

  private init() {}

  /// Attaches the meter to the process for good, or returns the attached one.
  ///
  /// ```swift
  /// let meter = try SQLiteMeter.attach()  // before the connections that are to be counted
  /// let connection = try Connection(path: "quakes.sqlite")
  /// ```
  ///
  /// - Throws: SQLite's reason for refusing a VFS or hooks for all connections; nothing is counted then.
  public static func attach() throws(SQLiteError) -> SQLiteMeter {
    try attached.get()
  }

  /// The counters of all databases together.
  ///
  /// The sizes of several write-ahead logs are added up, and their peak is the peak of that sum.
  ///
  /// ```swift
  /// let before = meter.counters().syncs
  /// try connection.execute("DELETE FROM quake")
  /// let syncs = meter.counters().syncs - before
  /// ```
  public func counters() -> SQLiteCounters {
    SQLiteCounters(MeterRecord.total)
  }

  /// The counters of one database, its log and its journal; temporary files belong to no database.
  ///
  /// Statements count for the main database of the connection that ran them.
  ///
  /// ```swift
  /// let counters = meter.counters(of: connection.path)
  /// print("\(counters.walFrames) frames in \(counters.walCommits) transactions")
  /// ```
  ///
  /// - Parameter path: The database file, by any path to it.
  /// - Returns: Its counters, all zero for a file that was never opened.
  public func counters(of path: String) -> SQLiteCounters {
    SQLiteCounters(MeterRecord.database(at: path))
  }

  /// Counts of all connections, including those to databases in memory.
  ///
  /// ```swift
  /// let connections = meter.connections()
  /// print("\(connections.open) of \(connections.opened) connections are open")
  /// ```
  public func connections() -> ConnectionCounters { ConnectionCounters(MeterRecord.total) }

  /// Counts of the connections to one database.
  ///
  /// - Parameter path: The database file, by any path to it; empty for all databases without a file.
  /// - Returns: Its counts, all zero for a file that was never opened.
  public func connections(of path: String) -> ConnectionCounters {
    ConnectionCounters(path.isEmpty ? MeterRecord.unnamed : MeterRecord.database(at: path))
  }

  /// Whether syncs of directories are counted.
  ///
  /// This needs an underlying VFS with replaceable system calls, such as SQLite's for Unix.
  public var countsDirectorySyncs: Bool { store_meter_counts_directories() != 0 }

  /// How long the syncs and checkpoints of all databases took.
  ///
  /// ```swift
  /// let times = meter.times()
  /// print("\(times.syncs.total) in syncs, the longest \(times.syncs.longest)")
  /// ```
  public func times() -> SQLiteTimes {
    SQLiteTimes(MeterRecord.total)
  }

  /// How long the syncs and checkpoints of one database took, including its log and its journal.
  ///
  /// ```swift
  /// let times = meter.times(of: "quakes.sqlite")
  /// print("the longest checkpoint took \(times.checkpoints.longest)")
  /// ```
  ///
  /// - Parameter path: The database file, by any path to it.
  /// - Returns: Its times, all zero for a file that was never opened.
  public func times(of path: String) -> SQLiteTimes {
    SQLiteTimes(MeterRecord.database(at: path))
  }

  /// Resets every peak: the size of each write-ahead log to its present value; commits, backlogs and times to zero.
  ///
  /// ```swift
  /// meter.markPeak()
  /// try connection.execute("UPDATE quake SET magnitude = 0")
  /// let peak = meter.counters().walPeak  // bytes, since the mark
  /// ```
  public func markPeak() {
    store_meter_mark_peaks()
  }

  /// Records the size of the write-ahead log whenever the changed rows of all the tables together reach one of the
  /// counts.
  ///
  /// It counts the inserts, updates and deletes that SQLite reports to its update hook. SQLite does not report changes
  /// in tables without row IDs or the deletion of a replaced row. Watching again starts from zero.
  ///
  /// ```swift
  /// meter.watchGrowth(of: ["quake"], at: [1_000, 10_000, 100_000])
  /// defer { meter.stopWatching() }
  /// ```
  ///
  /// - Parameters:
  ///   - tables: The tables' names in the schema; case does not matter.
  ///   - rowCounts: When to record; counts below 1 are ignored.
  public func watchGrowth(of tables: [String], at rowCounts: [Int]) {
    WALPoint.watch(tables, at: rowCounts)
  }

  /// The points recorded since watching began; still available after it stopped.
  public func growth() -> [WALPoint] {
    WALPoint.noted
  }

  /// Stops watching; the points recorded so far stay available.
  public func stopWatching() {
    store_meter_stop_watching()
  }

  /// Stops watching.
  ///
  /// - Parameter rows: How many rows were changed in all.
  /// - Returns: The points recorded since watching began, and as the last one the present state of all write-ahead
  ///   logs.
  package func endGrowth(rows: Int) -> [WALPoint] {
    store_meter_stop_watching()
    return WALPoint.noted + [WALPoint(rows: rows, MeterRecord.total)]
  }

  private static func refusal(_ code: Int32, of what: String) -> SQLiteError {
    SQLiteError(
      extendedCode: ResultCode(rawValue: code),
      message: "this SQLite does not take \(what), so that its work cannot be counted: "
        + (sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error"))
  }
}

/// How many connections were opened since the meter was attached, and how many of them it sees only partly.
///
/// ```swift
/// let connections = meter.connections(of: "quakes.sqlite")
/// let countsAll = connections.unmetered == 0 && connections.untraced == 0
/// ```
public struct ConnectionCounters: Sendable, Hashable {
  /// All connections that were opened, including closed ones.
  public var opened = 0
  /// Connections with a main database in a VFS other than the metering one, and databases attached through another VFS.
  public var unmetered = 0
  /// Connections that closed without calling the meter's trace hook.
  ///
  /// Another hook had replaced it, and statements since then were not counted.
  public var untraced = 0
  /// Connections that are open.
  public var open = 0

  public init() {}
}
