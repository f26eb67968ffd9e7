// Reconstructs a model from the tables of a store that has no copy of its model.
internal import ObjectGraph
internal import CoreDataModel
internal import SQLiteDriver

/// The parts of the model that tables, columns and indexes show, with remarks about the rest.
struct SchemaModel {
  private let path: String
  private let file: StoreTables
  private let stored: [FileEntities.Entity]
  private let indexes: [String: [FileIndex]]
  private var entities: [Int: EntityDescription] = [:]
  private var remarks: [String] = []

  /// More than any real model has; a file with more is damaged.
  private static let mostEntities = 2_000
  private static let mostLevels = 64

  init(_ image: StoreImage) throws(CoreDataFileError) {
    path = image.path
    (file, stored, indexes) = try image.read { (connection) throws(SQLiteError) in
      let file = try StoreTables(connection)
      return (
        file, file.isStore ? try FileEntities(connection).entities : [], try FileIndex.all(connection)
      )
    }
    if !file.isStore { throw .noStore(path, found: "an SQLite database without these tables") }
  }

  /// The model and its remarks.
  ///
  /// - Throws: ``CoreDataFileError/damaged(path:found:)`` if the tables do not form a complete store.
  mutating func recovered() throws(CoreDataFileError) -> RecoveredModel {
    try addEntities()
    remarks += [
      "The store has no copy of its model: its tables give the names of properties in capital letters only, and neither "
        + "which attributes may be absent, nor defaults, rules, delete rules and the inverses of to-one relationships; "
        + "every property is taken as optional.",
      "Columns do not show narrower types: an INTEGER is taken as int64 (it may be any integer or a boolean), FLOAT as "
        + "double, VARCHAR as string (it may be a URI), BLOB as binary (it may be a UUID or transformable).",
    ]
    for root in stored where root.parent == 0 { try addColumns(of: root) }
    addJoinTables()
    let draft = ModelDraft(stored.compactMap { entities[$0.number] }, remarks: remarks)
    do throws(MalformedContent) {
      return try draft.recovered(.schema)
    } catch {
      throw .damaged(path, found: "tables that make no model (\(error.found))")
    }
  }

  // MARK: - Entities

  /// Reads names and inheritance from `Z_PRIMARYKEY`.
  private mutating func addEntities() throws(CoreDataFileError) {
    if stored.isEmpty { throw .damaged(path, found: "no entity in Z_PRIMARYKEY") }
    if stored.count > SchemaModel.mostEntities { throw .damaged(path, found: "\(stored.count) entities") }
    let byNumber = Dictionary(stored.map { ($0.number, $0) }) { first, _ in first }
    for entity in stored {
      var levels = 0
      var current = entity
      while current.parent != 0 {
        guard let parent = byNumber[current.parent] else {
          throw .damaged(
            path, found: "the entity \(current.name) under a super-entity \(current.parent) that is not there")
        }
        levels += 1
        if levels > SchemaModel.mostLevels {
          throw .damaged(path, found: "the entity \(entity.name) under super-entities without end")
        }
        current = parent
      }
      entities[entity.number] = EntityDescription(entity.name, superentity: byNumber[entity.parent]?.name)
    }
  }

  private func hasSubentities(_ number: Int) -> Bool { stored.contains { $0.parent == number } }

  // MARK: - Columns

  private mutating func addColumns(of root: FileEntities.Entity) throws(CoreDataFileError) {
    let table = "Z" + root.name.uppercased()
    guard let columns = file.columns[table] else {
      throw .damaged(path, found: "no table \(table) for the entity \(root.name)")
    }
    if hasSubentities(root.number) {
      remarks.append(
        "\(root.name) has sub-entities, and the table does not say which of them declares a property: all are taken as "
          + "\(root.name)'s.")
    }
    let names = Set(columns.map(\.name))
    for column in columns where !["Z_PK", "Z_ENT", "Z_OPT"].contains(column.name) {
      let isCompanion =
        column.name.hasPrefix("Z_FOK_") && names.contains("Z" + column.name.dropFirst(6))
        || NumberedName(column.name, prefix: "Z").map {
          $0.stem.hasPrefix("_") && names.contains("Z" + $0.stem.dropFirst())
        }
          == true
      if isCompanion { continue }
      let name = String(column.name.dropFirst())
      guard column.name.hasPrefix("Z"), ModelCheck.isValid(name), name == name.uppercased() else {
        remarks.append(
          "\(root.name): the column \(column.name) has no name that a property could have; it is left out.")
        continue
      }
      if let relationship = relationship(name, column, of: root, table, columns) {
        add(relationship, to: root)
      } else if let type = AttributeType(column: column.declaredType) {
        entities[root.number]?.attributes.append(AttributeDescription(name, type, isOptional: true))
      } else {
        remarks.append(
          "\(root.name): the column \(column.name) was declared as \(column.declaredType), which Core Data does not do; "
            + "it is left out.")
      }
    }
    addConstraints(of: root, table)
  }

  private mutating func addConstraints(of root: FileEntities.Entity, _ table: String) {
    for index in indexes[table] ?? [] where index.isUnique && !index.isPrimaryKey && !index.columns.isEmpty {
      let names = index.columns.map { String($0.dropFirst()) }
      guard names.allSatisfy({ entities[root.number]?.attribute(named: $0) != nil }),
        entities[root.number]?.uniquenessConstraints.contains(names) == false
      else { continue }
      entities[root.number]?.uniquenessConstraints.append(names)
    }
  }

  // MARK: - Relationships

  /// The to-one relationship that has its key in a column, if the destination can be determined.
  ///
  /// Each key has its own index. The name of its companion column contains the number of the destination; without a
  /// companion, the destination is the entity with the column's name.
  private mutating func relationship(
    _ name: String, _ column: StoreTables.Column, of entity: FileEntities.Entity, _ table: String,
    _ columns: [StoreTables.Column]
  ) -> RelationshipDescription? {
    let isKey = (indexes[table] ?? []).contains { $0.name == "\(table)_\(column.name)_INDEX" }
    guard isKey, column.declaredType == "INTEGER" else { return nil }
    let companions = columns.compactMap { NumberedName($0.name, prefix: "Z") }.filter { $0.stem == "_" + name }
    let numbered = companions.first.flatMap { companion in stored.first { $0.number == companion.number } }
    let named = companions.isEmpty ? stored.first { $0.name.uppercased() == name } : nil
    guard let destination = numbered.flatMap({ hasSubentities($0.number) ? $0 : nil }) ?? named else {
      remarks.append(
        "\(entity.name).\(name): the column \(column.name) has the index of a to-one relationship, and nothing says "
          + "where it leads; it is taken as an int64 attribute.")
      return nil
    }
    if let named {
      remarks.append(
        "\(entity.name).\(name): that the column \(column.name) is a relationship that leads to \(named.name) is known by "
          + "its index and its name alone.")
    }
    var relationship = RelationshipDescription(name, to: destination.name, inverse: nil)
    if columns.contains(where: { $0.name == "Z_FOK_" + name }) {
      let inverse = "\(entity.name)_\(name)".uppercased()
      relationship.inverseName = inverse
      entities[destination.number]?.relationships.append(
        RelationshipDescription(inverse, to: entity.name, inverse: name, isToMany: true, isOrdered: true))
      remarks.append(
        "\(destination.name).\(inverse): an ordered relationship leads back from \(entity.name).\(name); its name is not "
          + "in the store, this one is made up.")
    }
    return relationship
  }

  private mutating func add(_ relationship: RelationshipDescription, to entity: FileEntities.Entity) {
    entities[entity.number]?.relationships.append(relationship)
  }

  /// Adds many-to-many relationships: a join table's columns contain both names and the numbers of the destination
  /// entities.
  private mutating func addJoinTables() {
    for (table, columns) in file.columns.sorted(by: { $0.key < $1.key }) {
      let keys = columns.map(\.name).filter { !$0.hasPrefix("Z_FOK_") }
      guard NumberedName(table, prefix: "Z_") != nil, keys.count == 2 else { continue }
      let ends = keys.compactMap { NumberedName($0, prefix: "Z_") }
      let isReflexive = keys.contains("REFLEXIVE") && ends.count == 1
      guard let first = ends.first, let last = ends.last, ends.count == 2 || isReflexive,
        let firstDestination = stored.first(where: { $0.number == first.number }),
        let lastDestination = stored.first(where: { $0.number == last.number })
      else {
        remarks.append("The table \(table) joins entities that are not in the store; it is left out.")
        continue
      }
      let isOrdered = { (end: NumberedName) in
        columns.contains { $0.name == "Z_FOK_\(end.number)\(end.stem)" }
      }
      entities[lastDestination.number]?.relationships.append(
        RelationshipDescription(
          String(first.stem), to: firstDestination.name, inverse: String(last.stem), isToMany: true,
          isOrdered: isOrdered(first)))
      if isReflexive { continue }
      entities[firstDestination.number]?.relationships.append(
        RelationshipDescription(
          String(last.stem), to: lastDestination.name, inverse: String(first.stem), isToMany: true,
          isOrdered: isOrdered(last)))
    }
  }
}

extension AttributeType {
  /// The widest type for which Core Data declares a column like this; `nil` for other declarations.
  fileprivate init?(column declaredType: String) {
    switch declaredType {
    case "INTEGER": self = .int64
    case "FLOAT": self = .double
    case "DECIMAL": self = .decimal
    case "TIMESTAMP": self = .date
    case "VARCHAR": self = .string
    case "BLOB": self = .binary
    default: return nil
    }
  }
}

/// An index of a table in a file.
struct FileIndex: Sendable, Hashable {
  let table: String
  let name: String
  let isUnique: Bool
  /// Whether it is the table's primary key.
  let isPrimaryKey: Bool
  /// In the order of the index, without expressions.
  let columns: [String]

  /// The indexes of a file by table.
  static func all(_ connection: Connection) throws(SQLiteError) -> [String: [FileIndex]] {
    let statement = try connection.prepare(
      """
      SELECT m.name, i.name, i."unique", i.origin, c.name FROM sqlite_master m JOIN pragma_index_list(m.name) i \
      JOIN pragma_index_info(i.name) c WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, i.name, c.seqno
      """, isPersistent: false)
    var indexes: [String: [FileIndex]] = [:]
    while try statement.step() {
      let table = statement.string(0) ?? ""
      let name = statement.string(1) ?? ""
      var columns = statement.string(4).map { [$0] } ?? []
      // There is a row for each column: replace the last index by one with another column.
      if let last = indexes[table]?.last, last.name == name {
        columns = (indexes[table]?.popLast()?.columns ?? []) + columns
      }
      indexes[table, default: []].append(
        FileIndex(
          table: table, name: name, isUnique: statement.int64(2) != 0, isPrimaryKey: statement.string(3) == "pk",
          columns: columns))
    }
    return indexes
  }
}
