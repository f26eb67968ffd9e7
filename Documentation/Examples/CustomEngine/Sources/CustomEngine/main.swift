// Your own engine beside the built-in ones: plain SQLite that prepares its INSERT again for every row.
import BatchmarkCLI
import BatchmarkEngine
import Engines
import SQLiteDriver

struct HastyEngine: Engine {
  let name = "hasty"
  let strategies = [
    Strategy(
      "insert", summary: "plain SQLite, its INSERT prepared again for every row", tradeoffs: ["no objects"],
      .insert { setup, _ in try HastySession(setup) })
  ]
}

final class HastySession: InsertSession {
  let connection: Connection
  let statement: String

  init(_ setup: StoreSetup) throws {
    try setup.createStore()
    connection = try setup.connect()
    try connection.execute(StoreSetup.firstWrite)
    statement = try InsertSQL(into: setup.entity, policy: setup.mergePolicy, of: connection).text(rows: 1)
  }

  func insert(_ source: SourceRows) throws {
    try connection.transaction {
      for rows in source.tables {
        let values = RowBinding(rows)
        for row in 0..<rows.count {
          let insert = try connection.prepare(statement, isPersistent: false)
          try insert.bind(Int64(row) + 1, at: 1)
          try values.bind(row, to: insert, from: 2)
          try insert.run()
        }
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows.count) WHERE Z_NAME = '\(rows.entityName)'")
      }
    }
  }

  func pragma(_ name: String) throws -> String? { try connection.pragma(name) }
  func checkpoint() throws { _ = try connection.checkpoint(.truncate) }
  func close() throws { try connection.close() }
}

Batchmark.main(engines: BuiltInEngines.all + [HastyEngine()])
