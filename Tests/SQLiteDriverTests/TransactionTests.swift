// Transactions: all or nothing, and the first error is the reported one.
import MissionTags
import Testing

@testable import SQLiteDriver

@Suite("D2 · transactions", .tags(.d2))
struct TransactionTests {
  private let folder: TemporaryDirectory
  private let connection: Connection

  init() throws {
    folder = try TemporaryDirectory()
    connection = try Connection(path: folder.path())
    try connection.execute("CREATE TABLE t(a UNIQUE)")
  }

  private var count: Int64? {
    get throws { try connection.scalar("SELECT count(*) FROM t") }
  }

  @Test(
    "A transaction is committed, and its result returned",
    arguments: [.deferred, .immediate, .exclusive] as [TransactionKind])
  func commits(kind: TransactionKind) throws {
    #expect(!connection.isInTransaction)
    let result = try connection.transaction(kind) {
      #expect(connection.isInTransaction)
      try connection.execute("INSERT INTO t VALUES(1)")
      return "done"
    }
    #expect(result == "done")
    #expect(!connection.isInTransaction)
    #expect(try count == 1)
  }

  @Test("An error rolls the transaction back and is rethrown unchanged")
  func rollsBack() throws {
    struct Stop: Error, Equatable { var reason: String }
    #expect(throws: Stop(reason: "seven")) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES(1)")
        throw Stop(reason: "seven")
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try count == 0)
  }

  @Test("If SQLite has rolled back by itself, the first error is kept")
  func keepsFirstError() throws {
    try connection.execute("INSERT INTO t VALUES(1)")
    #expect {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES(2)")
        try connection.execute("INSERT OR ROLLBACK INTO t VALUES(1)")
      }
    } throws: {
      ResultCode.constraintUnique ~= $0
    }
    #expect(!connection.isInTransaction)
    #expect(try count == 1)
  }

  @Test("Rolling back without a transaction does nothing; committing without one is an error")
  func withoutTransaction() throws {
    connection.rollback()
    connection.rollback()
    #expect { try connection.commit() } throws: { ResultCode.error ~= $0 }
    try connection.begin()
    try connection.execute("INSERT INTO t VALUES(1)")
    connection.rollback()
    #expect(try count == 0)
  }
}

extension TransactionTests {
  @Test("A transaction inside another is refused and leaves the outer one open")
  func nested() throws {
    try connection.transaction {
      try connection.execute("INSERT INTO t VALUES(1)")
      let error = #expect(throws: SQLiteError.self) { try connection.transaction {} }
      #expect(error?.message == "cannot start a transaction within a transaction")
      #expect(connection.isInTransaction)
    }
    #expect(try count == 1)
  }

  @Test("A commit that fails rolls back")
  func failedCommit() throws {
    let reader = try Connection(path: folder.path(), busyTimeout: 0)
    let writer = try Connection(path: folder.path(), busyTimeout: 0)
    try writer.execute("INSERT INTO t VALUES(1)")
    let select = try reader.prepare("SELECT a FROM t")
    #expect(try select.step())
    #expect { try writer.transaction { try writer.execute("INSERT INTO t VALUES(2)") } } throws: {
      ResultCode.busy ~= $0
    }
    #expect(!writer.isInTransaction)
    select.reset()
    try writer.transaction { try writer.execute("INSERT INTO t VALUES(3)") }
    #expect(try count == 2)
  }

  @Test("A failed rollback is repeated before the next transaction", arguments: [false, true])
  func failedRollback(isPrepared: Bool) throws {
    if isPrepared {
      try connection.begin()
      connection.rollback()
    }
    try connection.begin()
    try connection.execute("INSERT INTO t VALUES(1)")
    connection.refuse("ROLLBACK")
    connection.rollback()
    #expect(connection.isInTransaction)
    #expect { try connection.begin() } throws: { ResultCode.authorization ~= $0 }
    #expect { try connection.finishRollback() } throws: { ResultCode.authorization ~= $0 }
    connection.refuse(nil)
    try connection.transaction { try connection.execute("INSERT INTO t VALUES(2)") }
    #expect(!connection.isInTransaction)
    #expect(try connection.scalar("SELECT sum(a) FROM t") == 2)
    try connection.begin()
    try connection.finishRollback()
    #expect(connection.isInTransaction, "nothing is owed, so the open transaction stays")
    connection.rollback()
  }

  @Test("Thousands of transactions reuse the same statements")
  func many() throws {
    let insert = try connection.prepare("INSERT INTO t VALUES(?)")
    for row in 0..<500 {
      try connection.begin()
      try insert.bind(Int64(row), at: 1)
      try insert.run()
      if row.isMultiple(of: 2) { connection.rollback() } else { try connection.commit() }
    }
    #expect(try count == 250)
  }
}
