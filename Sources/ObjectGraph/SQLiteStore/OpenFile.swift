// The store files that this process has open, by their file system identity.
internal import SQLiteDriver
internal import Support
internal import Synchronization

/// A store's file, which counts as open while this value exists.
///
/// A connection with a rollback journal holds no lock between its transactions, so SQLite does not report that the file
/// is open elsewhere.
final class OpenFile: Sendable {
  private static let counts = Lock<[FileIdentity: Int]>([:])
  let identity: FileIdentity

  /// `nil` if there is no file at the path any longer.
  init?(_ path: String) {
    guard FileStatus(path) != nil, let identity = FileIdentity(of: path) else { return nil }
    self.identity = identity
    OpenFile.counts.withLock { $0[identity, default: 0] += 1 }
  }

  deinit {
    OpenFile.counts.withLock { counts in
      let count = (counts[identity] ?? 0) - 1
      counts[identity] = count > 0 ? count : nil
    }
  }

  /// Whether a store of this process has the file open, under any name.
  static func isOpen(_ path: String) -> Bool {
    guard let identity = FileIdentity(of: path) else { return false }
    return counts.withLock { $0[identity] != nil }
  }
}

extension FileIdentity {
  /// Refuses a path if the file is no longer there, as SQLite itself does when it creates a rollback journal.
  ///
  /// With a write-ahead log, SQLite would keep using its open file, which can no longer be found by its path.
  ///
  /// - Throws: ``ResultCode/readOnlyMoved``.
  func requireFile(at path: String) throws(SQLiteError) {
    if FileIdentity(of: path) == self { return }
    throw SQLiteError(
      extendedCode: .readOnlyMoved, message: "the file was moved, removed or replaced while the store was open",
      path: path)
  }
}
