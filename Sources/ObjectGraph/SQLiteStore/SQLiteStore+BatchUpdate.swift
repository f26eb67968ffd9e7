// A batch update: one UPDATE for all rows.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteStore {
  /// Writes the request's values to the rows of the fetch, all or none.
  ///
  /// - Parameters:
  ///   - request: The values.
  ///   - fetch: Selects the rows.
  ///   - beforeCommit: Called when everything is written but nothing is committed. If it throws, nothing is stored.
  /// - Returns: What was updated.
  /// - Throws: ``ObjectGraphError``.
  func update(
    _ request: BatchUpdateRequest, _ fetch: StoreFetch, beforeCommit: () throws(ObjectGraphError) -> Void
  ) throws(ObjectGraphError) -> BatchResult {
    let assignments = try request.assignments(fetch.layout)
    var tally = BatchTally(resultType: request.resultType)
    guard let rows = try SelectedRows(fetch, store: self) else {
      try beforeCommit()
      return tally.result
    }
    let update: BatchUpdate
    do throws(FetchPredicateError) {
      update = try BatchUpdate(rows, assignments, schema: reader.schema)
    } catch {
      throw .predicate(error)
    }
    try write { (writer) throws(ObjectGraphError) in
      let action = "updating a batch of \(fetch.layout.entity.name)"
      try writer.transaction(action, by: request.origin, beforeCommit: beforeCommit) { () throws(ObjectGraphError) in
        try update.check(writer)
        do throws(SQLiteError) {
          try writer.history?.record(.update, rowsOf: fetch.layout, keys: rows.keys, properties: update.names)
          let changed = try writer.change(update.sql, namesRows: tally.namesRows)
          tally.count = changed.count
          tally.changes.updated = changed.objectIDs
        } catch {
          throw update.refusal(error, action)
        }
      }
    }
    return tally.result
  }
}

/// The statements of one batch update.
private struct BatchUpdate {
  /// A query for the first value that the attribute cannot have.
  private struct Guard {
    let slot: Int
    let select: SQLFragment
  }

  let sql: SQLFragment
  private let rows: SelectedRows
  private let slots: [Int]
  var names: [String] { slots.map { rows.layout.attributes[$0].name } }
  private var guards: [Guard] = []

  init(
    _ rows: SelectedRows, _ assignments: [BatchAssignment], schema: any PredicateSchema
  ) throws(FetchPredicateError) {
    self.rows = rows
    slots = assignments.map(\.slot)
    let layout = rows.layout
    let generator = SQLGenerator(schema: schema)
    let scope = SQLScope(root: .init(alias: SQLCondition.rootAlias, entity: layout.entity.name))
    var terms: [SQLFragment] = []
    for assignment in assignments {
      switch assignment.value {
      case .constant(let value): terms.append("\(raw: assignment.column) = \(bind: value)")
      case .computed(let expression):
        let type = layout.types[assignment.slot]
        let value = try generator.operand(expression, scope).sql
        if let misfit = type.misfit(value, isOptional: layout.slots[assignment.slot].isOptional) {
          let alias = SQLCondition.rootAlias
          let found = rows.condition.sql.isEmpty ? misfit : "\(rows.condition) AND \(misfit)"
          guards.append(
            Guard(
              slot: assignment.slot,
              select: "SELECT \(value) FROM \(raw: "\(layout.tableName) \(alias)") WHERE \(found) LIMIT 1"))
        }
        terms.append("\(raw: assignment.column) = \(type.stored(value))")
      }
    }
    let version = "Z_OPT = \(SQLCondition.rootAlias).\(StoreTables.nextVersion)"
    sql = "UPDATE \(raw: rows.table) SET \(.sequence(terms, separator: ", ")), \(raw: version)\(rows.whereClause)"
  }

  /// Checks for values that could not be read back unchanged.
  func check(_ writer: StoreWriter) throws(ObjectGraphError) {
    let layout = rows.layout
    for item in guards {
      let found = try during("checking new values of \(layout.entity.name)") {
        () throws(SQLiteError) -> AttributeValue? in
        let statement = try writer.prepare(item.select)
        defer { statement.reset() }
        return try statement.step() ? statement.number(0) : nil
      }
      guard let found else { continue }
      let attribute = layout.attributes[item.slot]
      if found.isNull { throw .missingValue(entity: layout.entity.name, key: attribute.name, row: nil) }
      let number =
        switch found {
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        default: found.typeName
        }
      throw .wrongType(
        entity: layout.entity.name, key: attribute.name, found: number, expected: attribute.type.expectation, row: nil)
    }
  }

  /// Converts SQLite's error; for a constraint, the result lists the attributes.
  func refusal(_ error: SQLiteError, _ action: String) -> ObjectGraphError {
    guard error.extendedCode == .constraintUnique else { return .store(error, during: action) }
    let layout = rows.layout
    let touched = layout.constraints.filter { $0.contains(where: slots.contains) }
    let broken = touched.first { $0.allSatisfy { error.message.contains(".\(layout.columnName(of: $0))") } }
    let constraint = broken ?? touched.first ?? []
    return .uniqueValuesTaken(
      entity: layout.entity.name, constraint: constraint.map { layout.attributes[$0].name }, by: [], row: nil)
  }
}

extension AttributeType {
  /// A condition for computed values that the attribute cannot have; `nil` if it can have every value of the
  /// expression.
  fileprivate func misfit(_ value: SQLFragment, isOptional: Bool) -> SQLFragment? {
    let range: (low: Int64, high: Int64)? =
      switch self {
      case .int16: (Int64(Int16.min), Int64(Int16.max))
      case .int32: (Int64(Int32.min), Int64(Int32.max))
      case .int64: (.min, .max)
      default: nil
      }
    // Sums beyond 64 bits become floating point.
    var wrong: SQLFragment? = range.map { range in
      """
      (typeof(\(value)) = 'real' OR \(value) NOT BETWEEN \(bind: .integer(range.low)) \
      AND \(bind: .integer(range.high)))
      """
    }
    // Such a value would be read as null.
    if self == .decimal { wrong = "\(raw: PredicateFunctions.isDecimal)(\(value)) = 0" }
    let missing: SQLFragment? = isOptional ? nil : "\(value) IS NULL"
    if let wrong, let missing { return "(\(wrong) OR \(missing))" }
    return wrong ?? missing
  }

  /// The computed value as the attribute's column stores it.
  fileprivate func stored(_ value: SQLFragment) -> SQLFragment {
    switch self {
    case .double, .decimal: "CAST(\(value) AS REAL)"
    case .float: "\(raw: PredicateFunctions.single)(\(value))"
    default: value
    }
  }
}
