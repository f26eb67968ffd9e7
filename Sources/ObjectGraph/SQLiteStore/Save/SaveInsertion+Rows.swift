// Inserts the new rows of a table: in groups if all of them are new, and one by one around rows with conflicts.
internal import CoreDataModel
internal import SQLiteDriver

extension SaveInsertion {
  /// Inserts all rows, and then corrects references to those that have replaced others.
  mutating func run() throws(ObjectGraphError) {
    for table in tables {
      try during("inserting \(table.layout.entity.name)") { () throws(SQLiteError) in try insertRows(of: table) }
    }
    if !conflicts.isEmpty { throw .constraintConflict(conflicts.described(request, keys: outcomes.keys)) }
    try during("linking rows that took the place of others") { () throws(SQLiteError) in
      try repairReferences()
      try raiseRelatedStandIns()
    }
    noteEmptied()
    noteFormer()
  }

  /// Inserts the rows of one table, in their order.
  ///
  /// A new object hardly ever has the unique values of a stored row. So rows are stored in groups by a plain INSERT,
  /// until one is refused. That row and some rows after it are stored one by one, which shows the outcome of each.
  private mutating func insertRows(of table: Table) throws(SQLiteError) {
    // An upsert that updates a row does not change it, which distinguishes new rows from overwritten ones.
    writer.connection.lastInsertRowID = 0
    (index, key, owners) = (0, table.lastKey, [:])
    let isLarge = request.insertions.count >= RowInserter.rowsBeforeGroups
    var inserter = RowInserter(
      try statement(table.layout), groups: isLarge ? .fail : nil, after: 0, mayThread: true, writer)
    while true {
      let refusal: SQLiteError?
      do throws(SQLiteError) {
        refusal = try inserter.storeRows { (inserter) throws(SQLiteError) in try insertRows(of: table, &inserter) }
      } catch {
        refusal = error
      }
      guard let refusal else { return }
      guard refusal.extendedCode == .constraintUnique, let keys = inserter.refused, keys.count == 1 else {
        throw refusal
      }
      goBack(to: keys.lowerBound, in: table, &inserter)
    }
  }

  private mutating func insertRows(of table: Table, _ inserter: inout RowInserter) throws(SQLiteError) {
    while index < request.insertions.count {
      let position = index
      let row = request.insertions[position]
      index += 1
      guard row.layout.rootIndex == table.layout.rootIndex else { continue }
      if row.hasPermanentKey {
        try inserter.flush()
        try insertUnderItsKey(row, position)
        if inserter.alone.resolution == .overwriteStored { owners[row.temporaryKey] = position }
        continue
      }
      key += 1
      if row.layout !== inserter.alone.layout { try inserter.change(to: try statement(row.layout)) }
      if inserter.storesAlone {
        try insertAlone(row, position, &inserter)
      } else {
        try inserter.insert(row.snapshot, key: key)
        outcomes.keys[position] = key
        try writer.history?.inserted(row.layout, key: key)
      }
    }
  }

  /// Inserts a row, and follows the save's policy if its unique values are taken.
  private mutating func insertAlone(
    _ row: ManagedObject, _ index: Int, _ inserter: inout RowInserter
  ) throws(SQLiteError) {
    let layout = row.layout
    let resolution = inserter.alone.resolution
    let older = try rowToOverwrite(with: row, resolution)
    let entityBefore = try entityToOverwrite(with: row, resolution)
    do {
      try inserter.insertAlone(row.snapshot, key: key)
    } catch  where error.extendedCode == .constraintUnique && resolution == .fail {
      return try noteConflict(of: row, error: error)
    }
    if writer.connection.lastInsertRowID == key {
      outcomes.keys[index] = key
      try writer.history?.inserted(layout, key: key)
      if resolution == .overwriteStored { owners[key] = index }
    } else if resolution == .overwriteStored,
      let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: layout)
    {
      let earlier = owners.updateValue(index, forKey: taken.key)
      if let earlier {
        outcomes.keys[earlier] = 0
        outcomes.standIns[earlier] = ObjectReference(key: taken.key, entityIndex: Int32(layout.index))
      }
      if earlier == nil, let entityBefore {
        entitiesBefore[.init(root: layout.rootIndex, key: taken.key)] = entityBefore
      }
      try writer.history?.overwritten(layout, key: taken.key, .row, isRecorded: earlier != nil)
      outcomes.keys[index] = taken.key
      outcomes.versions[index] = taken.version
      if let older { noteLeft(by: older.snapshot, older.layout, for: row) }
      if let older, older.layout !== layout { reclassified[.init(root: layout.rootIndex, key: taken.key)] = layout }
    } else if request.hasRelationships,
      let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: layout)
    {
      outcomes.standIns[index] = ObjectReference(
        key: taken.key, entityIndex: Int32(taken.entityIndex ?? layout.index))
    }
  }

  /// The stored row that a new one will overwrite, if relationships of either may have to be updated.
  private func rowToOverwrite(
    with row: ManagedObject, _ resolution: ConflictResolution
  ) throws(SQLiteError) -> (snapshot: RowSnapshot, layout: EntityLayout)? {
    guard request.hasRelationships, row.layout.hasToOneSlots || row.layout.sharesTable, resolution == .overwriteStored,
      let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout),
      let index = taken.entityIndex
    else { return nil }
    let query = writer.keyedRows[index]
    return try query.row(key: taken.key, try writer.statement(query.sql)).map { ($0, writer.model.layouts[index]) }
  }

  /// The entity of the row that a new one will overwrite, if it may differ from the new row's.
  private func entityToOverwrite(
    with row: ManagedObject, _ resolution: ConflictResolution
  ) throws(SQLiteError) -> Int? {
    guard row.layout.sharesTable, resolution == .overwriteStored else { return nil }
    return try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout)?.entityIndex
  }

  /// Records the IDs that overwritten rows had with their former entities.
  private mutating func noteFormer() {
    if entitiesBefore.isEmpty { return }
    let now = overwrittenRows()
    for (row, index) in entitiesBefore where now[row] != Int32(index) {
      outcomes.former.insert(
        ManagedObjectID(store: writer.identity, entityIndex: Int32(index), key: row.key))
    }
  }

  /// Records the stored rows that the overwritten row referred to, and that have it in a to-many relationship.
  private mutating func noteLeft(by older: RowSnapshot, _ layout: EntityLayout, for row: ManagedObject) {
    for slot in layout.slots.indices {
      guard let toOne = layout.slots[slot].toOne, toOne.inverse?.isToMany == true, let old = older[slot].reference,
        row.layout.toOneSlot(named: toOne.relationship.name).flatMap({ row.snapshot[$0].reference?.key }) != old.key
      else { continue }
      outcomes.left.insert(
        ManagedObjectID(store: writer.identity, entityIndex: old.entityIndex, key: old.key))
    }
  }

  /// Records the rows outside the save that referred to an overwritten row and cannot refer to its new entity.
  private mutating func noteEmptied() {
    let emptied = writer.takeEmptied()
    if emptied.isEmpty { return }
    var own = Set(request.updates.map { ObjectReference($0.objectID) })
    for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
      own.insert(ObjectReference(key: outcomes.keys[index], entityIndex: Int32(row.layout.index)))
    }
    outcomes.left.formUnion(emptied.filter { !own.contains(ObjectReference($0)) })
  }

  /// Inserts a row with a key that others may already know: it is stored with that key, or the save fails.
  private mutating func insertUnderItsKey(_ row: ManagedObject, _ index: Int) throws(SQLiteError) {
    let insert = try InsertStatement(row.layout, resolution: .fail, writer: writer, references: references)
    do {
      try insert.insert(row.snapshot, key: row.temporaryKey)
    } catch  where error.extendedCode == .constraintUnique {
      return try noteConflict(of: row, error: error)
    }
    outcomes.keys[index] = row.temporaryKey
    try writer.history?.inserted(row.layout, key: row.temporaryKey)
  }

  /// Goes back to the row with the key, to store it and those after it one by one.
  private mutating func goBack(to refused: Int64, in table: Table, _ inserter: inout RowInserter) {
    writer.history?.tookBackInsertions(inserter.alone.layout, from: refused)
    while key >= refused {
      index -= 1
      let row = request.insertions[index]
      guard row.layout.rootIndex == table.layout.rootIndex, !row.hasPermanentKey else { continue }
      outcomes.keys[index] = 0
      key -= 1
    }
    inserter.pauseGroups()
    guard resolution == .overwriteStored else { return }
    for index in 0..<index where outcomes.keys[index] != 0 {
      if request.insertions[index].layout.rootIndex == table.layout.rootIndex { owners[outcomes.keys[index]] = index }
    }
  }

  private func statement(_ layout: EntityLayout) throws(SQLiteError) -> InsertStatement {
    try InsertStatement(layout, resolution: resolution, writer: writer, references: references)
  }
}
