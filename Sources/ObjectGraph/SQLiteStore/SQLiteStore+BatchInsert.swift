// A batch insert: one row in memory at a time, one transaction, whatever the style.
internal import SQLiteDriver

extension SQLiteStore {
  func insert(
    _ request: BatchInsertRequest, layout: EntityLayout, mergePolicy: MergePolicy,
    makeObject: (ObjectSeed) -> ManagedObject
  ) throws(ObjectGraphError) -> BatchInsertResult {
    try write { (writer) throws(ObjectGraphError) in
      try writer.transaction("inserting a batch of \(layout.entity.name)") { () throws(ObjectGraphError) in
        var batch = try BatchInsertion(
          layout, writer: writer, resolution: ConflictResolution(batchInsertUnder: mergePolicy),
          resultType: request.resultType)
        try batch.run(request.source, makeObject)
        return batch.result
      }
    }
  }
}

/// One batch insert under way.
private struct BatchInsertion {
  let layout: EntityLayout
  let writer: StoreWriter
  let insert: InsertStatement
  let resultType: BatchInsertRequest.ResultType
  /// The one row, reused.
  ///
  /// Its slots are bound straight to the statement.
  var row: RowSnapshot
  let firstKey: Int64
  var key: Int64
  /// Rows handed in so far.
  var rows = 0
  /// Rows inserted or updated; kept only when the result wants it.
  var written = 0
  var objectIDs: [ManagedObjectID] = []

  init(
    _ layout: EntityLayout, writer: StoreWriter, resolution: ConflictResolution,
    resultType: BatchInsertRequest.ResultType
  ) throws(ObjectGraphError) {
    self.layout = layout
    self.writer = writer
    self.resultType = resultType
    row = layout.defaults
    (insert, key) = try during("preparing a batch insert") { () throws(SQLiteError) in
      (
        try InsertStatement(layout, resolution: resolution, writer: writer),
        try writer.lastKey(of: layout)
      )
    }
    firstKey = key + 1
    // The update arm of an upsert does not move it, so it tells a new row from one written over.
    writer.connection.lastInsertRowID = 0
  }

  var result: BatchInsertResult {
    switch resultType {
    case .statusOnly: .statusOnly(true)
    case .count: .count(written)
    case .objectIDs: .objectIDs(objectIDs)
    }
  }

  mutating func run(
    _ source: BatchInsertRequest.Source, _ makeObject: (ObjectSeed) -> ManagedObject
  ) throws(ObjectGraphError) {
    switch source {
    case .objects(let dictionaries):
      for dictionary in dictionaries { try store(dictionary) }
    case .dictionaryHandler(let handler):
      var dictionary: [String: AttributeValue] = [:]
      while !handler(&dictionary) {
        try store(dictionary)
        dictionary.removeAll(keepingCapacity: true)
      }
    case .managedObjectHandler(let handler):
      try store(from: handler, makeObject)
    }
    try during("recording the last key of \(layout.entity.name)") { () throws(SQLiteError) in
      if key >= firstKey { try writer.setLastKey(of: layout, to: key) }
    }
  }

  /// Offers the handler one object again and again.
  private mutating func store(
    from handler: BatchInsertRequest.ManagedObjectHandler, _ makeObject: (ObjectSeed) -> ManagedObject
  ) throws(ObjectGraphError) {
    let object = makeObject(
      ObjectSeed(
        objectID: ManagedObjectID(store: writer.identity, entityIndex: Int32(layout.index), key: -1), layout: layout,
        row: row, state: .scratch, context: nil))
    // Should the handler keep the object, it sees later rows in it.
    while !handler(object) {
      rows += 1
      if let defect = object.defect { throw wrongValue(defect) }
      try storeRow(of: object)
      object.row?.assign(from: layout.defaults)
      object.changedSlots = SlotMask()
    }
  }

  /// A function of its own, so that no second reference to the row is left when it is written again.
  @inline(never)
  private mutating func storeRow(of object: ManagedObject) throws(ObjectGraphError) {
    if let row = object.row { try storeRow(row) }
  }

  private mutating func store(_ dictionary: [String: AttributeValue]) throws(ObjectGraphError) {
    rows += 1
    row.assign(from: layout.defaults)
    for (key, value) in dictionary {
      guard let slot = layout.slot(named: key), layout.slots[slot].toOne == nil else { throw wrongKey(key) }
      let type = layout.attributes[slot].type
      if value.isOfKind(type) {
        row[slot] = value
      } else if let conformed = value.conformed(to: type) {
        row[slot] = conformed
      } else {
        throw layout.wrongType(value, slot: slot, row: rows)
      }
    }
    try storeRow(row)
  }

  @inline(__always)
  private mutating func storeRow(_ row: RowSnapshot) throws(ObjectGraphError) {
    for slot in layout.requiredSlots where row[slot].isStoredAsNull {
      throw .missingValue(entity: layout.entity.name, key: layout.attributes[slot].name, row: rows)
    }
    key += 1
    do {
      try insert.insert(row, key: key)
      if resultType != .statusOnly { try noteWritten(row) }
    } catch {
      throw .store(error, during: "inserting \(layout.entity.name), row \(rows)")
    }
  }

  /// Notes what became of the row: new, written over another, or skipped.
  private mutating func noteWritten(_ row: RowSnapshot) throws(SQLiteError) {
    guard writer.connection.changes == 1 else { return }
    written += 1
    guard resultType == .objectIDs else { return }
    var stored = key
    if writer.connection.lastInsertRowID != key,
      let taken = try writer.rowSharingUniqueValues(with: row, layout: layout)
    {
      stored = taken.key
    }
    objectIDs.append(ManagedObjectID(store: writer.identity, entityIndex: Int32(layout.index), key: stored))
  }

  private func wrongKey(_ key: String) -> ObjectGraphError {
    layout.isRelationship(key)
      ? .relationshipInBatch(entity: layout.entity.name, key: key, row: rows) : layout.unknownAttribute(key, row: rows)
  }

  private func wrongValue(_ defect: Defect) -> ObjectGraphError {
    layout.slot(named: defect.key) == nil || layout.isRelationship(defect.key)
      ? wrongKey(defect.key)
      : .wrongType(
        entity: layout.entity.name, key: defect.key, found: defect.found, expected: defect.expected, row: rows)
  }
}
