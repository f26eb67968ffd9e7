// Inserting new rows of one entity: one with each step of a statement, in groups, or on a second thread.
internal import CoreDataModel
internal import SQLiteDriver

/// Stores new rows of one entity in the order of their keys, for saves and for batch inserts.
///
/// It decides for each row how that is done:
///
/// - Alone, with its own step. Afterwards the connection shows the outcome.
/// - In a group. Rows are bound as they come, and one step stores 50 of them, which costs SQLite less. Nothing of a row is
///   kept. Without `OR FAIL`, SQLite would copy every page it changes, to undo the rows before one that fails. With it, these
///   rows stay, and the caller rolls the transaction back or continues from the refused row.
/// - On a second thread, from 500 rows on, if the process may run on two processors and other processes leave them free. The
///   caller's thread then only packs rows for an ``InsertThread``, and sees a refusal some hundred rows later.
///
/// Insert rows only inside ``storeRows(_:)``, which ends the thread in every case.
struct RowInserter {
  /// More rows in a step save hardly anything more (Documentation/Experiments.md).
  static let rowsInGroup = 50
  /// For fewer rows a statement of many is not worth making.
  static let rowsBeforeGroups = 2 * rowsInGroup
  /// For fewer rows a thread takes longer to start than it saves.
  private static let rowsBeforeThread = 500
  /// After a thread was held up, another one is tried once the cost of trying is tiny compared with the work done since.
  private static let rowsBeforeNextThread = 100_000

  /// Stores rows by themselves.
  var alone: InsertStatement
  /// A row that was refused in a group: its key, or the keys of the group if it is unknown which row it was.
  ///
  /// If the row is known, the rows before it are stored and those after it are not.
  private(set) var refused: ClosedRange<Int64>?
  private let writer: StoreWriter
  /// How groups meet taken unique values; nil where no row may be in one.
  private let groupResolution: ConflictResolution?
  /// Whether the entity's rows can be in groups.
  private var isGroupable: Bool
  /// How many rows are stored by themselves before the next group, and how many after the next refusal.
  private var rowsAlone: Int
  private var nextRowsAlone = rowsBeforeGroups
  /// Binds the rows of groups, and stores those that make no whole one; the same as `alone` until the first group.
  private var single: InsertStatement
  /// Stores whole groups.
  private var several: Statement?
  /// The rows that are bound and not stored.
  private var waiting = 0
  /// The key of the last row of a group.
  private var lastKey: Int64 = 0
  /// The values that ``several`` did not keep, of rows that were stored by themselves.
  private var longValues = 0
  /// Rows since the last flush.
  private var rows = 0
  private var thread: InsertThread?
  private var mayThread: Bool
  private var rowsBeforeThread = RowInserter.rowsBeforeThread

  /// - Parameters:
  ///   - alone: Stores single rows.
  ///   - groupResolution: How groups handle taken unique values; nil if each row is stored alone.
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
    // A shared connection is its caller's alone.
    self.mayThread = mayThread && writer.threadPatience != nil && !writer.connection.nestsTransactions
    self.writer = writer
    single = alone
    isGroupable = alone.isGroupable(groupResolution, parameters: writer.connection.parameterLimit)
  }

  /// Whether the next row is stored alone.
  var storesAlone: Bool { rowsAlone > 0 || !isGroupable }

  // MARK: - Rows

  /// Runs the body, which inserts rows, then stores the rows that still wait.
  ///
  /// When it returns or throws, no other thread uses the connection.
  ///
  /// - Parameter body: Inserts rows in the order of their keys.
  /// - Returns: Why a row was refused that seemed to be inserted; nil when all are stored.
  /// - Throws: What the body throws, unless an earlier row was refused.
  mutating func storeRows<Failure>(
    _ body: (inout RowInserter) throws(Failure) -> Void
  ) throws(Failure) -> SQLiteError? {
    do throws(Failure) {
      try body(&self)
    } catch {
      // As without a thread, the last rows that make no group are not tried any more.
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

  /// Takes a row into a group, or packs it for the thread.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: Its key, which follows that of the row before.
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

  /// Stores the rows that wait; then the connection may be used for something else.
  mutating func flush() throws(SQLiteError) {
    if let error = endThread() { throw error }
    try storeWaiting()
    rows = 0
  }

  /// Stores the rows that wait, and then rows of another entity.
  ///
  /// - Parameter alone: Stores rows of that entity by themselves.
  /// - Throws: Why a row that waited was refused.
  mutating func change(to alone: InsertStatement) throws(SQLiteError) {
    try flush()
    (self.alone, single, several) = (alone, alone, nil)
    isGroupable = alone.isGroupable(groupResolution, parameters: writer.connection.parameterLimit)
  }

  /// Stores the next rows alone, after a row of a group was refused.
  ///
  /// Twice as many each time: if many rows conflict with others, groups that fail must not cost more than they save.
  mutating func pauseGroups() {
    (refused, waiting, rows) = (nil, 0, 0)
    rowsAlone = nextRowsAlone
    nextRowsAlone *= 2
  }

  // MARK: - Groups

  /// Parameters of a row.
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

  /// A row was bound to the group's statement: stores the group when it is full.
  @inline(__always)
  private mutating func endRow(_ key: Int64, _ several: Statement, willStep: () -> Void = {}) throws(SQLiteError) {
    waiting += 1
    lastKey = key
    guard waiting == RowInserter.rowsInGroup else { return }
    willStep()
    do { try several.run() } catch { throw refusal(ofGroup: error) }
    waiting = 0
  }

  /// A value that the statement does not keep could not be bound again, were the group not to become full.
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

  /// Why a row could not be bound, unless one that waits is refused before it.
  @inline(never)
  private mutating func refusal(_ error: SQLiteError, ofBinding key: Int64) -> SQLiteError {
    do throws(SQLiteError) { try storeWaiting() } catch { return error }
    refused = key...key
    return error
  }

  /// Finds the row of the group that was refused, by storing the rows again one by one.
  @inline(never)
  private mutating func refusal(ofGroup error: SQLiteError) -> SQLiteError {
    let first = lastKey - Int64(waiting) + 1
    refused = first...lastKey
    guard writer.connection.isInTransaction else { return error }
    // A taken key: storing the group again would delete the rows in its way. The rows before it were counted.
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
  /// - Parameter isComplete: False after an error of a later row: the last rows that make no group are left out then.
  /// - Returns: Why a row was refused, if so.
  private mutating func endThread(isComplete: Bool = true) -> SQLiteError? {
    guard let thread else { return nil }
    self.thread = nil
    let failure = thread.end(isComplete: isComplete)
    if thread.isHindered { (rows, rowsBeforeThread) = (0, RowInserter.rowsBeforeNextThread) }
    // The memory that its values are in belongs to the thread.
    several?.clearBindings()
    refused = failure?.keys
    return failure?.error
  }

  /// Stores the rows of a buffer: what the thread does.
  ///
  /// Their keys follow that of the last row of a group. None of them waits afterwards, since the buffer is filled again.
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
