// Views through which a read-only connection sees a Core Data file under the model's names.
internal import CoreDataModel

/// Temporary views that replace tables if their names, or their columns' names, differ between file and model.
///
/// SQLite finds temporary views first, and reads the table through the view as if it had the view's name, including its
/// indexes.
struct StoreCompatibilityViews {
  let model: CompiledModel
  let entities: StoreEntities
  let names: StoreNameMapping
  let file: StoreTables

  /// The views of entity tables and join tables, except for tables that have the model's names in the file.
  var statements: [String] {
    let entityTables = model.tables.filter { entities.contains($0.root) }.compactMap(view(of:))
    return entityTables + model.joinTables.filter { entities.contains($0) }.compactMap(view(of:))
  }

  private func view(of table: EntityTable) -> String? {
    let found = names.columns[table.name] ?? [:]
    let companions = table.columns.filter { $0.role == .destinationEntity }
    let isAsNamed = table.columns.allSatisfy { found[$0.name] == $0.name }
    if isAsNamed && companions.isEmpty && names.tables[table.name] == table.name { return nil }
    let system = ["Z_PK", "Z_ENT", "Z_OPT"].map { "t.\($0)" }
    let columns = table.columns.compactMap { column in
      found[column.name].map { name in
        let value = column.role == .destinationEntity ? companion(column, name, of: table) : "t.\(name.quotedForSQL)"
        return "\(value) AS \(column.name)"
      }
    }
    return view(table.name, system + columns)
  }

  /// The entity number of a key's row.
  ///
  /// Core Data sometimes omits it; it is then taken from the row itself.
  private func companion(_ column: TableColumn, _ name: String, of table: EntityTable) -> String {
    let value = "t.\(name.quotedForSQL)"
    let key = table.column(.destinationKey, of: column.property, declaredBy: column.entityIndex)
    guard let key = key.flatMap({ names.columns[table.name]?[$0] }),
      let slot = model.layouts[column.entityIndex].slot(named: column.property),
      let toOne = model.layouts[column.entityIndex].slots[slot].toOne,
      let destination = names.tables[toOne.destinationTable]
    else { return value }
    let row = "SELECT d.Z_ENT FROM main.\(destination.quotedForSQL) d WHERE d.Z_PK = t.\(key.quotedForSQL)"
    return "CASE WHEN \(value) IS NULL THEN (\(row)) ELSE \(value) END"
  }

  private func view(of table: JoinTable) -> String? {
    let found = names.columns[table.name] ?? [:]
    let columns = table.keyColumns + table.orderColumns
    if names.tables[table.name] == table.name && columns.allSatisfy({ found[$0] == $0 }) { return nil }
    return view(table.name, columns.compactMap { column in found[column].map { "t.\($0.quotedForSQL) AS \(column)" } })
  }

  private func view(_ table: String, _ columns: [String]) -> String? {
    names.tables[table].map {
      "CREATE TEMP VIEW \(table) AS SELECT \(columns.joined(separator: ", ")) FROM main.\($0.quotedForSQL) t"
    }
  }

  // MARK: - History

  /// Parts of history that the file lacks, as nulls: before 2018 there was no table of strings, and the model may keep
  /// more values of deleted objects than the store's.
  var historyStatements: [String] {
    HistorySchema(model).tables.compactMap { table in
      guard let columns = file.columns[table.name] else {
        return "CREATE TEMP TABLE \(table.name) ( \(table.columns.joined(separator: ", ")) )"
      }
      let missing = table.columnNames.filter { name in !columns.contains { $0.name == name } }
      if missing.isEmpty { return nil }
      let nulls = missing.map { "NULL AS \($0)" }.joined(separator: ", ")
      return "CREATE TEMP VIEW \(table.name) AS SELECT t.*, \(nulls) FROM main.\(table.name) t"
    }
  }
}
