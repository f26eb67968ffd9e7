// The last numbers of history's tables, kept beside those of the entities.
internal import SQLiteDriver

/// The last numbers handed out to changes, transactions and names.
struct HistoryNumbers {
  var change: Int64
  let transaction: Int64
  var string: Int64
  /// Why there are no more of one of them; nothing is written down with them then.
  private(set) var exhaustion: ObjectGraphError?

  /// The stored ones, with the number that the next transaction has.
  init(ofNextTransaction writer: StoreWriter) throws(SQLiteError) {
    let statement = try writer.statement("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 16001 AND 16003")
    defer { statement.reset() }
    var last: [Int64: Int64] = [:]
    while try statement.step() {
      let entity = statement.int64(0)
      do throws(ObjectGraphError) {
        let name = HistoryEntity(rawValue: entity)?.name ?? ""
        last[entity] = try LastKey.read(statement, 1, of: name, path: writer.connection.path)
      } catch {
        exhaustion = error
      }
    }
    change = last[HistoryEntity.change.rawValue] ?? 0
    transaction = (last[HistoryEntity.transaction.rawValue] ?? 0) + 1
    string = last[HistoryEntity.transactionString.rawValue] ?? 0
  }

  func store(_ writer: StoreWriter) throws(SQLiteError) {
    let rows = HistoryEntity.allCases.enumerated().map { "(\($1.rawValue), '\($1.name)', 0, ?\($0 + 1))" }
    let statement = try writer.statement(
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES " + rows.joined(separator: ", ")
        + " ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = excluded.Z_MAX")
    try statement.bind(change, at: 1)
    try statement.bind(transaction, at: 2)
    try statement.bind(string, at: 3)
    try statement.run()
  }
}
