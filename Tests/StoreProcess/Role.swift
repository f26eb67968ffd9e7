// What the process can be asked to do, and how it reports.
internal import Foundation

enum Role {
  /// Writes so many transactions, numbered from the first, as the seed says, of at most so many new rows.
  case write(store: String, seed: UInt64, first: Int64, count: Int64, rows: Int64)
  /// Follows the store until it has seen the last transaction, and keeps a journal of what it saw.
  case follow(store: String, journal: String, last: Int64)
  /// Fills the disk; how it runs out of room is the last argument.
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

/// Writes one line in one piece, so that a process that is killed leaves whole lines.
func report(_ line: some Encodable) {
  guard var data = try? JSONEncoder().encode(line) else { return }
  data.append(UInt8(ascii: "\n"))
  // Nobody is there to hear that nobody listens.
  try? FileHandle.standardOutput.write(contentsOf: data)
}
