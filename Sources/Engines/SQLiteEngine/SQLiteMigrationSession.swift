// One store of the reference that another version of the model is given to: by a copy of each table that changes, as the manual
// of SQLite says (https://www.sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes"), or by ALTER TABLE.
internal import BatchmarkEngine
internal import SQLiteDriver

/// A session of the `sqlite` engine that migrates a store by statements that were written before.
final class SQLiteMigrationSession: MigrationSession {
  private let setup: StoreSetup
  private let migration: WrittenMigration
  /// Nil until the store is migrated.
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
