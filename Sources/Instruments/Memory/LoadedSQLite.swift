// Which SQLite this process uses: the file that the system loaded it from, or a part of the executable.
internal import SQLiteDriver

/// The SQLite library of this process, as the system loaded it.
package enum LoadedSQLite {
  /// The file that it was loaded from; nil where the system does not say.
  package static var path: String? {
    DynamicSymbol.address("sqlite3_libversion").flatMap { OperatingSystem.mappedFile(at: UInt(bitPattern: $0)) }
  }

  /// Whether this process uses a SQLite that is a part of its executable, so that no library can take its place.
  package static var isLinkedIn: Bool {
    guard let function = DynamicSymbol.address("sqlite3_sourceid") else { return true }
    typealias SourceID = @convention(c) () -> UnsafePointer<CChar>?
    // The text is a constant of the library that is asked.
    return unsafeBitCast(function, to: SourceID.self)() != SQLiteLibrary.sourceIDText
  }
}
