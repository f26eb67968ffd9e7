// The keys of related rows of several entities. They are known before the insert, because keys are consecutive numbers.
package import CoreDataModel
package import SQLiteDriver

/// The values of rows in the columns of their relationships.
package struct RelatedKeys {
  private let source: SourceRows
  private let entities: [StoredEntity]
  /// The key of the first row of each table.
  private var firstKeys: [Int64] = []
  /// By table and column, a value for each row; `nil` for rows without a destination.
  private var values: [[String: [Int64?]]]

  /// The columns of an entity's to-one relationships, with the additional columns that they need.
  package static func columns(of entity: StoredEntity) -> [String] {
    entity.relationships.flatMap { relationship -> [String] in
      guard case .key(let column) = relationship.storage else { return [] }
      return [column, relationship.destinationEntityColumn, relationship.inverseOrderColumn].compactMap(\.self)
    }
  }

  /// Computes the keys.
  ///
  /// Nothing else may be inserted before the rows.
  package init?(
    _ source: SourceRows, _ entities: [StoredEntity], over connection: Connection
  ) throws(SQLiteError) {
    guard source.tables.count == entities.count, entities.contains(where: { !$0.relationships.isEmpty }) else {
      return nil
    }
    self.source = source
    self.entities = entities
    values = entities.map { _ in [:] }
    var last: [String: Int64] = [:]
    for (table, entity) in zip(source.tables, entities) {
      let root = entity.rootName
      let key =
        if let known = last[root] {
          known
        } else {
          try connection.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(root)'") ?? 0
        }
      firstKeys.append(key + 1)
      last[root] = key + Int64(table.count)
    }
    for related in source.relationships {
      try set(related, connection)
    }
  }

  /// The values of a table's key columns, in the order of ``columns(of:)``.
  package func columns(ofTable table: Int) -> [[Int64?]] {
    let count = source.tables[table].count
    return RelatedKeys.columns(of: entities[table]).map { column in
      values[table][column] ?? [Int64?](repeating: nil, count: count)
    }
  }

  /// Inserts the rows of join tables.
  package func insertJoins(over connection: Connection) throws(SQLiteError) {
    for related in source.relationships {
      guard let stored = stored(related.relationship.name, inTable: related.table),
        case .join(let table, let sourceColumn, let destinationColumn) = stored.storage
      else { continue }
      let orders = [stored.orderColumn, stored.inverseOrderColumn].compactMap(\.self)
      let columns = [sourceColumn, destinationColumn] + orders
      let insert = try connection.prepare(
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) "
          + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
      for pair in related.pairs {
        try insert.bind(key(related.table, pair.row), at: 1)
        try insert.bind(key(pair.destinationTable, pair.destinationRow), at: 2)
        var index = 3
        if stored.orderColumn != nil {
          try insert.bind(Int64(pair.position), at: index)
          index += 1
        }
        if stored.inverseOrderColumn != nil { try insert.bind(Int64(pair.inversePosition), at: index) }
        try insert.run()
      }
    }
  }

  private func key(_ table: Int, _ row: Int) -> Int64 { firstKeys[table] + Int64(row) }

  private func stored(_ relationship: String, inTable table: Int) -> StoredRelationship? {
    entities[table].relationships.first { $0.name == relationship }
  }

  /// Sets the keys of a relationship that is stored in a column, and of its inverse if that is stored in one too.
  private mutating func set(_ related: RelatedRows, _ connection: Connection) throws(SQLiteError) {
    guard let stored = stored(related.relationship.name, inTable: related.table), case .key = stored.storage else {
      return
    }
    let numbers = try entities.map { (entity) throws(SQLiteError) in
      try connection.scalar("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)'") ?? 0
    }
    for pair in related.pairs {
      set(
        stored, (related.table, pair.row), to: (pair.destinationTable, pair.destinationRow), numbers,
        position: pair.inversePosition)
      if let inverse = related.inverse, !inverse.isToMany,
        let back = self.stored(inverse.name, inTable: pair.destinationTable)
      {
        set(
          back, (pair.destinationTable, pair.destinationRow), to: (related.table, pair.row), numbers,
          position: pair.position)
      }
    }
  }

  private mutating func set(
    _ stored: StoredRelationship, _ row: (table: Int, row: Int), to destination: (table: Int, row: Int),
    _ numbers: [Int64], position: Int
  ) {
    guard case .key(let column) = stored.storage else { return }
    let count = source.tables[row.table].count
    func put(_ value: Int64, _ column: String) {
      values[row.table][column, default: [Int64?](repeating: nil, count: count)][row.row] = value
    }
    put(key(destination.table, destination.row), column)
    if let entityColumn = stored.destinationEntityColumn { put(numbers[destination.table], entityColumn) }
    if let orderColumn = stored.inverseOrderColumn { put(Int64(position), orderColumn) }
  }
}
