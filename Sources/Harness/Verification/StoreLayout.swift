// The schema of a store: its tables with their columns, its indexes, and all other named objects.
internal import SQLiteDriver

/// The tables, indexes, triggers and views of a store, as SQLite describes them.
struct StoreLayout: Hashable, Sendable {
  struct Table: Hashable, Sendable {
    let name: String
    var columns: [Column] = []
    /// Keywords for a different kind of table: `WITHOUT ROWID`, `STRICT`, `virtual`; empty for an ordinary table.
    let kind: String
    /// Keywords in the table's SQL that the description of its columns does not show: `CHECK`, `COLLATE`, `REFERENCES`.
    let constraints: [String]
  }

  struct Column: Hashable, Sendable {
    let name: String
    let declaredType: String
    let isNotNull: Bool
    /// The default's SQL; `nil` for none.
    var defaultValue: String?
    /// The position in the primary key, from 1; 0 for other columns.
    let positionInKey: Int
    /// Whether the column is generated, or hidden as in virtual tables.
    let isGenerated: Bool
  }

  struct Index: Hashable, Sendable {
    let name: String
    let table: String
    let isUnique: Bool
    /// The columns in order, such as `ZCODE DESC COLLATE NOCASE`; ascending and binary by default.
    let columns: [String]
    /// The expression after WHERE; `nil` for an index of all rows.
    let partialClause: String?
  }

  /// A trigger or a view.
  struct Other: Hashable, Sendable {
    let kind: String
    let name: String
  }

  /// Sorted by name.
  private(set) var tables: [Table] = []
  /// Sorted by name.
  private(set) var indexes: [Index] = []
  /// Sorted by name.
  private(set) var others: [Other] = []

  /// Reads the layout of the connection's main database.
  init(reading connection: Connection) throws(SQLiteError) {
    try readTables(connection)
    try readIndexes(connection)
    let statement = try connection.prepare(
      "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') ORDER BY name", isPersistent: false)
    while try statement.step() { others.append(Other(kind: statement.text(0), name: statement.text(1))) }
  }

  /// The layout without the differences that a migration may leave: the order of columns, the defaults of added
  /// columns, and columns that are to be removed later.
  ///
  /// - Parameters:
  ///   - new: The layout of a new store.
  ///   - former: The layout of the previous version, if columns of it may remain; `nil` otherwise.
  /// - Returns: The layout that a new store would have, if the migration is correct.
  func migrated(to new: StoreLayout, leaving former: StoreLayout?) -> StoreLayout {
    var layout = self
    for (position, table) in tables.enumerated() {
      guard let wanted = new.table(named: table.name) else { continue }
      let names = wanted.columns.map(\.name)
      let waiting = Set(former?.table(named: table.name)?.columns.map(\.name) ?? []).subtracting(names)
      var columns = table.columns.filter { !waiting.contains($0.name) }
      columns.sort { names.firstIndex(of: $0.name) ?? .max < names.firstIndex(of: $1.name) ?? .max }
      for index in columns.indices { columns[index].defaultValue = nil }
      layout.tables[position].columns = columns
    }
    return layout
  }

  func table(named name: String) -> Table? { tables.first { $0.name == name } }

  private mutating func readTables(_ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare(
      """
      SELECT m.name, \
      trim(iif(t.type = 'table', '', t.type) || iif(t.wr, ' WITHOUT ROWID', '') || iif(t.strict, ' STRICT', '')), \
      c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden, \
      m.sql FROM sqlite_master AS m JOIN pragma_table_list(m.name) AS t ON t.schema = 'main' \
      JOIN pragma_table_xinfo(m.name) AS c WHERE m.type = 'table' ORDER BY m.name, c.cid
      """, isPersistent: false)
    while try statement.step() {
      if tables.last?.name != statement.text(0) {
        tables.append(
          Table(
            name: statement.text(0), kind: statement.text(1),
            constraints: StoreLayout.constraints(in: statement.text(8))))
      }
      tables[tables.count - 1].columns.append(
        Column(
          name: statement.text(2), declaredType: statement.text(3), isNotNull: statement.int64(4) != 0,
          defaultValue: statement.string(5), positionInKey: Int(statement.int64(6)),
          isGenerated: statement.int64(7) != 0))
    }
  }

  private mutating func readIndexes(_ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare(
      """
      SELECT i.name, m.name, i."unique", i.partial, (SELECT sql FROM sqlite_master AS s WHERE s.name = i.name), \
      (SELECT group_concat(name || more, ', ') FROM (SELECT coalesce(k.name, 'an expression') AS name, \
      iif(k.desc, ' DESC', '') || iif(k.coll = 'BINARY', '', ' COLLATE ' || k.coll) AS more \
      FROM pragma_index_xinfo(i.name) AS k WHERE k.key ORDER BY k.seqno)) \
      FROM sqlite_master AS m JOIN pragma_index_list(m.name) AS i WHERE m.type = 'table' ORDER BY i.name
      """, isPersistent: false)
    while try statement.step() {
      let clause = statement.int64(3) == 0 ? nil : StoreLayout.partialClause(of: statement.text(4))
      indexes.append(
        Index(
          name: statement.text(0), table: statement.text(1), isUnique: statement.int64(2) != 0,
          columns: statement.text(5).split(separator: ", ").map(String.init), partialClause: clause))
    }
  }

  /// Keywords in a table's SQL that change which values it refuses and how it compares or references them.
  private static func constraints(in sql: String) -> [String] {
    var words: [String] = []
    var quote: Character?
    var word = ""
    for character in sql + " " {
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
        continue
      }
      if ["CHECK", "COLLATE", "REFERENCES", "CONFLICT", "UNIQUE"].contains(word.uppercased()) {
        words.append(word.uppercased())
      }
      word = ""
      quote = ["'": "'", "\"": "\"", "`": "`", "[": "]"][character]
    }
    return words.sorted()
  }

  /// The text after the first WHERE of an index's SQL.
  ///
  /// No column before it can have that name.
  private static func partialClause(of sql: String) -> String {
    let words = sql.split { $0.isWhitespace }
    guard let position = words.firstIndex(where: { $0.uppercased() == "WHERE" }) else { return sql }
    return words[(position + 1)...].joined(separator: " ")
  }
}

extension Statement {
  /// The column's text; empty for NULL.
  func text(_ column: Int) -> String { string(column) ?? "" }
}
