// A batch insert: one row in memory at a time, whatever the style.
internal import CoreDataModel
internal import SQLiteDriver

/// What of a batch insert is stored for good.
struct StoredBatch {
  /// How many of the request's rows have been dealt with.
  var rows = 0
  var result: BatchResult
}

/// One batch insert under way, and where it notes its stages.
struct BatchInsertion<Stages: BatchInsertStages> {
  private let stages: Stages
  private let request: BatchInsertRequest
  private let layout: EntityLayout
  private let writer: StoreWriter
  private let resolution: ConflictResolution
  /// Whether nothing but types and required values is looked at and every attribute written.
  private let isPlain: Bool
  /// The one row, reused.
  ///
  /// Its slots are bound straight to the statement.
  private var row: RowSnapshot
  /// What the managed-object handler is given each time.
  private var scratch: ManagedObject?
  private var statements: [(scope: OverwriteScope, insert: InsertStatement)] = []
  private var insert: InsertStatement?
  /// Stores several rows a step, where nobody needs to know what became of each; nil until there are many rows.
  private var group: GroupedInsert?
  private var key: Int64 = 0
  /// The last key handed out before this transaction.
  private var lastKey: Int64 = 0
  /// Rows handed in so far.
  private var rows = 0
  private var tally: BatchTally
  /// Rows inserted and written over, in the order they were given.
  private var written: [ManagedObjectID] = []
  private(set) var isDone = false
  /// The write-ahead log, where the request bounds it.
  private(set) var log: WALBudget?
  private(set) var stored: StoredBatch

  init(
    _ request: BatchInsertRequest, _ layout: EntityLayout, writer: StoreWriter, mergePolicy: MergePolicy,
    _ stages: Stages
  ) throws(ObjectGraphError) {
    self.stages = stages
    self.request = request
    self.layout = layout
    self.writer = writer
    resolution = ConflictResolution(batchInsertUnder: mergePolicy)
    isPlain = !request.updatesSuppliedKeysOnly && !request.validatesRules
    row = layout.defaults
    tally = BatchTally(resultType: request.resultType)
    stored = StoredBatch(result: request.resultType == .statusOnly ? .statusOnly(false) : tally.result)
    guard request.walSizeLimit > 0 else { return }
    log = try during("preparing a bounded batch insert") { () throws(SQLiteError) in
      try WALBudget(limit: request.walSizeLimit, layout: layout, writer)
    }
  }

  /// The result of what has been inserted so far.
  private var result: BatchResult { request.resultType == .objectIDs ? .objectIDs(written) : tally.result }

  /// Makes room in the log for the next transaction.
  mutating func emptyLog() throws(ObjectGraphError) {
    try during("emptying the write-ahead log") { () throws(SQLiteError) in try log?.empty() }
  }

  mutating func notePartStored() {
    stored = StoredBatch(rows: rows, result: result)
    log?.committed()
  }

  /// Inserts the rows of one transaction.
  mutating func insertPart(_ makeObject: (ObjectSeed) -> ManagedObject) throws(ObjectGraphError) {
    // Others may have written since the last part.
    try during("preparing a batch insert") { () throws(SQLiteError) in try prepare() }
    let end = request.transactionSize > 0 ? rows + request.transactionSize : .max
    switch request.source {
    case .objects(let dictionaries):
      while rows < dictionaries.count, hasRoom(before: end) { try store(dictionaries[rows]) }
      isDone = rows == dictionaries.count
    case .dictionaryHandler(let handler):
      var dictionary: [String: AttributeValue] = [:]
      while hasRoom(before: end) {
        stages.began(.handler)
        if handler(&dictionary) {
          isDone = true
          break
        }
        try store(dictionary)
        stages.began(.conversion)
        dictionary.removeAll(keepingCapacity: true)
      }
    case .managedObjectHandler(let handler): try store(from: handler, until: end, makeObject)
    }
    if group != nil {
      stages.began(.stepping)
      do throws(GroupedInsert.Refusal) { try group?.flush() } catch { throw refusal(error) }
    }
    stages.began(.commit)
    try during("recording the last key of \(layout.entity.name)") { () throws(SQLiteError) in
      if key > lastKey { try writer.setLastKey(of: layout, to: key) }
    }
  }

  /// Whether the transaction takes one more row.
  @inline(__always)
  private func hasRoom(before end: Int) -> Bool { rows < end && log?.room.isSpent != true }

  private mutating func prepare() throws(SQLiteError) {
    if isPlain { insert = try statement(.attributes) }
    lastKey = try writer.lastKey(of: layout)
    key = lastKey
    // The update arm of an upsert does not move it, so it tells a new row from one written over.
    writer.connection.lastInsertRowID = 0
  }

  private func statement(_ scope: OverwriteScope) throws(SQLiteError) -> InsertStatement {
    try InsertStatement(layout, resolution: resolution, writer: writer, overwriting: scope)
  }

  /// Offers the handler one object again and again.
  private mutating func store(
    from handler: BatchInsertRequest.ManagedObjectHandler, until end: Int, _ makeObject: (ObjectSeed) -> ManagedObject
  ) throws(ObjectGraphError) {
    let object =
      scratch
      ?? makeObject(
        ObjectSeed(
          objectID: ManagedObjectID(store: writer.identity, entityIndex: Int32(layout.index), key: -1), layout: layout,
          row: row, state: .scratch, context: nil))
    scratch = object
    // Should the handler keep the object, it sees later rows in it.
    while hasRoom(before: end) {
      stages.began(.handler)
      if handler(object) {
        isDone = true
        return
      }
      stages.began(.conversion)
      rows += 1
      if let defect = object.defect { throw wrongValue(defect) }
      try storeRow(of: object)
      stages.began(.conversion)
      object.row?.assign(from: layout.defaults)
      object.changedSlots = SlotMask()
    }
  }

  /// A function of its own, so that no second reference to the row is left when it is written again.
  @inline(never)
  private mutating func storeRow(of object: ManagedObject) throws(ObjectGraphError) {
    guard let row = object.row else { return }
    if isPlain { try storeRow(row) } else { try storeRow(row, given: object.changedSlots) }
  }

  private mutating func store(_ dictionary: [String: AttributeValue]) throws(ObjectGraphError) {
    stages.began(.conversion)
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
    if isPlain { return try storeRow(row) }
    var given = SlotMask()
    for key in dictionary.keys { if let slot = layout.slot(named: key) { given.insert(slot) } }
    try storeRow(row, given: given)
  }

  @inline(__always)
  private mutating func storeRow(_ row: RowSnapshot) throws(ObjectGraphError) {
    for slot in layout.requiredAttributes where row[slot].isStoredAsNull { throw missing(slot) }
    try write(row)
  }

  /// The same with rules, and with what the row was given.
  private mutating func storeRow(_ row: RowSnapshot, given: SlotMask) throws(ObjectGraphError) {
    for slot in layout.requiredAttributes where row[slot].isStoredAsNull {
      let meetsStored = request.updatesSuppliedKeysOnly && !given.contains(slot) ? try meetsOwnRow(row) : false
      if !meetsStored { throw missing(slot) }
    }
    if request.validatesRules {
      for (slot, rule) in layout.rules {
        guard let breach = rule.breach(by: row[slot]) else { continue }
        throw .brokenRule(
          breach.code, entity: layout.entity.name, key: layout.attributes[slot].name, found: breach.found,
          expected: breach.expected, row: rows)
      }
    }
    let scope = request.updatesSuppliedKeysOnly ? OverwriteScope.slots(given) : .attributes
    if let known = statements.first(where: { $0.scope == scope }) {
      insert = known.insert
    } else {
      let made = try during("preparing a batch insert") { () throws(SQLiteError) in try statement(scope) }
      // Few sets of keys is what there is; many are not worth keeping.
      if statements.count == 64 { statements.removeAll() }
      statements.append((scope, made))
      insert = made
    }
    try write(row)
  }

  /// Whether the row will be written over a stored one of its entity.
  private func meetsOwnRow(_ row: RowSnapshot) throws(ObjectGraphError) -> Bool {
    guard resolution == .overwriteStored else { return false }
    return try during("looking for the row that row \(rows) is written over") { () throws(SQLiteError) in
      try writer.rowSharingUniqueValues(with: row, layout: layout)?.entityIndex == layout.index
    }
  }

  /// Whether what becomes of a row is known before it is stored, or nobody asks.
  ///
  /// An entity with several constraints has rows that meet two stored ones, which are named; a bounded log is counted row by
  /// row.
  private var groupsRows: Bool {
    guard isPlain, log == nil, layout.constraints.count < 2 else { return false }
    return layout.constraints.isEmpty || request.resultType == .statusOnly && writer.history == nil
  }

  @inline(__always)
  private mutating func write(_ row: RowSnapshot) throws(ObjectGraphError) {
    key += 1
    stages.began(.binding)
    if group != nil {
      // A copy, because the group is written to meanwhile.
      let stages = stages
      do throws(GroupedInsert.Refusal) {
        try group?.insert(row, key: key) { stages.began(.stepping) }
      } catch {
        throw refusal(error)
      }
      if request.resultType != .statusOnly || writer.history != nil {
        stages.began(.history)
        try noteSure()
      }
    } else {
      try writeAlone(row)
    }
  }

  @inline(__always)
  private mutating func writeAlone(_ row: RowSnapshot) throws(ObjectGraphError) {
    do {
      try insert?.bind(row, key: key)
      stages.began(.stepping)
      try insert?.statement.run()
      if request.resultType != .statusOnly || writer.history != nil {
        stages.began(.history)
        try noteWritten(row)
      }
      if log != nil {
        stages.began(.history)
        // Read before, because the log is written to meanwhile.
        let history = writer.history
        try log?.room.take(row, history: history)
      }
    } catch {
      throw refusal(error, row)
    }
    if rows == GroupedInsert.rowsBefore, groupsRows, let insert {
      stages.began(.preparation)
      group = try during("preparing a batch insert") { () throws(SQLiteError) in
        try GroupedInsert(insert, writer: writer)
      }
    }
  }

  /// Notes a row of an entity without constraints, which is new for certain.
  private mutating func noteSure() throws(ObjectGraphError) {
    tally.count += 1
    try during("recording the history of \(layout.entity.name)") { () throws(SQLiteError) in
      try writer.history?.inserted(layout, key: key)
    }
    guard tally.namesRows else { return }
    let objectID = ManagedObjectID(store: writer.identity, entityIndex: Int32(layout.index), key: key)
    if request.resultType == .objectIDs { written.append(objectID) } else { tally.changes.inserted.append(objectID) }
  }

  /// Notes what became of the row: new, written over another, or skipped.
  private mutating func noteWritten(_ row: RowSnapshot) throws(SQLiteError) {
    guard writer.connection.changes == 1 else { return }
    tally.count += 1
    guard tally.namesRows || writer.history != nil else { return }
    let isNew = writer.connection.lastInsertRowID == key
    var stored = key
    if !isNew, let taken = try writer.rowSharingUniqueValues(with: row, layout: layout) { stored = taken.key }
    if isNew {
      try writer.history?.inserted(layout, key: key)
    } else {
      let scope = insert?.scope ?? .attributes
      try writer.history?.overwritten(layout, key: stored, scope, isToldOf: stored > lastKey)
    }
    guard tally.namesRows else { return }
    let objectID = ManagedObjectID(store: writer.identity, entityIndex: Int32(layout.index), key: stored)
    if request.resultType == .objectIDs {
      written.append(objectID)
    } else if isNew {
      tally.changes.inserted.append(objectID)
    } else {
      tally.changes.updated.append(objectID)
    }
  }

  private func missing(_ slot: Int) -> ObjectGraphError {
    .missingValue(entity: layout.entity.name, key: layout.attributes[slot].name, row: rows)
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

  private func refusal(_ refusal: GroupedInsert.Refusal) -> ObjectGraphError {
    let position = refusal.rowsAfter.map { "row \(rows - $0)" } ?? "one of the rows up to row \(rows)"
    return .store(refusal.error, during: "inserting \(layout.entity.name), \(position)")
  }

  /// What SQLite refused; a row that meets two stored ones is named with both.
  private func refusal(_ error: SQLiteError, _ row: RowSnapshot) -> ObjectGraphError {
    let plain = ObjectGraphError.store(error, during: "inserting \(layout.entity.name), row \(rows)")
    guard error.extendedCode == .constraintUnique, let taken = try? writer.rowsSharingUniqueValues(with: row, layout)
    else { return plain }
    let takers = taken.compactMap { taken in
      taken.entityIndex.map { ManagedObjectID(store: writer.identity, entityIndex: Int32($0), key: taken.key) }
    }
    var attributes: [String] = []
    for slot in taken.flatMap(\.constraint) where !attributes.contains(layout.attributes[slot].name) {
      attributes.append(layout.attributes[slot].name)
    }
    return takers.count < 2
      ? plain : .uniqueValuesTaken(entity: layout.entity.name, constraint: attributes, by: takers, row: rows)
  }
}
