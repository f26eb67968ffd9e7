// The common part of every session of the engine: one connection, opened as in the other engines.
internal import GRDB
internal import CoreDataModel
internal import BatchmarkEngine

/// A session over one GRDB connection.
protocol QueueSession: StoreSession {
  var queue: DatabaseQueue { get }
}

extension QueueSession {
  func checkpoint() throws {
    do {
      try queue.inDatabase { _ = try $0.checkpoint(.truncate) }
    } catch DatabaseError.SQLITE_BUSY {
      throw EngineError.checkpointIncomplete
    }
  }

  func pragma(_ name: String) throws -> String? {
    try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA \(name)") }
  }

  func close() throws { try queue.close() }
}

extension DatabaseQueue {
  /// Opens an existing store.
  static func open(_ setup: StoreSetup) throws -> DatabaseQueue {
    var configuration = Configuration()
    // SQLite's defaults, as in every other engine, unless the scenario sets the pragmas.
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(5)
    let pragmas = setup.connectionPragmas
    configuration.prepareDatabase { database in
      for pragma in pragmas { try database.execute(sql: "PRAGMA \(pragma.name) = \(pragma.value)") }
    }
    return try DatabaseQueue(path: setup.path, configuration: configuration)
  }

  /// What records of an entity need to know about its table.
  ///
  /// GRDB asks SQLite for the columns and the key of a table once per connection. It does that here, so that no phase
  /// includes it.
  func recordTable(of entity: StoredEntity) throws -> RecordTable {
    try inDatabase { database in
      func number(of name: String) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", arguments: [name]) ?? 0
      }
      _ = try database.primaryKey(entity.tableName)
      return RecordTable(
        name: entity.tableName, entityNumber: try number(of: entity.name),
        rootNumber: try number(of: entity.rootName), columns: try database.columns(in: entity.tableName).map(\.name),
        attributeColumns: Dictionary(
          zip(entity.attributes.map(\.name), entity.columnNames), uniquingKeysWith: { first, _ in first }))
    }
  }
}
