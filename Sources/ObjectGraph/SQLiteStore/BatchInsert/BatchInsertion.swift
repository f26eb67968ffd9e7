// A batch insert in progress: takes rows from their source, checks, stores and counts them, one in memory at a time.
internal import CoreDataModel
internal import SQLiteDriver

/// The committed part of a batch insert.
struct StoredBatch {
  /// How many of the request's rows have been processed.
  var rows = 0
  var result: BatchResult
}

/// A batch insert in progress.
///
/// The types of the source and the stages are known at compile time, so that a row needs no dynamic dispatch.
struct BatchInsertion<Source: BatchRowSource, Stages: BatchInsertStages> {
  let request: BatchInsertRequest
  let layout: EntityLayout
  let writer: StoreWriter
  let resolution: ConflictResolution
  private let stages: Stages
  /// Whether rows are stored completely and only their required values are checked.
  private let isPlain: Bool
  private var source: Source
  /// Stores the rows; `nil` before the first transaction.
  private var inserter: RowInserter?
  /// Statements for sets of attributes, if a row only overwrites the attributes that it was given.
  private var statements: [InsertStatement] = []
  private var tally: BatchInsertTally
  /// Limits the write-ahead log, if the request asks for that.
  private(set) var budget: WALBudget?
  /// How many rows were taken, which is also the number of the last one.
  private(set) var rows = 0
  /// The key of the last row.
  private(set) var key: Int64 = 0
  /// The last key assigned before the transaction.
  private(set) var lastKey: Int64 = 0
  private(set) var stored: StoredBatch

  init(
    _ request: BatchInsertRequest, of source: Source, into layout: EntityLayout, writer: StoreWriter,
    mergePolicy: MergePolicy, _ stages: Stages
  ) throws(ObjectGraphError) {
    self.request = request
    self.layout = layout
    self.writer = writer
    self.source = source
    self.stages = stages
    resolution = ConflictResolution(batchInsertUnder: mergePolicy)
    isPlain = !request.updatesSuppliedKeysOnly && !request.validatesRules
    tally = BatchInsertTally(request.resultType, layout, writer)
    stored = StoredBatch(result: request.resultType == .statusOnly ? .statusOnly(false) : tally.result)
    budget = try during("preparing a bounded batch insert") { () throws(SQLiteError) in
      request.walSizeLimit > 0 ? try WALBudget(limit: request.walSizeLimit, layout: layout, writer) : nil
    }
  }

  var isDone: Bool { source.isAtEnd }

  // MARK: - Transactions

  /// Empties the log for the next transaction.
  mutating func emptyLog() throws(ObjectGraphError) {
    try during("emptying the write-ahead log") { () throws(SQLiteError) in try budget?.empty() }
  }

  /// Inserts the rows of one transaction, and records their last key.
  mutating func insertPart() throws(ObjectGraphError) {
    var inserter = try during("preparing a batch insert") { () throws(SQLiteError) in try currentInserter() }
    // Others may have written since the last part.
    lastKey = try writer.lastKey(of: layout)
    key = lastKey
    // An upsert that updates a row does not change it, which distinguishes new rows from overwritten ones.
    writer.connection.lastInsertRowID = 0
    let refusal = try inserter.storeRows { (inserter) throws(ObjectGraphError) in
      try insertRows(&inserter)
      source.release()
      if !inserter.storesAlone { stages.began(.stepping) }
    }
    if let refusal { throw self.refusal(refusal, of: inserter.refused) }
    self.inserter = inserter
    stages.began(.commit)
    try checkRequiredRelationships()
    try during("recording the last key of \(layout.entity.name)") { () throws(SQLiteError) in
      if key > lastKey { try writer.setLastKey(of: layout, to: key) }
    }
    if key > lastKey { tally.handedOut(lastKey + 1...key) }
  }

  mutating func notePartStored() {
    stored = StoredBatch(rows: rows, result: tally.result)
    budget?.committed()
  }

  private func currentInserter() throws(SQLiteError) -> RowInserter {
    if let inserter { return inserter }
    let statement = try InsertStatement(layout, resolution: resolution, writer: writer, overwriting: .attributes)
    // With a limited log, each row must be counted. With several constraints, a row may conflict with two stored rows,
    // which the error reports. The outcome for each row of a group is known only if all of them are new.
    let mayGroup =
      isPlain && budget == nil
      && (layout.constraints.isEmpty || layout.constraints.count == 1 && !tally.isWanted)
    // Traced stages must stay on one thread.
    return RowInserter(
      statement, groups: mayGroup ? statement.resolution : nil, after: RowInserter.rowsBeforeGroups,
      mayThread: !Stages.areNoted, writer)
  }

  // MARK: - Rows

  private mutating func insertRows(_ inserter: inout RowInserter) throws(ObjectGraphError) {
    // Count from the part's first row, because the size may be as large as an integer can be.
    let (before, most) = (rows, request.transactionSize > 0 ? request.transactionSize : .max)
    while rows - before < most, !source.isAtEnd, budget?.room.isSpent != true {
      guard try source.next(number: rows + 1, stages) else { break }
      rows += 1
      try storeRow(&inserter)
      source.clear(stages)
    }
  }

  /// Stores the source's row.
  ///
  /// This is a separate function, so that no second reference to the row remains when the row is written again.
  @inline(never)
  private mutating func storeRow(_ inserter: inout RowInserter) throws(ObjectGraphError) {
    let row = source.row
    if isPlain {
      try check(row)
    } else {
      let given = source.given
      try check(row, given: given)
      if request.updatesSuppliedKeysOnly {
        try during("preparing a batch insert") { () throws(SQLiteError) in
          try choose(.slots(given), &inserter)
        }
      }
    }
    try insert(row, &inserter)
    if budget != nil { try takeRoom(row) }
  }

  /// Inserts a row with the next key, and records the outcome.
  @inline(__always)
  private mutating func insert(_ row: RowSnapshot, _ inserter: inout RowInserter) throws(ObjectGraphError) {
    key += 1
    let stages = stages
    stages.began(.binding)
    if inserter.storesAlone {
      do {
        try inserter.insertAlone(row, key: key) { stages.began(.stepping) }
        guard tally.isWanted else { return }
        stages.began(.history)
        try tally.ran(row, key: key, inserter.alone.scope, lastKey: lastKey)
      } catch {
        throw refusal(error, row)
      }
    } else {
      do {
        try inserter.insert(row, key: key) { stages.began(.stepping) }
      } catch {
        throw refusal(error, of: inserter.refused)
      }
      guard tally.isWanted else { return }
      stages.began(.history)
      do { try tally.inserted(key: key) } catch {
        throw .store(error, during: "recording the history of \(layout.entity.name)")
      }
    }
  }

  /// Makes the next row overwrite only some attributes of a stored one.
  private mutating func choose(_ scope: OverwriteScope, _ inserter: inout RowInserter) throws(SQLiteError) {
    if inserter.alone.scope == scope { return }
    if let statement = statements.first(where: { $0.scope == scope }) {
      inserter.alone = statement
      return
    }
    inserter.alone = try InsertStatement(layout, resolution: resolution, writer: writer, overwriting: scope)
    // Usually there are few sets of keys; many are not worth keeping.
    if statements.count == 64 { statements.removeAll() }
    statements.append(inserter.alone)
  }

  private mutating func takeRoom(_ row: RowSnapshot) throws(ObjectGraphError) {
    stages.began(.history)
    let history = writer.history
    do { try budget?.room.take(row, history: history) } catch { throw refusal(error, row) }
  }
}
