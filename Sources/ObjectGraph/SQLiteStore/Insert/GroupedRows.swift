// Storing packed rows in groups, with what is noted of each: the work of an insert's thread.
internal import CoreDataModel
internal import SQLiteDriver

/// Notes that rows were stored.
protocol StoredRowTally: SendableMetatype {
  /// Whether anybody wants to know.
  var isWanted: Bool { get }
  /// A row was stored that is new for certain.
  mutating func inserted(key: Int64) throws(SQLiteError)
}

/// Rows that are stored in groups, and what is noted of them.
struct GroupedRows<Tally: StoredRowTally> {
  /// Why a row was not stored.
  enum Failure: Error {
    /// SQLite refused it or one of its group; rows are counted up to the one that was given last.
    case refused(GroupedInsert.Refusal, lastRow: Int)
    /// It could not be noted.
    case notNoted(SQLiteError)

    var error: SQLiteError {
      switch self {
      case .refused(let refusal, _): refusal.error
      case .notNoted(let error): error
      }
    }
  }

  var group: GroupedInsert
  var tally: Tally

  init(_ group: GroupedInsert, _ tally: Tally) {
    self.group = group
    self.tally = tally
  }

  /// Takes the next of the packed rows, and stores the group when it is full.
  ///
  /// - Parameters:
  ///   - rows: The buffer that has it; it stays as it is until the group is stored.
  ///   - offset: Where in the buffer it begins.
  ///   - key: Its key, which follows that of the row before.
  ///   - number: Which row it is, for a ``Failure``.
  /// - Returns: Where the next row begins.
  /// - Throws: ``Failure``.
  @inline(__always)
  mutating func insert(
    packed rows: PackedRows, at offset: Int, key: Int64, number: Int
  ) throws(Failure) -> Int {
    var end = offset
    let width = group.width
    do throws(GroupedInsert.Refusal) {
      try group.insert(key: key) { (statement, position) throws(SQLiteError) in
        end = try rows.bind(from: offset, to: statement, at: position, width: width)
      }
    } catch {
      throw .refused(error, lastRow: number)
    }
    if tally.isWanted {
      do { try tally.inserted(key: key) } catch { throw .notNoted(error) }
    }
    return end
  }

  /// Stores the rows that wait.
  ///
  /// - Parameter number: Which row was the last.
  /// - Throws: ``Failure``.
  mutating func flush(number: Int) throws(Failure) {
    do throws(GroupedInsert.Refusal) { try group.flush() } catch { throw .refused(error, lastRow: number) }
  }
}
