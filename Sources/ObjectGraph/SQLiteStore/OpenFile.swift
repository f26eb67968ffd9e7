// The files of the stores that this process has open, by what the system knows them by.
internal import SQLiteDriver
internal import Support
internal import Synchronization

/// A store's file, which counts as open while this value lives.
///
/// A connection to a rollback journal holds no lock between its transactions, so that SQLite does not say that another
/// connection has the file open.
final class OpenFile: Sendable {
  private static let counts = Lock<[FileIdentity: Int]>([:])
  let identity: FileIdentity

  /// Nil where nothing is at the path any more.
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

  /// Whether a store of this process has the file open, under whatever name.
  static func isOpen(_ path: String) -> Bool {
    guard let identity = FileIdentity(of: path) else { return false }
    return counts.withLock { $0[identity] != nil }
  }
}

extension FileIdentity {
  /// Refuses a path where the file no longer is, as SQLite itself does where it makes a rollback journal.
  ///
  /// With a write-ahead log, SQLite would continue to use its open file, which can no longer be found by its path.
  ///
  /// - Throws: ``ResultCode/readOnlyMoved``.
  func requireFile(at path: String) throws(SQLiteError) {
    if FileIdentity(of: path) == self { return }
    throw SQLiteError(
      extendedCode: .readOnlyMoved, message: "the file was moved, removed or replaced while the store was open",
      path: path)
  }
}
