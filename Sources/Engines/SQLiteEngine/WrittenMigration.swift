// The statements of a hand-written migration, derived from the layouts of two versions of a model before the
// measurement.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph
internal import SQLiteDriver

/// A migration of a store as SQL.
struct WrittenMigration {
  /// How the columns of a table are changed.
  enum Manner {
    /// Its rows are copied into a new table, which replaces it.
    case copying
    /// It is altered, column by column.
    case altering
  }

  private(set) var statements: [String] = []
  /// An entity's new number, as SQL over `Z_ENT`; `nil` if each keeps its own.
  private let number: String?
  private let former: [String: StoredEntity]

  /// Computes the statements.
  init(from model: ManagedObjectModel, to version: ManagedObjectModel, _ manner: Manner) throws {
    let (old, new) = (try Layout(of: model), try Layout(of: version))
    former = Dictionary(model.storedEntities.map { ($0.name, $0) }) { first, _ in first }
    let renumbered = old.entities.compactMap { entity in
      new.entities.first { $0.name == entity.name && $0.number != entity.number }.map {
        (old: entity.number, new: $0.number)
      }
    }
    let cases = renumbered.map { "WHEN \($0.old) THEN \($0.new)" }.joined(separator: " ")
    number = renumbered.isEmpty ? nil : "CASE Z_ENT \(cases) ELSE Z_ENT END"
    let changed = old.indexes.filter { new.indexes[$0.key]?.sql != $0.value.sql && new.tables[$0.value.table] != nil }
    // Indexed columns cannot be dropped.
    statements = changed.keys.sorted().map { "DROP INDEX \($0)" }
    let renewed = changeTables(old, new, version, manner)
    for (name, index) in new.indexes.sorted(by: { $0.key < $1.key })
    where old.indexes[name]?.sql != index.sql || renewed.contains(index.table) { statements.append(index.sql) }
    changeKeys(old, new)
    statements.append("UPDATE Z_METADATA SET Z_PLIST = \(WrittenMigration.literal(new.metadata))")
  }

  /// Drops, creates and changes tables, and returns those that then lack their indexes.
  private mutating func changeTables(
    _ old: Layout, _ new: Layout, _ version: ManagedObjectModel, _ manner: Manner
  ) -> Set<String> {
    var renewed: Set<String> = []
    for table in old.tables.keys.sorted() where new.tables[table] == nil { statements.append("DROP TABLE \(table)") }
    for (name, after) in new.tables.sorted(by: { $0.key < $1.key }) {
      guard let before = old.tables[name] else {
        statements.append(after.sql)
        continue
      }
      let isRenumbered = number != nil && name != Layout.keys && after.columns.contains { $0.name == "Z_ENT" }
      guard before.sql != after.sql || changes(after, version) || isRenumbered else { continue }
      switch manner {
      case .copying:
        copy(after, from: before, version)
        renewed.insert(name)
      case .altering:
        if let number, isRenumbered { statements.append("UPDATE \(name) SET Z_ENT = \(number)") }
        let values = values(of: after, from: before, version)
        let replaced = before.columns.map(\.name).filter { column in
          values.contains { $0.column == column && $0.origin != column } && !values.contains { $0.origin == column }
        }
        if !replaced.isEmpty {
          // Their indexes may look the same afterwards, but belong to other columns.
          for (index, value) in old.indexes.sorted(by: { $0.key < $1.key })
          where value.table == name && new.indexes[index]?.sql == value.sql { statements.append("DROP INDEX \(index)") }
          renewed.insert(name)
        }
        alter(after, from: before, values, replaced: replaced)
      }
    }
    return renewed
  }

  /// Numbers the entities as a new store does.
  private mutating func changeKeys(_ old: Layout, _ new: Layout) {
    for entity in old.entities where !new.entities.contains(where: { $0.name == entity.name }) {
      statements.append("DELETE FROM \(Layout.keys) WHERE Z_NAME = '\(entity.name)'")
    }
    if let number {
      // Entity numbers are keys and may be swapped, so change each one through an unused number.
      statements.append("UPDATE \(Layout.keys) SET Z_ENT = -(\(number))")
      statements.append("UPDATE \(Layout.keys) SET Z_ENT = -Z_ENT")
    }
    for entity in new.entities where !old.entities.contains(where: { $0.name == entity.name }) {
      statements.append(
        "INSERT INTO \(Layout.keys) (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
          + "VALUES (\(entity.number), '\(entity.name)', \(entity.superentity), 0)")
    }
  }

  /// Whether values change in a table with unchanged columns.
  private func changes(_ table: Layout.Table, _ version: ManagedObjectModel) -> Bool {
    version.storedEntities.contains { entity in
      entity.tableName == table.name && entity.attributes.contains { isRequiredAnew($0, of: entity) }
    }
  }

  private func isRequiredAnew(_ attribute: AttributeDescription, of entity: StoredEntity) -> Bool {
    guard let origin = origin(of: attribute, entity) else { return false }
    return origin.isOptional && !attribute.isOptional
  }

  /// The attribute in the previous version; `nil` if it is new.
  private func origin(of attribute: AttributeDescription, _ entity: StoredEntity) -> AttributeDescription? {
    former[entity.name]?.attributes.first { $0.name == attribute.renamingIdentifier ?? attribute.name }
  }

  /// Where the values of a column come from.
  private struct Values {
    let column: String
    /// The column of the previous table; `nil` if there is none.
    let origin: String?
    /// The value for rows without one, as SQL; `nil` for none.
    var fallback: String?

    /// The value as SQL over the previous table.
    var sql: String {
      guard let origin else { return fallback ?? "NULL" }
      return fallback.map { "coalesce(\(origin), \($0))" } ?? origin
    }
  }

  /// Where the values of each column of a table come from.
  private func values(
    of table: Layout.Table, from before: Layout.Table, _ version: ManagedObjectModel
  ) -> [Values] {
    let entity = version.storedEntities.first { $0.tableName == table.name }
    return table.columns.map { column in
      if let entity, let position = entity.columnNames.firstIndex(of: column.name) {
        let attribute = entity.attributes[position]
        let origin = origin(of: attribute, entity).flatMap { former[entity.name]?.columnName(of: $0.name) }
        let isNeeded = origin == nil || isRequiredAnew(attribute, of: entity)
        return Values(column: column.name, origin: origin, fallback: isNeeded ? literal(attribute) : nil)
      }
      return Values(column: column.name, origin: before.columns.contains { $0.name == column.name } ? column.name : nil)
    }
  }

  /// An attribute's default as an SQL literal.
  private func literal(_ attribute: AttributeDescription) -> String? {
    let value = StoredValue(attribute.defaultValue, type: attribute.type)
    if let integer = value.integer { return "\(integer)" }
    if let real = value.real { return "\(real)" }
    if let text = value.text {
      return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
    return value.blob.map(WrittenMigration.literal)
  }

  /// Bytes as an SQL literal.
  private static func literal(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }

  private mutating func copy(
    _ table: Layout.Table, from before: Layout.Table, _ version: ManagedObjectModel
  ) {
    let new = "Z_NEW_\(table.name)"
    let values = values(of: table, from: before, version)
    statements += [
      table.sql.replacing(table.name, with: new, maxReplacements: 1),
      "INSERT INTO \(new) (\(values.map(\.column).joined(separator: ", "))) "
        + "SELECT \(values.map { $0.column == "Z_ENT" ? number ?? $0.sql : $0.sql }.joined(separator: ", ")) FROM \(before.name)",
      "DROP TABLE \(before.name)", "ALTER TABLE \(new) RENAME TO \(table.name)",
    ]
  }

  /// Changes a table column by column, beginning with columns that give up their names to other columns.
  private mutating func alter(
    _ table: Layout.Table, from before: Layout.Table, _ values: [Values], replaced: [String]
  ) {
    func drop(_ columns: [String]) {
      for column in columns { statements.append("ALTER TABLE \(table.name) DROP COLUMN \(column)") }
    }
    drop(replaced)
    for value in values {
      guard let origin = value.origin, origin != value.column else { continue }
      statements.append("ALTER TABLE \(table.name) RENAME COLUMN \(origin) TO \(value.column)")
    }
    for value in values {
      let column = value.column
      if value.origin == nil {
        let type = table.columns.first { $0.name == column }?.type ?? ""
        let fallback = value.fallback.map { " DEFAULT \($0)" } ?? ""
        statements.append("ALTER TABLE \(table.name) ADD COLUMN \(column) \(type)\(fallback)")
      } else if let fallback = value.fallback {
        statements.append("UPDATE \(table.name) SET \(column) = \(fallback) WHERE \(column) IS NULL")
      }
    }
    drop(
      before.columns.map(\.name).filter { column in
        !values.contains { $0.origin == column } && !replaced.contains(column)
      })
  }
}

/// The layout of a new store of a model.
private struct Layout {
  struct Table {
    let name: String
    let sql: String
    var columns: [(name: String, type: String)] = []
  }

  struct Entity {
    let number: Int64
    let name: String
    let superentity: Int64
  }

  /// The table that counts the keys of each entity.
  static let keys = "Z_PRIMARYKEY"

  var tables: [String: Table] = [:]
  var indexes: [String: (table: String, sql: String)] = [:]
  var entities: [Entity] = []
  var metadata: [UInt8] = []

  init(of model: ManagedObjectModel) throws {
    let store = try Connection(path: ":memory:")
    try model.makeEmptyLayout(over: store)
    let schema = try store.prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL", isPersistent: false)
    while try schema.step() {
      let (name, sql) = (schema.string(1) ?? "", schema.string(3) ?? "")
      if schema.string(0) == "table" { tables[name] = Table(name: name, sql: sql) }
      if schema.string(0) == "index" { indexes[name] = (schema.string(2) ?? "", sql) }
    }
    let columns = try store.prepare(
      "SELECT m.name, c.name, c.type FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' "
        + "ORDER BY m.name, c.cid", isPersistent: false)
    while try columns.step() {
      tables[columns.string(0) ?? ""]?.columns.append((columns.string(1) ?? "", columns.string(2) ?? ""))
    }
    let keys = try store.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT", isPersistent: false)
    while try keys.step() {
      entities.append(Entity(number: keys.int64(0), name: keys.string(1) ?? "", superentity: keys.int64(2)))
    }
    let plist = try store.prepare("SELECT Z_PLIST FROM Z_METADATA", isPersistent: false)
    if try plist.step() { metadata = plist.bytes(0).map(Array.init) ?? [] }
    plist.reset()
    try store.close()
  }
}
