// Finds anomalies of entities, tables, indexes and triggers: differences between the file and the model.
internal import ObjectGraph
internal import CoreDataModel
internal import SQLiteDriver

extension Anomalies {
  /// Entities that are missing from the model or from `Z_PRIMARYKEY`, or have different names there.
  func ofEntities() -> [String] {
    var sentences: [String] = []
    for (index, entity) in store.entities.enumerated() {
      guard let row = store.keyRow(of: index) else {
        sentences.append("Z_PRIMARYKEY does not know the model's entity \(entity.name).")
        continue
      }
      if row.name != entity.name {
        sentences.append("The entity \(entity.name) of the model is still called \(row.name) in Z_PRIMARYKEY.")
      }
    }
    for row in store.keyRows
    where row.number < InspectedStore.firstReservedNumber && !store.numbers.contains(row.number) {
      sentences.append("Z_PRIMARYKEY has an entity \(row.name) that the model does not have.")
    }
    return sentences
  }

  /// Unexpected and missing columns, missing join tables, and unknown tables.
  func ofTables() -> [String] {
    var sentences: [String] = []
    var known: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    known.formUnion(InspectedStore.historyTables)
    for table in store.compiled.tables {
      guard let name = store.table(table.name) else { continue }
      known.insert(name)
      let keys = ["Z_PK", "Z_ENT", "Z_OPT"]
      let found = (tables.columns[name] ?? []).map(\.name)
      let extra = found.filter { !keys.contains($0) && !store.knownColumns(of: table.name).contains($0) }
      let missing =
        keys.filter { !found.contains($0) }
        + table.columns.map(\.name).filter { store.column($0, of: table.name) == nil }
      if !extra.isEmpty {
        sentences.append(
          "\(name) has the \(verb(extra.count, "column", "columns")) \(list(extra)), which the model does not have.")
      }
      if !missing.isEmpty {
        sentences.append("\(name) lacks the \(verb(missing.count, "column", "columns")) \(list(missing)) of the model.")
      }
    }
    for table in store.compiled.joinTables {
      if let name = store.table(table.name) {
        known.insert(name)
      } else {
        let ends = "\(store.entities[table.owner.entityIndex].name).\(table.owner.relationship)"
        sentences.append("The file lacks the join table \(table.name) of \(ends).")
      }
    }
    // Core Data's mirroring to a server and SQLite's statistics have tables of their own.
    let extra = tables.columns.keys.filter { name in
      !known.contains(name) && !name.hasPrefix("ANSCK") && !name.hasPrefix("sqlite_")
    }.sorted()
    if !extra.isEmpty {
      sentences.append(
        "The file has the \(verb(extra.count, "table", "tables")) \(list(extra)), which the model does not have.")
    }
    return sentences
  }

  /// Constraints without a unique index, and duplicate indexes.
  func ofIndexes() throws(SQLiteError) -> [String] {
    var sentences: [String] = []
    for name in tables.columns.keys.sorted() {
      let indexes = try store.indexes(of: name)
      for layout in store.compiled.layouts where store.table(layout.tableName) == name {
        for constraint in layout.entity.uniquenessConstraints {
          let columns = constraint.compactMap { property in
            layout.slot(named: property).flatMap { store.column(layout.slots[$0].columnName, of: layout.tableName) }
          }
          let isKept = indexes.contains { $0.isUnique && !$0.isPartial && Set($0.columns) == Set(columns) }
          if !isKept {
            sentences.append(
              "\(layout.entity.name) should be unique by \(list(constraint)), but \(name) has no such unique index."
            )
          }
        }
      }
      for same in Dictionary(grouping: indexes, by: \.order).values.sorted(by: { $0[0].name < $1[0].name })
      where same.count > 1 {
        let names = same.map(\.name).sorted()
        sentences.append(
          "The indexes \(list(names)) of \(name) are over the same columns: \(names.count == 2 ? "one is" : "all but one are") superfluous."
        )
      }
    }
    return sentences
  }

  func ofTriggers() throws(SQLiteError) -> [String] {
    let statement = try store.connection.prepare(
      "SELECT name, tbl_name, instr(sql, 'NSCoreData') > 0 FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
      isPersistent: false)
    var tables: Set<String> = []
    var triggers: Int64 = 0
    var others: [String] = []
    while try statement.step() {
      if statement.int64(2) == 1 {
        triggers += 1
        tables.insert(statement.string(1) ?? "")
      } else {
        others.append(statement.string(0) ?? "")
      }
    }
    var sentences: [String] = []
    if triggers > 0 {
      sentences.append(
        "\(counted(triggers, "trigger")) on \(list(tables.sorted())) \(verb(triggers, "calls", "call")) functions that "
          + "only Core Data has: any other writer there fails or must do without them.")
    }
    if !others.isEmpty {
      sentences.append(
        "The \(verb(others.count, "trigger", "triggers")) \(list(others)) \(verb(others.count, "is", "are")) not Core Data's."
      )
    }
    return sentences
  }

  /// The to-one relationships that have columns in a table, each with the layout of its declaring entity.
  func toOnes(in table: EntityTable) -> [(layout: EntityLayout, toOne: ToOneLayout)] {
    store.compiled.layouts.filter { $0.rootIndex == table.root }.flatMap { layout in
      layout.slots.compactMap(\.toOne).filter { $0.entityIndex == layout.index }.map { (layout, $0) }
    }
  }
}

/// An index of a table.
private struct FoundIndex {
  let name: String
  let isUnique: Bool
  let isPartial: Bool
  let columns: [String]
  /// Columns with their directions and collations, and everything else that distinguishes indexes.
  let order: [String]
}

extension InspectedStore {
  fileprivate func indexes(of table: String) throws(SQLiteError) -> [FoundIndex] {
    let list = try connection.prepare(
      #"SELECT name, "unique", partial FROM pragma_index_list(\#(table.sqlText)) ORDER BY name"#, isPersistent: false)
    var indexes: [FoundIndex] = []
    while try list.step() {
      let name = list.string(0) ?? ""
      let parts = try connection.prepare(
        #"SELECT name, "desc", coll FROM pragma_index_xinfo(\#(name.sqlText)) WHERE key = 1 ORDER BY seqno"#,
        isPersistent: false)
      var columns: [String] = []
      var order = list.int64(2) == 1 ? [name] : []
      while try parts.step() {
        // An expression has no name; give each a unique one.
        let column = parts.string(0) ?? "\(name) \(columns.count)"
        columns.append(column)
        order.append("\(column) \(parts.int64(1)) \(parts.string(2) ?? "")")
      }
      indexes.append(
        FoundIndex(
          name: name, isUnique: list.int64(1) == 1, isPartial: list.int64(2) == 1, columns: columns, order: order))
    }
    return indexes
  }
}
