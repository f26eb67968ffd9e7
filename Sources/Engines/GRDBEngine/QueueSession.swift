// What every session of the engine has: one connection, opened as those of other engines are.
internal import GRDB
internal import ObjectGraph
internal import Scenarios
internal import Workloads

/// A session over one connection of GRDB.
protocol QueueSession: EngineSession {
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
    // As SQLite has them, and so as every other engine does, unless the scenario sets the pragmas.
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
  func recordTable(of entity: EntityDescription) throws -> RecordTable {
    try inDatabase { database in
      let number = try Int64.fetchOne(
        database, sql: "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", arguments: [entity.name])
      _ = try database.primaryKey(entity.tableName)
      return RecordTable(
        name: entity.tableName, entityNumber: number ?? 0,
        columns: try database.columns(in: entity.tableName).map(\.name))
    }
  }
}
