// How an entity table's rows come from a table of the source: the source of each column, for each entity.
internal import CoreDataModel

/// A table of the destination model with the columns that provide its values.
struct TableMigration {
  /// An entity that has rows in the table before and after.
  struct Entity {
    let index: Int
    let oldNumber: Int
    let newNumber: Int
  }

  struct Column {
    let column: TableColumn
    /// The file's column by the index of the destination entity; without entities that did not have the property.
    let origins: [Int: String]
    /// SQL for the value of rows that have none, by the index of the entity.
    let fills: [Int: String]
  }

  let table: EntityTable
  /// The file's table; `nil` if no entity of the table is in the source.
  let origin: String?
  let entities: [Entity]
  let columns: [Column]
  /// The numbers of removed entities with rows in the file's table.
  let removedNumbers: [Int]
  /// Columns that the destination does not have and that remain in the file's table to be removed, if the table stays.
  let deferredColumns: [String]
  /// Columns of the file's table that the source model does not know; they stay.
  let unknownColumns: [StoreTables.Column]
  /// Whether the file's table can stay, with columns only renamed and added.
  let isInPlace: Bool

  var name: String { table.name }

  /// The columns in the order of the file's table, followed by added ones.
  var orderedColumns: [Column] { kept + columns.filter { $0.origins.isEmpty } }

  private let kept: [Column]

  init(
    _ table: EntityTable, matching: ModelMatching, file: SourceFile, isSplit: Bool, removedNumbers: [Int],
    pending: Set<String>, defers: Bool
  ) {
    let destination = matching.destination
    let family = destination.model.hierarchy.family(of: table.root)
    let entities = family.flatMap { index -> [Entity] in
      guard let source = matching.sources[index], !file.model.layouts[source].entity.isAbstract else { return [] }
      return [Entity(index: index, oldNumber: file.numbers[source], newNumber: index + 1)]
    }
    let origin = family.compactMap { matching.sources[$0] }.first.flatMap(file.table(of:))
    let columns = table.columns.map { Column($0, matching, file) }
    let fileColumns = origin.flatMap { file.tables.columns[$0] } ?? []
    let fileOrder = Dictionary(fileColumns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    self.table = table
    self.origin = origin
    self.entities = entities
    self.columns = columns
    self.removedNumbers = removedNumbers
    func position(_ column: Column) -> Int { column.origins.values.compactMap { fileOrder[$0] }.min() ?? .max }
    kept = columns.filter { !$0.origins.isEmpty }.sorted { position($0) < position($1) }
    let sourceTable = family.compactMap { matching.sources[$0] }.first.flatMap { file.model.table(of: $0) }
    let modelColumns =
      sourceTable.map { table in
        table.columns.compactMap { column in file.names.columns[table.name]?[column.name].map { (column, $0) } }
      } ?? []
    let known = Set(modelColumns.map(\.1) + StoreTables.systemColumns)
    let unknown = fileColumns.filter { !known.contains($0.name) }
    let names = Set(columns.map(\.column.name))
    // A copy leaves out columns that remain to be removed.
    unknownColumns = isSplit ? [] : unknown.filter { !names.contains($0.name) && !pending.contains($0.name) }
    let origins = Set(columns.flatMap(\.origins.values))
    let removed = defers ? modelColumns.filter { !origins.contains($0.1) } : []
    deferredColumns = removed.map(\.1) + unknown.map(\.name).filter(pending.contains)
    isInPlace =
      !isSplit && !(origin.map(file.decoratedTables.contains) ?? false)
      && TableMigration.isInPlace(
        columns, modelColumns.filter { column in !removed.contains { $0.1 == column.1 } }, entities, matching)
      && names.isDisjoint(with: unknown.map(\.name) + deferredColumns)
  }

  /// Whether each column of the file becomes one column of the table, for all entities with values in it.
  private static func isInPlace(
    _ columns: [Column], _ fileColumns: [(column: TableColumn, name: String)], _ entities: [Entity],
    _ matching: ModelMatching
  ) -> Bool {
    var users: [String: Column] = [:]
    for column in columns {
      let origins = Set(column.origins.values)
      guard origins.count <= 1 else { return false }
      if let origin = origins.first, users.updateValue(column, forKey: origin) != nil { return false }
    }
    return fileColumns.allSatisfy { fileColumn in
      guard let user = users[fileColumn.name] else { return false }
      return entities.allSatisfy { entity in
        guard let source = matching.sources[entity.index],
          matching.source.model.hierarchy.family(of: fileColumn.column.entityIndex).contains(source)
        else { return true }
        return user.origins[entity.index] == fileColumn.name
      }
    }
  }
}

extension TableMigration.Column {
  init(_ column: TableColumn, _ matching: ModelMatching, _ file: SourceFile) {
    var origins: [Int: String] = [:]
    var fills: [Int: String] = [:]
    for entity in matching.populated(column.entityIndex) {
      if column.role == .value {
        let attribute = matching.attribute(column.property, of: entity)
        if let attribute, let source = matching.sources[entity],
          let declarer = file.model.declarer(of: attribute.name, of: source)
        {
          origins[entity] = file.column(.value, of: attribute.name, declaredBy: declarer)
        }
        let layout = matching.destination.layouts[entity]
        guard let wanted = layout.slot(named: column.property).map({ layout.attributes[$0] }) else { continue }
        let isRequiredAnew = !wanted.isOptional && attribute?.isOptional ?? true
        if attribute == nil || isRequiredAnew { fills[entity] = wanted.defaultSQL }
      } else if let (declarer, relationship) = matching.relationship(column.property, of: entity),
        !relationship.isToMany
      {
        origins[entity] = file.column(column.role, of: relationship.name, declaredBy: declarer)
      }
    }
    self.column = column
    self.origins = origins
    self.fills = fills
  }
}

extension AttributeDescription {
  /// The default as an SQL literal; `nil` for none.
  fileprivate var defaultSQL: String? {
    defaultValue.conformed(to: type).flatMap { $0.isStoredAsNull ? nil : $0.literal }
  }
}
