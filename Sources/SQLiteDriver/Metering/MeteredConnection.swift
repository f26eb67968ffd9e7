// What is known of connections: whether their files pass the metering VFS, and whether their statements were counted to
// the last.
internal import CSQLite
internal import Synchronization

/// How many connections were opened since the meter was attached, and which of them it does not see whole.
///
/// ```swift
/// let connections = meter.connections(of: "quakes.sqlite")
/// let countsAll = connections.unmetered == 0 && connections.untraced == 0
/// ```
public struct ConnectionCounters: Sendable, Hashable {
  /// All that were opened, closed ones among them.
  public var opened = 0
  /// Those whose main database is a file that did not pass the metering VFS, because they named another one.
  public var unmetered = 0
  /// Those that closed without the meter's trace hook hearing of it: somebody had taken its place, and the statements
  /// since then were not counted.
  public var untraced = 0
  /// Those that have not closed.
  public var open = 0

  public init() {}
}

/// A connection that is open.
struct MeteredConnection {
  let database: DatabaseNumber
  /// What its page cache said when it was asked last.
  var pageCache = PageCacheReading()
  /// Whether the trace hook heard that it is about to close.
  var announcedItsEnd = false
  /// Whether it was counted as one whose file did not pass the metering VFS.
  var isUnmetered = false
}

extension ConnectionHooks {
  /// Has SQLite say when a connection is gone, whatever becomes of its trace hook: a function that nobody calls is
  /// removed with the connection.
  static func watchEnd(of connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection, "metered_connection", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, UnsafeMutableRawPointer(connection),
      { context, _, _ in sqlite3_result_null(context) }, nil, nil,
      { connection in
        let address = Int(bitPattern: connection)
        meterState.withLock { $0.forget(connection: address) }
      })
  }

  /// Whether the file of a connection's main database is one of the metering VFS.
  static func isMetered(_ connection: OpaquePointer) -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file else {
      return false
    }
    return MeteredFile.isInstalled(in: file)
  }
}
