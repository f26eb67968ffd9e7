// A store's file as it was when opened, for connections that do not change it or the files beside it.
internal import CoreDataModel
package import ObjectGraph
package import SQLiteDriver
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The file of a store, read in place and never written.
///
/// Core Data's last changes may be only in a log beside the file (`-wal`), or half-written in the file, with the
/// earlier content in `-journal`. To read them, SQLite would change the file or create others beside it. So such a file
/// is copied with its log into a private folder, where the log is applied. The folder is removed after the last store
/// or connection that reads it. The shared memory in `-shm` is not copied: SQLite rebuilds it from the log.
package final class StoreImage: StoreFileImage {
  /// The path of the store, as it was passed in.
  package let path: String
  /// The file to open as immutable: the store's own, or a copy with its log applied.
  package let file: String
  /// What had to be done to read the store, if anything.
  package let remarks: [String]
  private let copy: StoreCopy?

  /// Finds the file and checks its first page.
  ///
  /// - Throws: ``CoreDataFileError`` for a file that is not an SQLite database or is truncated.
  package init(path: String) throws(CoreDataFileError) {
    self.path = path
    let real = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    try StoreImage.checkFile(real, named: path)
    let logs = try StoreCopy.logs(beside: real)
    if logs.isEmpty {
      copy = nil
      file = real
      remarks = []
    } else {
      let copy = try StoreCopy(of: real, logs: logs, named: path)
      self.copy = copy
      file = copy.file
      let names = logs.map { "\($0.suffix) file of \($0.bytes) bytes" }.joined(separator: " and a ")
      remarks = [
        "Beside the store lies a \(names), whose changes are read with it, from a private copy that is removed when the "
          + "store is closed."
      ]
    }
    let connection = try self.connection()
    defer { try? connection.close() }
    try StoreImage.checkPages(connection, path)
  }

  /// Opens a connection that can only read the file.
  ///
  /// - Throws: ``CoreDataFileError``.
  package func connection() throws(CoreDataFileError) -> Connection {
    do throws(SQLiteError) {
      return try Connection(path: file, access: .immutable)
    } catch {
      throw CoreDataFileError(error, path: path)
    }
  }

  /// Runs the body with a separate connection.
  ///
  /// - Throws: ``CoreDataFileError`` with SQLite's error for the file.
  package func read<T>(_ body: (Connection) throws(SQLiteError) -> T) throws(CoreDataFileError) -> T {
    let connection = try self.connection()
    defer { try? connection.close() }
    do throws(SQLiteError) {
      for sql in PersistentStoreDescription.caution { try connection.execute(sql) }
      return try body(connection)
    } catch {
      throw CoreDataFileError(error, path: path)
    }
  }

  /// The file to open with an object graph.
  package var description: PersistentStoreDescription {
    var description = PersistentStoreDescription(path: file)
    description.isImmutable = true
    description.image = KeptImage(self)
    return description
  }

  private static func checkFile(_ file: String, named path: String) throws(CoreDataFileError) {
    if InputFile.isStandardStream(path) {
      throw .unreadable(path: path, reason: InputFileError.standardInput.reason)
    }
    guard let kind = FileKind(at: file) else {
      throw .unreadable(path: path, reason: "no such file")
    }
    guard kind == .plainFile else { throw .noStore(path, found: kind == .folder ? "a directory" : kind.rawValue) }
    if !FileManager.default.isReadableFile(atPath: file) {
      throw .unreadable(path: path, reason: "its permissions do not allow it")
    }
  }

  /// Checks the file's header, because SQLite's own messages are less specific.
  private static func checkPages(_ connection: Connection, _ path: String) throws(CoreDataFileError) {
    let bytes = connection.fileBytes ?? 0
    if bytes == 0 { throw .noStore(path, found: "an empty file") }
    let header = connection.fileStart(count: 100)
    guard header.starts(with: Array("SQLite format 3\u{0}".utf8)) else {
      throw .noStore(path, found: "a file that is no SQLite database, or an encrypted one")
    }
    let field = { (at: Int) in header[at..<at + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) } }
    let pageSize = Int64(header[16]) << 8 | Int64(header[17])
    // The page count is only valid if it was written for the current version.
    let wanted = Int64(field(28)) * (pageSize == 1 ? 65_536 : pageSize)
    if field(24) == field(92), wanted > bytes {
      throw .damaged(path, found: "\(bytes) bytes of a store of \(wanted)")
    }
    do throws(SQLiteError) {
      _ = try connection.scalar("SELECT count(*) FROM sqlite_master")
    } catch {
      throw CoreDataFileError(error, path: path)
    }
  }
}
