// Relationships followed by plain SQLite: all rows joined in one statement, or a statement per row; and groups of rows.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// The columns of one entity on a path.
private struct PathLevel {
  /// The columns of its attributes, in the order of hashing.
  let columns: [String]
  let classes: [StorageClass]

  init(_ entity: EntityDescription) {
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    (columns, classes) = (attributes.map(\.columnName), attributes.map(\.type.storageClass))
  }

  init(_ relationship: FollowedRelationship) {
    columns = relationship.columns.map(\.name)
    classes = relationship.columns.map(\.type.storageClass)
  }

  /// The hash of a statement's values, starting at a column.
  func hash(_ row: Statement, from first: Int) -> RowHash {
    var hash = RowHash()
    for (index, storage) in classes.enumerated() { hash.add(first + index, of: row, as: storage) }
    return hash
  }
}

extension SQLiteFetchSession {
  /// Reads the rows and everything on the path with one statement.
  func followByJoin(_ query: FetchQuery, _ path: [FollowedRelationship], into rows: inout FetchedRows) throws {
    let levels = [PathLevel(entity)] + path.map(PathLevel.init)
    let columns = levels.enumerated().flatMap { number, level in
      (["Z_PK", "Z_OPT"] + level.columns).map { "t\(number).\($0)" }
    }
    let joins = path.enumerated().map { FollowedRelationship.join($1, from: "t\($0)", to: "t\($0 + 1)") }
    // Results for one row of a level must be adjacent, so that the row is read only once.
    let last = path.lastIndex(where: \.isToMany) ?? 0
    let order = (FetchSQL.order(of: query, entity).map { ["t0.\($0)"] } ?? []) + (0...last).map { "t\($0).Z_PK" }
    let select = try connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(fetched(by: query)) AS t0 \(joins.joined(separator: " ")) "
        + "ORDER BY \(order.joined(separator: ", "))")
    try bind(query, to: select)
    var starts = [0]
    for level in levels.dropLast() { starts.append((starts.last ?? 0) + level.columns.count + 2) }
    var keys = [Int64?](repeating: nil, count: levels.count)
    var hashes = [RowHash](repeating: RowHash(), count: levels.count)
    while try select.step() {
      var isOther = false
      for (number, level) in levels.enumerated() {
        let start = starts[number]
        if select.isNull(start) {
          for deeper in number..<keys.count { keys[deeper] = nil }
          break
        }
        let key = select.int64(start)
        if !isOther && keys[number] == key { continue }
        isOther = true
        keys[number] = key
        let hash = level.hash(select, from: start + 2)
        if number == 0 {
          rows.add(hash)
          hashes[0] = hash
        } else {
          hashes[number] = rows.add(hash, reachedFrom: hashes[number - 1])
        }
      }
    }
  }

  /// The table that a join begins with, or a part of it as a subquery, because columns of a condition may have the same
  /// names as others.
  private func fetched(by query: FetchQuery) -> String {
    if query.isPart { return "(\(FetchSQL("*", query, of: entity).text))" }
    guard let condition = query.condition else { return entity.tableName }
    return "(SELECT * FROM \(entity.tableName) WHERE \(ConditionSQL(condition, entity: entity).sql))"
  }

  /// Reads the rows, and everything on the path with a statement for each row and relationship.
  func followByKey(_ query: FetchQuery, _ path: [FollowedRelationship], into rows: inout FetchedRows) throws {
    let levels = [PathLevel(entity)] + path.map(PathLevel.init)
    func columns(_ number: Int, of table: String) -> String {
      (["Z_PK", "Z_OPT"] + levels[number].columns + [
        path.indices.contains(number) ? path[number].leadingColumn : "Z_PK"
      ])
      .map { "\(table).\($0)" }.joined(separator: ", ")
    }
    let select = try prepare(columns(0, of: entity.tableName), query)
    let statements = try path.enumerated().map { number, relationship in
      try connection.prepare(relationship.select(columns(number + 1, of: relationship.destination.tableName)))
    }
    while try select.step() {
      let hash = levels[0].hash(select, from: 2)
      rows.add(hash)
      try follow(select, hash, 0, statements, levels, into: &rows)
    }
  }

  /// Reads the destinations of a row, by its last column.
  private func follow(
    _ row: Statement, _ origin: RowHash, _ number: Int, _ statements: [Statement], _ levels: [PathLevel],
    into rows: inout FetchedRows
  ) throws(SQLiteError) {
    let column = levels[number].columns.count + 2
    guard number < statements.count, !row.isNull(column) else { return }
    let statement = statements[number]
    try statement.bind(row.int64(column), at: 1)
    while try statement.step() {
      let hash = rows.add(levels[number + 1].hash(statement, from: 2), reachedFrom: origin)
      try follow(statement, hash, number + 1, statements, levels, into: &rows)
    }
    statement.reset()
  }

  /// Reads a row for each group.
  func group(_ query: FetchQuery, by grouping: RowGrouping, into rows: inout FetchedRows) throws {
    let column = entity.attribute(named: grouping.attribute)?.columnName ?? "NULL"
    let aggregates = grouping.aggregates.map { aggregate in
      aggregate.sql(aggregate.attribute.flatMap { entity.attribute(named: $0)?.columnName })
    }
    let types =
      [entity.attribute(named: grouping.attribute)?.type ?? .string] + grouping.aggregates.map { $0.type(in: entity) }
    let filter = query.condition.map { " WHERE " + ConditionSQL($0, entity: entity).sql } ?? ""
    let select = try connection.prepare(
      "SELECT \(([column] + aggregates).joined(separator: ", ")) FROM \(entity.tableName)\(filter) GROUP BY \(column)")
    try bind(query, to: select)
    let classes = types.map(\.storageClass)
    while try select.step() {
      var hash = RowHash()
      for (index, storage) in classes.enumerated() { hash.add(index, of: select, as: storage) }
      rows.add(hash)
    }
  }
}

extension FollowedRelationship {
  /// The column that selects the destinations of a row by its value.
  fileprivate var leadingColumn: String { if case .key(let column) = storage { column } else { "Z_PK" } }

  /// Selects the destinations for a value of ``leadingColumn``.
  fileprivate func select(_ columns: String) -> String {
    let table = destination.tableName
    return switch storage {
    case .key: "SELECT \(columns) FROM \(table) WHERE Z_PK = ?"
    case .inverseKey(let column): "SELECT \(columns) FROM \(table) WHERE \(column) = ?"
    case .join(let join, let source, let destination):
      "SELECT \(columns) FROM \(join) JOIN \(table) ON \(table).Z_PK = \(join).\(destination) "
        + "WHERE \(join).\(source) = ?"
    }
  }

  /// Joins the destinations that exist.
  fileprivate static func join(_ relationship: FollowedRelationship, from: String, to: String) -> String {
    let table = relationship.destination.tableName
    return switch relationship.storage {
    case .key(let column): "LEFT JOIN \(table) AS \(to) ON \(to).Z_PK = \(from).\(column)"
    case .inverseKey(let column): "LEFT JOIN \(table) AS \(to) ON \(to).\(column) = \(from).Z_PK"
    case .join(let join, let source, let destination):
      "LEFT JOIN \(join) AS \(to)j ON \(to)j.\(source) = \(from).Z_PK "
        + "LEFT JOIN \(table) AS \(to) ON \(to).Z_PK = \(to)j.\(destination)"
    }
  }
}
