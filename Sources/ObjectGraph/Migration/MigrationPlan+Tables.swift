// Entity tables in a plan: changed in place if SQLite can, otherwise copied; and the indexes of both.
internal import CoreDataModel

extension MigrationPlan {
  mutating func make(_ table: TableMigration) {
    if table.origin == nil {
      add(createTable(table))
    } else if table.isInPlace {
      changeInPlace(table)
    } else {
      copy(table)
    }
    let abstract = table.entities.filter { matching.destination.layouts[$0.index].entity.isAbstract }
    for entity in abstract {
      add(
        Check(
          entity: matching.destination.layouts[entity.index].entity.name, property: nil,
          sql: "SELECT count(*) FROM \(table.name) WHERE Z_ENT = \(entity.newNumber)",
          found: "objects of an entity that is abstract now",
          expected: "none: delete them before, or let the entity have objects"))
    }
  }

  private func createTable(_ table: TableMigration) -> String {
    let columns =
      ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
      + table.orderedColumns.map { "\($0.column.name) \($0.column.declaredType)" }
      + table.unknownColumns.map { "\($0.name.quotedForSQL) \($0.declaredType)" }
    return "CREATE TABLE \(table.name) ( \(columns.joined(separator: ", ")) )"
  }

  // MARK: - In place

  /// Renames and adds columns, which costs the same for any number of rows, and then changes values if the model
  /// requires that.
  private mutating func changeInPlace(_ table: TableMigration) {
    if let origin = table.origin, origin != table.name {
      add("ALTER TABLE \(current(origin)) RENAME TO \(table.name)")
      unpark(origin, as: table.name)
    }
    renameColumns(table)
    let isAlone = matching.destination.model.hierarchy.family(of: table.table.root).count == 1
    for column in table.columns where column.origins.isEmpty {
      let fill = isAlone ? column.fills.values.first.flatMap { $0.hasPrefix("CAST") ? nil : $0 } : nil
      // If a table has only one entity, a new column can have its default in the schema: no row is written.
      let defaultValue = fill.map { " DEFAULT \($0)" } ?? ""
      add("ALTER TABLE \(table.name) ADD COLUMN \(column.column.name) \(column.column.declaredType)\(defaultValue)")
    }
    if !table.removedNumbers.isEmpty {
      add("DELETE FROM \(table.name) WHERE Z_ENT IN (\(list(table.removedNumbers)))")
    }
    renumber(table)
    for column in table.columns {
      if isAlone && column.origins.isEmpty && !column.fills.values.contains(where: { $0.hasPrefix("CAST") }) {
        continue
      }
      for (value, entities) in Dictionary(grouping: column.fills.keys, by: { column.fills[$0] ?? "NULL" })
        .sorted(by: { $0.key < $1.key })
      {
        let name = column.column.name
        let isAll = table.entities.allSatisfy { entities.contains($0.index) }
        let condition =
          (isAll ? [] : ["Z_ENT IN (\(list(entities.map { $0 + 1 }.sorted())))"]) + ["\(name) IS NULL"]
        add("UPDATE \(table.name) SET \(name) = \(value) WHERE \(condition.joined(separator: " AND "))")
      }
    }
  }

  private mutating func renameColumns(_ table: TableMigration) {
    let renamed = table.columns.compactMap { column in
      column.origins.values.first.flatMap { $0 == column.column.name ? nil : (from: $0, to: column.column.name) }
    }
    // Two tables may swap names, so each is first renamed to an unused name.
    let old = Set(renamed.map(\.from))
    var waiting: [(from: String, to: String)] = []
    for (from, to) in renamed {
      if old.contains(to) {
        let temporary = "Z_MIGRATION_\(waiting.count + 1)"
        add("ALTER TABLE \(table.name) RENAME COLUMN \(from.quotedForSQL) TO \(temporary)")
        waiting.append((temporary, to))
      } else {
        add("ALTER TABLE \(table.name) RENAME COLUMN \(from.quotedForSQL) TO \(to)")
      }
    }
    for (from, to) in waiting { add("ALTER TABLE \(table.name) RENAME COLUMN \(from) TO \(to)") }
  }

  /// Sets the new entity numbers in rows and in the companions of keys.
  private mutating func renumber(_ table: TableMigration) {
    var changes: [(column: String, value: String, numbers: [Int])] = []
    if let value = renumbered("Z_ENT", table.entities.map { ($0.oldNumber, $0.newNumber) }) {
      changes.append(("Z_ENT", value.sql, value.numbers))
    }
    for column in table.columns where column.column.role == .destinationEntity && !column.origins.isEmpty {
      guard let value = renumbered(column.column.name, destinationNumbers(column.column)) else { continue }
      changes.append((column.column.name, value.sql, value.numbers))
    }
    if changes.isEmpty { return }
    let values = changes.map { "\($0.column) = \($0.value)" }.joined(separator: ", ")
    let condition = changes.map { "\($0.column) IN (\(list($0.numbers)))" }.joined(separator: " OR ")
    add("UPDATE \(table.name) SET \(values) WHERE \(condition)")
  }

  /// The old and new numbers of the entities that a column of entity numbers can contain.
  private func destinationNumbers(_ column: TableColumn) -> [(Int, Int)] {
    let hierarchy = matching.destination.model.hierarchy
    guard let (_, relationship) = hierarchy.relationship(named: column.property, of: column.entityIndex),
      let target = hierarchy.index(of: relationship.destinationEntityName)
    else { return [] }
    return hierarchy.family(of: target).compactMap { index in
      matching.sources[index].map { (file.numbers[$0], index + 1) }
    }
  }

  private func renumbered(_ column: String, _ numbers: [(Int, Int)]) -> (sql: String, numbers: [Int])? {
    let changed = numbers.filter { $0.0 != $0.1 }.sorted { $0.0 < $1.0 }
    if changed.isEmpty { return nil }
    let cases = changed.map { "WHEN \($0.0) THEN \($0.1)" }.joined(separator: " ")
    return ("CASE \(column) \(cases) ELSE \(column) END", changed.map(\.0))
  }

  // MARK: - Copies

  private mutating func copy(_ table: TableMigration) {
    add(createTable(table))
    guard let origin = table.origin, !table.entities.isEmpty else { return }
    let columns = table.orderedColumns
    let names =
      StoreTables.systemColumns + columns.map(\.column.name) + table.unknownColumns.map(\.name.quotedForSQL)
    let number = renumbered("Z_ENT", table.entities.map { ($0.oldNumber, $0.newNumber) })?.sql ?? "Z_ENT"
    let values =
      [number, "Z_OPT"] + columns.map { value(of: $0, in: table) }
      + table.unknownColumns.map(\.name.quotedForSQL)
    let place = "FROM \(current(origin)) WHERE Z_ENT IN (\(list(table.entities.map(\.oldNumber)))) ORDER BY Z_PK"
    add(copyOf: origin) { key in
      "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) SELECT "
        + "\(([key] + values).joined(separator: ", ")) \(place)"
    }
  }

  /// The value of a column in a copy, which may come from different columns for different entities.
  private func value(of column: TableMigration.Column, in table: TableMigration) -> String {
    let values = table.entities.map { entity -> (number: Int, value: String) in
      let fill = column.fills[entity.index]
      guard let origin = column.origins[entity.index]?.quotedForSQL else { return (entity.oldNumber, fill ?? "NULL") }
      if column.column.role == .destinationEntity {
        return (entity.oldNumber, renumbered(origin, destinationNumbers(column.column))?.sql ?? origin)
      }
      return (entity.oldNumber, fill.map { "coalesce(\(origin), \($0))" } ?? origin)
    }
    let groups = Dictionary(grouping: values, by: \.value).sorted { $0.key < $1.key }
    if groups.count <= 1 { return groups.first?.key ?? "NULL" }
    let cases = groups.filter { $0.key != "NULL" }.map { value, entities in
      "WHEN Z_ENT IN (\(list(entities.map(\.number)))) THEN \(value)"
    }
    return "CASE \(cases.joined(separator: " ")) END"
  }

  func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

  // MARK: - Indexes

  /// Drops indexes of remaining tables that the destination does not have, or has on other columns.
  ///
  /// The index of a table to be removed is removed together with the table.
  mutating func dropChangedIndexes(_ joins: [JoinMigration], besides waiting: Set<String>) {
    let known = Set(
      StoreSchema(model: file.model, entities: file.held).indexes.map(\.name) + schema.indexes.map(\.name))
    let kept = keptIndexes(joins)
    for index in file.indexes
    where known.contains(index.name) && !kept.contains(index.name) && !waiting.contains(index.table) {
      add("DROP INDEX \(index.name.quotedForSQL)")
    }
  }

  /// The file's indexes that the destination also has, once tables and columns have their new names.
  ///
  /// Unique indexes over filled columns are created again, to detect duplicate values.
  private func keptIndexes(_ joins: [JoinMigration]) -> Set<String> {
    let wanted = Dictionary(schema.indexes.map { ($0.name, tokens($0.sql, [:])) }) { first, _ in first }
    var renamings: [String: [String: String]] = [:]
    var filled: [String: Set<String>] = [:]
    for table in tables where table.isInPlace {
      guard let origin = table.origin else { continue }
      filled[origin] = Set(table.columns.filter { !$0.fills.isEmpty }.map(\.column.name))
      var names = [origin: table.name]
      for column in table.columns {
        if let old = column.origins.values.first { names[old] = column.column.name }
      }
      renamings[origin] = names
    }
    for join in joins where join.isUnchanged { renamings[join.table.name] = [:] }
    return Set(
      file.indexes.filter { index in
        guard let names = renamings[index.table] else { return false }
        let words = tokens(index.sql, names)
        if words.contains("UNIQUE"), !(filled[index.table] ?? []).isDisjoint(with: words) { return false }
        return wanted[index.name] == words
      }.map(\.name))
  }

  /// The words of a statement without quotes, with new names for old ones; the name of the index itself stays.
  private func tokens(_ sql: String, _ names: [String: String]) -> [String] {
    let words = sql.sqlWords
    let isNamed = words.firstIndex(of: "INDEX").map { $0 + 1 }
    return words.enumerated().map { $0 == isNamed ? $1 : names[$1] ?? $1 }
  }

  mutating func makeIndexes(_ joins: [JoinMigration]) {
    let kept = keptIndexes(joins)
    let constraints = schema.model.layouts.flatMap { layout in
      layout.entity.uniquenessConstraints.map { (schema.uniqueIndexName($0, of: layout), layout.entity.name, $0) }
    }
    for index in schema.indexes where !kept.contains(index.name) {
      if let (_, entity, constraint) = constraints.first(where: { $0.0 == index.name }) {
        add(UniqueIndex(entity: entity, constraint: constraint, sql: index.sql))
      } else {
        add(index.sql)
      }
    }
  }
}
