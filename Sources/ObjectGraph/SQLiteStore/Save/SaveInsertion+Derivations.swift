// Recomputes derived values of rows with relationships that differ between the store and the context.
internal import CoreDataModel
internal import SQLiteDriver

extension SaveInsertion {
  /// Recomputes derived values that depend on overwritten rows, on rows that replace new ones, and on values that the
  /// context may know differently.
  ///
  /// The context has derived values from the objects that it knows. Their rows are known only now: a new object that
  /// overwrites a row also has the row's members, and one that a stored row replaces is not an additional member.
  mutating func deriveAgain() throws(SQLiteError) {
    let roots = writer.derivedRoots
    if roots.isEmpty { return }
    let rows = try rowsToDerive().union(rowsKnownOtherwise()).filter { roots.contains($0.root) }
    if rows.isEmpty { return }
    let written = writtenRows()
    for row in rows.sorted(by: { ($0.root, $0.key) < ($1.root, $1.key) }) {
      try derive(row, isWritten: written.contains(row))
    }
  }

  // MARK: - What is derived

  /// Computes the row's values, and stores those that differ.
  ///
  /// If the save has not written the row, it counts as changed from now on.
  private mutating func derive(_ row: StoredRow, isWritten: Bool) throws(SQLiteError) {
    guard let layout = try layout(of: row), layout.isDerivedOverRelationships else { return }
    let query = writer.keyedRows[layout.index]
    guard let stored = try query.row(key: row.key, try writer.statement(query.sql)) else { return }
    var changes: [(slot: Int, value: AttributeValue)] = []
    for (slot, derivation) in layout.derivations where layout.slotsDerivedOverRelationships.contains(slot) {
      guard let value = try value(of: derivation, layout, key: row.key, stored) else { continue }
      let computed = value.conformed(to: layout.types[slot]) ?? .null
      // Skip null: the model requires a value.
      if computed.isStoredAsNull && !layout.slots[slot].isOptional { continue }
      if !computed.isStored(as: stored[slot]) { changes.append((slot, computed)) }
    }
    if changes.isEmpty { return }
    let objectID = ManagedObjectID(store: writer.identity, entityIndex: Int32(layout.index), key: row.key)
    let isRecorded = isWritten || outcomes.raised[objectID] != nil
    let assignments =
      changes.map { "\(layout.columnName(of: $0.slot)) = ?" }
      + (isRecorded ? [] : ["Z_OPT = \(StoreTables.nextVersion)"])
    let update = try writer.statement(
      "UPDATE \(layout.tableName) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ?")
    for (index, change) in changes.enumerated() { try update.bind(change.value, at: index + 1) }
    try update.bind(row.key, at: changes.count + 1)
    try update.run()
    if !isRecorded {
      try writer.history?.updated(layout, key: row.key, ChangedProperties(slots: SlotMask(changes.map(\.slot))))
    }
    if !isWritten { outcomes.left.insert(objectID) }
    outcomes.derived[objectID] = try query.row(key: row.key, try writer.statement(query.sql))
  }

  /// The entity of the row; `nil` if there is no such row.
  private func layout(of row: StoredRow) throws(SQLiteError) -> EntityLayout? {
    let statement = try writer.statement(
      "SELECT Z_ENT FROM \(writer.model.layouts[row.root].tableName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(row.key, at: 1)
    guard try statement.step(), let number = Int(exactly: statement.int64(0)) else { return nil }
    return writer.entityIndexes[number].map { writer.model.layouts[$0] }
  }

  /// The value derived from the rows of a relationship; `nil` if there are no rows that count.
  private func value(
    of derivation: Derivation, _ layout: EntityLayout, key: Int64, _ row: RowSnapshot
  ) throws(SQLiteError) -> AttributeValue? {
    switch derivation {
    case .count(let index):
      let statement = try writer.statement("SELECT count(*) FROM \(layout.toManyRelationships[index].members)")
      defer { statement.reset() }
      try statement.bind(key, at: 1)
      return try statement.step() ? .integer(statement.int64(0)) : nil
    case .aggregate(let aggregate, let index, let attribute):
      let toMany = layout.toManyRelationships[index]
      let values = try values(of: attribute, writer.model.layouts[toMany.destinationIndex], in: toMany.members, key)
      return values.map { aggregate.of($0.filter { !$0.isStoredAsNull }) }
    case .destination(let slot, let attribute, let form):
      guard let toOne = layout.slots[slot].toOne else { return nil }
      guard let key = row[slot].reference?.key else { return .null }
      return try value(of: attribute, form, toOne, key: key)
    case .value, .now: return nil
    }
  }

  /// The value of an attribute, in one of its forms, in the row with the key; `nil` if it is not stored.
  func value(
    of attribute: String, _ form: Derivation.TextForm?, _ toOne: ToOneLayout, key: Int64
  ) throws(SQLiteError) -> AttributeValue? {
    let values = try values(
      of: attribute, writer.model.layouts[toOne.destinationIndex], in: "\(toOne.destinationTable) d WHERE d.Z_PK = ?",
      key)
    return values.map { values in
      guard let value = values.first else { return .null }
      return form?.apply(to: value) ?? value
    }
  }

  /// The values of an attribute in rows; `nil` if it is not stored.
  private func values(
    of attribute: String, _ layout: EntityLayout, in rows: String, _ key: Int64
  ) throws(SQLiteError) -> [AttributeValue]? {
    guard let slot = layout.slot(named: attribute), let column = layout.slots[slot].columnName else { return nil }
    let statement = try writer.statement("SELECT d.\(column) FROM \(rows)")
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    var values: [AttributeValue] = []
    while try statement.step() { values.append(statement.value(0, as: layout.types[slot])) }
    return values
  }
}

extension EntityLayout {
  var isDerivedOverRelationships: Bool { !slotsDerivedOverRelationships.isEmpty }

  /// The stored attributes that are derived over relationships.
  var slotsDerivedOverRelationships: SlotMask {
    SlotMask(
      derivations.compactMap { slot, derivation in
        slots[slot].columnName != nil && derivation.isOverRelationship ? slot : nil
      })
  }

  /// The destination entity of a derivation's relationship; `nil` for a derivation without one.
  func destination(of derivation: Derivation) -> Int? {
    switch derivation {
    case .count(let index), .aggregate(_, let index, _): toManyRelationships[index].destinationIndex
    case .destination(let slot, _, _): slots[slot].toOne?.destinationIndex
    case .value, .now: nil
    }
  }
}

extension Derivation {
  var isOverRelationship: Bool {
    switch self {
    case .count, .aggregate, .destination: true
    case .value, .now: false
    }
  }
}

extension ToManyLayout {
  /// A FROM clause for the rows of a row's relationship.
  ///
  /// Its parameter is the row's key.
  fileprivate var members: String {
    switch storage {
    case .inverseKey(let inverse): "\(inverse.table) d WHERE d.\(inverse.keyColumn) = ?"
    case .join(let ends):
      "\(ends.table) j JOIN \(destinationTable) d ON d.Z_PK = j.\(ends.destinationColumn) WHERE j.\(ends.sourceColumn) = ?"
    }
  }
}
