// What can be wrong with a journal, in words a user can act on.

/// A journal that cannot be written, read or taken up again.
package enum JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A system call on a new journal failed; no file is left of it.
  case notBegun(path: String, reason: String)
  /// A system call on a journal that holds a run failed.
  case unwritable(path: String, reason: String)
  case unreadable(path: String, reason: String)
  /// Another process is writing to it.
  case inUse(path: String)
  /// A line in the middle is not what a journal holds; a torn last line is no error.
  case damaged(path: String, line: Int, reason: String)
  /// There is no complete first line.
  case empty(path: String)
  /// Written in a later format.
  case format(path: String, found: Int)

  package var description: String {
    switch self {
    case .notBegun(let path, let reason):
      "\(path) cannot be written: \(reason); nothing has been measured: fix this, or name another folder with --out, "
        + "and run again"
    case .unwritable(let path, let reason):
      "\(path) cannot be written: \(reason); what was measured is kept: fix this, and continue with --resume"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .inUse(let path): "\(path) is being written by another run; wait for it to end, or stop it"
    case .damaged(let path, let line, let reason):
      "\(path):\(line): found \(reason); expected a header, sample or failure as one line of JSON"
    case .empty(let path):
      "\(path) holds no run, since it was stopped before it began; remove its folder and run without --resume"
    case .format(let path, let found):
      "\(path) has format \(found), and this version reads \(JournalHeader.currentFormat)"
    }
  }
}
