// The journal of a run: one line per sample, on disk before the next sample begins. A resumed run reads from it what
// has been measured, however the process ended.
internal import Foundation
internal import Support
internal import Synchronization

/// An open journal, locked against other processes.
package final class Journal: Sendable {
  /// The journal's name in a run's folder.
  package static let fileName = "journal.jsonl"

  package let path: String
  private let descriptor: Int32
  /// Held while a line is written, so that lines stay whole.
  private let writing = Mutex(())

  /// Creates a journal with its header line in an existing folder.
  ///
  /// If that fails, no file is left behind.
  package static func create(in directory: String, header: JournalHeader) throws(JournalError) -> Journal {
    let journal = try Journal(in: directory, flags: O_CREAT | O_EXCL)
    do {
      try journal.write(JournalContents.FirstLine(header: header))
    } catch {
      unlink(journal.path)
      guard case .unwritable(let path, let reason) = error else { throw error }
      throw .notBegun(path: path, reason: reason)
    }
    return journal
  }

  /// Opens a journal to resume its run, after cutting off a torn last line.
  package static func resume(in directory: String) throws(JournalError) -> (Journal, JournalContents) {
    // Lock before reading, so that no other run adds to it in between.
    let journal = try Journal(in: directory, flags: 0)
    let contents = try JournalContents(directory: directory)
    guard ftruncate(journal.descriptor, off_t(contents.completeBytes)) == 0 else { throw journal.unwritable() }
    return (journal, contents)
  }

  private init(in directory: String, flags: Int32) throws(JournalError) {
    path = directory + "/" + Journal.fileName
    // Do not block on a pipe or a device in the journal's place; it is refused below.
    descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | flags, 0o644)
    guard descriptor >= 0 else {
      let error = errno
      let reason = String(cString: strerror(error))
      if flags != 0 { throw .notBegun(path: path, reason: reason) }
      throw error == ENOENT ? .unreadable(path: path, reason: reason) : .unwritable(path: path, reason: reason)
    }
    guard let kind = FileKind(at: path), kind == .plainFile else {
      // Throwing here runs deinit, which closes the descriptor. Closing it twice could close a descriptor of another file.
      throw .unreadable(path: path, reason: "it is no plain file")
    }
    // The lock belongs to the descriptor, so it always ends with the process. Between its fork and its exec, a worker
    // shares the descriptor, so a lock that was just released may take a moment to disappear.
    var tries = 0
    // Any error other than "would block" means that this file system has no locks.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK {
      tries += 1
      guard tries < 50 else { throw .inUse(path: path) }
      usleep(10_000)
    }
  }

  deinit { close(descriptor) }

  /// Adds a line and waits until it is on disk.
  package func append(_ outcome: SampleOutcome) throws(JournalError) { try write(outcome) }

  private func write(_ line: some Encodable) throws(JournalError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes: [UInt8]
    do {
      bytes = Array(JSONText.escaped(String(decoding: try encoder.encode(line), as: UTF8.self)).utf8)
    } catch {
      throw .unwritable(path: path, reason: "a figure has no JSON form: \(error)")
    }
    bytes.append(UInt8(ascii: "\n"))
    try writing.withLock { _ throws(JournalError) in try write(bytes) }
  }

  private func write(_ bytes: [UInt8]) throws(JournalError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Foundation.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw unwritable() }
      written += count
    }
    guard fsync(descriptor) == 0 else { throw unwritable() }
  }

  private func unwritable() -> JournalError { .unwritable(path: path, reason: String(cString: strerror(errno))) }
}

/// A journal that cannot be written, read or resumed.
package enum JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A system call on a new journal failed. The file was removed.
  case notBegun(path: String, reason: String)
  /// A system call failed on a journal that belongs to a run.
  case unwritable(path: String, reason: String)
  case unreadable(path: String, reason: String)
  /// Another process is writing to it.
  case inUse(path: String)
  /// A line in the middle is invalid. A torn last line is not an error.
  case damaged(path: String, line: Int, reason: String)
  /// There is no complete first line.
  case empty(path: String)
  /// It was written in a later format.
  case format(path: String, found: Int)

  package var description: String {
    switch self {
    case .notBegun(let path, let reason):
      "\(path) cannot be written: \(reason); nothing has been measured: fix this, or name another folder with --out, "
        + "and run again"
    case .unwritable(let path, let reason):
      "\(path) cannot be written: \(reason); what was measured is kept: fix this, and continue with --resume"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason); name another folder with --out"
    case .inUse(let path): "\(path) is being written by another run; wait for it to end, or stop it"
    case .damaged(let path, let line, let reason):
      "\(path):\(line): found \(reason); expected a header, sample or failure as one line of JSON"
    case .empty(let path):
      "found no run in \(path): it was stopped before its first sample; remove its folder and run without --resume"
    case .format(let path, let found):
      "\(path): found the format \(found); expected \(JournalHeader.currentFormat): resume it with the version that wrote it, or run "
        + "again in another folder"
    }
  }
}
