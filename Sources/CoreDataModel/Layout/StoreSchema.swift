// The schema of a Core Data store as SQL: entity tables, join tables, indexes and bookkeeping tables.

/// The statements that create a new store for a model.
///
/// Names, column order and declared types match stores written by Core Data.
package struct StoreSchema {
  package let model: CompiledModel
  /// The entities in the store.
  package var entities = StoreEntities.all

  package init(model: CompiledModel, entities: StoreEntities = .all) {
    self.model = model
    self.entities = entities
  }

  /// A table or an index; both share one namespace in SQLite.
  package struct Object {
    package let name: String
    package let sql: String
  }

  /// All statements after the pragmas, in the order of a fresh store: tables, indexes, bookkeeping.
  package var statements: [String] {
    (tables + indexes).map(\.sql) + [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ] + primaryKeyRows
  }

  /// Empty tables for the entities that are in other stores, visible only to one connection.
  ///
  /// Relationships connect only objects of the same store, so a predicate or delete rule that follows one into another
  /// store correctly finds nothing.
  package var standIns: [String] {
    if entities.isComplete { return [] }
    return model.tables.filter { !entities.contains($0.root) }.map { createTable($0, isTemporary: true) }
      + model.joinTables.filter { !entities.contains($0) }.map { createTable($0, isTemporary: true) }
  }

  /// The names that several tables or indexes would share, ignoring case.
  var nameClashes: [String] {
    var counts: [String: Int] = [:]
    let names = (tables + indexes).map(\.name)
    for name in names { counts[name.uppercased(), default: 0] += 1 }
    return names.filter { counts.removeValue(forKey: $0.uppercased()) ?? 0 > 1 }
  }

  private var heldTables: [EntityTable] { model.tables.filter { entities.contains($0.root) } }

  /// Each hierarchy's table, followed by the join tables that are named after its entities.
  private var tables: [Object] {
    heldTables.flatMap { table in
      [Object(name: table.name, sql: createTable(table))]
        + joinTables(of: table).map { Object(name: $0.name, sql: createTable($0)) }
    }
  }

  /// The indexes of entity tables and join tables.
  package var indexes: [Object] {
    let layouts = Dictionary(grouping: model.layouts, by: \.rootIndex)
    return heldTables.flatMap { table in
      let layouts = layouts[table.root] ?? []
      return keyIndexes(of: table) + layouts.flatMap(propertyIndexes(of:)) + joinTables(of: table).map(secondIndex(of:))
    }
  }

  private func joinTables(of table: EntityTable) -> [JoinTable] {
    model.joinTables.filter {
      model.layouts[$0.owner.entityIndex].rootIndex == table.root && entities.contains($0)
    }
  }

  // MARK: - Tables

  private func createTable(_ table: EntityTable, isTemporary: Bool = false) -> String {
    let columns =
      ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
      + table.columns.map { "\($0.name) \($0.declaredType)" }
    return "CREATE \(isTemporary ? "TEMP " : "")TABLE \(table.name) ( \(columns.joined(separator: ", ")) )"
  }

  private func createTable(_ table: JoinTable, isTemporary: Bool = false) -> String {
    let columns =
      (table.keyColumns + table.orderColumns).map { "\($0) INTEGER" }
      + ["PRIMARY KEY (\(table.keyColumns.joined(separator: ", ")))"]
    return "CREATE \(isTemporary ? "TEMP " : "")TABLE \(table.name) ( \(columns.joined(separator: ", ")) )"
  }

  private var heldLayouts: [EntityLayout] { model.layouts.filter { entities.contains($0.index) } }

  /// A row for every entity, including abstract ones; the root's row counts the keys.
  private var primaryKeyRows: [String] {
    heldLayouts.map { layout in
      let superentity = model.model.hierarchy.parents[layout.index].map { $0 + 1 } ?? 0
      return "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
        + "VALUES (\(layout.index + 1), '\(layout.entity.name)', \(superentity), 0)"
    }
  }

  // MARK: - Indexes

  /// An index on each to-one key, and one on the entity number if several entities share the table.
  private func keyIndexes(of table: EntityTable) -> [Object] {
    let keys = table.columns.filter { $0.role == .destinationKey }.map(\.name)
    let isShared = model.model.hierarchy.hasSubentities(table.root)
    return (keys + (isShared ? ["Z_ENT"] : [])).map { column in
      let name = "\(table.name)_\(column)_INDEX"
      return Object(name: name, sql: "CREATE INDEX \(name) ON \(table.name) (\(column))")
    }
  }

  /// The names of an entity's unique indexes that are missing from the file, and of the file's unique indexes that the
  /// model does not have.
  package func uniquenessDifferences(
    of layout: EntityLayout, indexes: [String]
  ) -> (missing: [String], others: [String]) {
    // Before 2017, Core Data put constraints into the table, where SQLite names the index itself.
    if indexes.contains(where: { $0.hasPrefix("sqlite_autoindex_\(layout.tableName)_") }) { return ([], []) }
    let wanted = layout.entity.uniquenessConstraints.map { uniqueIndexName($0, of: layout) }
    let stored = indexes.filter { $0.hasPrefix("Z_\(layout.entity.name)_UNIQUE_") }
    return (wanted.filter { !stored.contains($0) }, stored.filter { !wanted.contains($0) }.sorted())
  }

  /// The name of the index that enforces a constraint.
  package func uniqueIndexName(_ constraint: [String], of layout: EntityLayout) -> String {
    "Z_\(layout.entity.name)_UNIQUE_\(constraint.joined(separator: "_"))"
  }

  /// The unique indexes and fetch indexes that an entity declares, named as Core Data names them since iOS 11.
  ///
  /// A fetch index that duplicates a unique one is omitted.
  private func propertyIndexes(of layout: EntityLayout) -> [Object] {
    let unique = layout.entity.uniquenessConstraints.map { names in
      (name: uniqueIndexName(names, of: layout), columns: columns(names.map { .init($0) }, of: layout))
    }
    let fetch = layout.entity.fetchIndexes.map { (name: $0.name, columns: columns($0.elements, of: layout)) }
    let table = layout.tableName
    return unique.map { index in
      Object(name: index.name, sql: "CREATE UNIQUE INDEX \(index.name) ON \(table) (\(index.columns))")
    }
      + fetch.filter { index in !unique.contains { $0.columns == index.columns } }.map { index in
        let name = "Z_\(layout.entity.name)_\(index.name)"
        return Object(name: name, sql: "CREATE INDEX \(name) ON \(table) (\(index.columns))")
      }
  }

  private func columns(_ elements: [FetchIndexDescription.Element], of layout: EntityLayout) -> String {
    elements.compactMap { element in
      layout.slot(named: element.propertyName).map {
        "\(layout.columnName(of: $0)) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
      }
    }.joined(separator: ", ")
  }

  private func secondIndex(of table: JoinTable) -> Object {
    let (first, second) = (table.keyColumns[0], table.keyColumns[1])
    let name = "\(table.name)_\(second)_INDEX"
    return Object(name: name, sql: "CREATE INDEX \(name) ON \(table.name) (\(second), \(first))")
  }
}

/// The entities of a store, always in whole hierarchies.
package struct StoreEntities: Sendable {
  /// `nil` for all entities.
  private let indexes: Set<Int>?

  package static let all = StoreEntities(indexes: nil)

  /// `nil` selects all entities.
  package init(indexes: Set<Int>?) { self.indexes = indexes }

  /// Whether the store has a table for every entity of the model.
  package var isComplete: Bool { indexes == nil }

  @inline(__always)
  package func contains(_ entityIndex: Int) -> Bool { indexes?.contains(entityIndex) ?? true }

  /// Whether the store has the pairs of a many-to-many relationship, which requires both ends.
  package func contains(_ table: JoinTable) -> Bool {
    contains(table.owner.entityIndex) && contains(table.inverse.entityIndex)
  }
}
