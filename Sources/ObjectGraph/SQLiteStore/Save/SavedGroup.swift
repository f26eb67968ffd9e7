// The new rows of a save that are stored in groups, by a thread of their own when there are many.
internal import CoreDataModel
internal import SQLiteDriver

/// Has history know of a save's new rows.
struct SavedRowHistory: StoredRowTally {
  let recorder: HistoryRecorder?
  let layout: EntityLayout

  var isWanted: Bool { recorder != nil }

  func inserted(key: Int64) throws(SQLiteError) { try recorder?.inserted(layout, key: key) }

  /// Rows that were noted were not stored after all: those from the key on.
  func tookBack(from key: Int64) { recorder?.tookBackInsertions(layout, from: key) }
}

/// Stores new rows of one entity in groups: at first itself, and from some hundred rows on by a thread.
struct SavedGroup {
  private var group: GroupedInsert
  private let history: SavedRowHistory
  private var thread: InsertThread<SavedRowHistory>?
  /// Whether there is one processor, or no thread to be had.
  private var mayNotThread = false
  /// Rows since the last flush.
  private var rows = 0
  /// The key of the row whose unique values were taken, after an error for that reason.
  ///
  /// All rows before it are stored, and neither it nor any after it.
  private(set) var refusedKey: Int64?
  /// The key of the last row that was taken without a thread.
  private var lastKey: Int64 = 0

  init(_ group: GroupedInsert, _ history: SavedRowHistory) {
    self.group = group
    self.history = history
  }

  /// Takes the next row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: Its key, which follows that of the row before.
  /// - Throws: Why this or an earlier row was not stored.
  @inline(__always)
  mutating func insert(_ row: RowSnapshot, key: Int64) throws(SQLiteError) {
    if let thread {
      if try !thread.take(row, key: key), let error = endThread() { throw error }
      return
    }
    do throws(GroupedInsert.Refusal) { try group.insert(row, key: key) } catch { throw note(error, lastKey: key) }
    lastKey = key
    if history.isWanted { try history.inserted(key: key) }
    rows += 1
    if rows >= GroupedInsert.rowsBeforeThread, group.waiting == 0, !mayNotThread { startThread(after: key) }
  }

  /// Stores the rows that wait; others may use the connection after.
  mutating func flush() throws(SQLiteError) {
    if let error = endThread() { throw error }
    do throws(GroupedInsert.Refusal) { try group.flush() } catch { throw note(error, lastKey: lastKey) }
    rows = 0
  }

  @inline(never)
  private mutating func startThread(after key: Int64) {
    // Keys are numbers too, so that a refusal tells the key.
    thread = InsertThread(GroupedRows(group, history), key: key, number: Int(key))
    mayNotThread = thread == nil
  }

  /// Waits for the thread, if there is one.
  ///
  /// - Returns: Why a row was not stored, if so.
  mutating func endThread() -> SQLiteError? {
    guard let thread else { return nil }
    self.thread = nil
    let (stored, failure) = thread.end(isComplete: true)
    group = stored.group
    guard case .refused(let refusal, let lastKey)? = failure else { return failure?.error }
    return note(refusal, lastKey: Int64(lastKey))
  }

  /// Notes which row was refused, where it is known and a later attempt may store it.
  private mutating func note(_ refusal: GroupedInsert.Refusal, lastKey: Int64) -> SQLiteError {
    if refusal.error.extendedCode == .constraintUnique, let rowsAfter = refusal.rowsAfter {
      refusedKey = lastKey - Int64(rowsAfter)
      history.tookBack(from: lastKey - Int64(rowsAfter))
    }
    return refusal.error
  }
}
