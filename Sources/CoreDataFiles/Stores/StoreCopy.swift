// A private copy of a store with the log that lies beside it, for reading what is only in the log.
internal import CoreDataModel
internal import SQLiteDriver
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A copy in a folder of its own, which is removed when the copy is no longer used.
final class StoreCopy: Sendable {
  /// What lies beside a store and belongs to it.
  struct Log: Sendable, Hashable {
    let suffix: String
    let bytes: Int
  }

  let file: String
  private let folder: PrivateFolder

  /// The logs beside a file that have anything in them.
  ///
  /// - Throws: ``CoreDataFileError`` for a log that is not a plain file: SQLite follows no link to one.
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

  /// Copies the file and its logs, and works the logs into the copy.
  ///
  /// The file must not be open in this process for writing: a copy opens and closes it, and with that the system gives
  /// up the locks of its process.
  ///
  /// - Parameters:
  ///   - original: The store's file.
  ///   - logs: The logs beside it.
  ///   - path: What errors call the store.
  ///   - copy: Copies one file to a path that is free; tests write to the store in between.
  /// - Throws: ``CoreDataFileError`` when it cannot be copied, or was written at the time.
  init(
    of original: String, logs: [Log], named path: String,
    copy: (String, String) throws -> Void = { try FileManager.default.copyItem(atPath: $0, toPath: $1) }
  ) throws(CoreDataFileError) {
    let suffixes = [""] + logs.map(\.suffix)
    do {
      folder = try PrivateFolder()
      file = folder.path + "/store.sqlite"
      var attempts = 0
      // A log that was checkpointed between the two copies is in neither.
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
      // The last connection to close moves the log into the file.
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

/// What shows that a file was written: its length and when it was last changed.
private struct FileState: Hashable {
  let bytes: Int
  let changed: Date?

  /// Nil where there is no file.
  init?(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    bytes = (attributes[.size] as? Int) ?? (attributes[.size] as? UInt64).map { Int(clamping: $0) } ?? 0
    changed = attributes[.modificationDate] as? Date
  }
}
