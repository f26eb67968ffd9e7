// Reads a file of the meter. Another process may be writing it, or may have died while writing, so everything in it is
// checked.
internal import CStoreMeter

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension MeterReading {
  /// The suffix of the files' names.
  package static let fileSuffix = ".meter"
  /// The environment variables for a metered program.
  package static let folderVariable = STORE_METER_FOLDER_VARIABLE
  package static let valuesVariable = STORE_METER_VALUES_VARIABLE
  package static let statementsVariable = STORE_METER_STATEMENTS_VARIABLE
  package static let plansVariable = STORE_METER_PLANS_VARIABLE
  package static let exactVariable = STORE_METER_EXACT_VARIABLE
  /// For a statement that runs repeatedly, one run out of this many is timed.
  package static let timedEach = Int(STORE_METER_TIMED_EACH)

  /// Reads the file of a process.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - withStatements: Whether to read statements as well, which may take megabytes.
  /// - Throws: ``MeterFileError``.
  package init(of path: String, withStatements: Bool = true) throws(MeterFileError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    // An empty file has not been initialized yet.
    guard status.st_size != 0 else { throw .notBegun(path: path) }
    guard status.st_size == Int(STORE_METER_SIZE) else {
      throw .other(path: path, found: "\(status.st_size) bytes", expected: "\(STORE_METER_SIZE)")
    }
    let header = try MeterRecords(file, at: 0, size: Int(STORE_METER_HEADER_SIZE), count: 1, path: path)
    let counts = try read(header, path: path)
    connections = try MeterRecords(
      file, at: Int(STORE_METER_CONNECTIONS_OFFSET), size: Int(STORE_METER_CONNECTION_SIZE),
      count: Int(min(counts.connections, UInt64(STORE_METER_CONNECTIONS))), path: path
    ).connections
    databases = try MeterRecords(
      file, at: Int(STORE_METER_DATABASES_OFFSET), size: Int(STORE_METER_DATABASE_SIZE),
      count: Int(min(counts.databases, UInt64(STORE_METER_DATABASES))), path: path
    ).databases
    guard withStatements else { return }
    statements = try MeterRecords(
      file, at: Int(STORE_METER_STATEMENTS_OFFSET), size: Int(STORE_METER_STATEMENT_SIZE),
      count: Int(min(counts.statements, UInt64(STORE_METER_STATEMENTS))), path: path
    ).statements
  }

  /// Reads the header, and returns the number of records.
  private mutating func read(
    _ records: MeterRecords, path: String
  ) throws(MeterFileError) -> (connections: UInt64, databases: UInt64, statements: UInt64) {
    let header = records.value(at: 0, as: store_meter_header.self)
    guard header.magic != 0 else { throw .notBegun(path: path) }
    guard header.magic == UInt64(STORE_METER_MAGIC), header.version == UInt64(STORE_METER_VERSION) else {
      throw .other(path: path, found: "version \(header.version)", expected: "\(STORE_METER_VERSION)")
    }
    process = header.process
    parent = header.parent
    beganNanoseconds = Int64(clamping: header.began_ns)
    isFork = header.is_fork != 0
    threads = Int64(clamping: header.threads)
    connectionsOpened = Int64(clamping: header.opened)
    connectionsInMemory = Int64(clamping: header.opened_in_memory)
    connectionsElsewhere = Int64(clamping: header.opened_elsewhere)
    untraced = Int64(clamping: header.untraced)
    lostConnections = Int64(clamping: header.lost_connections)
    lostDatabases = Int64(clamping: header.lost_databases)
    sleeps = Int64(clamping: header.sleeps)
    sleepNanoseconds = Int64(clamping: header.sleep_ns)
    tracesStatements = header.traces != 0
    countsDirectories = header.counts_directories != 0
    walPeakBytes = Int64(clamping: header.wal_peak)
    ownRareNanoseconds = Int64(clamping: header.own_rare_ns)
    ownCalls = Int64(clamping: header.own_calls)
    ownTimedCalls = Int64(clamping: header.own_timed_calls)
    heap = Heap(header.heap)
    ownTimedNanoseconds = Int64(clamping: header.own_timed_ns)
    executable = records.text(at: Int(STORE_METER_EXECUTABLE_OFFSET), limit: Int(STORE_METER_EXECUTABLE_SIZE))
    sqliteVersion = records.text(at: Int(STORE_METER_SQLITE_OFFSET), limit: Int(STORE_METER_SQLITE_SIZE))
    otherVFS = records.text(at: Int(STORE_METER_VFS_OFFSET), limit: Int(STORE_METER_VFS_SIZE))
    return (header.connections, header.databases, header.statements)
  }
}
