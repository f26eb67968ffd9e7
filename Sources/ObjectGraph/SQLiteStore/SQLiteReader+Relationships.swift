// To-many relationships in the store: reading their objects, writing the pairs of join tables.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteReader {
  /// The objects of a to-many relationship of each row, by its key, in the relationship's order; many rows are
  /// read with one statement.
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

  /// The rows under the keys, of one table, in no order.
  func rows(keys: [Int64], rootIndex: Int) throws(ObjectGraphError) -> [StoredRow] {
    try read { (reader) throws(ObjectGraphError) in
      let query = keyedTables[rootIndex]
      guard let query else { return [] }
      return try during("reading rows of \(query.table)") { () throws(SQLiteError) in
        let statement = try reader.statement(query.sql)
        defer { statement.reset() }
        try statement.bind(text: keys.jsonArray, at: 1)
        var rows: [StoredRow] = []
        rows.reserveCapacity(keys.count)
        while try statement.step() {
          if let row = query.row(statement, in: identity) { rows.append(row) }
        }
        return rows
      }
    }
  }
}

/// Reads rows of all entities of a table by a list of keys.
struct KeyedTableQuery: Sendable {
  let table: String
  let sql: String
  /// By the store's number of the entity.
  private let readers: [Int: RowReader]

  init(_ family: [EntityLayout], entityNumbers: [Int], entityIndexes: [Int: Int]) {
    var names: [String] = []
    for column in family.flatMap(\.columns) where !names.contains(column.name) { names.append(column.name) }
    table = family.first?.tableName ?? ""
    sql =
      "SELECT \((["Z_PK", "Z_OPT", "Z_ENT"] + names).joined(separator: ", ")) FROM \(table)"
      + " WHERE Z_PK IN (SELECT value FROM json_each(?))"
    let columns = names
    readers = Dictionary(
      family.map { layout in
        let reader = RowReader(layout, entityIndexes: entityIndexes) { name in
          columns.firstIndex(of: name).map { $0 + 3 }
        }
        return (entityNumbers[layout.index], reader)
      }
    ) { first, _ in first }
  }

  func row(_ statement: Statement, in store: StoreIdentity) -> StoredRow? {
    guard let reader = readers[Int(statement.int64(2))] else { return nil }
    return StoredRow(
      objectID: ManagedObjectID(store: store, entityIndex: Int32(reader.layout.index), key: statement.int64(0)),
      layout: reader.layout, snapshot: reader.snapshot(statement, version: statement.int64(1)))
  }
}

extension ToManyLayout {
  /// Of each row in a list of keys: its key, and key, entity number and place of each of its objects.
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
}

extension [Int64] {
  /// As SQLite's `json_each` reads it, so that one statement serves lists of every length.
  var jsonArray: String { "[" + map(String.init).joined(separator: ",") + "]" }
}

extension StoreWriter {
  /// Writes the pairs once all rows have their keys; removals come first.
  func apply(_ changes: [JoinChange], _ references: StoredReferences) throws(SQLiteError) {
    for change in changes { if case .remove = change.kind { try apply(change, references) } }
    for change in changes {
      if case .remove = change.kind { continue }
      try apply(change, references)
    }
  }

  private func apply(_ change: JoinChange, _ references: StoredReferences) throws(SQLiteError) {
    func key(_ key: Int64) -> Int64? { key < 0 ? references.keys[key] : key }
    // A new object whose row was not stored is in no pair.
    guard let source = key(change.source), let destination = key(change.destination) else { return }
    let ends = change.ends
    let statement: Statement
    var positions: [Int32?] = []
    let pair = "\(ends.sourceColumn) = ? AND \(ends.destinationColumn) = ?"
    switch change.kind {
    case .remove: statement = try self.statement("DELETE FROM \(ends.table) WHERE \(pair)")
    case .move(let position):
      guard let column = ends.orderColumn else { return }
      statement = try self.statement(
        "UPDATE \(ends.table) SET \(column) = ?3 WHERE \(ends.sourceColumn) = ?1 AND "
          + "\(ends.destinationColumn) = ?2")
      positions = [position]
    case .add(let position, let inversePosition):
      let orders = [ends.orderColumn, ends.inverseOrderColumn].compactMap(\.self)
      positions =
        (ends.orderColumn == nil ? [] : [position]) + (ends.inverseOrderColumn == nil ? [] : [inversePosition])
      let columns = [ends.sourceColumn, ends.destinationColumn] + orders
      // Somebody else may have put the same pair in: then only its places are new.
      let update =
        orders.isEmpty ? "NOTHING" : "UPDATE SET " + orders.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      statement = try self.statement(
        "INSERT INTO \(ends.table) (\(columns.joined(separator: ", "))) VALUES ("
          + columns.map { _ in "?" }.joined(separator: ", ") + ")"
          + " ON CONFLICT (\(ends.sourceColumn), \(ends.destinationColumn)) DO \(update)")
    }
    try statement.bind(source, at: 1)
    try statement.bind(destination, at: 2)
    for (index, position) in positions.enumerated() {
      if let position {
        try statement.bind(Int64(position), at: index + 3)
      } else {
        try statement.bindNull(at: index + 3)
      }
    }
    try statement.run()
  }

  /// Takes a row that is deleted out of every pair.
  func removePairs(of layout: EntityLayout, key: Int64) throws(SQLiteError) {
    for toMany in layout.toManyRelationships {
      guard case .join(let ends) = toMany.storage else { continue }
      let columns = ends.isReflexive ? [ends.sourceColumn, ends.destinationColumn] : [ends.sourceColumn]
      for column in columns {
        let statement = try statement("DELETE FROM \(ends.table) WHERE \(column) = ?")
        try statement.bind(key, at: 1)
        try statement.run()
      }
    }
  }
}
