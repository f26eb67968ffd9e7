// Translates history requests to SQL, and reads transactions and changes.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The SQL for fetching history.
struct HistoryQuery {
  private let store: SQLiteStore
  private let request: PersistentHistoryChangeRequest
  /// Selects transactions; the alias of the table is `t`.
  private var condition: SQLFragment
  /// Selects changes; the alias of the table is `c`.
  private let changeCondition: SQLFragment?
  private let limit: SQLFragment
  private let tombstones: Int

  private static let strings = [("a", "AUTHOR"), ("n", "CONTEXTNAME"), ("b", "BUNDLEID"), ("p", "PROCESSID")]

  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``.
  init(_ request: PersistentHistoryChangeRequest, store: SQLiteStore) throws(ObjectGraphError) {
    self.store = store
    self.request = request
    tombstones = store.reader.schema.model.layouts.map { $0.tombstoneSlots.count }.max() ?? 0
    limit = request.fetchLimit > 0 ? "LIMIT \(raw: "\(request.fetchLimit)")" : ""
    let filter = request.filter
    var terms: [SQLFragment] = []
    switch request.point {
    case .beginning: break
    case .token(let token): terms.append("t.Z_PK > \(bind: .integer(token.transactionNumber))")
    case .date(let date): terms.append("t.ZTIMESTAMP > \(bind: .date(date))")
    }
    if let authors = filter.authors { terms.append("\(HistoryQuery.author) IN (\(HistoryQuery.list(authors)))") }
    if !filter.excludedAuthors.isEmpty {
      let list = HistoryQuery.list(filter.excludedAuthors)
      terms.append("(\(HistoryQuery.author) IS NULL OR \(HistoryQuery.author) NOT IN (\(list)))")
    }
    if let names = filter.contextNames {
      terms.append("coalesce(n.ZNAME, t.ZCONTEXTNAME) IN (\(HistoryQuery.list(names)))")
    }
    var changeTerms: [SQLFragment] = []
    if let names = filter.entityNames {
      var numbers: [Int] = []
      for name in names.sorted() {
        let family = try store.reader.schema.model.layout(named: name).family
        numbers += family.map { store.reader.entityNumber(of: store.reader.schema.model.layouts[$0]) }
      }
      changeTerms.append("c.ZENTITY IN (\(raw: numbers.map(String.init).joined(separator: ", ")))")
    }
    if let types = filter.changeTypes {
      let numbers = types.map(\.rawValue).sorted().map(String.init)
      changeTerms.append("c.ZCHANGETYPE IN (\(raw: numbers.joined(separator: ", ")))")
    }
    let wanted = changeTerms.isEmpty ? nil : SQLFragment.sequence(changeTerms, separator: " AND ")
    changeCondition = wanted
    if let wanted {
      terms.append("EXISTS (SELECT 1 FROM ACHANGE c WHERE c.ZTRANSACTIONID = t.Z_PK AND \(wanted))")
    }
    condition = terms.isEmpty ? "1" : .sequence(terms, separator: " AND ")
  }

  private static let author: SQLFragment = "coalesce(a.ZNAME, t.ZAUTHOR)"

  private static func list(_ texts: Set<String>) -> SQLFragment {
    .sequence(texts.sorted().map { "\(bind: .string($0))" }, separator: ", ")
  }

  /// The strings of a transaction are in a table of their own, or in the transaction itself in stores from before 2018.
  private var source: SQLFragment {
    let joins = HistoryQuery.strings.map { alias, column in
      "LEFT JOIN ATRANSACTIONSTRING \(alias) ON \(alias).Z_PK = t.Z\(column)TS"
    }
    return "FROM ATRANSACTION t \(raw: joins.joined(separator: " ")) WHERE \(condition)"
  }

  // MARK: - Reading

  func count(_ reader: StoreReader) throws(SQLiteError) -> Int {
    let statement = try reader.prepare("SELECT count(*) FROM (SELECT 1 \(source) \(limit))")
    defer { statement.reset() }
    return try statement.step() ? Int(statement.int64(0)) : 0
  }

  func transactions(_ reader: StoreReader, withChanges: Bool) throws(SQLiteError) -> [PersistentHistoryTransaction] {
    let names = HistoryQuery.strings.map { "coalesce(\($0).ZNAME, t.Z\($1))" }.joined(separator: ", ")
    let statement = try reader.prepare(
      "SELECT t.Z_PK, t.ZTIMESTAMP, \(raw: names) \(source) ORDER BY t.Z_PK \(limit)")
    defer { statement.reset() }
    let changes = withChanges ? try changesStatement(reader) : nil
    var transactions: [PersistentHistoryTransaction] = []
    while try statement.step() {
      let number = statement.int64(0)
      let record = PersistentHistoryTransaction.Record(
        token: PersistentHistoryToken(
          storeID: store.identity.uuid, transactionNumber: number, others: request.otherPositions),
        timestamp: Date(timeIntervalSinceReferenceDate: statement.double(1)), author: statement.string(2),
        contextName: statement.string(3), bundleID: statement.string(4), processID: statement.string(5))
      let made = if let changes { try self.changes(of: record, changes) } else { nil as [PersistentHistoryChange]? }
      transactions.append(PersistentHistoryTransaction(record: record, changes: made))
    }
    return transactions
  }

  /// Returns the changes of one transaction; its number is the first parameter.
  private func changesStatement(_ reader: StoreReader) throws(SQLiteError) -> Statement {
    let kept = (0..<tombstones).map { ", c.ZTOMBSTONE\($0)" }.joined()
    let wanted: SQLFragment = changeCondition.map { " AND \($0)" } ?? ""
    return try reader.prepare(
      """
      SELECT c.Z_PK, c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK, c.ZCOLUMNS\(raw: kept) FROM ACHANGE c \
      WHERE c.ZTRANSACTIONID = \(bind: .integer(0))\(wanted) ORDER BY c.Z_PK
      """)
  }

  private func changes(
    of record: PersistentHistoryTransaction.Record, _ statement: Statement
  ) throws(SQLiteError) -> [PersistentHistoryChange] {
    try statement.bind(record.token.transactionNumber, at: 1)
    defer { statement.reset() }
    var changes: [PersistentHistoryChange] = []
    while try statement.step() {
      // Skip changes of entities that the model no longer has, because they have no name.
      guard let type = PersistentHistoryChangeType(rawValue: Int(statement.int64(1))),
        let index = store.reader.entityIndexes[Int(statement.int64(2))]
      else { continue }
      let layout = store.reader.schema.model.layouts[index]
      let names = type == .update ? statement.bytes(4).map { store.historyColumns[index].names(in: $0) } : nil
      changes.append(
        PersistentHistoryChange(
          record, changeID: statement.int64(0), type,
          of: ManagedObjectID(store: store.identity, entityIndex: Int32(index), key: statement.int64(3)),
          updatedProperties: names, tombstone: type == .delete ? tombstone(layout, statement) : nil))
    }
    return changes
  }

  private func tombstone(_ layout: EntityLayout, _ statement: Statement) -> [String: AttributeValue]? {
    if layout.tombstoneSlots.isEmpty { return nil }
    var values: [String: AttributeValue] = [:]
    for (position, slot) in layout.tombstoneSlots.enumerated() {
      let attribute = layout.attributes[slot]
      values[attribute.name] = statement.value(position + 5, as: attribute.type)
    }
    return values
  }
}
