// The outcomes for the rows of a batch insert: for history, and for the request's result.
internal import CoreDataModel
internal import SQLiteDriver

/// Records the outcome for each row: new, written over another, or skipped.
struct BatchInsertTally {
  /// Whether the result or the history needs the tally.
  let isWanted: Bool
  private let layout: EntityLayout
  private let writer: StoreWriter
  private var counts: BatchTally
  /// Rows inserted and written over, each once, in the order they were given.
  private var written: [ManagedObjectID] = []
  /// The keys that earlier transactions of the request have handed out: a row under one of them is new.
  private var ownKeys: [ClosedRange<Int64>] = []
  /// The rows older than the request that the result has.
  private var named: Set<ManagedObjectID> = []

  init(_ resultType: BatchResultType, _ layout: EntityLayout, _ writer: StoreWriter) {
    isWanted = resultType != .statusOnly || writer.history != nil
    self.layout = layout
    self.writer = writer
    counts = BatchTally(resultType: resultType)
  }

  /// The result of what has been inserted so far.
  var result: BatchResult { counts.resultType == .objectIDs ? .objectIDs(written) : counts.result }

  /// A row was stored that is new for certain.
  mutating func inserted(key: Int64) throws(SQLiteError) {
    counts.count += 1
    try writer.history?.inserted(layout, key: key)
    if counts.namesRows { name(key, isNew: true) }
  }

  /// The statement has run for a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: The key it was given.
  ///   - scope: What of a stored row it writes over.
  ///   - lastKey: The last key handed out before the transaction.
  /// - Throws: What SQLite says.
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
    // A row that the request itself has inserted is named as new.
    let isOwn = stored > lastKey || ownKeys.contains { $0.contains(stored) }
    if counts.namesRows, !isOwn { name(stored, isNew: false) }
    if counts.resultType == .changes {
      counts.changes.updated += writer.takeEmptied().filter { named.insert($0).inserted }
    }
  }

  /// A transaction of the request has handed out these keys.
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
