// The roles of the process, and its reports.
internal import Foundation

enum Role {
  /// Writes numbered transactions with at most this many new rows each, determined by the seed.
  case write(store: String, seed: UInt64, first: Int64, count: Int64, rows: Int64)
  /// Follows the store until it has seen the last transaction, and records what it sees in a journal.
  case follow(store: String, journal: String, last: Int64)
  /// Fills the disk; the last argument is the reason for the missing space.
  case fill(folder: String, how: FullDisk.Cause)

  init?(_ arguments: [String]) {
    switch (arguments.first, arguments.count) {
    case ("write", 6):
      guard let seed = UInt64(arguments[2]), let first = Int64(arguments[3]), let count = Int64(arguments[4]),
        let rows = Int64(arguments[5])
      else { return nil }
      self = .write(store: arguments[1], seed: seed, first: first, count: count, rows: rows)
    case ("follow", 4):
      guard let last = Int64(arguments[3]) else { return nil }
      self = .follow(store: arguments[1], journal: arguments[2], last: last)
    case ("fill", 3):
      guard let cause = FullDisk.Cause(rawValue: arguments[2]) else { return nil }
      self = .fill(folder: arguments[1], how: cause)
    default: return nil
    }
  }

  func run() throws {
    switch self {
    case .write(let store, let seed, let first, let count, let rows):
      var writer = try Writer(store, seed: seed, first: first, rows: rows)
      try writer.write(count)
    case .follow(let store, let journal, let last): try Follower(store, journal: journal).follow(until: last)
    case .fill(let folder, let cause): try FullDisk(folder, cause).run()
    }
  }
}

/// Why the process gave up.
struct Failure: Encodable { let failed: String }

/// Writes one line in a single call, so that a killed process leaves whole lines.
func report(_ line: some Encodable) {
  guard var data = try? JSONEncoder().encode(line) else { return }
  data.append(UInt8(ascii: "\n"))
  // If no one reads the output, no one can be told either.
  try? FileHandle.standardOutput.write(contentsOf: data)
}
