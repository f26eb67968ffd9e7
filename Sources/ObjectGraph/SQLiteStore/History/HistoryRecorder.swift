// The recorder of persistent history: it writes down each change of a request in the request's own transaction.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes a row of `ACHANGE` for each change of a request, and one of `ATRANSACTION` for all of them.
///
/// A request that changes nothing leaves no transaction. Neighboring rows that change in the same way are written with
/// one statement.
final class HistoryRecorder {
  /// Neighboring keys of one entity that change in the same way.
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
  /// The last numbers handed out; nil until the request's first change is written.
  private var numbers: HistoryNumbers?
  /// Whether the request has a row of `ACHANGE`: a query may have found nothing to change.
  private var hasChanges = false
  private var run: Run?
  /// The key of a row that is being written over by one of another entity.
  private var reclassifiedKey: Int64?
  /// The last update's properties and their bitmap: many updates are alike.
  private var lastUpdate: (entity: Int, properties: ChangedProperties, bitmap: [UInt8])?

  init(_ writer: StoreWriter, columns: [HistoryColumns]) {
    self.writer = writer
    self.columns = columns
    processName = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "unknown"
  }

  // MARK: - Transactions

  /// A request's transaction has begun.
  func begin(_ origin: RequestOrigin) {
    self.origin = origin
    strings.begin()
    numbers = nil
    hasChanges = false
    run = nil
    reclassifiedKey = nil
  }

  /// Writes the transaction's row, as the last thing before it is committed.
  ///
  /// - Parameter action: What an error says was being done.
  /// - Returns: Its number; nil when nothing was changed.
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

  /// The transaction was rolled back.
  func abandon() {
    strings.abandon()
    begin(RequestOrigin())
  }

  // MARK: - Changes of single rows

  /// A new row was stored.
  @inline(__always)
  func inserted(_ layout: EntityLayout, key: Int64) throws(SQLiteError) {
    try record(.insert, layout, key, nil)
  }

  /// The last of the new rows that were recorded one after the other were not stored after all: those from the key on.
  func tookBackInsertions(_ layout: EntityLayout, from key: Int64) {
    guard let last = run, last.kind == .insert, last.entityNumber == writer.number(of: layout), last.lastKey >= key
    else { return }
    if last.firstKey < key { run?.lastKey = key - 1 } else { run = nil }
  }

  /// A row was changed.
  func updated(_ layout: EntityLayout, key: Int64, _ properties: ChangedProperties) throws(SQLiteError) {
    if lastUpdate?.entity != layout.index || lastUpdate?.properties != properties {
      lastUpdate = (layout.index, properties, columns[layout.index].bitmap(properties))
    }
    try record(.update, layout, key, lastUpdate?.bitmap)
  }

  /// The row under the key is about to be written over by one of another entity: another object.
  func reclassifying(_ layout: EntityLayout, key: Int64) throws(SQLiteError) {
    try deleting(layout, key: key)
    reclassifiedKey = key
  }

  /// A row was written over by a new one of the entity that has its unique values.
  ///
  /// - Parameters:
  ///   - layout: The entity.
  ///   - key: The row's key.
  ///   - scope: What of it was written.
  ///   - isRecorded: Whether the request's history has the row already, as inserted or written over.
  /// - Throws: what SQLite says.
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

  /// A row of exactly this entity is about to be deleted.
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

  /// The last numbers handed out; the first change of a request takes the transaction's.
  func currentNumbers() throws(SQLiteError) -> HistoryNumbers {
    if let numbers { return numbers }
    let found = try HistoryNumbers(ofNextTransaction: writer)
    numbers = found
    return found
  }

  /// Rows of `ACHANGE` were written.
  func wrote(_ count: Int64) {
    numbers?.change += count
    if count > 0 { hasChanges = true }
    // Code that finds new rows by it must not take a change's key for a row's.
    writer.connection.lastInsertRowID = 0
  }
}

/// The last numbers handed out to changes, transactions and names.
struct HistoryNumbers {
  var change: Int64
  let transaction: Int64
  var string: Int64
  /// Why there are no more of one of them; nothing is written down with them then.
  private(set) var exhaustion: ObjectGraphError?

  /// The stored ones, with the number that the next transaction has.
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
