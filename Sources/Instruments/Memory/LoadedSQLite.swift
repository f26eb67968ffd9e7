// Finds out which SQLite this process uses: the file that it was loaded from, or a part of the executable.
internal import SQLiteDriver

/// The SQLite library of this process, as the system loaded it.
package enum LoadedSQLite {
  /// The file that it was loaded from; `nil` if the system does not say.
  package static var path: String? {
    DynamicSymbol.address("sqlite3_libversion").flatMap { OperatingSystem.mappedFile(at: UInt(bitPattern: $0)) }
  }

  /// Whether SQLite is part of this process's executable, so that no library can replace it.
  package static var isLinkedIn: Bool {
    guard let function = DynamicSymbol.address("sqlite3_sourceid") else { return true }
    typealias SourceID = @convention(c) () -> UnsafePointer<CChar>?
    // The text is a constant inside the library that returns it.
    return unsafeBitCast(function, to: SourceID.self)() != SQLiteLibrary.sourceIDText
  }
}
