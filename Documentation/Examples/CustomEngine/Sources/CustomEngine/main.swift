// An engine of one's own beside the built-in ones: plain SQLite that prepares its INSERT anew for every row.
import BatchmarkCLI
import Engines
import SQLiteDriver
import Scenarios
import Workloads

struct HastyEngine: Engine {
  let name = "hasty"
  let strategies = [
    Strategy(name: "insert", summary: "plain SQLite, its INSERT prepared anew for every row", givesUp: ["no objects"])
  ]

  func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    try setup.createStore()
    let connection = try setup.connect()
    let insert = try InsertSQL(into: setup.entity, policy: setup.mergePolicy, of: connection)
    return HastySession(connection, insert: insert.text(rows: 1))
  }
}

final class HastySession: EngineSession {
  let connection: Connection
  let insert: String

  init(_ connection: Connection, insert: String) { (self.connection, self.insert) = (connection, insert) }

  func ingest(_ rows: ColumnarRows) throws {
    let values = RowBinding(rows)
    try connection.begin()
    for row in 0..<rows.count {
      let statement = try connection.prepare(insert, isPersistent: false)
      try statement.bind(Int64(row) + 1, at: 1)
      try values.bind(row, to: statement, from: 2)
      try statement.run()
    }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows.count) WHERE Z_NAME = '\(rows.entityName)'")
    try connection.commit()
  }

  func checkpoint() throws { _ = try connection.checkpoint(.truncate) }
  func close() throws { try connection.close() }
}

await Batchmark.main(engines: BuiltInEngines.all + [HastyEngine()])
