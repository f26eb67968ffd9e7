// A batch insert under way: rows are taken from their source, checked, stored and counted, one in memory at a time.
internal import CoreDataModel
internal import SQLiteDriver

/// What of a batch insert is stored for good.
struct StoredBatch {
  /// How many of the request's rows have been dealt with.
  var rows = 0
  var result: BatchResult
}

/// One batch insert under way.
///
/// The source's type and that of the stages are known when the code is compiled, so that nothing is looked up for a row.
struct BatchInsertion<Source: BatchRowSource, Stages: BatchInsertStages> {
  let request: BatchInsertRequest
  let layout: EntityLayout
  let writer: StoreWriter
  let resolution: ConflictResolution
  private let stages: Stages
  /// Whether a row is stored whole and only its required values are checked, whatever it was given.
  private let isPlain: Bool
  private var source: Source
  /// Stores the rows; nil until the first transaction.
  private var inserter: RowInserter?
  /// The statements of sets of attributes that rows were given, where a row writes only these over a stored one.
  private var statements: [InsertStatement] = []
  private var tally: BatchInsertTally
  /// Bounds the write-ahead log, where the request asks for it.
  private(set) var budget: WALBudget?
  /// How many rows were taken, so that it is the number of the last one.
  private(set) var rows = 0
  /// The key of the last row.
  private(set) var key: Int64 = 0
  /// The last key handed out before the transaction.
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

  /// Makes room in the log for the next transaction.
  mutating func emptyLog() throws(ObjectGraphError) {
    try during("emptying the write-ahead log") { () throws(SQLiteError) in try budget?.empty() }
  }

  /// Inserts the rows of one transaction, and records their last key.
  mutating func insertPart() throws(ObjectGraphError) {
    var inserter = try during("preparing a batch insert") { () throws(SQLiteError) in try currentInserter() }
    // Others may have written since the last part.
    lastKey = try writer.lastKey(of: layout)
    key = lastKey
    // The update arm of an upsert does not move it, so it distinguishes a new row from one written over.
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
    // With a limited log, each row is counted. With several constraints, a row may conflict with two stored rows, which the error
    // names. The outcome for each row of a group is known only if all of them are new.
    let mayGroup =
      isPlain && budget == nil
      && (layout.constraints.isEmpty || layout.constraints.count == 1 && !tally.isWanted)
    // The stages of rows that are followed are those of one thread.
    return RowInserter(
      statement, groups: mayGroup ? statement.resolution : nil, after: RowInserter.rowsBeforeGroups,
      mayThread: !Stages.areNoted, writer)
  }

  // MARK: - Rows

  private mutating func insertRows(_ inserter: inout RowInserter) throws(ObjectGraphError) {
    // Counted from the part's first row: a size may be as large as an integer can be.
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
  /// A separate function, so that no second reference to the row is left when it is written again.
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

  /// Inserts a row under the next key, and records the outcome.
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
    // Few sets of keys is what there is; many are not worth keeping.
    if statements.count == 64 { statements.removeAll() }
    statements.append(inserter.alone)
  }

  private mutating func takeRoom(_ row: RowSnapshot) throws(ObjectGraphError) {
    stages.began(.history)
    let history = writer.history
    do { try budget?.room.take(row, history: history) } catch { throw refusal(error, row) }
  }
}
