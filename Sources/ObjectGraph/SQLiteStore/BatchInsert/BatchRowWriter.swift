// Writing the rows of a batch insert: one a step, or in groups where nobody needs to know what became of each.
internal import CoreDataModel
internal import SQLiteDriver

/// Writes rows under new keys, and has the tally note what became of them.
struct BatchRowWriter<Stages: BatchInsertStages> {
  private let stages: Stages
  private let layout: EntityLayout
  private let writer: StoreWriter
  /// Whether a row written over a stored one leaves the attributes alone that it was not given.
  private let suppliedKeysOnly: Bool
  /// The required to-one relationships that no new row may be without.
  private let requiredRelationships: [Int]
  /// Whether many rows may be stored with a step.
  private let mayGroup: Bool
  private(set) var tally: BatchInsertTally
  private var statements: ScopedInserts
  /// Nil until there are many rows.
  private var group: GroupedInsert?
  /// Stores the rest of a transaction's rows, where that is faster; nil until there are many.
  private var thread: InsertThread<BatchInsertTally>?
  /// Whether there is one processor, or no thread to be had.
  private var mayNotThread = false
  private var key: Int64 = 0
  /// The last key handed out before this transaction.
  private var lastKey: Int64 = 0

  init(
    _ layout: EntityLayout, _ resolution: ConflictResolution, _ writer: StoreWriter, _ tally: BatchInsertTally,
    suppliedKeysOnly: Bool, mayLackRelationships: Bool, mayGroup: Bool, _ stages: Stages
  ) {
    self.stages = stages
    self.layout = layout
    self.writer = writer
    statements = ScopedInserts(layout, resolution, writer)
    self.tally = tally
    self.suppliedKeysOnly = suppliedKeysOnly
    requiredRelationships = mayLackRelationships ? [] : layout.requiredSlots.filter { layout.isToOne($0) }
    // An entity with several constraints has rows that meet two stored ones, which are named.
    self.mayGroup = mayGroup && (layout.constraints.isEmpty || layout.constraints.count == 1 && !tally.isWanted)
  }

  var history: HistoryRecorder? { writer.history }

  // MARK: - Transactions

  /// A transaction has begun.
  mutating func begin() throws(ObjectGraphError) {
    try during("preparing a batch insert") { () throws(SQLiteError) in
      if !suppliedKeysOnly { try statements.choose(.attributes) }
    }
    lastKey = try writer.lastKey(of: layout)
    key = lastKey
    // The update arm of an upsert does not move it, so it tells a new row from one written over.
    writer.connection.lastInsertRowID = 0
  }

  /// Stores what waits and the last key, before the transaction is committed.
  mutating func end(afterRow number: Int) throws(ObjectGraphError) {
    if let error = endThread(isComplete: true) { throw error }
    if group != nil {
      stages.began(.stepping)
      do throws(GroupedInsert.Refusal) { try group?.flush() } catch {
        throw refusal(error, lastRow: number)
      }
    }
    stages.began(.commit)
    try checkRequiredRelationships()
    try during("recording the last key of \(layout.entity.name)") { () throws(SQLiteError) in
      if key > lastKey { try writer.setLastKey(of: layout, to: key) }
    }
  }

  /// Refuses new rows without an object that they need; rows that were written over keep theirs.
  private func checkRequiredRelationships() throws(ObjectGraphError) {
    if key == lastKey { return }
    for slot in requiredRelationships {
      let found = try during("checking the relationships of \(layout.entity.name)") { () throws(SQLiteError) -> Bool in
        let statement = try writer.statement(
          "SELECT 1 FROM \(layout.tableName) WHERE Z_PK > ? AND \(layout.columnName(of: slot)) IS NULL LIMIT 1")
        defer { statement.reset() }
        try statement.bind(lastKey, at: 1)
        return try statement.step()
      }
      if found { throw .missingValue(entity: layout.entity.name, key: layout.slots[slot].name, row: nil) }
    }
  }

  // MARK: - Rows

  /// Writes a row of which only the given attributes are written over a stored one, if that is asked for.
  mutating func write(_ row: RowSnapshot, given: SlotMask, number: Int) throws(ObjectGraphError) {
    if suppliedKeysOnly {
      try during("preparing a batch insert") { () throws(SQLiteError) in try statements.choose(.slots(given)) }
    }
    try write(row, number: number)
  }

  /// Writes a row under the next key.
  @inline(__always)
  mutating func write(_ row: RowSnapshot, number: Int) throws(ObjectGraphError) {
    key += 1
    if let thread { return try hand(row, to: thread, number) }
    stages.began(.binding)
    if group != nil { try writeInGroup(row, number) } else { try writeAlone(row, number) }
  }

  @inline(__always)
  private mutating func writeInGroup(_ row: RowSnapshot, _ number: Int) throws(ObjectGraphError) {
    // A copy, because the group is written to meanwhile.
    let stages = stages
    do throws(GroupedInsert.Refusal) {
      try group?.insert(row, key: key) { stages.began(.stepping) }
    } catch {
      throw refusal(error, lastRow: number)
    }
    if tally.isWanted {
      stages.began(.history)
      try during(notingRows) { () throws(SQLiteError) in try tally.inserted(key: key) }
    }
    if !Stages.areNoted, key - lastKey >= GroupedInsert.rowsBeforeThread, group?.waiting == 0 { startThread(number) }
  }

  @inline(__always)
  private mutating func hand(_ row: RowSnapshot, to thread: InsertThread<BatchInsertTally>, _ number: Int)
    throws(ObjectGraphError)
  {
    do {
      if try thread.take(row, key: key) { return }
    } catch {
      throw refusal(error, row, number: number)
    }
    if let error = endThread(isComplete: true) { throw error }
  }

  /// The stages of rows that are followed are those of one thread.
  @inline(never)
  private mutating func startThread(_ number: Int) {
    guard !mayNotThread, let group else { return }
    thread = InsertThread(GroupedRows(group, tally), key: key, number: number)
    mayNotThread = thread == nil
  }

  /// Waits for the thread, if there is one; what it did goes on here.
  ///
  /// - Parameter isComplete: Whether all of the transaction's rows were written.
  /// - Returns: Why one of them was not stored, if so.
  mutating func endThread(isComplete: Bool) -> ObjectGraphError? {
    guard let thread else { return nil }
    self.thread = nil
    let (stored, failure) = thread.end(isComplete: isComplete)
    group = stored.group
    tally = stored.tally
    switch failure {
    case nil: return nil
    case .refused(let refusal, let number): return self.refusal(refusal, lastRow: number)
    case .notNoted(let error): return .store(error, during: notingRows)
    }
  }

  @inline(__always)
  private mutating func writeAlone(_ row: RowSnapshot, _ number: Int) throws(ObjectGraphError) {
    do {
      try statements.chosen?.bind(row, key: key)
      stages.began(.stepping)
      try statements.chosen?.statement.run()
      if tally.isWanted {
        stages.began(.history)
        try tally.ran(row, key: key, statements.chosen?.scope ?? .attributes, lastKey: lastKey)
      }
    } catch {
      throw refusal(error, row, number: number)
    }
    if number == GroupedInsert.rowsBefore, mayGroup, let insert = statements.chosen {
      stages.began(.preparation)
      group = try during("preparing a batch insert") { () throws(SQLiteError) in
        try GroupedInsert(insert, writer: writer)
      }
    }
  }

  // MARK: - Errors

  private var notingRows: String { "recording the history of \(layout.entity.name)" }

  private func refusal(_ refusal: GroupedInsert.Refusal, lastRow number: Int) -> ObjectGraphError {
    let position = refusal.rowsAfter.map { "row \(number - $0)" } ?? "one of the rows up to row \(number)"
    return .store(refusal.error, during: "inserting \(layout.entity.name), \(position)")
  }

  /// What SQLite refused; a row that meets two stored ones is named with both.
  func refusal(_ error: SQLiteError, _ row: RowSnapshot, number: Int) -> ObjectGraphError {
    let plain = ObjectGraphError.store(error, during: "inserting \(layout.entity.name), row \(number)")
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
      ? plain : .uniqueValuesTaken(entity: layout.entity.name, constraint: attributes, by: takers, row: number)
  }
}

/// The statements of a batch insert: one, or one for each set of attributes that rows are given.
private struct ScopedInserts {
  /// What stores the next row; nil until one is chosen.
  private(set) var chosen: InsertStatement?
  /// Those of attributes that rows were given.
  private var known: [InsertStatement] = []
  private let layout: EntityLayout
  private let resolution: ConflictResolution
  private let writer: StoreWriter

  init(_ layout: EntityLayout, _ resolution: ConflictResolution, _ writer: StoreWriter) {
    self.layout = layout
    self.resolution = resolution
    self.writer = writer
  }

  mutating func choose(_ scope: OverwriteScope) throws(SQLiteError) {
    if chosen?.scope == scope { return }
    if let statement = known.first(where: { $0.scope == scope }) {
      chosen = statement
      return
    }
    let statement = try InsertStatement(layout, resolution: resolution, writer: writer, overwriting: scope)
    chosen = statement
    guard case .slots = scope else { return }
    // Few sets of keys is what there is; many are not worth keeping.
    if known.count == 64 { known.removeAll() }
    known.append(statement)
  }
}
