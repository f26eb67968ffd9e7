// The work next to the store, in a separate database: the same in every sample except for the seeded cause.
import Foundation
import SQLiteDriver

/// Lookups, lists and small transactions.
final class SeededWork {
  private static let items = 20_000

  private let connection: Connection
  /// The same database with other settings, for more expensive transactions.
  private let writer: Connection
  private let lookup: Statement
  private let ranges: [Statement]
  private let grades: [Statement]

  init(in path: String) throws {
    // The trials of a pair run one after the other, so remove the last one's files.
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    let connection = try Connection(path: path, access: .readWriteCreate)
    self.connection = connection
    try connection.execute(
      """
      PRAGMA journal_mode = wal; PRAGMA synchronous = normal; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT, size INTEGER, grade INTEGER, band INTEGER);
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);
      CREATE INDEX item_code ON item (code); CREATE INDEX item_grade ON item (grade);
      CREATE INDEX item_band ON item (band);
      BEGIN;
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(SeededWork.items))
      INSERT INTO item SELECT n, 'code' || n, n * 7919 % 10007, n % 2000, n % 2001 FROM number;
      COMMIT;
      """)
    if SeededCause.amount(.plan, light: 1, heavy: 0) > 0 { try connection.execute("DROP INDEX item_grade") }
    if SeededCause.amount(.plan, light: 0, heavy: 1) > 0 { try connection.execute("DROP INDEX item_band") }
    _ = try connection.checkpoint(.truncate)
    writer = try Connection(path: path, access: .readWrite)
    try writer.execute("PRAGMA synchronous = normal")
    let interval = SeededCause.amount(.checkpoints, light: 8, heavy: 1)
    try writer.execute("PRAGMA wal_autocheckpoint = \(interval)")
    lookup = try connection.prepare(SeededWork.lookupText)
    // Few rows and many.
    ranges = try [
      ("light", SeededCause.amount(.sorts, light: 1, heavy: 0)),
      ("heavy", SeededCause.amount(.sorts, light: 0, heavy: 1)),
    ]
    .map { name, sorts in
      try connection.prepare(
        "SELECT id AS \(name) FROM item WHERE id BETWEEN ? AND ?" + (sorts > 0 ? " ORDER BY size" : ""))
    }
    grades = try ["grade", "band"].map { try connection.prepare("SELECT id FROM item WHERE \($0) = ?") }
  }

  private static let lookupText = "SELECT id FROM item WHERE code = ?"

  func run() throws {
    try lookUp()
    try list()
    try write()
    try seed()
  }

  func close() throws {
    try writer.close()
    try connection.close()
  }

  private func lookUp() throws {
    let fresh = SeededCause.amount(.preparation, light: 400, heavy: 4_000)
    for number in 0..<4_000 {
      let statement = number < fresh ? try connection.prepare(SeededWork.lookupText, isPersistent: false) : lookup
      try statement.bind(text: "code\(number * 5 + 1)", at: 1)
      while try statement.step() {}
      statement.reset()
    }
  }

  private func list() throws {
    let wider = SeededCause.amount(.rows, light: 60, heavy: 900)
    for number in 0..<60 {
      for (statement, width) in zip(ranges, [150, 600]) {
        try statement.bind(number * 100, at: 1)
        try statement.bind(number * 100 + width + wider, at: 2)
        while try statement.step() {}
        statement.reset()
      }
    }
    for (statement, runs) in zip(grades, [6, 50]) {
      for number in 0..<runs {
        try statement.bind(number, at: 1)
        while try statement.step() {}
        statement.reset()
      }
    }
  }

  /// Small transactions.
  private func write() throws {
    let synced = SeededCause.amount(.syncs, light: 5, heavy: 60)
    let full = synced > 0 ? try fullySynced() : nil
    defer { try? full?.close() }
    for number in 0..<60 {
      let text = "INSERT INTO note (text) VALUES ('\(number)')"
      if number < synced, let full { try full.execute(text) } else { try writer.execute(text) }
    }
  }

  private func fullySynced() throws -> Connection {
    let full = try Connection(path: connection.path, access: .readWrite)
    try full.execute("PRAGMA synchronous = full; PRAGMA wal_autocheckpoint = 0")
    return full
  }

  private func seed() throws {
    let statements = SeededCause.amount(.statements, light: 1_500, heavy: 25_000)
    if statements > 0 {
      let statement = try connection.prepare("SELECT size FROM item WHERE id = ?")
      for number in 0..<statements {
        try statement.bind(number % SeededWork.items, at: 1)
        while try statement.step() {}
        statement.reset()
      }
    }
    for number in 0..<SeededCause.amount(.allocations, light: 30_000, heavy: 500_000) {
      let block = UnsafeMutableRawPointer.allocate(byteCount: 64 + number % 64, alignment: 16)
      block.storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
      held = block
      block.deallocate()
    }
    let wait = SeededCause.amount(.wait, light: 5_000, heavy: 60_000)
    // Use a call that continues to sleep after signals, such as those of the probe.
    if wait > 0 { Thread.sleep(forTimeInterval: Double(wait) / 1e6) }
    let thread = SeededCause.amount(.thread, light: 5, heavy: 60)
    if thread > 0 {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        spinOnOtherThread(milliseconds: thread)
        done.signal()
      }
      done.wait()
    }
    let code = SeededCause.amount(.code, light: 5, heavy: 60)
    if code > 0 { seededCode(milliseconds: code) }
  }

  /// Stored so that no compiler removes the allocations.
  private var held: UnsafeMutableRawPointer?
}

/// Nanoseconds of the calling thread's processor time.
private func threadTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

@inline(never) private func spinOnOtherThread(milliseconds: Int) {
  let end = threadTime() + milliseconds * 1_000_000
  while threadTime() < end {}
}

@inline(never) private func seededCode(milliseconds: Int) {
  let end = threadTime() + milliseconds * 1_000_000
  while threadTime() < end {}
}
