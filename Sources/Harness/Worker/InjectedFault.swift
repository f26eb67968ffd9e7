// Adds faults of known size to a worker's measured work, to test whether a comparison finds them.
internal import Foundation
internal import Instruments
internal import SQLiteDriver

/// A fault that a worker of the self-test adds at the end of its measured work.
package enum InjectedFault: String, Codable, Sendable, CaseIterable {
  /// Adds 5 % to the time of the work.
  case slowdown
  /// Adds 2 % to the time of the work.
  case smallSlowdown = "small-slowdown"
  /// Adds one sync of a database.
  case extraSync = "extra-sync"
  /// Allocates 64 KiB for a millisecond.
  case heldMemory = "held-memory"
  /// Runs one statement per row.
  case extraStatement = "extra-statement"

  /// The time it adds, as a share of the work's; `nil` for faults that show in exact figures.
  package var timeShare: Double? {
    switch self {
    case .slowdown: 0.05
    case .smallSlowdown: 0.02
    case .extraSync, .heldMemory, .extraStatement: nil
    }
  }

  static let heldBytes = 64 * 1024
}

/// A fault with its resources, which are prepared before anything is measured.
struct FaultInjection {
  private let fault: InjectedFault
  private let rows: Int
  private let connection: Connection?

  /// - Parameters:
  ///   - fault: The fault.
  ///   - rows: How many rows are measured.
  ///   - path: A path for a database of its own.
  /// - Throws: SQLite's error if that database cannot be made.
  init(_ fault: InjectedFault, rows: Int, at path: String) throws {
    self.fault = fault
    self.rows = rows
    switch fault {
    case .slowdown, .smallSlowdown, .heldMemory: connection = nil
    case .extraStatement: connection = try Connection(path: ":memory:", access: .readWriteCreate)
    case .extraSync:
      let connection = try Connection(path: path, access: .readWriteCreate)
      // In this mode a commit syncs the WAL, and nothing else does. The first commit creates the WAL.
      try connection.execute("PRAGMA journal_mode = wal; PRAGMA synchronous = full; CREATE TABLE fault (value INTEGER)")
      try connection.execute("INSERT INTO fault VALUES (0)")
      self.connection = connection
    }
  }

  /// Does the work and then injects the fault.
  func after(_ work: () throws -> Void) throws {
    let start = TimeSlices.now()
    try work()
    switch fault {
    case .slowdown, .smallSlowdown:
      let took = Double(TimeSlices.now() - start)
      let end = start + UInt64(took * (1 + (fault.timeShare ?? 0)))
      while TimeSlices.now() < end {}
    case .extraSync: try connection?.execute("INSERT INTO fault VALUES (1)")
    case .heldMemory:
      let block = UnsafeMutableRawPointer.allocate(byteCount: InjectedFault.heldBytes, alignment: 16)
      // Pass the block to a function that the compiler cannot see into, so that it is not optimized away.
      _ = posix_madvise(block, InjectedFault.heldBytes, POSIX_MADV_NORMAL)
      usleep(1_000)
      block.deallocate()
    case .extraStatement: for _ in 0..<rows { try connection?.execute("SELECT 1") }
    }
  }
}
