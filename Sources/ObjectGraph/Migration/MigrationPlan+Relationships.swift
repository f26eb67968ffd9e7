// Relationships in a plan: join tables, the columns next to keys, and keys of deleted rows.
internal import CoreDataModel

/// A join table of the destination model, with the source relationships that provide its pairs.
struct JoinMigration {
  /// The location of pairs in the file.
  struct Origin: Hashable {
    let table: String
    /// The columns with the keys of the owner relationship's objects, and of the objects that have the relationship.
    let destinationColumn: String
    let sourceColumn: String
    /// The columns of positions, by the ends of the destination's table.
    let ownerOrder: String?
    let inverseOrder: String?
    let condition: String

    /// The same pairs from the inverse relationship's perspective.
    var reversed: Origin {
      Origin(
        table: table, destinationColumn: sourceColumn, sourceColumn: destinationColumn, ownerOrder: inverseOrder,
        inverseOrder: ownerOrder, condition: condition)
    }
  }

  let table: JoinTable
  let origins: [Origin]
  /// Whether the file already has the table in its final form.
  let isUnchanged: Bool
}

extension MigrationPlan {
  var joinMigrations: [JoinMigration] {
    schema.model.joinTables.filter { schema.entities.contains($0) }.map { table in
      var origins = self.origins(of: table.owner) { _ in true }
      // The owner has the pairs of both ends, except those of a relationship without an inverse.
      for origin in self.origins(of: table.inverse, where: { $0.inverseName == nil }) {
        origins.append(origin.reversed)
      }
      let columns = Set((file.tables.columns[table.name] ?? []).map(\.name))
      let isUnchanged =
        origins.count == 1 && origins[0].table == table.name && origins[0].destinationColumn == table.owner.column
        && origins[0].sourceColumn == table.inverse.column && origins[0].ownerOrder == table.owner.orderColumn
        && origins[0].inverseOrder == table.inverse.orderColumn
        && columns == Set(table.keyColumns + table.orderColumns)
      return JoinMigration(table: table, origins: origins, isUnchanged: isUnchanged)
    }
  }

  /// The locations in the file of the pairs of source relationships that become one end of a join table.
  private func origins(
    of end: JoinTable.End, where isIncluded: (RelationshipDescription) -> Bool
  ) -> [JoinMigration.Origin] {
    var origins: [JoinMigration.Origin] = []
    for entity in matching.destination.model.hierarchy.family(of: end.entityIndex) {
      guard let (declarer, relationship) = matching.relationship(end.relationship, of: entity),
        isIncluded(relationship),
        let origin = origin(of: relationship, declaredBy: declarer), !origins.contains(origin)
      else { continue }
      origins.append(origin)
    }
    return origins
  }

  /// The location in the file of the pairs of a source relationship, with that relationship as the owner.
  private func origin(
    of relationship: RelationshipDescription, declaredBy declarer: Int
  ) -> JoinMigration.Origin? {
    guard let fileTable = file.table(of: declarer) else { return nil }
    if !relationship.isToMany {
      guard let key = file.column(.destinationKey, of: relationship.name, declaredBy: declarer) else { return nil }
      return JoinMigration.Origin(
        table: fileTable, destinationColumn: key, sourceColumn: "Z_PK", ownerOrder: nil,
        inverseOrder: file.column(.order, of: relationship.name, declaredBy: declarer),
        condition: "\(key.quotedForSQL) NOT NULL")
    }
    let hierarchy = file.model.model.hierarchy
    guard let inverse = relationship.inverseName, let target = hierarchy.index(of: relationship.destinationEntityName),
      let back = hierarchy.relationship(named: inverse, of: target)
    else { return nil }
    if !back.relationship.isToMany {
      guard let child = file.table(of: back.declarer),
        let key = file.column(.destinationKey, of: inverse, declaredBy: back.declarer)
      else { return nil }
      return JoinMigration.Origin(
        table: child, destinationColumn: "Z_PK", sourceColumn: key,
        ownerOrder: file.column(.order, of: inverse, declaredBy: back.declarer), inverseOrder: nil,
        condition: "\(key.quotedForSQL) NOT NULL")
    }
    func isEnd(_ end: JoinTable.End) -> Bool {
      end.entityIndex == declarer && end.relationship == relationship.name
    }
    guard let join = file.model.joinTables.first(where: { isEnd($0.owner) || isEnd($0.inverse) }),
      let name = file.names.tables[join.name], let columns = file.names.columns[join.name]
    else { return nil }
    let (own, other) = isEnd(join.owner) ? (join.owner, join.inverse) : (join.inverse, join.owner)
    guard let forth = columns[own.column], let ways = columns[other.column] else { return nil }
    return JoinMigration.Origin(
      table: name, destinationColumn: forth, sourceColumn: ways,
      ownerOrder: own.orderColumn.flatMap { columns[$0] }, inverseOrder: other.orderColumn.flatMap { columns[$0] },
      condition: "\(forth.quotedForSQL) NOT NULL AND \(ways.quotedForSQL) NOT NULL")
  }

  /// Creates a join table and fills it from all sources of its pairs.
  mutating func make(_ join: JoinMigration) {
    if join.isUnchanged { return }
    let table = join.table
    let columns =
      (table.keyColumns + table.orderColumns).map { "\($0) INTEGER" }
      + ["PRIMARY KEY (\(table.keyColumns.joined(separator: ", ")))"]
    add("CREATE TABLE \(table.name) ( \(columns.joined(separator: ", ")) )")
    for origin in join.origins {
      let (forth, back) = (origin.destinationColumn.quotedForSQL, origin.sourceColumn.quotedForSQL)
      var names = [table.owner.column, table.inverse.column]
      var values = [forth, back]
      if let order = table.owner.orderColumn {
        names.append(order)
        values.append(origin.ownerOrder?.quotedForSQL ?? position(partition: back, order: forth))
      }
      if let order = table.inverse.orderColumn {
        names.append(order)
        values.append(origin.inverseOrder?.quotedForSQL ?? position(partition: forth, order: back))
      }
      // Two relationships that become one may have the same pair.
      let conflict = join.origins.count > 1 ? "OR IGNORE " : ""
      add(
        "INSERT \(conflict)INTO \(table.name) (\(names.joined(separator: ", "))) SELECT "
          + "\(values.joined(separator: ", ")) FROM \(current(origin.table)) WHERE \(origin.condition)")
    }
  }

  /// Positions as a save assigns them: the first is 2,048, and the step is 1,024.
  private func position(partition: String, order: String) -> String {
    "1024 + 1024 * row_number() OVER (PARTITION BY \(partition) ORDER BY \(order))"
  }

  // MARK: - To-one relationships

  /// Fills new columns next to keys, and clears keys of deleted rows.
  mutating func repairRelationships(of table: TableMigration) {
    if table.origin == nil { return }
    for key in table.columns where key.column.role == .destinationKey {
      let declarer = key.column.entityIndex
      let layout = matching.destination.layouts[declarer]
      guard let toOne = layout.slot(named: key.column.property).flatMap({ layout.slots[$0].toOne }) else { continue }
      let companions = table.columns.filter {
        $0.column.property == key.column.property && $0.column.entityIndex == declarer
          && $0.column.role != .destinationKey
      }
      let losesRows = !key.origins.isEmpty && losesDestinations(of: toOne, declaredBy: declarer)
      if losesRows { removeLostKeys(table, key, companions, toOne) }
      if !key.origins.isEmpty {
        for companion in companions where companion.origins.isEmpty {
          add(fill(companion.column, of: table, key: key.column.name, toOne))
        }
      }
      checkRequired(toOne, key, of: table, losesRows: losesRows)
    }
  }

  private func fill(_ column: TableColumn, of table: TableMigration, key: String, _ toOne: ToOneLayout) -> String {
    if column.role == .destinationEntity {
      return "UPDATE \(table.name) SET \(column.name) = (SELECT d.Z_ENT FROM \(toOne.destinationTable) d "
        + "WHERE d.Z_PK = \(table.name).\(key)) WHERE \(key) NOT NULL"
    }
    return "UPDATE \(table.name) SET \(column.name) = p.position FROM (SELECT Z_PK AS source, "
      + "\(position(partition: key, order: "Z_PK")) AS position FROM \(table.name) WHERE \(key) NOT NULL) p "
      + "WHERE p.source = \(table.name).Z_PK"
  }

  /// Whether possible destinations of a source relationship are deleted, or stop being destinations.
  private func losesDestinations(of toOne: ToOneLayout, declaredBy declarer: Int) -> Bool {
    matching.populated(declarer).contains { entity in
      matching.relationship(toOne.relationship.name, of: entity).map {
        losesObjects(of: $0.relationship.destinationEntityName, at: toOne.destinationIndex)
      } ?? false
    }
  }

  private func losesObjects(of name: String, at destination: Int) -> Bool {
    let hierarchy = file.model.model.hierarchy
    guard let old = hierarchy.index(of: name) else { return false }
    let family = matching.destination.model.hierarchy.family(of: destination)
    return hierarchy.family(of: old).contains { index in
      !file.model.layouts[index].entity.isAbstract && !(matching.destinations[index].map(family.contains) ?? false)
    }
  }

  private mutating func removeLostKeys(
    _ table: TableMigration, _ key: TableMigration.Column, _ companions: [TableMigration.Column], _ toOne: ToOneLayout
  ) {
    let name = key.column.name
    let values = ([name] + companions.filter { !$0.origins.isEmpty }.map(\.column.name)).map { "\($0) = NULL" }
    add(
      "UPDATE \(table.name) SET \(values.joined(separator: ", ")) WHERE \(name) NOT NULL AND NOT EXISTS "
        + "(\(destination(toOne.destinationIndex, key: "\(table.name).\(name)")))")
  }

  /// A query for the row with a key, if the entity or a sub-entity has such a row.
  private func destination(_ index: Int, key: String) -> String {
    let layout = matching.destination.layouts[index]
    let numbers = list(layout.family.map { $0 + 1 })
    return "SELECT 1 FROM \(layout.tableName) d WHERE d.Z_PK = \(key) AND d.Z_ENT IN (\(numbers))"
  }

  private mutating func checkRequired(
    _ toOne: ToOneLayout, _ key: TableMigration.Column, of table: TableMigration, losesRows: Bool
  ) {
    if toOne.relationship.isOptional { return }
    let entities = table.entities.filter { entity in
      guard matching.destination.layouts[entity.index].family.isEmpty == false,
        matching.destination.model.hierarchy.family(of: toOne.entityIndex).contains(entity.index)
      else { return false }
      let old = matching.relationship(toOne.relationship.name, of: entity.index)?.relationship
      return losesRows || old?.isOptional ?? true
    }
    if entities.isEmpty { return }
    add(
      Check(
        entity: matching.destination.layouts[toOne.entityIndex].entity.name, property: toOne.relationship.name,
        sql: "SELECT count(*) FROM \(table.name) WHERE \(key.column.name) IS NULL "
          + "AND Z_ENT IN (\(list(entities.map(\.newNumber))))",
        found: "objects without one",
        expected: "an object in each, since the relationship is required: link them before, "
          + "or make it optional"))
  }

  // MARK: - Join tables

  mutating func removeLostPairs(_ join: JoinMigration) {
    if join.origins.isEmpty { return }
    let (owner, inverse) = (join.table.owner, join.table.inverse)
    for (column, end, other) in [(inverse.column, owner, inverse), (owner.column, inverse, owner)] {
      let hierarchy = matching.destination.model.hierarchy
      // The column has keys of the entity that declares the end.
      let isLost = hierarchy.family(of: end.entityIndex).contains { entity in
        guard let (declarer, _) = matching.relationship(end.relationship, of: entity) else { return false }
        return losesObjects(of: file.model.layouts[declarer].entity.name, at: end.entityIndex)
      }
      // A key of a relationship without an inverse stays when its row is deleted.
      let mayHaveNoRow = hierarchy.family(of: other.entityIndex).contains { entity in
        matching.relationship(other.relationship, of: entity).map { $0.relationship.inverseName == nil } ?? false
      }
      if !isLost && !mayHaveNoRow { continue }
      add(
        "DELETE FROM \(join.table.name) WHERE NOT EXISTS "
          + "(\(destination(end.entityIndex, key: "\(join.table.name).\(column)")))")
    }
  }
}
