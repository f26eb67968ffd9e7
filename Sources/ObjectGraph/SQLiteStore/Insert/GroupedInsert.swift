// Inserting several rows with one step of a statement, which costs SQLite less than a step a row.
internal import CoreDataModel
internal import SQLiteDriver

/// An INSERT of one entity that gathers rows and stores them in groups.
///
/// Rows are bound as they come and stored when there are enough, so that nothing of a row must be kept. `OR FAIL` keeps
/// SQLite from copying every page it changes, in case it has to take back the rows before the one that fails; here the
/// transaction is taken back as a whole.
struct GroupedInsert {
  /// A group of rows that was refused.
  struct Refusal: Error {
    let error: SQLiteError
    /// How many rows were given after the one that was refused; nil when it is unknown which one that was.
    let rowsAfter: Int?
  }

  /// More rows a step save hardly anything more (Documentation/Experiments.md).
  static let rows = 50
  /// Rows for which a statement of many is not worth making.
  static let rowsBefore = 2 * rows
  /// Rows for which a thread takes longer to start than it saves.
  static let rowsBeforeThread = 500

  /// Stores what is not a whole group.
  let single: InsertStatement
  private let several: Statement
  /// Parameters of a row.
  let width: Int
  /// Rows that are bound and not stored.
  private(set) var waiting = 0
  /// The key of the last row that was given.
  private var lastKey: Int64 = 0
  /// The values that the statement did not keep, of rows that were stored alone.
  private var longValues: Int

  /// - Parameters:
  ///   - single: Stores what is not a whole group.
  ///   - writer: The connection.
  /// - Throws: What SQLite says of the statement.
  init?(_ single: InsertStatement, writer: StoreWriter) throws(SQLiteError) {
    guard single.isUnprepared else { return nil }
    width = single.layout.columns.count + 1
    guard GroupedInsert.rows * width <= writer.connection.parameterLimit else { return nil }
    self.single = single
    several = try writer.statement(
      single.layout.insertSQL(
        single.resolution, single.scope, entityNumber: writer.number(of: single.layout), rows: GroupedInsert.rows))
    longValues = several.longValuesBound
  }

  /// Takes a row, and stores the group when it is full.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: Its key, which follows that of the row before.
  ///   - willStep: Called before a statement is run.
  /// - Throws: ``Refusal``.
  @inline(__always)
  mutating func insert(_ row: RowSnapshot, key: Int64, willStep: () -> Void = {}) throws(Refusal) {
    let single = single
    try insert(key: key, willStep: willStep) { (statement, position) throws(SQLiteError) in
      try single.bind(row, key: key, to: statement, at: position)
    }
  }

  /// Takes the row that the closure binds, to a statement from a parameter on, and stores the group when it is full.
  ///
  /// - Parameters:
  ///   - key: The row's key, which follows that of the row before.
  ///   - willStep: Called before a statement is run.
  ///   - bind: Binds the row, with its key; called again when the row has to be stored alone.
  /// - Throws: ``Refusal``.
  @inline(__always)
  mutating func insert(
    key: Int64, willStep: () -> Void = {}, bind: (Statement, Int) throws(SQLiteError) -> Void
  ) throws(Refusal) {
    do {
      try bind(several, waiting * width + 1)
    } catch {
      throw refusal(error)
    }
    if several.longValuesBound > longValues {
      longValues = several.longValuesBound
      willStep()
      return try insertAlone(bind)
    }
    waiting += 1
    lastKey = key
    guard waiting == GroupedInsert.rows else { return }
    willStep()
    do {
      try several.run()
      waiting = 0
    } catch {
      throw refusal(error)
    }
  }

  /// Stores the rows that wait.
  ///
  /// - Throws: ``Refusal``.
  mutating func flush() throws(Refusal) {
    for position in 0..<waiting {
      do {
        try store(position)
      } catch {
        throw Refusal(error: error, rowsAfter: waiting - 1 - position)
      }
    }
    waiting = 0
  }

  /// A value that the statement does not keep could not be bound again, were the group not to become full.
  @inline(never)
  private mutating func insertAlone(_ bind: (Statement, Int) throws(SQLiteError) -> Void) throws(Refusal) {
    do throws(Refusal) { try flush() } catch {
      throw Refusal(error: error.error, rowsAfter: error.rowsAfter.map { $0 + 1 })
    }
    do {
      try bind(single.statement, 1)
      try single.statement.run()
    } catch {
      throw Refusal(error: error, rowsAfter: 0)
    }
  }

  private func store(_ position: Int) throws(SQLiteError) {
    try single.statement.bind(from: several, first: position * width + 1, count: width)
    try single.statement.run()
  }

  /// Has the statement forget the values of the last group, whose memory is about to go.
  func forgetValues() { several.clearBindings() }

  /// Finds the row of the group that was refused, by storing them again one by one.
  ///
  /// The transaction is taken back, whatever becomes of them.
  private func refusal(_ error: SQLiteError) -> Refusal {
    guard single.connection.isInTransaction else { return Refusal(error: error, rowsAfter: nil) }
    // A taken key: storing the group again would take away what is in its way. The rows before it were counted.
    if error.extendedCode == .constraintPrimaryKey {
      let position = single.connection.changes
      return Refusal(error: error, rowsAfter: single.resolution == .keepStored ? nil : waiting - 1 - position)
    }
    let first = lastKey - Int64(waiting) + 1
    try? single.connection.execute(
      "DELETE FROM \(single.layout.tableName) WHERE Z_PK BETWEEN \(first) AND \(lastKey)")
    for position in 0..<waiting {
      do {
        try store(position)
      } catch let other {
        return Refusal(error: other, rowsAfter: waiting - 1 - position)
      }
    }
    return Refusal(error: error, rowsAfter: nil)
  }
}
