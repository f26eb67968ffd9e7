// What a session says or leaves out that its files contradict: each was once a way to look faster than one is.
internal import BatchmarkEngine
internal import SQLiteDriver
internal import Support

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Work that was done outside of its phase or not at all, and answers that are not true.
package enum SessionFault: Sendable, Hashable, CustomStringConvertible {
  /// The table had rows when the store had been opened.
  case rowsWhileOpening(table: String)
  /// The path has another file than the one that was opened.
  case otherFile
  /// A pragma whose value is in the file.
  case pragma(name: String, answered: String, found: String)
  /// Whether free pages leave the file is not as the scenario sets it, or as every store is made.
  case autoVacuum(found: String, expected: String)
  /// Frames of the WAL that are not in the database after the checkpoint.
  case notCheckpointed(frames: Int)
  /// The rows were ingested again, and nothing was committed.
  case nothingIngestedAgain

  package var description: String {
    switch self {
    case .rowsWhileOpening(let table):
      "when the store had been opened, \(table) had rows already; expected them to be stored in the phase ingest"
    case .otherFile:
      "when the phase had ended, another file had taken the store's place; expected the file that was opened"
    case .pragma(let name, let answered, let found):
      "the engine answers \(answered) for \(name), and the file says \(found); expected the file's answer"
    case .autoVacuum(let found, let expected):
      "the file has auto_vacuum \(found); expected \(expected)"
    case .notCheckpointed(let frames):
      "after the checkpoint \(frames) frames of the WAL are not in the database file; expected all of them there"
    case .nothingIngestedAgain:
      "when the rows had been ingested again, nothing had been committed; expected the stored rows to be updated"
    }
  }
}

/// What the headers of an open store's files say, read through the descriptors that SQLite has.
///
/// Closing another descriptor of such a file would release SQLite's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
enum OpenStoreFiles {
  /// The frames of the WAL that are not in the database file; nil where that cannot be seen.
  ///
  /// The WAL-index (https://www.sqlite.org/walformat.html, "WAL-Index File Format") has the last valid frame at byte 16 and the
  /// frames that were checkpointed at byte 96.
  static func framesLeft(ofStoreAt path: String) -> Int? {
    guard let status = FileStatus(path + "-wal"), status.bytes > 0 else { return 0 }
    return bytes(of: path + "-shm", count: 100).map { index in
      let words = (16...19).map { index[$0] } + (96...99).map { index[$0] }
      return max(number(words[..<4]) - number(words[4...]), 0)
    }
  }

  /// What changes with every commit: the WAL-index counts them at byte 8, the database file those in other journals at byte
  /// 24; nil where neither can be seen.
  static func commits(ofStoreAt path: String) -> [UInt8]? {
    let index = bytes(of: path + "-shm", count: 12)?.suffix(4)
    let header = bytes(of: path, count: 28)?.suffix(4)
    return index == nil && header == nil ? nil : Array(index ?? []) + Array(header ?? [])
  }

  /// A number as this machine has it in memory.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
  }

  private static func bytes(of path: String, count: Int) -> [UInt8]? {
    guard let descriptor = descriptor(of: path) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return read == count ? bytes : nil
  }

  /// A descriptor of this process for a file; nil where there is none, and where the system does not say.
  private static func descriptor(of path: String) -> Int32? {
    #if os(Linux)
      guard let wanted = FileIdentity(of: path), let folder = opendir("/proc/self/fd") else { return nil }
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let descriptor = Int32(name), FileIdentity(of: "/proc/self/fd/\(name)") == wanted else { continue }
        return descriptor
      }
    #endif
    return nil
  }
}

extension Connection {
  /// The first of the tables that has a row.
  func firstFilled(of tables: [String]) throws(SQLiteError) -> String? {
    for table in tables where try scalar("SELECT EXISTS (SELECT 1 FROM \(table))") == 1 { return table }
    return nil
  }

  /// The first answer that the file contradicts, of the pragmas that are stored in it, or a file that was made otherwise than
  /// every store is.
  func contradiction(of answers: [StorePragma], set: [StorePragma]) throws(SQLiteError) -> SessionFault? {
    let wanted = set.last { $0.name == "auto_vacuum" }?.value ?? "incremental"
    if let found = try pragma("auto_vacuum"),
      !PragmaValue(found, of: "auto_vacuum").isAnswer(to: PragmaValue(wanted, of: "auto_vacuum"))
    {
      return .autoVacuum(found: found, expected: wanted)
    }
    for name in ["journal_mode", "page_size", "auto_vacuum"] {
      guard let answer = answers.last(where: { $0.name == name })?.value else { continue }
      guard let found = try pragma(name) else { continue }
      // Of journals the file says only whether it is a WAL.
      let isTrue =
        name == "journal_mode"
        ? (answer.lowercased() == "wal") == (found.lowercased() == "wal")
        : PragmaValue(found, of: name).isAnswer(to: PragmaValue(answer, of: name))
      if !isTrue { return .pragma(name: name, answered: answer, found: found) }
    }
    return nil
  }
}
