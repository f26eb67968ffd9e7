// Records persistent history: writes each change of a request in the request's own transaction.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes a row of `ACHANGE` for each change of a request, and one of `ATRANSACTION` for all of them.
///
/// A request that changes nothing leaves no transaction. One statement writes a run of rows with consecutive keys and
/// the same change.
final class HistoryRecorder {
  /// A run of consecutive keys of one entity with the same change.
  private struct Run {
    let kind: PersistentHistoryChangeType
    let entityNumber: Int64
    let columns: [UInt8]?
    let firstKey: Int64
    var lastKey: Int64
  }

  unowned let writer: StoreWriter
  let columns: [HistoryColumns]
  /// The name of this process in history.
  private let processName: String
  private var strings = HistoryStrings()
  private var origin = RequestOrigin()
  /// The last assigned numbers; `nil` until the request's first change is written.
  private var numbers: HistoryNumbers?
  /// Whether the request has rows in `ACHANGE`: a query may have found nothing to change.
  private var hasChanges = false
  private var run: Run?
  /// The key of a row that is being overwritten by a row of another entity.
  private var reclassifiedKey: Int64?
  /// The last update's properties and their bitmap, because many updates change the same properties.
  private var lastUpdate: (entity: Int, properties: ChangedProperties, bitmap: [UInt8])?

  init(_ writer: StoreWriter, columns: [HistoryColumns]) {
    self.writer = writer
    self.columns = columns
    processName = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "unknown"
  }

  // MARK: - Transactions

  /// Starts a request's transaction.
  func begin(_ origin: RequestOrigin) {
    self.origin = origin
    strings.begin()
    numbers = nil
    hasChanges = false
    run = nil
    reclassifiedKey = nil
  }

  /// Writes the transaction's row, as the last step before the commit.
  ///
  /// - Parameter action: What was being done, for errors.
  /// - Returns: Its number; `nil` if nothing was changed.
  /// - Throws: ``ObjectGraphError/keysExhausted(of:found:path:)``, and ``ObjectGraphError/store(_:during:)``.
  func finish(_ action: String) throws(ObjectGraphError) -> Int64? {
    try during(action) { () throws(SQLiteError) in try flush() }
    if let exhaustion = numbers?.exhaustion { throw exhaustion }
    return try during(action) { () throws(SQLiteError) in try writeTransaction() }
  }

  private func writeTransaction() throws(SQLiteError) -> Int64? {
    guard hasChanges, var numbers else { return nil }
    let author = try strings.key(of: origin.author, last: &numbers.string, writer)
    let name = try strings.key(of: origin.contextName, last: &numbers.string, writer)
    let process = try strings.key(of: processName, last: &numbers.string, writer)
    self.numbers = numbers
    let statement = try writer.statement(
      "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) "
        + "VALUES (?1, 16002, ?2, ?3, ?4, ?3, ?5)")
    try statement.bind(numbers.transaction, at: 1)
    try statement.bind(optional: author, at: 2)
    try statement.bind(optional: process, at: 3)
    try statement.bind(optional: name, at: 4)
    try statement.bind(Date().timeIntervalSinceReferenceDate, at: 5)
    try statement.run()
    try numbers.store(writer)
    return numbers.transaction
  }

  /// Discards the transaction, which was rolled back.
  func abandon() {
    strings.abandon()
    begin(RequestOrigin())
  }

  // MARK: - Changes of single rows

  /// Records a new row.
  @inline(__always)
  func inserted(_ layout: EntityLayout, key: Int64) throws(SQLiteError) {
    try record(.insert, layout, key, nil)
  }

  /// Discards the last consecutive new rows, from this key on, because they were not stored after all.
  func tookBackInsertions(_ layout: EntityLayout, from key: Int64) {
    guard let last = run, last.kind == .insert, last.entityNumber == writer.number(of: layout), last.lastKey >= key
    else { return }
    if last.firstKey < key { run?.lastKey = key - 1 } else { run = nil }
  }

  /// Records a changed row.
  func updated(_ layout: EntityLayout, key: Int64, _ properties: ChangedProperties) throws(SQLiteError) {
    if lastUpdate?.entity != layout.index || lastUpdate?.properties != properties {
      lastUpdate = (layout.index, properties, columns[layout.index].bitmap(properties))
    }
    try record(.update, layout, key, lastUpdate?.bitmap)
  }

  /// Records that a row of another entity is about to overwrite the row, which thereby becomes another object.
  func reclassifying(_ layout: EntityLayout, key: Int64) throws(SQLiteError) {
    try deleting(layout, key: key)
    reclassifiedKey = key
  }

  /// Records that a new row of the entity has overwritten the row that had its unique values.
  ///
  /// - Parameters:
  ///   - layout: The entity.
  ///   - key: The row's key.
  ///   - scope: What was overwritten.
  ///   - isRecorded: Whether the request's history already has the row, as inserted or overwritten.
  /// - Throws: SQLite's error.
  func overwritten(
    _ layout: EntityLayout, key: Int64, _ scope: OverwriteScope, isRecorded: Bool
  ) throws(SQLiteError) {
    if reclassifiedKey == key {
      reclassifiedKey = nil
      try inserted(layout, key: key)
    } else if !isRecorded {
      try updated(layout, key: key, ChangedProperties(slots: layout.overwrittenSlots(scope)))
    }
  }

  /// Records that a row of exactly this entity is about to be deleted.
  func deleting(_ layout: EntityLayout, key: Int64) throws(SQLiteError) {
    if layout.tombstoneSlots.isEmpty {
      try record(.delete, layout, key, nil)
    } else {
      try record(.delete, rowOf: layout, key: key, ChangedProperties())
    }
  }
  @inline(__always)
  private func record(
    _ kind: PersistentHistoryChangeType, _ layout: EntityLayout, _ key: Int64, _ columns: [UInt8]?
  ) throws(SQLiteError) {
    let number = Int64(writer.number(of: layout))
    if let last = run, last.lastKey &+ 1 == key, last.kind == kind, last.entityNumber == number, last.columns == columns
    {
      run?.lastKey = key
      return
    }
    try flush()
    run = Run(kind: kind, entityNumber: number, columns: columns, firstKey: key, lastKey: key)
  }

  // MARK: - Writing

  /// Writes the pending changes.
  func flush() throws(SQLiteError) {
    guard let run else { return }
    self.run = nil
    let numbers = try currentNumbers()
    if numbers.exhaustion != nil { return }
    let target =
      "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
    let statement = try writer.statement(
      run.firstKey == run.lastKey
        ? target + "VALUES (?1, 16001, ?2, ?3, ?4, ?5, ?6)"
        : target + "WITH RECURSIVE run (key) AS (SELECT ?4 UNION ALL SELECT key + 1 FROM run WHERE key < ?7) "
          + "SELECT ?1 + key - ?4, 16001, ?2, ?3, key, ?5, ?6 FROM run")
    try statement.bind(numbers.change + 1, at: 1)
    try statement.bind(Int64(run.kind.rawValue), at: 2)
    try statement.bind(run.entityNumber, at: 3)
    try statement.bind(run.firstKey, at: 4)
    try statement.bind(numbers.transaction, at: 5)
    try statement.bind(optional: run.columns, at: 6)
    if run.firstKey != run.lastKey { try statement.bind(run.lastKey, at: 7) }
    try statement.run()
    wrote(run.lastKey - run.firstKey + 1)
  }

  /// The last assigned numbers; the first change of a request assigns the transaction's.
  func currentNumbers() throws(SQLiteError) -> HistoryNumbers {
    if let numbers { return numbers }
    let found = try HistoryNumbers(ofNextTransaction: writer)
    numbers = found
    return found
  }

  /// Records that rows of `ACHANGE` were written.
  func wrote(_ count: Int64) {
    numbers?.change += count
    if count > 0 { hasChanges = true }
    // Code that detects new rows by it must not mistake a change's key for a row's.
    writer.connection.lastInsertRowID = 0
  }
}

/// The last numbers assigned to changes, transactions and strings.
struct HistoryNumbers {
  var change: Int64
  let transaction: Int64
  var string: Int64
  /// Why one of the numbers is exhausted; nothing is written then.
  private(set) var exhaustion: ObjectGraphError?

  /// Reads the stored numbers, and assigns one to the next transaction.
  init(ofNextTransaction writer: StoreWriter) throws(SQLiteError) {
    let statement = try writer.statement("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 16001 AND 16003")
    defer { statement.reset() }
    var last: [Int64: Int64] = [:]
    while try statement.step() {
      let entity = statement.int64(0)
      do throws(ObjectGraphError) {
        let name = HistoryEntity(rawValue: entity)?.name ?? ""
        last[entity] = try LastKey.read(statement, 1, of: name, path: writer.connection.path)
      } catch {
        exhaustion = error
      }
    }
    change = last[HistoryEntity.change.rawValue] ?? 0
    transaction = (last[HistoryEntity.transaction.rawValue] ?? 0) + 1
    string = last[HistoryEntity.transactionString.rawValue] ?? 0
  }

  func store(_ writer: StoreWriter) throws(SQLiteError) {
    let rows = HistoryEntity.allCases.enumerated().map { "(\($1.rawValue), '\($1.name)', 0, ?\($0 + 1))" }
    let statement = try writer.statement(
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES " + rows.joined(separator: ", ")
        + " ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = excluded.Z_MAX")
    try statement.bind(change, at: 1)
    try statement.bind(transaction, at: 2)
    try statement.bind(string, at: 3)
    try statement.run()
  }
}
