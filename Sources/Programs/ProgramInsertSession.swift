// A session in which a program stores rows. The harness makes the store and the source.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Foundation
internal import ObjectGraph
internal import SQLiteDriver

/// An insert over a program.
final class ProgramInsertSession: ProgramSession, InsertSession {
  let program: OpenProgram
  private var nextKey: Int64 = 1

  private var setup: StoreSetup { program.setup }
  private var sourcePath: String { setup.path + ".source" }

  /// Makes the store.
  init(_ program: OpenProgram) throws {
    self.program = program
    try program.setup.createStore()
  }

  func prepare(_ rows: SourceRows) throws {
    guard let table = rows.tables.first, rows.tables.count == 1 else {
      throw program.conversation.failed(.severalEntities(rows.tables.count))
    }
    if let attribute = table.attributes.first(where: { $0.name.lowercased() == "rowid" }) {
      throw program.conversation.failed(.rowNumber(attribute: attribute.name))
    }
    try ProgramSource.write(table, to: sourcePath)
    let connection = try Connection(path: setup.path, access: .readOnly)
    let sql = try InsertSQL(into: program.entity, policy: setup.mergePolicy, of: connection)
    try connection.close()
    let insertion = ProgramInsertion(
      source: sourcePath, constants: ["Z_ENT": sql.entityNumber, "Z_OPT": 1],
      mergePolicy: setup.mergePolicy.mergeType.rawValue, insert: sql.text(rows: 1), firstWrite: StoreSetup.firstWrite)
    let entity = ProgramOpening.Entity(
      program.entity, table.attributes, rows: table.count, sourceTable: ProgramSource.tableName(of: table))
    try program.open(insertion, in: entity) { try $0.createStore() }
  }

  func insert(_ rows: SourceRows) throws {
    try program.go(firstKey: nextKey, expecting: rows.count, "the rows of the source")
    nextKey += Int64(rows.count)
  }

  /// Stores the last key in `Z_PRIMARYKEY`, because programs do not maintain it.
  func workHasEnded(_ fetched: inout FetchedRows) throws {
    let connection = try Connection(path: setup.path, access: .readWrite)
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(nextKey - 1) WHERE Z_NAME = '\(program.entity.name)'")
    try connection.close()
  }

  func close() throws {
    defer { removeSource() }
    try program.close()
  }

  deinit { removeSource() }

  private func removeSource() { try? FileManager.default.removeItem(atPath: sourcePath) }
}
