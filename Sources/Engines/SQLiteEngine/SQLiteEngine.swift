// Plain SQLite, the reference for every other strategy: hand-written code and nothing else.
public import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph
internal import SQLiteDriver

/// The `sqlite` engine: one prepared statement, one transaction, one row per step; or the best that plain SQLite can
/// do.
public struct SQLiteEngine: Engine {
  public init() {}

  public var name: String { "sqlite" }

  private static let tradeoffs = ["no model", "no type checks", "no objects", "SQL by hand"]

  /// A strategy for each operation, and one statement for many rows if SQL has one.
  public var strategies: [Strategy] {
    [
      Strategy(
        "insert", role: .reference, summary: "plain SQLite: one prepared statement, one transaction",
        gloss: "one prepared statement, one transaction",
        tradeoffs: SQLiteEngine.tradeoffs + ["no defaults"], parameters: [ParameterKey.relationships],
        relationships: .withRows, storesSeveralEntities: true,
        .insert { try SQLiteInsertSession($0, $1, rowsPerStep: .rows(1), linking: .withRows) }),
      Strategy(
        "insert-many", summary: "plain SQLite: several rows a step of one prepared statement, one transaction",
        gloss: "several rows a step, one transaction",
        tradeoffs: SQLiteEngine.tradeoffs + ["no defaults", "a row that is refused is not known"],
        parameters: [ParameterKey.rowsPerStep, ParameterKey.relationships], relationships: .linksAfterwards,
        storesSeveralEntities: true,
        .insert { try SQLiteInsertSession($0, $1, rowsPerStep: $1[.rowsPerStep], linking: .afterwards) }),
      Strategy(
        "empty", role: .harnessCost,
        summary:
          "does nothing while the time is taken, and stores the rows when it closes: what the harness itself takes",
        gloss: "nothing: what the harness itself takes",
        tradeoffs: ["answers only what the harness costs"], relationships: .withRows, storesSeveralEntities: true,
        .insert { EmptySession(try SQLiteInsertSession($0, $1, rowsPerStep: .rows(1), linking: .withRows)) }),
      Strategy(
        "update", role: .reference,
        summary: "plain SQLite: the rows' keys, then one prepared UPDATE by key, a step a row",
        gloss: "one prepared UPDATE, a step a row",
        tradeoffs: SQLiteEngine.tradeoffs + ["no conflict detection"], parameters: [ParameterKey.saveEvery],
        .update { try SQLiteChangeSession($0, .update($2), rowsPerTransaction: $1[.saveEvery]) }),
      Strategy(
        "update-many", summary: "plain SQLite: one UPDATE for all rows", gloss: "one UPDATE for all rows",
        tradeoffs: SQLiteEngine.tradeoffs + ["no conflict detection"],
        .update { setup, _, assignments in try SQLiteChangeSession(setup, .update(assignments)) }),
      Strategy(
        "delete", role: .reference,
        summary: "plain SQLite: the rows' keys and versions, then one prepared DELETE by both, a step a row",
        gloss: "one prepared DELETE, a step a row",
        tradeoffs: SQLiteEngine.tradeoffs + ["delete rules by hand"], parameters: [ParameterKey.saveEvery],
        followsDeleteRules: true,
        .delete { try SQLiteChangeSession($0, .delete, rowsPerTransaction: $1[.saveEvery]) }),
      Strategy(
        "delete-many", summary: "plain SQLite: one DELETE for all rows", gloss: "one DELETE for all rows",
        tradeoffs: SQLiteEngine.tradeoffs + ["no conflict detection", "delete rules by hand"], followsDeleteRules: true,
        .delete { setup, _ in try SQLiteChangeSession(setup, .delete) }),
      Strategy(
        "select", role: .reference,
        summary: "plain SQLite: one prepared SELECT, every column of every row read and none kept",
        gloss: "one prepared SELECT, every column read",
        tradeoffs: SQLiteEngine.tradeoffs, abilities: [.follow, .group],
        .fetch { setup, _ in try SQLiteFetchSession(setup, .looked) }),
      Strategy(
        "select-kept",
        summary: "plain SQLite: one prepared SELECT, every row kept with its strings, as an array of structs has them",
        gloss: "one prepared SELECT, every row kept", tradeoffs: SQLiteEngine.tradeoffs, abilities: [.group],
        .fetch { setup, _ in try SQLiteFetchSession(setup, .kept) }),
      Strategy(
        "select-by-key", summary: "plain SQLite: the rows' keys, then one prepared SELECT by key, a step a row",
        gloss: "one prepared SELECT by key, a step a row", tradeoffs: SQLiteEngine.tradeoffs, abilities: [.follow],
        .fetch { setup, _ in try SQLiteFetchSession(setup, .byKey) }),
      Strategy(
        "copy-table", role: .reference,
        summary:
          "plain SQLite: each table that changes is copied into a new one, which takes its name, in one transaction",
        gloss: "a copy of each table that changes",
        tradeoffs: SQLiteEngine.tradeoffs + ["every version's statements by hand"],
        .migrate { setup, _, version in try SQLiteMigrationSession(setup, version, .copying) }),
      Strategy(
        "alter-table",
        summary: "plain SQLite: columns are added, renamed and dropped by ALTER TABLE, in one transaction",
        gloss: "ALTER TABLE, column by column",
        tradeoffs: SQLiteEngine.tradeoffs + ["every version's statements by hand"],
        .migrate { setup, _, version in try SQLiteMigrationSession(setup, version, .altering) }),
    ]
  }
}

/// A session over one connection.
protocol ConnectionSession: StoreSession {
  var connection: Connection { get }
}

extension ConnectionSession {
  func checkpoint() throws {
    if try connection.checkpoint(.truncate).isBusy { throw EngineError.checkpointIncomplete }
  }

  func pragma(_ name: String) throws -> String? { try connection.pragma(name) }

  func close() throws { try connection.close() }
}

/// A session of the `sqlite` engine that only keeps the rows of an insert for later.
final class EmptySession: InsertSession {
  private let session: SQLiteInsertSession
  private var rows: SourceRows?
  private var inserts = 0

  init(_ session: SQLiteInsertSession) { self.session = session }

  func insert(_ rows: SourceRows) throws {
    self.rows = rows
    inserts += 1
  }

  func checkpoint() throws { try session.checkpoint() }

  func pragma(_ name: String) throws -> String? { try session.pragma(name) }

  func close() throws {
    if let rows { for _ in 0..<inserts { try session.insert(rows) } }
    rows = nil
    try session.close()
  }
}

/// A session of the `sqlite` engine that migrates a store with prewritten statements.
///
/// They copy each table that changes, as SQLite's manual recommends
/// (https://www.sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes"), or use ALTER TABLE.
final class SQLiteMigrationSession: MigrationSession {
  private let setup: StoreSetup
  private let migration: WrittenMigration
  /// `nil` until the store is migrated.
  private var connection: Connection?

  init(_ setup: StoreSetup, _ version: ModelVersion, _ manner: WrittenMigration.Manner) throws {
    self.setup = setup
    migration = try WrittenMigration(from: setup.model, to: version.model, manner)
  }

  func migrate() throws {
    let connection = try setup.connect()
    self.connection = connection
    try connection.transaction {
      for sql in migration.statements { try connection.execute(sql) }
    }
  }

  func checkpoint() throws {
    if try connection?.checkpoint(.truncate).isBusy == true { throw EngineError.checkpointIncomplete }
  }

  func pragma(_ name: String) throws -> String? { try connection?.pragma(name) }

  func close() throws { try connection?.close() }
}
