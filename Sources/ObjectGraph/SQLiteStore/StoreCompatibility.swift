// Checks whether a file has what a model requires.
internal import CoreDataModel
internal import SQLiteDriver

/// Compares a model with the file of a store.
struct StoreCompatibility {
  let model: CompiledModel
  /// The entities for which the store is opened.
  let held: StoreEntities
  let names: StoreNameMapping
  /// The file's number of each entity; 0 for an entity that it does not have.
  let numbers: [Int]
  let file: StoreTables
  /// The names of all indexes of the file.
  let indexes: [String]
  /// A read-only store may use other names and may lack unique indexes.
  let isReadOnly: Bool

  /// The parts of the model that are missing in the file, or have another name or type there.
  func differences(_ schema: StoreSchema, _ connection: Connection) throws(SQLiteError) -> [String] {
    var differences: [String] = []
    for layout in model.layouts where held.contains(layout.index) {
      guard numbers[layout.index] != 0, let table = found(layout.tableName) else {
        differences.append("it has no entity \(layout.entity.name)")
        continue
      }
      let system = StoreTables.systemColumns.filter { file.column($0, of: table) == nil }
      differences += system.map { "\(table) has no column \($0)" }.filter { !differences.contains($0) }
      for column in layout.columns {
        let type = column.role.isProperty ? layout.types[column.slot].declaredType : "INTEGER"
        guard let difference = difference(column.name, of: layout.tableName, in: table, type),
          !differences.contains(difference)
        else { continue }
        differences.append(difference)
      }
    }
    if isReadOnly {
      if differences.isEmpty { differences += try wrongKeys(connection) }
    } else {
      differences += missingConstraints(schema)
    }
    for table in model.joinTables where held.contains(table) {
      guard let name = found(table.name) else {
        differences.append("it has no join table \(table.name)")
        continue
      }
      differences += (table.keyColumns + table.orderColumns).compactMap {
        difference($0, of: table.name, in: name, "INTEGER")
      }
    }
    return differences
  }

  /// The table's name in the file; a store opened for writing must have the model's name.
  private func found(_ table: String) -> String? {
    names.tables[table].flatMap { $0 == table || isReadOnly ? $0 : nil }
  }

  private func difference(_ column: String, of table: String, in name: String, _ type: String) -> String? {
    guard let found = names.columns[table]?[column].flatMap({ file.column($0, of: name) }),
      found.name == column || isReadOnly
    else { return "\(name) has no column \(column)" }
    if found.declaredType == type { return nil }
    return "\(name) has the column \(found.name) \(found.declaredType), expected \(type)"
  }

  private func missingConstraints(_ schema: StoreSchema) -> [String] {
    model.layouts.filter { held.contains($0.index) }
      .flatMap { schema.uniquenessDifferences(of: $0, indexes: indexes).missing }
      .map { "it has no uniqueness constraint \($0)" }
  }

  /// Tables with keys that no object can have: keys start at 1.
  private func wrongKeys(_ connection: Connection) throws(SQLiteError) -> [String] {
    var differences: [String] = []
    for name in Set(model.tables.filter { held.contains($0.root) }.compactMap { names.tables[$0.name] }).sorted() {
      if let key = try connection.scalar("SELECT min(Z_PK) FROM \(name.quotedForSQL)"), key < 1 {
        differences.append("\(name) has a row with the key \(key), expected keys from 1 on")
      }
    }
    return differences
  }
}
