// Work on a store that is observed from outside, with and without the meter.
import Foundation
import SQLiteDriver
import Support
import Testing

/// What is visible of a store's files without SQLite.
struct FileObservation: Sendable, Hashable {
  var databaseBytes: Int64?
  var journalBytes: Int64?
  var log: WALFile
}

/// The visible results of a workload.
struct WorkloadOutcome: Sendable, Hashable {
  /// The files after each step.
  var observations: [FileObservation] = []
  /// The answers to checkpoints and queries.
  var answers: [String] = []
  /// The database file after closing, byte for byte.
  var database = Data()
}

/// A named piece of work on a store.
struct StoreWorkload: Sendable, CustomTestStringConvertible {
  var name: String
  private var body: @Sendable (inout Store) throws -> Void

  var testDescription: String { name }

  /// The store of a workload, and the observations so far.
  struct Store {
    let path: String
    var outcome = WorkloadOutcome()

    func open(_ pragmas: [(String, String)] = []) throws -> Connection {
      let connection = try Connection(path: path, busyTimeout: 0)
      for (name, value) in pragmas { try connection.setPragma(name, to: value) }
      return connection
    }

    mutating func observe() {
      let observation = FileObservation(
        databaseBytes: fileSize(path), journalBytes: fileSize(path + "-journal"), log: WALFile(of: path))
      outcome.observations.append(observation)
    }

    mutating func note(_ answer: Any) { outcome.answers.append("\(answer)") }
  }

  /// Does the work on a new store and closes it.
  func run(at path: String) throws -> WorkloadOutcome {
    var store = Store(path: path)
    try body(&store)
    store.observe()
    store.outcome.database = FileManager.default.contents(atPath: path) ?? Data()
    return store.outcome
  }

  static let all: [StoreWorkload] = [
    StoreWorkload(name: "small transactions, automatic checkpoints") { store in
      let connection = try store.open([("journal_mode", "wal"), ("wal_autocheckpoint", "25"), ("synchronous", "full")])
      try fill(connection, transactions: 60, rows: 7, into: &store)
    },
    StoreWorkload(name: "the default automatic checkpoint") { store in
      let connection = try store.open([("journal_mode", "wal"), ("synchronous", "normal")])
      try fill(connection, transactions: 40, rows: 400, into: &store)
    },
    StoreWorkload(name: "a transaction larger than the cache") { store in
      let connection = try store.open([("journal_mode", "wal"), ("cache_size", "10"), ("wal_autocheckpoint", "0")])
      try fill(connection, transactions: 1, rows: 5_000, into: &store)
      store.note(try connection.checkpoint(.passive))
      store.observe()
      store.note(try connection.checkpoint(.truncate))
    },
    StoreWorkload(name: "transactions rolled back after spilling") { store in
      let connection = try store.open([("journal_mode", "wal"), ("cache_size", "10")])
      try fill(connection, transactions: 2, rows: 500, into: &store)
      try connection.begin()
      try connection.execute("UPDATE t SET b = b || 'longer', c = -c")
      store.observe()
      connection.rollback()
      try connection.execute("DELETE FROM t WHERE c % 3 = 0")
    },
    StoreWorkload(name: "rollback journal, deleted") { store in
      let connection = try store.open([("journal_mode", "delete"), ("cache_size", "20")])
      try fill(connection, transactions: 15, rows: 100, into: &store)
      try connection.execute("DELETE FROM t WHERE c < 0; VACUUM")
    },
    StoreWorkload(name: "rollback journal, kept") { store in
      let connection = try store.open([("journal_mode", "persist"), ("synchronous", "extra")])
      try fill(connection, transactions: 15, rows: 100, into: &store)
    },
    StoreWorkload(name: "memory map over a write-ahead log") { store in
      let connection = try store.open([
        ("journal_mode", "wal"), ("mmap_size", "100000000"), ("wal_autocheckpoint", "50"), ("cache_size", "10"),
      ])
      try fill(connection, transactions: 20, rows: 100, into: &store)
      store.note(try connection.scalar("SELECT sum(c) FROM t") ?? 0)
    },
    StoreWorkload(name: "memory map over a rollback journal") { store in
      let connection = try store.open([("journal_mode", "truncate"), ("mmap_size", "100000000"), ("cache_size", "10")])
      try fill(connection, transactions: 20, rows: 100, into: &store)
      store.note(try connection.scalar("SELECT sum(c) FROM t") ?? 0)
    },
    StoreWorkload(name: "two writers and a reader that stays") { store in
      let first = try store.open([("journal_mode", "wal"), ("wal_autocheckpoint", "20")])
      try fill(first, transactions: 5, rows: 20, into: &store)
      let second = try store.open([("wal_autocheckpoint", "20")])
      let reader = try store.open().prepare("SELECT c FROM t")
      _ = try reader.step()
      for round in 0..<20 {
        try (round.isMultiple(of: 2) ? first : second).execute("UPDATE t SET c = c + 1 WHERE c % 5 = 0")
        store.observe()
      }
      store.note(try second.checkpoint(.passive))
      store.note(try second.checkpoint(.truncate))
      reader.reset()
      try first.execute("UPDATE t SET c = c + 1")
      store.observe()
      store.note(try second.checkpoint(.truncate))
    },
    StoreWorkload(name: "exclusive locking, small pages") { store in
      let connection = try store.open([
        ("page_size", "1024"), ("locking_mode", "exclusive"), ("journal_mode", "wal"), ("wal_autocheckpoint", "30"),
      ])
      try fill(connection, transactions: 20, rows: 50, into: &store)
    },
    StoreWorkload(name: "temporary tables and sorting on disk") { store in
      let connection = try store.open([("temp_store", "file"), ("cache_size", "10"), ("journal_mode", "wal")])
      try fill(connection, transactions: 1, rows: 3_000, into: &store)
      try connection.execute("PRAGMA temp.cache_size = 10; CREATE TEMP TABLE u AS SELECT b, c FROM t ORDER BY b DESC")
      try connection.execute("CREATE INDEX temp.ui ON u(c); DELETE FROM t; INSERT INTO t SELECT c, b, b FROM u")
      store.note(try connection.integrityCheck())
    },
  ]

  /// Inserts the same rows on every machine, in some order of a text index, and observes after every transaction.
  private static func fill(
    _ connection: Connection, transactions: Int, rows: Int, into store: inout Store
  ) throws {
    var random = SplitMix64(seed: 7)
    try connection.execute("CREATE TABLE t(a INTEGER, b TEXT, c INTEGER); CREATE INDEX tb ON t(b)")
    let insert = try connection.prepare("INSERT INTO t VALUES(?, ?, ?)")
    for transaction in 0..<transactions {
      try connection.begin()
      for row in 0..<rows {
        try insert.bind(Int64(transaction * rows + row), at: 1)
        try insert.bind(text: "code \(random.next())", at: 2)
        try insert.bind(Int64(truncatingIfNeeded: random.next() % 1_000), at: 3)
        try insert.run()
      }
      try connection.commit()
      store.observe()
    }
  }
}
