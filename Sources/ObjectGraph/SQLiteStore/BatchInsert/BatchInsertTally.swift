// The outcomes for the rows of a batch insert, for history and for the request's result.
internal import CoreDataModel
internal import SQLiteDriver

/// Records the outcome for each row: inserted, overwritten, or skipped.
struct BatchInsertTally {
  /// Whether the result or the history needs the tally.
  let isWanted: Bool
  private let layout: EntityLayout
  private let writer: StoreWriter
  private var counts: BatchTally
  /// Inserted and overwritten rows, each once, in the order of the request.
  private var written: [ManagedObjectID] = []
  /// The keys that earlier transactions of the request have assigned: a row with one of them is new.
  private var ownKeys: [ClosedRange<Int64>] = []
  /// The rows in the result that existed before the request.
  private var named: Set<ManagedObjectID> = []

  init(_ resultType: BatchResultType, _ layout: EntityLayout, _ writer: StoreWriter) {
    isWanted = resultType != .statusOnly || writer.history != nil
    self.layout = layout
    self.writer = writer
    counts = BatchTally(resultType: resultType)
  }

  /// The result for the rows inserted so far.
  var result: BatchResult { counts.resultType == .objectIDs ? .objectIDs(written) : counts.result }

  /// Records a row that is certainly new.
  mutating func inserted(key: Int64) throws(SQLiteError) {
    counts.count += 1
    try writer.history?.inserted(layout, key: key)
    if counts.namesRows { name(key, isNew: true) }
  }

  /// Records the outcome after the statement has run for a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: The key that it was given.
  ///   - scope: What it overwrites in a stored row.
  ///   - lastKey: The last key assigned before the transaction.
  /// - Throws: SQLite's error.
  mutating func ran(
    _ row: RowSnapshot, key: Int64, _ scope: OverwriteScope, lastKey: Int64
  ) throws(SQLiteError) {
    guard writer.connection.changes == 1 else { return }
    if writer.connection.lastInsertRowID == key { return try inserted(key: key) }
    counts.count += 1
    guard counts.namesRows || writer.history != nil else { return }
    var stored = key
    if let taken = try writer.rowSharingUniqueValues(with: row, layout: layout) { stored = taken.key }
    try writer.history?.overwritten(layout, key: stored, scope, isRecorded: stored > lastKey)
    // A row that the request itself has inserted is reported as new.
    let isOwn = stored > lastKey || ownKeys.contains { $0.contains(stored) }
    if counts.namesRows, !isOwn { name(stored, isNew: false) }
    if counts.resultType == .changes {
      counts.changes.updated += writer.takeEmptied().filter { named.insert($0).inserted }
    }
  }

  /// Records the keys that a transaction of the request has assigned.
  mutating func handedOut(_ keys: ClosedRange<Int64>) {
    guard counts.namesRows else { return }
    if let last = ownKeys.last, last.upperBound + 1 == keys.lowerBound {
      ownKeys[ownKeys.count - 1] = last.lowerBound...keys.upperBound
    } else {
      ownKeys.append(keys)
    }
  }

  private mutating func name(_ key: Int64, isNew: Bool) {
    let objectID = ManagedObjectID(store: writer.identity, entityIndex: Int32(layout.index), key: key)
    if !isNew, !named.insert(objectID).inserted { return }
    if counts.resultType == .objectIDs {
      written.append(objectID)
    } else if isNew {
      counts.changes.inserted.append(objectID)
    } else {
      counts.changes.updated.append(objectID)
    }
  }
}
