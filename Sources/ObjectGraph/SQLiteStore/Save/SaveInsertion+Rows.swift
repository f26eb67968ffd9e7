// The new rows of one table: in groups for as long as each of them is new, and one by one around those that meet others.
internal import CoreDataModel
internal import SQLiteDriver

/// How far the new rows of a table were stored.
private struct TableCourse {
  let root: Int
  /// The last key before the save.
  let lastKey: Int64
  /// Stores a row alone, by the save's way of meeting others.
  var insert: InsertStatement
  /// The place of the next row in the request.
  var index = 0
  /// The last key that was given to a row.
  var key: Int64
  /// Which of this save's rows has a key, where a later one can be written over it.
  var owners: [Int64: Int] = [:]
  /// How many rows are stored alone before groups are tried again, and how many after the next row that meets another.
  var rowsAlone = 0
  var nextRowsAlone = GroupedInsert.rowsBefore
}

extension SaveInsertion {
  /// Inserts the rows of one table, in their order.
  ///
  /// A new object is hardly ever of a stored row's unique values. So rows are stored in groups, by a plain INSERT, until one
  /// is refused; it and some rows after it are stored one by one, which tells what became of each.
  mutating func insert(_ reserved: KeyReservation.Root) throws(SQLiteError) {
    // The update arm of an upsert does not move it, so it tells a new row from one written over.
    writer.connection.lastInsertRowID = 0
    var table = TableCourse(
      root: reserved.layout.rootIndex, lastKey: reserved.lastKey, insert: try statement(reserved.layout),
      key: reserved.lastKey)
    var group = try self.group(of: table)
    while true {
      do throws(SQLiteError) {
        return try insertRows(&table, &group)
      } catch {
        // Nobody else may be at the connection while a row is stored again, or the transaction taken back.
        let earlier = group?.endThread()
        guard let key = group?.refusedKey else { throw earlier ?? error }
        group = nil
        goBack(to: key, in: &table)
      }
    }
  }

  private mutating func insertRows(_ table: inout TableCourse, _ group: inout SavedGroup?) throws(SQLiteError) {
    while table.index < request.insertions.count {
      let index = table.index
      let row = request.insertions[index]
      table.index += 1
      guard row.layout.rootIndex == table.root else { continue }
      if row.hasPermanentKey {
        try group?.flush()
        try insertUnderItsKey(row, index, table.lastKey)
        if table.insert.resolution == .overwriteStored { table.owners[row.temporaryKey] = index }
        continue
      }
      table.key += 1
      if row.layout !== table.insert.layout {
        try group?.flush()
        table.insert = try statement(row.layout)
        group = try self.group(of: table)
      }
      if group != nil {
        try group?.insert(row.snapshot, key: table.key)
        outcomes.keys[index] = table.key
        continue
      }
      try insertAlone(row, index, &table)
      if table.rowsAlone > 0 {
        table.rowsAlone -= 1
        if table.rowsAlone == 0 { group = try self.group(of: table) }
      }
    }
    try group?.flush()
  }

  /// Inserts a row as the save's policy wants it where its unique values are taken.
  private mutating func insertAlone(_ row: ManagedObject, _ index: Int, _ table: inout TableCourse) throws(SQLiteError)
  {
    let (insert, key, layout) = (table.insert, table.key, row.layout)
    let older = try rowToOverwrite(with: row, insert)
    do {
      try insert.insert(row.snapshot, key: key)
    } catch  where error.extendedCode == .constraintUnique && insert.resolution == .fail {
      return try noteConflict(of: row, firstKey: table.lastKey + 1, error: error)
    }
    if writer.connection.lastInsertRowID == key {
      outcomes.keys[index] = key
      try writer.history?.inserted(layout, key: key)
      if insert.resolution == .overwriteStored { table.owners[key] = index }
    } else if insert.resolution == .overwriteStored,
      let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: layout)
    {
      let earlier = table.owners.updateValue(index, forKey: taken.key)
      if let earlier {
        outcomes.keys[earlier] = 0
        outcomes.standIns[earlier] = ObjectReference(key: taken.key, entityIndex: Int32(layout.index))
      }
      try writer.history?.overwritten(layout, key: taken.key, .row, isToldOf: earlier != nil)
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

  /// The stored row that a new one will be written over, where relationships of either may have to follow.
  private func rowToOverwrite(
    with row: ManagedObject, _ insert: InsertStatement
  ) throws(SQLiteError) -> (snapshot: RowSnapshot, layout: EntityLayout)? {
    guard request.hasRelationships, row.layout.hasToOneSlots || row.layout.sharesTable,
      insert.resolution == .overwriteStored,
      let taken = try writer.rowSharingUniqueValues(with: row.snapshot, layout: row.layout),
      let index = taken.entityIndex
    else { return nil }
    let query = writer.keyedRows[index]
    return try query.row(key: taken.key, try writer.statement(query.sql)).map { ($0, writer.model.layouts[index]) }
  }

  /// Notes the stored rows that the overwritten row led to, and that know it in a to-many relationship.
  private mutating func noteLeft(by older: RowSnapshot, _ layout: EntityLayout, for row: ManagedObject) {
    for slot in layout.slots.indices {
      guard let toOne = layout.slots[slot].toOne, toOne.inverse?.isToMany == true, let old = older[slot].reference,
        row.layout.toOneSlot(named: toOne.relationship.name).flatMap({ row.snapshot[$0].reference?.key }) != old.key
      else { continue }
      outcomes.left.insert(
        ManagedObjectID(store: writer.identity, entityIndex: old.entityIndex, key: old.key))
    }
  }

  /// Inserts a row whose key others may know already: it is stored under that key, or the save fails.
  private mutating func insertUnderItsKey(_ row: ManagedObject, _ index: Int, _ lastKey: Int64) throws(SQLiteError) {
    let insert = try InsertStatement(row.layout, resolution: .fail, writer: writer, references: references)
    do {
      try insert.insert(row.snapshot, key: row.temporaryKey)
    } catch  where error.extendedCode == .constraintUnique {
      return try noteConflict(of: row, firstKey: lastKey + 1, error: error)
    }
    outcomes.keys[index] = row.temporaryKey
    try writer.history?.inserted(row.layout, key: row.temporaryKey)
  }

  /// Goes back to the row of the key, so that it and those after it are stored one by one.
  private mutating func goBack(to key: Int64, in table: inout TableCourse) {
    while table.key >= key {
      table.index -= 1
      let row = request.insertions[table.index]
      guard row.layout.rootIndex == table.root, !row.hasPermanentKey else { continue }
      outcomes.keys[table.index] = 0
      table.key -= 1
    }
    // Where many rows meet others, groups that come to nothing must not cost more than they save.
    table.rowsAlone = table.nextRowsAlone
    table.nextRowsAlone *= 2
    guard resolution == .overwriteStored else { return }
    for index in 0..<table.index where outcomes.keys[index] != 0 {
      if request.insertions[index].layout.rootIndex == table.root { table.owners[outcomes.keys[index]] = index }
    }
  }

  /// Stores several rows a step, where there are enough of them.
  private func group(of table: TableCourse) throws(SQLiteError) -> SavedGroup? {
    let layout = table.insert.layout
    guard table.rowsAlone == 0, request.insertions.count >= GroupedInsert.rowsBefore,
      let group = try GroupedInsert(
        try InsertStatement(layout, resolution: .fail, writer: writer, references: references), writer: writer)
    else { return nil }
    return SavedGroup(group, SavedRowHistory(recorder: writer.history, layout: layout))
  }

  private func statement(_ layout: EntityLayout) throws(SQLiteError) -> InsertStatement {
    try InsertStatement(layout, resolution: resolution, writer: writer, references: references)
  }
}
