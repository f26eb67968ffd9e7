// The linked SQLite library: its version, options and memory.
internal import CSQLite

/// The SQLite library of this process.
///
/// ```swift
/// let report = "SQLite \(SQLiteLibrary.version)"
/// let kibibytes = SQLiteLibrary.memoryUsed / 1_024
/// ```
public enum SQLiteLibrary {
  /// `3.40.1`.
  public static var version: String { String(cString: sqlite3_libversion()) }

  /// The version as a comparable number, such as 3,040,001.
  package static var versionNumber: Int32 { sqlite3_libversion_number() }

  /// The date and hash of the sources that it was built from.
  public static var sourceID: String { String(cString: sqlite3_sourceid()) }

  /// The library's own constant, as a C string.
  ///
  /// ``sourceID`` is a copy of it.
  package static var sourceIDText: UnsafePointer<CChar>? { sqlite3_sourceid() }

  /// Version and sources, which identify a library: `3.40.1, 2022-12-28 …`.
  public static var identity: String { "\(version), \(sourceID)" }

  /// The compile-time options, in SQLite's order and without their `SQLITE_` prefix.
  ///
  /// ```swift
  /// let options = SQLiteLibrary.compileOptions
  /// let hasDBStat = options.contains("ENABLE_DBSTAT_VTAB")
  /// ```
  public static var compileOptions: [String] {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(Int32(options.count)) { options.append(String(cString: option)) }
    return options
  }

  /// Bytes that SQLite uses now, in all connections; 0 if it was built without memory statistics.
  public static var memoryUsed: Int64 { sqlite3_memory_used() }

  /// The most bytes that SQLite used since the last reset, or ever.
  ///
  /// ```swift
  /// _ = SQLiteLibrary.memoryHighWater(reset: true)
  /// try connection.execute("REINDEX")
  /// let peak = SQLiteLibrary.memoryHighWater(reset: false)  // bytes, of the REINDEX alone
  /// ```
  ///
  /// - Parameter reset: Whether to reset the high-water mark to the memory in use.
  /// - Returns: The bytes before the reset; 0 if SQLite was built without memory statistics.
  public static func memoryHighWater(reset: Bool) -> Int64 { sqlite3_memory_highwater(reset ? 1 : 0) }
}
