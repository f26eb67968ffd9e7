// A batch insert under way: rows are taken from their source, looked at, written and counted, one in memory at a time.
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
  private let stages: Stages
  /// How many rows a transaction takes at most; 0 for all.
  private let transactionSize: Int
  private var source: Source
  private let validator: BatchRowValidator
  private var writer: BatchRowWriter<Stages>
  /// Bounds the write-ahead log, where the request asks for it.
  private(set) var budget: WALBudget?
  /// Rows handed in so far.
  private var rows = 0
  private(set) var stored: StoredBatch

  init(
    _ request: BatchInsertRequest, of source: Source, into layout: EntityLayout, writer: StoreWriter,
    mergePolicy: MergePolicy, _ stages: Stages
  ) throws(ObjectGraphError) {
    self.stages = stages
    self.source = source
    transactionSize = request.transactionSize
    let resolution = ConflictResolution(batchInsertUnder: mergePolicy)
    validator = BatchRowValidator(request, layout, resolution, writer)
    let tally = BatchInsertTally(request.resultType, layout, writer)
    stored = StoredBatch(result: request.resultType == .statusOnly ? .statusOnly(false) : tally.result)
    budget = try during("preparing a bounded batch insert") { () throws(SQLiteError) in
      request.walSizeLimit > 0 ? try WALBudget(limit: request.walSizeLimit, layout: layout, writer) : nil
    }
    // A bounded log is counted row by row.
    self.writer = BatchRowWriter(
      layout, resolution, writer, tally, suppliedKeysOnly: request.updatesSuppliedKeysOnly,
      mayLackRelationships: request.leavesRequiredRelationshipsEmpty,
      mayGroup: validator.isPlain && budget == nil, stages)
  }

  var isDone: Bool { source.isAtEnd }

  /// Makes room in the log for the next transaction.
  mutating func emptyLog() throws(ObjectGraphError) {
    try during("emptying the write-ahead log") { () throws(SQLiteError) in try budget?.empty() }
  }

  /// Inserts the rows of one transaction.
  mutating func insertPart() throws(ObjectGraphError) {
    // Others may have written since the last part.
    try writer.begin()
    do throws(ObjectGraphError) {
      try insertRows()
    } catch {
      // Nobody else may be at the connection when the transaction is taken back; and an earlier row's error comes first.
      throw writer.endThread(isComplete: false) ?? error
    }
    source.letGo()
    try writer.end(afterRow: rows)
  }

  private mutating func insertRows() throws(ObjectGraphError) {
    // Counted from the part's first row: a size may be as large as an integer can be.
    let (before, most) = (rows, transactionSize > 0 ? transactionSize : .max)
    while rows - before < most, !source.isAtEnd, budget?.room.isSpent != true {
      guard try source.next(number: rows + 1, stages) else { break }
      rows += 1
      try storeRow()
      source.clear(stages)
    }
  }

  mutating func notePartStored() {
    stored = StoredBatch(rows: rows, result: writer.tally.result)
    budget?.committed()
  }

  /// Stores the source's row.
  ///
  /// A function of its own, so that no second reference to the row is left when it is written again.
  @inline(never)
  private mutating func storeRow() throws(ObjectGraphError) {
    let row = source.row
    if validator.isPlain {
      try validator.check(row, number: rows)
      try writer.write(row, number: rows)
    } else {
      let given = source.given
      try validator.check(row, given: given, number: rows)
      try writer.write(row, given: given, number: rows)
    }
    if budget != nil { try takeRoom(row) }
  }

  private mutating func takeRoom(_ row: RowSnapshot) throws(ObjectGraphError) {
    stages.began(.history)
    let history = writer.history
    do { try budget?.room.take(row, history: history) } catch { throw writer.refusal(error, row, number: rows) }
  }
}
