// Reads the objects of to-many relationships.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteReader {
  /// The objects of a to-many relationship for each row, by key, in the relationship's order; one statement reads many
  /// rows.
  func relatedObjects(
    keys: [Int64], _ toMany: ToManyLayout
  ) throws(ObjectGraphError) -> [Int64: [RelatedObject]] {
    try read { (reader) throws(ObjectGraphError) in
      try during("reading \(toMany.relationship.name)") { () throws(SQLiteError) in
        let statement = try reader.statement(toMany.relatedObjectsSQL)
        defer { statement.reset() }
        try statement.bind(text: keys.jsonArray, at: 1)
        var related: [Int64: [RelatedObject]] = [:]
        while try statement.step() {
          guard let entityIndex = entityIndexes[Int(statement.int64(2))] else { continue }
          related[statement.int64(0), default: []].append(
            RelatedObject(
              objectID: ManagedObjectID(store: identity, entityIndex: Int32(entityIndex), key: statement.int64(1)),
              order: Int32(clamping: statement.int64(3))))
        }
        return related
      }
    }
  }

  /// The objects together with their rows, by the same statement.
  func relatedRows(
    keys: [Int64], _ toMany: ToManyLayout, rootIndex: Int
  ) throws(ObjectGraphError) -> RelatedRows {
    guard let query = keyedTables[rootIndex] else { return RelatedRows() }
    return try read { (reader) throws(ObjectGraphError) in
      try during("reading \(toMany.relationship.name)") { () throws(SQLiteError) in
        let statement = try reader.statement(toMany.relatedRowsSQL(query))
        defer { statement.reset() }
        try statement.bind(text: keys.jsonArray, at: 1)
        var found = RelatedRows()
        // Several objects may have the same destination.
        var read: Set<Int64> = []
        while try statement.step() {
          let key = statement.int64(0)
          guard let layout = query.layout(statement) else { continue }
          found.objects[statement.int64(query.columnCount), default: []].append(
            RelatedObject(
              objectID: ManagedObjectID(store: identity, entityIndex: Int32(layout.index), key: key),
              order: Int32(clamping: statement.int64(query.columnCount + 1))))
          if read.insert(key).inserted, let row = query.row(statement, in: identity) { found.rows.append(row) }
        }
        return found
      }
    }
  }

  /// Reads the rows with the keys from one table, each into its key's position.
  func readRows(
    of keys: [Int64], rootIndex: Int, into rows: inout PlacedRows, at places: [Int]
  ) throws(ObjectGraphError) {
    guard let query = keyedTables[rootIndex] else { return }
    try read { (reader) throws(ObjectGraphError) in
      try during("reading rows of \(query.table)") { () throws(SQLiteError) in
        let statement = try reader.statement(query.sql)
        defer { statement.reset() }
        try statement.bind(text: keys.jsonArray, at: 1)
        let only = query.only
        while try statement.step() {
          guard let reader = only ?? query.reader(statement) else { continue }
          rows.put(
            statement.int64(0), reader.snapshot(statement, version: statement.int64(1)), of: reader.layout,
            in: identity, at: places[query.place(statement)])
        }
      }
    }
  }
}

/// The objects of a to-many relationship for each row, by key, and the rows of these objects, each once.
struct RelatedRows: Sendable {
  var objects: [Int64: [RelatedObject]] = [:]
  var rows: [StoredRow] = []
}

/// Reads rows of all entities of a table by a list of keys.
struct KeyedTableQuery: Sendable {
  let table: String
  /// The columns of a row in the table with alias `t`, and their number.
  let columns: String
  let columnCount: Int
  /// For each row in a list of keys: its columns, and the position of its key in the list.
  let sql: String
  /// By the store's number of the entity.
  private let readers: [Int: RowReader]
  /// The reader if the table has rows of only one entity.
  let only: RowReader?

  init(_ family: [EntityLayout], entityNumbers: [Int], entityIndexes: [Int: Int]) {
    var names: [String] = []
    for column in family.flatMap(\.columns) where !names.contains(column.name) { names.append(column.name) }
    table = family.first?.tableName ?? ""
    let columns = ["Z_PK", "Z_OPT", "Z_ENT"] + names
    // Put the list outside: SQLite then looks up each key in turn, while IN (SELECT …) would first sort the keys into a
    // table.
    columnCount = columns.count
    self.columns = columns.map { "t." + $0 }.joined(separator: ", ")
    sql = "SELECT \(self.columns), k.key FROM json_each(?) k CROSS JOIN \(table) t ON t.Z_PK = k.value"
    let family = family.map { layout in
      let reader = RowReader(layout, entityIndexes: entityIndexes) { columns.firstIndex(of: $0) }
      return (entityNumbers[layout.index], reader)
    }
    readers = Dictionary(family) { first, _ in first }
    only = family.count == 1 ? family[0].1 : nil
  }

  /// The index of the row's key in the list.
  func place(_ statement: Statement) -> Int { Int(statement.int64(columnCount)) }

  /// The entity of the statement's current row; `nil` if the model has no entity with its number.
  func layout(_ statement: Statement) -> EntityLayout? { reader(statement)?.layout }

  /// The reader for the statement's current row.
  func reader(_ statement: Statement) -> RowReader? { only ?? readers[Int(statement.int64(2))] }

  func row(_ statement: Statement, in store: StoreIdentity) -> StoredRow? {
    guard let reader = reader(statement) else { return nil }
    return StoredRow(
      objectID: ManagedObjectID(store: store, entityIndex: Int32(reader.layout.index), key: statement.int64(0)),
      layout: reader.layout, snapshot: reader.snapshot(statement, version: statement.int64(1)))
  }
}

extension ToManyLayout {
  /// For each row in a list of keys: its key, and the key, entity number and position of each of its objects.
  fileprivate var relatedObjectsSQL: String {
    let keys = "IN (SELECT value FROM json_each(?))"
    switch storage {
    case .inverseKey(let inverse):
      let position = inverse.orderColumn ?? "0"
      return "SELECT \(inverse.keyColumn), Z_PK, Z_ENT, \(position) FROM \(inverse.table)"
        + " WHERE \(inverse.keyColumn) \(keys) ORDER BY 1, 4, 2"
    case .join(let ends):
      let position = ends.orderColumn.map { "j.\($0)" } ?? "0"
      return "SELECT j.\(ends.sourceColumn), d.Z_PK, d.Z_ENT, \(position) FROM \(ends.table) j"
        + " JOIN \(destinationTable) d ON d.Z_PK = j.\(ends.destinationColumn)"
        + " WHERE j.\(ends.sourceColumn) \(keys) ORDER BY 1, 4, 2"
    }
  }

  /// For each row in a list of keys: the columns of each of its objects, its key, and the object's position.
  fileprivate func relatedRowsSQL(_ destination: KeyedTableQuery) -> String {
    let (owner, position, source): (String, String, String)
    switch storage {
    case .inverseKey(let inverse):
      (owner, position) = ("t.\(inverse.keyColumn)", inverse.orderColumn.map { "t.\($0)" } ?? "0")
      source = "\(inverse.table) t"
    case .join(let ends):
      (owner, position) = ("j.\(ends.sourceColumn)", ends.orderColumn.map { "j.\($0)" } ?? "0")
      source = "\(ends.table) j JOIN \(destinationTable) t ON t.Z_PK = j.\(ends.destinationColumn)"
    }
    let ownerColumn = destination.columnCount + 1
    return "SELECT \(destination.columns), \(owner), \(position) FROM \(source)"
      + " WHERE \(owner) IN (SELECT value FROM json_each(?)) ORDER BY \(ownerColumn), \(ownerColumn + 1), 1"
  }
}

extension [Int64] {
  /// The keys in the format of SQLite's `json_each`, so that one statement works for lists of any length.
  var jsonArray: String {
    // Write it digit by digit: a string for each key would cost more than SQLite takes to find the row.
    String(unsafeUninitializedCapacity: 2 + 21 * count) { text in
      var length = 0
      func write(_ byte: UInt8) {
        text[length] = byte
        length += 1
      }
      write(UInt8(ascii: "["))
      for key in self {
        if length > 1 { write(UInt8(ascii: ",")) }
        if key < 0 { write(UInt8(ascii: "-")) }
        let first = length
        var rest = key.magnitude
        repeat {
          write(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
          rest /= 10
        } while rest > 0
        text[first..<length].reverse()
      }
      write(UInt8(ascii: "]"))
      return length
    }
  }
}
