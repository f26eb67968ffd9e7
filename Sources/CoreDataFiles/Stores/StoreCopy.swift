// A private copy of a store and its log, for reading data that is only in the log.
internal import CoreDataModel
internal import SQLiteDriver
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A copy in its own folder, which is removed when the copy is deallocated.
final class StoreCopy: Sendable {
  /// A file beside a store that belongs to it.
  struct Log: Sendable, Hashable {
    let suffix: String
    let bytes: Int
  }

  let file: String
  private let folder: PrivateFolder

  /// The nonempty logs beside a file.
  ///
  /// - Throws: ``CoreDataFileError`` for a log that is not a plain file: SQLite does not follow links to logs.
  static func logs(beside file: String) throws(CoreDataFileError) -> [Log] {
    var logs: [Log] = []
    for suffix in ["-wal", "-journal"] {
      guard let kind = FileKind(atPathItself: file + suffix) else { continue }
      guard kind == .plainFile else {
        throw .invalid(
          path: file + suffix, found: kind.rawValue, expected: "the log of a store in a plain file, or nothing")
      }
      if let state = FileState(file + suffix), state.bytes > 0 { logs.append(Log(suffix: suffix, bytes: state.bytes)) }
    }
    return logs
  }

  /// Copies the file and its logs, and applies the logs to the copy.
  ///
  /// The file must not be open for writing in this process: copying opens and closes it, and the system then releases
  /// all of the process's locks on it.
  ///
  /// - Parameters:
  ///   - original: The store's file.
  ///   - logs: The logs beside it.
  ///   - path: The store's path for errors.
  ///   - copy: Copies one file to an unused path; tests write to the store in between.
  /// - Throws: ``CoreDataFileError`` if it cannot be copied, or was written to in the meantime.
  init(
    of original: String, logs: [Log], named path: String,
    copy: (String, String) throws -> Void = { try FileManager.default.copyItem(atPath: $0, toPath: $1) }
  ) throws(CoreDataFileError) {
    let suffixes = [""] + logs.map(\.suffix)
    do {
      folder = try PrivateFolder()
      file = folder.path + "/store.sqlite"
      var attempts = 0
      // If a checkpoint ran between copying the file and the log, the copies would miss its pages: try again.
      while true {
        let before = suffixes.map { FileState(original + $0) }
        for suffix in suffixes {
          try? FileManager.default.removeItem(atPath: file + suffix)
          try copy(original + suffix, file + suffix)
          try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file + suffix)
        }
        if suffixes.map({ FileState(original + $0) }) == before { break }
        attempts += 1
        if attempts == 5 {
          throw CoreDataFileError.unreadable(
            path: path, reason: "somebody is writing to it; close the application that has it open, and try again")
        }
      }
      // Closing the last connection moves the log into the file.
      let connection = try Connection(path: file, access: .readWrite)
      _ = try connection.scalar("SELECT count(*) FROM sqlite_master")
      _ = try connection.checkpoint(.truncate)
      try connection.close()
    } catch {
      throw switch error {
      case let error as CoreDataFileError: error
      case let error as SQLiteError: CoreDataFileError(error, path: path)
      default:
        CoreDataFileError.unreadable(
          path: path, reason: "it has a log beside it and cannot be copied to read both: \(error)")
      }
    }
  }
}

/// Shows whether a file was written: its length and modification time.
private struct FileState: Hashable {
  let bytes: Int
  let changed: Date?

  /// `nil` if there is no file.
  init?(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    bytes = (attributes[.size] as? Int) ?? (attributes[.size] as? UInt64).map { Int(clamping: $0) } ?? 0
    changed = attributes[.modificationDate] as? Date
  }
}
