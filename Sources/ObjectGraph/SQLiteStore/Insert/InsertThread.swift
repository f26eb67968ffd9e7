// Inserts on two processors: while a thread of their own has SQLite store rows, the caller's makes the next ones.
internal import CoreDataModel
internal import SQLiteDriver
internal import Support

/// Stores the rows of one transaction on a thread of its own.
///
/// Rows are stored in the order in which they are given. What is refused is known a little later than by one thread, when
/// a few hundred more rows were given.
// Sendable by proof: the rows, the key, the number and the failure are the thread's from its start until it was joined, and
// the caller's before and after. Both threads use the ring, which guards what they share with a mutex and gives each
// buffer to one of them at a time; the statement only the caller's, and `thread` is set before the caller has the insert.
final class InsertThread<Tally: StoredRowTally>: @unchecked Sendable {
  private let ring = RowRing()
  private var rows: GroupedRows<Tally>
  private let insert: InsertStatement
  private var thread: PlainThread?
  private var key: Int64
  private var number: Int
  private var failure: GroupedRows<Tally>.Failure?

  /// Nil where there is one processor, or no thread to be had.
  ///
  /// - Parameters:
  ///   - rows: What stores the rows.
  ///   - key: The key of the last row that was stored.
  ///   - number: Its number.
  init?(_ rows: GroupedRows<Tally>, key: Int64, number: Int) {
    self.rows = rows
    insert = rows.group.single
    self.key = key
    self.number = number
    let processors = ThreadProcessors.allowed()
    guard processors.count > 1 else { return nil }
    // Threads that wait for each other are often put on one processor, where nothing is won.
    let others = processors.filter { $0 != ThreadProcessors.current() }
    // Where the process may have no more threads, one does it all.
    thread = try? PlainThread(stackBytes: 512 << 10) {
      ThreadProcessors.stay(on: others)
      self.run()
    }
    if thread == nil { return nil }
  }

  /// Takes the next row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: Its key, which follows that of the row before.
  /// - Returns: False when an earlier row was refused, so that no more are wanted; ``end(isComplete:)`` tells why.
  /// - Throws: What SQLite would say of the row's values.
  @inline(__always)
  func take(_ row: RowSnapshot, key: Int64) throws(SQLiteError) -> Bool {
    let buffer = ring.current
    try insert.bind(row, key: key, to: buffer, at: 1)
    return buffer.endRow() ? ring.handOver() : true
  }

  /// Waits until the rows that were taken are stored.
  ///
  /// - Parameter isComplete: False after an error of a later row: then, as by one thread, the last rows that make no
  ///   group are not tried any more.
  /// - Returns: What stored the rows, and why one of them was not, if so.
  func end(isComplete: Bool) -> (GroupedRows<Tally>, GroupedRows<Tally>.Failure?) {
    if !isComplete { ring.current.removeIncompleteGroup() }
    if ring.current.rows > 0 { _ = ring.handOver() }
    ring.end()
    thread?.join()
    rows.group.forgetValues()
    return (rows, failure)
  }

  private func run() {
    while let buffer = ring.next() {
      do throws(GroupedRows<Tally>.Failure) {
        try store(buffer)
      } catch {
        failure = error
        return ring.giveUp()
      }
      ring.handBack()
    }
  }

  private func store(_ buffer: PackedRows) throws(GroupedRows<Tally>.Failure) {
    var offset = 0
    for _ in 0..<buffer.rows {
      key += 1
      number += 1
      offset = try rows.insert(packed: buffer, at: offset, key: key, number: number)
    }
    // The buffer goes back, so that no row of it may wait.
    try rows.flush(number: number)
  }
}
