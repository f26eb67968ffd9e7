// Finds anomalies of keys: assigned keys, entity numbers, and references to missing or wrong rows.
internal import ObjectGraph
internal import CoreDataModel
internal import SQLiteDriver

extension Anomalies {
  /// Keys beyond the largest assigned key, and rows whose entity does not belong to their table.
  func ofKeys() throws(SQLiteError) -> [String] {
    var sentences: [String] = []
    for table in store.compiled.tables {
      let root = store.entities[table.root].name
      guard let name = store.table(table.name) else { continue }
      if let row = store.keyRow(of: table.root) { sentences += try ofLastKey(row, table: name) }
      let family = Set(store.familyNumbers(of: table.root).map(Int64.init))
      for (number, count) in (rows[table.name] ?? [:]).sorted(by: { $0.key < $1.key }) where !family.contains(number) {
        let entity = store.keyRows.first { Int64($0.number) == number }.map { "\(number), which is \($0.name)," }
        sentences.append(
          "\(counted(count, "row")) of \(name) \(verb(count, "has", "have")) "
            + (number == -1 ? "no entity number" : "the entity number \(entity ?? "\(number), which is no entity,")")
            + " and \(verb(count, "belongs", "belong")) to neither \(root) nor an entity that inherits from it.")
      }
    }
    for row in store.keyRows where row.number >= InspectedStore.firstReservedNumber {
      let table = "A\(row.name)"
      guard InspectedStore.historyTables.contains(table), tables.contains(table) else { continue }
      sentences += try ofLastKey(row, table: table)
    }
    return sentences
  }

  private func ofLastKey(_ row: InspectedStore.KeyRow, table: String) throws(SQLiteError) -> [String] {
    guard let greatest = try store.connection.scalar("SELECT max(Z_PK) FROM \(table.sqlName)"), greatest > row.lastKey
    else { return [] }
    return [
      "Z_MAX of \(row.name) is \(row.lastKey) and the largest key in \(table) is \(greatest): "
        + "the next new object would get a key that is taken."
    ]
  }

  func ofLinks() throws(SQLiteError) -> [String] {
    var sentences: [String] = []
    for table in store.compiled.tables {
      for (layout, toOne) in toOnes(in: table) { sentences += try ofKey(toOne, in: layout) }
    }
    for table in store.compiled.joinTables {
      guard let name = store.table(table.name) else { continue }
      for end in [table.owner, table.inverse] {
        guard let column = store.column(end.column, of: table.name), let destination = destination(of: end) else {
          continue
        }
        let lost = try store.connection.scalar(
          """
          SELECT count(*) FROM \(name.sqlName) AS j LEFT JOIN \(destination.sqlName) AS d
          ON d.Z_PK = j.\(column.sqlName) WHERE d.Z_PK IS NULL
          """)
        guard let lost, lost > 0 else { continue }
        sentences.append(
          "\(counted(lost, "row")) of the join table \(name) \(verb(lost, "leads", "lead")) to no row of "
            + "\(destination).")
      }
    }
    return sentences
  }

  /// Checks the destinations of a to-one relationship in one table scan, with a lookup of each key.
  private func ofKey(_ toOne: ToOneLayout, in layout: EntityLayout) throws(SQLiteError) -> [String] {
    guard let table = store.table(layout.tableName), let destination = store.table(toOne.destinationTable),
      let key = store.column(toOne.keyColumn, of: layout.tableName)
    else { return [] }
    let companion = store.column(toOne.entityColumn, of: layout.tableName).map { "s.\($0.sqlName)" } ?? "NULL"
    let family = store.familyNumbers(of: toOne.destinationIndex).map(String.init).joined(separator: ", ")
    let counts = try store.connection.integers(
      """
      SELECT sum(d.Z_PK IS NULL), sum(d.Z_ENT NOT IN (\(family))), sum(\(companion) <> d.Z_ENT)
      FROM \(table.sqlName) AS s LEFT JOIN \(destination.sqlName) AS d ON d.Z_PK = s.\(key.sqlName)
      WHERE s.\(key.sqlName) NOT NULL
      """)
    guard counts.count == 3 else { return [] }
    let name = "\(layout.entity.name).\(toOne.relationship.name)"
    let (lost, astray, disagreeing) = (counts[0], counts[1], counts[2])
    var sentences: [String] = []
    if lost > 0 {
      sentences.append(
        "\(counted(lost, "key")) of \(name) \(verb(lost, "leads", "lead")) to no row of \(destination).")
    }
    if astray > 0 {
      sentences.append(
        "\(counted(astray, "key")) of \(name) \(verb(astray, "leads", "lead")) to a row that is no \(toOne.relationship.destinationEntityName)."
      )
    }
    if disagreeing > 0 {
      sentences.append(
        "\(counted(disagreeing, "key")) of \(name) \(verb(disagreeing, "stands", "stand")) beside the number of another "
          + "entity than the row's that \(verb(disagreeing, "it leads", "they lead")) to.")
    }
    return sentences
  }

  /// The file's table with the destinations of one end of a many-to-many relationship.
  private func destination(of end: JoinTable.End) -> String? {
    let layout = store.compiled.layouts[end.entityIndex]
    return layout.toManyIndex(named: end.relationship).flatMap {
      store.table(layout.toManyRelationships[$0].destinationTable)
    }
  }
}
