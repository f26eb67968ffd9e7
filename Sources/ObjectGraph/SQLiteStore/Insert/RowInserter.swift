// Inserts new rows of one entity: one per step of a statement, in groups, or on a second thread.
internal import CoreDataModel
internal import SQLiteDriver

/// Stores new rows of one entity in the order of their keys, for saves and for batch inserts.
///
/// It chooses one of three ways for each row:
///
/// - Alone, in its own step. Afterwards the connection shows the outcome.
/// - In a group. Rows are bound as they arrive, and one step stores 50 of them, which costs SQLite less. Without `OR
///   FAIL`, SQLite would copy every page that it changes, to undo the rows before one that fails. With it, these rows
///   stay, and the caller rolls the transaction back or continues from the refused row.
/// - On a second thread, from 500 rows on, if the process may run on two processors and other processes leave them
///   free. The caller's thread then only packs rows for an ``InsertThread``, and learns of a refusal a few hundred rows
///   later.
///
/// Insert rows only inside ``storeRows(_:)``, which ends the thread in every case.
struct RowInserter {
  /// More rows per step save hardly any more time (Documentation/Experiments.md).
  static let rowsInGroup = 50
  /// For fewer rows, a group statement is not worth preparing.
  static let rowsBeforeGroups = 2 * rowsInGroup
  /// For fewer rows, a thread takes longer to start than it saves.
  private static let rowsBeforeThread = 500
  /// After a thread was hindered, another one is tried once the cost of trying is tiny compared with the work since
  /// then.
  private static let rowsBeforeNextThread = 100_000

  /// Stores single rows.
  var alone: InsertStatement
  /// A row that was refused in a group: its key, or the group's keys if it is unknown which row it was.
  ///
  /// If the row is known, the rows before it are stored and those after it are not.
  private(set) var refused: ClosedRange<Int64>?
  private let writer: StoreWriter
  /// How groups handle taken unique values; `nil` if no row may be in a group.
  private let groupResolution: ConflictResolution?
  /// Whether the entity's rows can be in groups.
  private var isGroupable: Bool
  /// How many rows are stored alone before the next group, and how many after the next refusal.
  private var rowsAlone: Int
  private var nextRowsAlone = rowsBeforeGroups
  /// Binds the rows of groups, and stores rows that do not form a whole group; equal to `alone` until the first group.
  private var single: InsertStatement
  /// Stores whole groups.
  private var several: Statement?
  /// The number of rows that are bound but not stored.
  private var waiting = 0
  /// The key of the last row of a group.
  private var lastKey: Int64 = 0
  /// How many values ``several`` did not keep, in rows that were stored alone.
  private var longValues = 0
  /// Rows since the last flush.
  private var rows = 0
  private var thread: InsertThread?
  private var mayThread: Bool
  private var rowsBeforeThread = RowInserter.rowsBeforeThread

  /// - Parameters:
  ///   - alone: Stores single rows.
  ///   - groupResolution: How groups handle taken unique values; `nil` if each row is stored alone.
  ///   - rowsAlone: How many rows are stored alone before the first group.
  ///   - mayThread: Whether a second thread may store rows.
  ///   - writer: The connection.
  init(
    _ alone: InsertStatement, groups groupResolution: ConflictResolution?, after rowsAlone: Int, mayThread: Bool,
    _ writer: StoreWriter
  ) {
    self.alone = alone
    self.groupResolution = groupResolution
    self.rowsAlone = rowsAlone
    // A shared connection belongs only to its caller.
    self.mayThread = mayThread && writer.threadPatience != nil && !writer.connection.nestsTransactions
    self.writer = writer
    single = alone
    isGroupable = alone.isGroupable(groupResolution, parameters: writer.connection.parameterLimit)
  }

  /// Whether the next row is stored alone.
  var storesAlone: Bool { rowsAlone > 0 || !isGroupable }

  // MARK: - Rows

  /// Runs the body, which inserts rows, then stores the waiting rows.
  ///
  /// When it returns or throws, no other thread uses the connection.
  ///
  /// - Parameter body: Inserts rows in the order of their keys.
  /// - Returns: The error if a row was refused after it seemed to be inserted; `nil` if all are stored.
  /// - Throws: What the body throws, unless an earlier row was refused.
  mutating func storeRows<Failure>(
    _ body: (inout RowInserter) throws(Failure) -> Void
  ) throws(Failure) -> SQLiteError? {
    do throws(Failure) {
      try body(&self)
    } catch {
      // As without a thread, the last rows are not tried if they do not form a group.
      if let earlier = endThread(isComplete: false) { return earlier }
      throw error
    }
    do throws(SQLiteError) { try flush() } catch { return error }
    return nil
  }

  /// Stores a row alone, if ``storesAlone`` is true.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: Its key.
  ///   - willStep: Called before the statement is run.
  /// - Throws: Why it was refused.
  @inline(__always)
  mutating func insertAlone(_ row: RowSnapshot, key: Int64, willStep: () -> Void = {}) throws(SQLiteError) {
    rows += 1
    rowsAlone -= 1
    try alone.bind(row, key: key)
    willStep()
    try alone.statement.run()
  }

  /// Adds a row to a group, or packs it for the thread.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: Its key, which must follow that of the previous row.
  ///   - willStep: Called before a statement is run.
  /// - Throws: Why this or an earlier row was refused; ``refused`` says which one.
  @inline(__always)
  mutating func insert(_ row: RowSnapshot, key: Int64, willStep: () -> Void = {}) throws(SQLiteError) {
    if let thread {
      try single.bind(row, key: key, to: thread.buffer, at: 1)
      if !thread.endRow(), let error = endThread() { throw error }
      return
    }
    let several = try groupStatement()
    do {
      try single.bind(row, key: key, to: several, at: waiting * width + 1)
    } catch {
      throw refusal(error, ofBinding: key)
    }
    if several.longValuesBound > longValues {
      willStep()
      try insertLong(row, key: key)
    } else {
      try endRow(key, several, willStep: willStep)
    }
    rows += 1
    if rows >= rowsBeforeThread, waiting == 0, mayThread { startThread() }
  }

  /// Stores the waiting rows; afterwards the connection may be used for something else.
  mutating func flush() throws(SQLiteError) {
    if let error = endThread() { throw error }
    try storeWaiting()
    rows = 0
  }

  /// Stores the waiting rows, then switches to rows of another entity.
  ///
  /// - Parameter alone: Stores single rows of that entity.
  /// - Throws: Why a waiting row was refused.
  mutating func change(to alone: InsertStatement) throws(SQLiteError) {
    try flush()
    (self.alone, single, several) = (alone, alone, nil)
    isGroupable = alone.isGroupable(groupResolution, parameters: writer.connection.parameterLimit)
  }

  /// Stores the next rows alone, after a row of a group was refused.
  ///
  /// The number of rows doubles each time: if many rows have conflicts, failing groups must not cost more than they
  /// save.
  mutating func pauseGroups() {
    (refused, waiting, rows) = (nil, 0, 0)
    rowsAlone = nextRowsAlone
    nextRowsAlone *= 2
  }

  // MARK: - Groups

  /// The number of parameters for a row.
  private var width: Int { single.width }

  @inline(__always)
  private mutating func groupStatement() throws(SQLiteError) -> Statement {
    if let several { return several }
    return try prepareGroups()
  }

  @inline(never)
  private mutating func prepareGroups() throws(SQLiteError) -> Statement {
    if let groupResolution, groupResolution != alone.resolution {
      single = try alone.resolving(groupResolution, writer)
    }
    let statement = try single.groupStatement(writer)
    longValues = statement.longValuesBound
    several = statement
    return statement
  }

  /// Ends a row in the group's statement, and stores the group if it is full.
  @inline(__always)
  private mutating func endRow(_ key: Int64, _ several: Statement, willStep: () -> Void = {}) throws(SQLiteError) {
    waiting += 1
    lastKey = key
    guard waiting == RowInserter.rowsInGroup else { return }
    willStep()
    do { try several.run() } catch { throw refusal(ofGroup: error) }
    waiting = 0
  }

  /// Stores a row alone if a value is too long for the statement to keep: if the group does not become full, the value
  /// could not be bound again.
  @inline(never)
  private mutating func insertLong(_ row: RowSnapshot, key: Int64) throws(SQLiteError) {
    longValues = several?.longValuesBound ?? 0
    try storeWaiting()
    lastKey = key
    refused = key...key
    try single.bind(row, key: key, to: single.statement, at: 1)
    try single.statement.run()
    refused = nil
  }

  private mutating func storeWaiting() throws(SQLiteError) {
    let first = lastKey - Int64(waiting) + 1
    for position in 0..<waiting {
      do {
        try store(position)
      } catch {
        refused = first + Int64(position)...first + Int64(position)
        throw error
      }
    }
    waiting = 0
  }

  private func store(_ position: Int) throws(SQLiteError) {
    guard let several else { return }
    try single.statement.bind(from: several, first: position * width + 1, count: width)
    try single.statement.run()
  }

  /// Why a row could not be bound, unless an earlier waiting row is refused first.
  @inline(never)
  private mutating func refusal(_ error: SQLiteError, ofBinding key: Int64) -> SQLiteError {
    do throws(SQLiteError) { try storeWaiting() } catch { return error }
    refused = key...key
    return error
  }

  /// Finds the refused row of a group by storing the rows again one by one.
  @inline(never)
  private mutating func refusal(ofGroup error: SQLiteError) -> SQLiteError {
    let first = lastKey - Int64(waiting) + 1
    refused = first...lastKey
    guard writer.connection.isInTransaction else { return error }
    // For a taken key, storing the group again would delete the conflicting rows. The number of changes shows how many
    // rows were stored before it.
    if error.extendedCode == .constraintPrimaryKey {
      let key = first + Int64(writer.connection.changes)
      if single.resolution != .keepStored { refused = key...key }
      return error
    }
    try? writer.connection.execute(
      "DELETE FROM \(single.layout.tableName) WHERE Z_PK BETWEEN \(first) AND \(lastKey)")
    do throws(SQLiteError) { try storeWaiting() } catch { return error }
    return error
  }

  // MARK: - The second thread

  @inline(never)
  private mutating func startThread() {
    thread = writer.threadPatience.flatMap { InsertThread(self, $0) }
    mayThread = thread != nil
  }

  /// Waits for the thread, if there is one.
  ///
  /// - Parameter isComplete: False after an error in a later row: the last rows are then omitted if they do not form a
  ///   group.
  /// - Returns: The error if a row was refused.
  private mutating func endThread(isComplete: Bool = true) -> SQLiteError? {
    guard let thread else { return nil }
    self.thread = nil
    let failure = thread.end(isComplete: isComplete)
    if thread.isHindered { (rows, rowsBeforeThread) = (0, RowInserter.rowsBeforeNextThread) }
    // The thread owns the memory of the bound values.
    several?.clearBindings()
    refused = failure?.keys
    return failure?.error
  }

  /// Stores the rows of a buffer; this is the thread's work.
  ///
  /// Their keys follow that of the last row in a group. No row may wait afterwards, because the buffer is filled again.
  mutating func insert(_ buffer: PackedRows) throws(SQLiteError) {
    let several = try groupStatement()
    let width = width
    var offset = 0
    for _ in 0..<buffer.rows {
      let key = lastKey + 1
      do {
        offset = try buffer.bind(from: offset, to: several, at: waiting * width + 1, width: width)
      } catch {
        throw refusal(error, ofBinding: key)
      }
      try endRow(key, several)
    }
    try storeWaiting()
  }
}
