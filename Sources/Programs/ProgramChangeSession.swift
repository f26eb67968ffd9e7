// A session in which a program updates or deletes rows.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// An update or a deletion over a program.
final class ProgramChangeSession: ProgramSession, ChangeSession {
  let program: OpenProgram
  private let change: ChangeSQL.Change
  /// How many rows are to be changed.
  private var rows = 0

  init(_ program: OpenProgram, _ change: ChangeSQL.Change) {
    self.program = program
    self.change = change
  }

  func prepare(where condition: RowCondition?) throws {
    let entity = program.entity
    let connection = try Connection(path: program.setup.path, access: .readOnly)
    let stored = try connection.scalar("SELECT count(*) FROM \(entity.tableName)") ?? 0
    let sql = ChangeSQL(change, where: condition, of: entity)
    let find = try connection.prepare(sql.find)
    try find.bind(sql.values)
    rows = 0
    while try find.step() { rows += 1 }
    try connection.close()
    let table = ProgramOpening.Entity(entity, FetchSQL.attributes(of: entity), rows: Int(stored))
    try program.open(ProgramChange(change, where: condition, of: entity), in: table, copyStore)
  }

  func change(where condition: RowCondition?) throws {
    try program.go(expecting: rows, "the rows that it was to change")
  }

  /// Does nothing: the harness checks the store as it does every engine's.
  func workHasEnded(_ fetched: inout FetchedRows) throws {}
}
