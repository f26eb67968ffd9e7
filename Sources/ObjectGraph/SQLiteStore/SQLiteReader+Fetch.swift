// Reads and counts rows, on a reading connection besides the writer.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteReader {
  /// The rows of a fetch, by default in key order; stops early if `shouldContinue` returns false.
  func rows(_ fetch: StoreFetch, shouldContinue: () -> Bool) throws(ObjectGraphError) -> StoredRows {
    guard let query = try FetchQuery(fetch, store: self) else { return StoredRows() }
    let identity = identity
    return try read { (reader) throws(ObjectGraphError) in
      try reader.check(parameters: query.parameters.count)
      return try during("fetching \(fetch.layout.entity.name)") { () throws(SQLiteError) in
        let statement = try reader.statement(query.select)
        defer { statement.reset() }
        try query.bind(to: statement, window: fetch.window)
        var rows = StoredRows()
        // Outside of the loop, because choosing a reader retains it.
        let only = query.only
        while try statement.step() {
          if let reader = only ?? query.reader(of: statement) { reader.append(statement, in: identity, to: &rows) }
          if !shouldContinue() { break }
        }
        return rows
      }
    }
  }

  /// The rows of a fetch with their sort values, for merging with those of other stores.
  func sortedRows(
    _ fetch: StoreFetch, shouldContinue: () -> Bool
  ) throws(ObjectGraphError) -> SortedRun<StoredRow> {
    var run = SortedRun<StoredRow>()
    try eachSorted(fetch) { (query, statement) in
      if let row = query.row(of: statement, in: identity) {
        run.append(row, sortedBy: query.sortValues(of: statement, from: query.columnCount))
      }
      return shouldContinue()
    }
    return run
  }

  /// The keys of a fetch's rows with their sort values.
  func sortedKeys(_ fetch: StoreFetch) throws(ObjectGraphError) -> SortedRun<ManagedObjectID> {
    var run = SortedRun<ManagedObjectID>()
    var keysOnly = fetch
    keysOnly.columns = []
    try eachSorted(keysOnly) { (query, statement) in
      if let layout = query.reader(of: statement)?.layout {
        let objectID = ManagedObjectID(store: identity, entityIndex: Int32(layout.index), key: statement.int64(0))
        run.append(objectID, sortedBy: query.sortValues(of: statement, from: query.columnCount))
      }
      return true
    }
    return run
  }

  /// Passes each row of a fetch to the body, with its sort values after its columns, until the body returns false.
  private func eachSorted(
    _ fetch: StoreFetch, _ body: (FetchQuery, Statement) -> Bool
  ) throws(ObjectGraphError) {
    guard let query = try FetchQuery(fetch, store: self, readsSortColumns: true) else { return }
    try read { (reader) throws(ObjectGraphError) in
      try reader.check(parameters: query.parameters.count)
      try during("fetching \(fetch.layout.entity.name)") { () throws(SQLiteError) in
        let statement = try reader.statement(query.select)
        defer { statement.reset() }
        try query.bind(to: statement, window: fetch.window)
        while try statement.step(), body(query, statement) {}
      }
    }
  }

  /// The keys of a fetch's rows; reads nothing else.
  func keys(_ fetch: StoreFetch) throws(ObjectGraphError) -> StoredKeys {
    var found = StoredKeys(store: identity)
    guard let query = try FetchQuery(fetch, store: self) else { return found }
    let entityIndexes = entityIndexes
    found.entity = fetch.family.count == 1 ? Int32(fetch.family[0].index) : nil
    try read { (reader) throws(ObjectGraphError) in
      try reader.check(parameters: query.parameters.count)
      try during("fetching keys of \(fetch.layout.entity.name)") { () throws(SQLiteError) in
        let statement = try reader.statement(query.keys)
        defer { statement.reset() }
        try query.bind(to: statement, window: fetch.window)
        let isMixed = found.entity == nil
        while try statement.step() {
          found.append(statement.int64(0), isMixed ? entityIndexes[Int(statement.int64(1))] : nil)
        }
      }
    }
    return found
  }

  /// How many rows a fetch would return without its offset and limit.
  func count(_ fetch: StoreFetch) throws(ObjectGraphError) -> Int {
    guard let query = try FetchQuery(fetch, store: self) else { return 0 }
    return try read { (reader) throws(ObjectGraphError) in
      try reader.check(parameters: query.parameters.count)
      return try during("counting \(fetch.layout.entity.name)") { () throws(SQLiteError) in
        let statement = try reader.statement(query.count)
        defer { statement.reset() }
        try query.bind(to: statement, window: nil)
        return try statement.step() ? Int(statement.int64(0)) : 0
      }
    }
  }

  /// One row; `nil` if there is none with that key.
  func row(key: Int64, of layout: EntityLayout) throws(ObjectGraphError) -> RowSnapshot? {
    try read { (reader) throws(ObjectGraphError) in
      try during("reading \(layout.entity.name)") { () throws(SQLiteError) in
        let query = keyedRows[layout.index]
        let row = try query.row(key: key, try reader.statement(query.sql))
        log?.note(
          (row == nil ? "no row in the database for" : "fault fulfilled from database for")
            + " \(ManagedObjectID(store: identity, entityIndex: Int32(layout.index), key: key))")
        return row
      }
    }
  }
}

/// A fetch as SQL, and how to read a row of its result.
private struct FetchQuery {
  let select: String
  /// Selects the same rows in the same order, but reads only key and entity.
  let keys: String
  let count: String
  let parameters: [AttributeValue]
  /// How many parameters belong to the order, which counting omits.
  private let orderParameters: Int
  /// How many columns precede the sort columns, and how many sort columns there are.
  let columnCount: Int
  private let sortColumnCount: Int
  /// How to read the rows of each entity, by the store's number.
  private let readers: [Int: RowReader]
  /// The reader if all rows have the same entity; the entity number is then not read.
  let only: RowReader?

  /// `nil` if no entity can have rows.
  ///
  /// - Throws: ``ObjectGraphError/predicate(_:)``.
  init?(
    _ fetch: StoreFetch, store: SQLiteReader, readsSortColumns: Bool = false
  ) throws(ObjectGraphError) {
    if fetch.family.isEmpty { return nil }
    let condition: SQLCondition
    let unordered: SQLCondition
    do {
      let predicate = fetch.predicate ?? .constant(true)
      condition = try SQLCondition(
        predicate, sortedBy: fetch.sortDescriptors, readsSortColumns: readsSortColumns,
        entity: fetch.layout.entity.name, schema: store.schema)
      unordered =
        fetch.sortDescriptors.isEmpty
        ? condition : try SQLCondition(predicate, entity: fetch.layout.entity.name, schema: store.schema)
    } catch {
      throw .predicate(error)
    }
    var names: [String] = []
    for column in fetch.family.flatMap(\.columns) where fetch.reads(column.name) && !names.contains(column.name) {
      names.append(column.name)
    }
    let table = "\(fetch.layout.tableName) \(SQLCondition.rootAlias)"
    let numbers = fetch.family.map { "\(store.entityNumber(of: $0))" }.joined(separator: ", ")
    let entities = fetch.layout.sharesTable ? "\(SQLCondition.rootAlias).Z_ENT IN (\(numbers)) AND " : ""
    let isMixed = fetch.family.count > 1
    let known = ["Z_PK", "Z_OPT"] + (isMixed ? ["Z_ENT"] : [])
    let columns = (known + names).map { "\(SQLCondition.rootAlias).\($0)" }
    let order = (condition.ordering.isEmpty ? "" : condition.ordering + ", ") + "\(SQLCondition.rootAlias).Z_PK"
    let rows =
      "FROM \(table)\(condition.joins) WHERE \(entities)(\(condition.condition)) ORDER BY \(order)"
      + (fetch.window == .all ? "" : " LIMIT ? OFFSET ?")
    select = "SELECT \(columns.joined(separator: ", "))\(condition.sortColumns.sql) \(rows)"
    columnCount = columns.count
    sortColumnCount = readsSortColumns ? fetch.sortDescriptors.count : 0
    keys = "SELECT \(SQLCondition.rootAlias).Z_PK\(isMixed ? ", \(SQLCondition.rootAlias).Z_ENT" : "") \(rows)"
    count = "SELECT COUNT(*) FROM \(table)\(unordered.joins) WHERE \(entities)(\(unordered.condition))"
    parameters =
      readsSortColumns ? condition.sortColumns.parameters + condition.parameters : condition.parameters
    orderParameters = condition.parameters.count - unordered.parameters.count
    let family = fetch.family.map { layout in
      let reader = RowReader(layout, entityIndexes: store.entityIndexes) { name in
        names.firstIndex(of: name).map { $0 + known.count }
      }
      return (store.entityNumber(of: layout), reader)
    }
    readers = Dictionary(family) { first, _ in first }
    only = isMixed ? nil : family[0].1
  }

  /// Binds the parameters; without a window, those of the order are omitted.
  ///
  /// A window of all rows has no parameters.
  func bind(to statement: Statement, window: Window?) throws(SQLiteError) {
    let bound = window == nil ? parameters.dropLast(orderParameters) : parameters[...]
    for (index, value) in bound.enumerated() { try statement.bind(value, at: index + 1) }
    guard let window, window != .all else { return }
    try statement.bind(window.limit == 0 ? -1 : Int64(window.limit), at: parameters.count + 1)
    try statement.bind(Int64(window.offset), at: parameters.count + 2)
  }

  func sortValues(of statement: Statement, from column: Int) -> some Sequence<SortValue> {
    (column..<column + sortColumnCount).lazy.map { SortValue(statement, $0) }
  }

  /// The reader for the statement's current row; `nil` if the row's entity was not requested.
  func reader(of statement: Statement) -> RowReader? { only ?? readers[Int(statement.int64(2))] }

  /// The statement's current row; `nil` if its entity was not requested.
  func row(of statement: Statement, in store: StoreIdentity) -> StoredRow? {
    guard let reader = reader(of: statement) else { return nil }
    let layout = reader.layout
    return StoredRow(
      objectID: ManagedObjectID(store: store, entityIndex: Int32(layout.index), key: statement.int64(0)),
      layout: layout, snapshot: reader.snapshot(statement, version: statement.int64(1)))
  }
}

extension RowReader {
  /// Adds the statement's current row.
  @inline(__always)
  fileprivate func append(_ statement: Statement, in store: StoreIdentity, to rows: inout StoredRows) {
    rows.append(statement.int64(0), snapshot(statement, version: statement.int64(1)), of: layout, in: store)
  }
}

extension SortValue {
  init(_ statement: Statement, _ column: Int) {
    switch statement.columnType(column) {
    case .null: self = .null
    case .integer: self = .integer(statement.int64(column))
    case .real: self = .real(statement.double(column))
    case .text: self = .text(statement.string(column) ?? "")
    case .blob: self = .blob(statement.bytes(column).map { Array($0) } ?? [])
    }
  }
}
