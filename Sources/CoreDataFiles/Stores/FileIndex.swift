// The indexes of a store's file: which columns have one, and which values they keep unique.
internal import SQLiteDriver

/// An index of a table in a file.
struct FileIndex: Sendable, Hashable {
  let table: String
  let name: String
  let isUnique: Bool
  /// Whether it is the table's own primary key.
  let isPrimaryKey: Bool
  /// In the order of the index; those over expressions left out.
  let columns: [String]

  /// The indexes of a file by table.
  static func all(_ connection: Connection) throws(SQLiteError) -> [String: [FileIndex]] {
    let statement = try connection.prepare(
      """
      SELECT m.name, i.name, i."unique", i.origin, c.name FROM sqlite_master m JOIN pragma_index_list(m.name) i \
      JOIN pragma_index_info(i.name) c WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, i.name, c.seqno
      """, isPersistent: false)
    var indexes: [String: [FileIndex]] = [:]
    while try statement.step() {
      let table = statement.string(0) ?? ""
      let name = statement.string(1) ?? ""
      var columns = statement.string(4).map { [$0] } ?? []
      // A row for each column: the index so far is taken out and put back with one more.
      if let last = indexes[table]?.last, last.name == name {
        columns = (indexes[table]?.popLast()?.columns ?? []) + columns
      }
      indexes[table, default: []].append(
        FileIndex(
          table: table, name: name, isUnique: statement.int64(2) != 0, isPrimaryKey: statement.string(3) == "pk",
          columns: columns))
    }
    return indexes
  }
}
