// Reads dictionaries: single properties, expressions and groups of rows.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteReader {
  /// The properties, expressions or groups that a request selects from the rows of a fetch.
  func dictionaries(_ request: FetchRequest<ManagedObject>, _ fetch: StoreFetch) throws(ObjectGraphError)
    -> DictionaryResults
  {
    let query = try SQLDictionaryQuery(request, restriction: restriction(to: fetch), schema: schema)
    var results = DictionaryResults(names: query.columns.map(\.name), store: identity)
    // Leave out the names, which would be retained and released for each value.
    let columns = query.columns.map(\.reading)
    try forEachRow(of: query, request, fetch) { statement in
      for column in columns { results.append(column.value(in: statement, entityIndexes)) }
    }
    return results
  }

  /// The properties of single rows with their sort values, without aggregates of several rows.
  func sortedDictionaries(
    _ request: FetchRequest<ManagedObject>, _ fetch: StoreFetch
  ) throws(ObjectGraphError) -> (names: [String], rows: SortedRun<DictionaryRow>) {
    let query = try SQLDictionaryQuery(
      request, restriction: restriction(to: fetch), schema: schema, readsSortColumns: true)
    let sortColumns = query.valueCount..<query.valueCount + request.sortDescriptors.count
    let names = query.columns.map(\.name)
    var run = SortedRun<DictionaryRow>()
    try forEachRow(of: query, request, fetch) { statement in
      let values = query.columns.map { $0.reading.value(in: statement, entityIndexes) }
      let row = DictionaryRow(names: names, values: values[...], store: identity)
      run.append(row, sortedBy: sortColumns.lazy.map { SortValue(statement, $0) })
    }
    return (names, run)
  }

  /// Runs the query with the fetch's offset and limit, and passes each row to the body.
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

  /// A condition for rows of the requested entities; empty if the table has no others.
  private func restriction(to fetch: StoreFetch) -> String {
    if fetch.family.isEmpty { return "0" }
    guard fetch.layout.sharesTable else { return "" }
    let numbers = fetch.family.map { "\(entityNumber(of: $0))" }.joined(separator: ", ")
    return "\(SQLCondition.rootAlias).Z_ENT IN (\(numbers))"
  }
}

extension SQLDictionaryQuery.Reading {
  /// The column's value in the type that the query knows; the entities' indexes in the model are by the store's
  /// numbers.
  func value(in statement: Statement, _ entityIndexes: [Int: Int]) -> AttributeValue {
    switch type {
    case .attribute(let type): return statement.value(index, as: type)
    case .number: return statement.number(index)
    case .object:
      let key = statement.int64(index)
      guard key > 0, let entity = entityIndexes[Int(statement.int64(index + 1))] else { return .null }
      return .reference(ObjectReference(key: key, entityIndex: Int32(entity)))
    }
  }
}

extension Statement {
  /// The column's value as a number of its own type.
  func number(_ column: Int) -> AttributeValue {
    switch columnType(column) {
    case .integer: .integer(int64(column))
    case .real: .real(double(column))
    case .text, .blob, .null: .null
    }
  }
}
