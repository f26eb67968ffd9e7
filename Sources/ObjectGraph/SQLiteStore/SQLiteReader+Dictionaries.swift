// Reading dictionaries: single properties, expressions and groups of rows.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteReader {
  /// The properties, expressions or groups that a request asks for, of the rows of a fetch.
  func dictionaries(_ request: FetchRequest<ManagedObject>, _ fetch: StoreFetch) throws(ObjectGraphError)
    -> DictionaryResults
  {
    let query = try SQLDictionaryQuery(request, restriction: restriction(to: fetch), schema: schema)
    var results = DictionaryResults(names: query.columns.map(\.name))
    try forEachRow(of: query, request, fetch) { statement in
      for (index, column) in query.columns.enumerated() {
        results.append(statement.value(index, of: column.type))
      }
    }
    return results
  }

  /// The properties of single rows with what they are sorted by; nothing that is made of several rows.
  func sortedDictionaries(
    _ request: FetchRequest<ManagedObject>, _ fetch: StoreFetch
  ) throws(ObjectGraphError) -> (names: [String], rows: SortedRun<[AttributeValue]>) {
    let query = try SQLDictionaryQuery(
      request, restriction: restriction(to: fetch), schema: schema, readsSortColumns: true)
    let sortColumns = query.columns.count..<query.columns.count + request.sortDescriptors.count
    var run = SortedRun<[AttributeValue]>()
    try forEachRow(of: query, request, fetch) { statement in
      let values = query.columns.enumerated().map { statement.value($0, of: $1.type) }
      run.append(values, sortedBy: sortColumns.lazy.map { SortValue(statement, $0) })
    }
    return (query.columns.map(\.name), run)
  }

  /// Runs the query in the fetch's window, and shows each row.
  private func forEachRow(
    of query: SQLDictionaryQuery, _ request: FetchRequest<ManagedObject>, _ fetch: StoreFetch,
    _ body: (Statement) -> Void
  ) throws(ObjectGraphError) {
    let parameters = query.select.parameters
    try read { (reader) throws(ObjectGraphError) in
      try reader.check(parameters: parameters.count)
      try during("fetching dictionaries of \(request.entityName)") { () throws(SQLiteError) in
        let statement = try reader.statement(query.select.sql + " LIMIT ? OFFSET ?")
        defer { statement.reset() }
        for (index, value) in parameters.enumerated() { try statement.bind(value, at: index + 1) }
        try statement.bind(fetch.window.limit == 0 ? -1 : Int64(fetch.window.limit), at: parameters.count + 1)
        try statement.bind(Int64(fetch.window.offset), at: parameters.count + 2)
        while try statement.step() { body(statement) }
      }
    }
  }

  /// A condition that only rows of the wanted entities keep; empty where the table has no others.
  private func restriction(to fetch: StoreFetch) -> String {
    if fetch.family.isEmpty { return "0" }
    guard fetch.layout.sharesTable else { return "" }
    let numbers = fetch.family.map { "\(entityNumber(of: $0))" }.joined(separator: ", ")
    return "\(SQLCondition.rootAlias).Z_ENT IN (\(numbers))"
  }
}

extension Statement {
  /// The column's value as the query knows its type.
  func value(_ column: Int, of type: SQLDictionaryQuery.ColumnType) -> AttributeValue {
    switch type {
    case .attribute(let type): return value(column, as: type)
    case .number:
      switch columnType(column) {
      case .integer: return .integer(int64(column))
      case .real: return .real(double(column))
      case .text, .blob, .null: return .null
      }
    }
  }
}
