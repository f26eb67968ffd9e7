// One store of the reference into which rows are inserted.
internal import ObjectGraph
internal import SQLiteDriver
internal import Scenarios
internal import Workloads

/// A session of the `sqlite` engine that inserts.
final class SQLiteSession: EngineSession {
  private let connection: Connection
  /// One for each entity that has rows.
  private let insertions: [RowInsertion]
  /// What links the rows once they are stored.
  private let linkStatements: LinkStatements

  /// Opens the store; `linking` says whether rows are linked with their values or when all of them are stored.
  init(
    _ setup: StoreSetup, entity: EntityDescription, rowsAStep: ParameterValue, linking: Strategy.Linking?
  ) throws {
    connection = try setup.connect()
    // The store was closed once, which removed its WAL; a write that changes nothing makes it again before ingest.
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX")
    let links = try setup.linkColumns
    linkStatements = LinkStatements(linking == .afterwards ? links : [], of: entity)
    insertions = try setup.storedEntities.map { [connection] entity in
      try RowInsertion(
        into: entity, policy: setup.mergePolicy, connection: connection, rowsAStep: rowsAStep,
        links: linking == .whileStoring ? links : [])
    }
  }

  func ingest(_ rows: ColumnarRows) throws {
    try insertions.first?.insert(rows) { () throws(SQLiteError) in try linkStatements.run(over: connection) }
  }

  func ingest(_ source: SourceRows) throws {
    if source.tables.count == 1 { return try ingest(source.tables[0]) }
    try connection.transaction {
      for (insertion, rows) in zip(insertions, source.tables) { try insertion.add(rows) }
    }
  }

  func checkpoint() throws { try connection.truncateWAL() }

  func pragma(_ name: String) throws -> String? { try connection.pragma(name) }

  func close() throws { try connection.close() }
}

extension Connection {
  /// Moves the whole WAL into the database file.
  func truncateWAL() throws {
    if try checkpoint(.truncate).isBusy { throw EngineError.checkpointIncomplete }
  }
}
