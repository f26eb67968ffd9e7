// The layout of a Core Data store, as SQL: entity tables, their indexes, and the bookkeeping tables.

/// The statements that make a new store for a model.
///
/// Names, column order and declared types are those of stores that Core Data wrote.
struct StoreSchema {
  let model: CompiledModel

  /// Everything after the pragmas, in the order of a fresh store: tables, indexes, bookkeeping.
  var statements: [String] {
    model.layouts.map(\.createTable) + model.layouts.flatMap(\.createUniqueIndexes) + [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]
      + model.layouts.map { layout in
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(layout.index + 1), '\(layout.entity.name)', 0, 0)"
      }
  }
}

extension EntityLayout {
  /// Column names after `Z_PK`, `Z_ENT`, `Z_OPT`, in order.
  var columnNames: [String] { columnOrder.map { attributes[$0].columnName } }

  fileprivate var createTable: String {
    let columns = columnOrder.map { "\(attributes[$0].columnName) \(attributes[$0].type.declaredType)" }
    let all = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + columns
    return "CREATE TABLE \(tableName) ( \(all.joined(separator: ", ")) )"
  }

  /// One unique index a constraint, named as Core Data names them since iOS 11.
  fileprivate var createUniqueIndexes: [String] {
    constraints.map { slots in
      let names = slots.map { attributes[$0].name }.joined(separator: "_")
      let columns = slots.map { "\(attributes[$0].columnName) COLLATE BINARY ASC" }.joined(separator: ", ")
      return "CREATE UNIQUE INDEX Z_\(entity.name)_UNIQUE_\(names) ON \(tableName) (\(columns))"
    }
  }
}
