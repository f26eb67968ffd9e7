// What every session of the engine has: one connection, opened as those of other engines are.
internal import GRDB
internal import CoreDataModel
internal import BatchmarkEngine

/// A session over one connection of GRDB.
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
  /// Opens a store that is there.
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

  /// What records of an entity have to know of its table.
  ///
  /// GRDB asks SQLite for columns and key of a table once a connection: here, so that no phase pays for it.
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
