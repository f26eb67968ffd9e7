// Counts an entity's rows, missing values and related rows, in a few scans of its table.
internal import CoreDataModel
internal import SQLiteDriver

/// Inspects entities one by one.
struct EntityInspection {
  let store: InspectedStore
  /// Whether to report the values in the rows.
  let withValues: Bool
  /// The number of rows of each table, by the model's table name and the number in `Z_ENT`.
  let rows: [String: [Int64: Int64]]

  init(_ store: InspectedStore, withValues: Bool) throws(SQLiteError) {
    self.store = store
    self.withValues = withValues
    var rows: [String: [Int64: Int64]] = [:]
    for table in store.compiled.tables {
      if let name = store.table(table.name) { rows[table.name] = try store.rowsByNumber(of: name) }
    }
    self.rows = rows
  }

  /// All entities in the order of their numbers; those without a number last.
  func entities() throws(SQLiteError) -> [StoreInspection.Entity] {
    var entities: [StoreInspection.Entity] = []
    for layout in store.compiled.layouts { entities.append(try entity(layout)) }
    return entities.sorted { ($0.number ?? .max, $0.name) < ($1.number ?? .max, $1.name) }
  }

  private func entity(_ layout: EntityLayout) throws(SQLiteError) -> StoreInspection.Entity {
    let hierarchy = store.recovered.model.hierarchy
    let number = store.keyRow(of: layout.index)?.number
    let counts = rows[layout.tableName] ?? [:]
    let all = store.familyNumbers(of: layout.index).reduce(0) { $0 + (counts[Int64($1)] ?? 0) }
    let isRoot = hierarchy.parents[layout.index] == nil
    return StoreInspection.Entity(
      name: layout.entity.name, number: number, superentity: layout.entity.superentityName,
      isAbstract: layout.entity.isAbstract, table: store.table(layout.tableName),
      rows: number.flatMap { counts[Int64($0)] } ?? 0, rowsWithSubentities: all,
      lastKey: isRoot ? store.keyRow(of: layout.index)?.lastKey : nil,
      attributes: try attributes(of: layout, rows: all), relationships: try relationships(of: layout, rows: all))
  }

  // MARK: - Attributes

  private func attributes(
    of layout: EntityLayout, rows: Int64
  ) throws(SQLiteError) -> [StoreInspection.Attribute] {
    let own = layout.entity.attributes.sorted { $0.name < $1.name }
    let columns = own.map { attribute in
      store.column(layout.slot(named: attribute.name).flatMap { layout.slots[$0].columnName }, of: layout.tableName)
    }
    let nulls = try nulls(in: columns.compactMap(\.self), of: layout, rows: rows)
    var attributes: [StoreInspection.Attribute] = []
    for (attribute, column) in zip(own, columns) {
      let nulls = column.flatMap { nulls[$0] }
      var values: StoreInspection.Values?
      if withValues, let column, let table = store.table(layout.tableName) {
        values = try ValueInspection(store, layout.index, table: table, column: column, type: attribute.type).values()
      }
      attributes.append(
        StoreInspection.Attribute(
          name: attribute.name, type: attribute.type, isOptional: attribute.isOptional,
          derivation: attribute.derivationExpression, column: column, nulls: nulls,
          nullShare: nulls.flatMap { share($0, of: rows) }, values: values))
    }
    return attributes
  }

  /// How many rows have no value in each column; `typeof` does not load the values.
  private func nulls(
    in columns: [String], of layout: EntityLayout, rows: Int64
  ) throws(SQLiteError) -> [String: Int64] {
    var nulls: [String: Int64] = [:]
    guard rows > 0, let table = store.table(layout.tableName) else {
      for column in columns { nulls[column] = 0 }
      return nulls
    }
    // SQLite's limit for columns in one result.
    let limit = 1_000
    for start in stride(from: 0, to: columns.count, by: limit) {
      let some = columns[start..<min(start + limit, columns.count)]
      let sums = some.map { "sum(typeof(\($0.sqlName)) = 'null')" }.joined(separator: ", ")
      let counts = try store.connection.integers(
        "SELECT \(sums) FROM \(table.sqlName) WHERE \(store.isOfFamily(layout.index))")
      for (column, count) in zip(some, counts) { nulls[column] = count }
    }
    return nulls
  }

  // MARK: - Relationships

  private func relationships(
    of layout: EntityLayout, rows: Int64
  ) throws(SQLiteError) -> [StoreInspection.Relationship] {
    var relationships: [StoreInspection.Relationship] = []
    for relationship in layout.entity.relationships.sorted(by: { $0.name < $1.name }) {
      let links = try links(of: relationship, of: layout)
      relationships.append(
        StoreInspection.Relationship(
          name: relationship.name, destination: relationship.destinationEntityName,
          isToMany: relationship.isToMany, isOrdered: relationship.isOrdered, isOptional: relationship.isOptional,
          inverse: relationship.inverseName, deleteRule: relationship.deleteRule, column: links?.column,
          linked: links?.linked, linkedShare: links.flatMap { share($0.linked, of: rows) }, links: links?.links))
    }
    return relationships
  }

  private func links(
    of relationship: RelationshipDescription, of layout: EntityLayout
  ) throws(SQLiteError) -> Links? {
    guard let table = store.table(layout.tableName) else { return nil }
    let rows = "FROM \(table.sqlName) WHERE \(store.isOfFamily(layout.index))"
    if let toOne = layout.slot(named: relationship.name).flatMap({ layout.slots[$0].toOne }) {
      guard let key = store.column(toOne.keyColumn, of: layout.tableName) else { return nil }
      let linked = try store.connection.scalar("SELECT count(\(key.sqlName)) \(rows)") ?? 0
      return Links(column: key, linked: linked, links: linked)
    }
    guard let position = layout.toManyIndex(named: relationship.name) else { return nil }
    let toMany = layout.toManyRelationships[position]
    guard let keys = keys(of: toMany) else { return nil }
    // Scan the table with the keys once, by its index on them if it has one.
    let counts = try store.connection.integers(
      """
      SELECT count(DISTINCT \(keys.column.sqlName)), count(*) FROM \(keys.table.sqlName)
      WHERE \(keys.column.sqlName) IN (SELECT Z_PK \(rows))
      """)
    guard counts.count == 2 else { return nil }
    let isJoin = store.compiled.joinTables.contains { store.table($0.name) == keys.table }
    return Links(column: isJoin ? keys.table : "\(keys.table).\(keys.column)", linked: counts[0], links: counts[1])
  }

  /// The table and column with the keys of a to-many relationship, by the file's names.
  private func keys(of toMany: ToManyLayout) -> (table: String, column: String)? {
    let (table, column) =
      switch toMany.storage {
      case .inverseKey(let inverse): (inverse.table, inverse.keyColumn)
      case .join(let ends): (ends.table, ends.sourceColumn)
      }
    guard let name = store.table(table), let key = store.column(column, of: table) else { return nil }
    return (name, key)
  }

  private struct Links {
    let column: String
    let linked: Int64
    let links: Int64
  }
}

/// The part's share of the whole; `nil` if the whole is empty.
func share(_ part: Int64, of whole: Int64) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }

extension InspectedStore {
  /// How many rows of a table have each number in `Z_ENT`; -1 counts nulls.
  ///
  /// The counting happens here, because without an index SQLite would sort all rows to group them.
  fileprivate func rowsByNumber(of table: String) throws(SQLiteError) -> [Int64: Int64] {
    let statement = try connection.prepare("SELECT ifnull(Z_ENT, -1) FROM \(table.sqlName)", isPersistent: false)
    var counts: [Int64: Int64] = [:]
    while try statement.step() { counts[statement.int64(0), default: 0] += 1 }
    return counts
  }

  /// The model's join tables that exist in the file.
  func joinTables() throws(SQLiteError) -> [StoreInspection.JoinTable] {
    var tables: [StoreInspection.JoinTable] = []
    for table in compiled.joinTables {
      guard let name = self.table(table.name) else { continue }
      let rows = try connection.scalar("SELECT count(*) FROM \(name.sqlName)") ?? 0
      let ends = [table.owner, table.inverse].map { "\(entities[$0.entityIndex].name).\($0.relationship)" }
      tables.append(StoreInspection.JoinTable(name: name, ends: table.isReflexive ? [ends[0]] : ends, rows: rows))
    }
    return tables
  }
}
