// The INSERT of an entity: its SQL for each way of meeting a taken unique value, and how a row is bound to it.
internal import SQLiteDriver

/// What an insert does with a row whose unique values are taken.
enum ConflictResolution: Hashable {
  /// It fails.
  case fail
  /// The stored row stays.
  case keepStored
  /// The new row's values are written over the stored one, whose version goes up.
  case overwriteStored

  /// What a batch insert does.
  ///
  /// Under the error policy Core Data skips such rows without a word.
  init(batchInsertUnder policy: MergePolicy) {
    switch policy.mergeType {
    case .objectTrump, .overwrite: self = .overwriteStored
    case .error, .storeTrump, .rollback: self = .keepStored
    }
  }

  /// What a save does.
  init(saveUnder policy: MergePolicy) {
    switch policy.mergeType {
    case .objectTrump, .overwrite: self = .overwriteStored
    case .storeTrump, .rollback: self = .keepStored
    case .error: self = .fail
    }
  }
}

/// A prepared INSERT of one entity, one row a step, all columns.
struct InsertStatement {
  let layout: EntityLayout
  let statement: Statement
  let resolution: ConflictResolution
  /// How to-one relationships are stored; nil for an entity that has none.
  private let references: StoredReferences?

  init(
    _ layout: EntityLayout, resolution: ConflictResolution, writer: StoreWriter, references: StoredReferences? = nil
  ) throws(SQLiteError) {
    self.layout = layout
    self.references = layout.hasToOneSlots ? references ?? StoredReferences(writer.entityNumbers) : nil
    // Without constraints there is nothing to resolve, and plain SQL is the fastest.
    self.resolution = layout.constraints.isEmpty ? .fail : resolution
    statement = try writer.statement(layout.insertSQL(self.resolution, entityNumber: writer.number(of: layout)))
  }

  /// Stores one row under the key.
  @inline(__always)
  func insert(_ row: RowSnapshot, key: Int64) throws(SQLiteError) {
    try statement.bind(key, at: 1)
    if references == nil {
      var index = 2
      for slot in layout.columnOrder {
        try statement.bind(row[slot], at: index)
        index += 1
      }
    } else {
      try bindWithReferences(row)
    }
    try statement.run()
  }

  @inline(never)
  private func bindWithReferences(_ row: RowSnapshot) throws(SQLiteError) {
    for (index, column) in layout.columns.enumerated() {
      try statement.bind(row[column.slot], as: column.role, at: index + 2, references ?? StoredReferences([]))
    }
  }
}

extension EntityLayout {
  /// `INSERT` with the entity's number and the first version spelt out: they are the same for every row.
  ///
  /// Conflicts name their constraint (`ON CONFLICT (…)`, and not `OR IGNORE`), so that a clash of keys can never pass
  /// for a duplicate.
  func insertSQL(_ resolution: ConflictResolution, entityNumber: Int) -> String {
    let columns = columns.map(\.name)
    let places = Array(repeating: "?", count: columns.count)
    let insert =
      "INSERT INTO \(tableName) (" + (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ") + ") VALUES ("
      + (["?", "\(entityNumber)", "1"] + places).joined(separator: ", ") + ")"
    return ([insert] + constraints.map { conflictClause($0, resolution) }).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private func conflictClause(_ constraint: [Int], _ resolution: ConflictResolution) -> String {
    let target = "ON CONFLICT (" + constraint.map(columnName(of:)).joined(separator: ", ") + ") DO "
    switch resolution {
    case .fail: return ""
    case .keepStored: return target + "NOTHING"
    case .overwriteStored:
      let others = columns.filter { !constraint.contains($0.slot) }.map(\.name)
      return target + "UPDATE SET "
        + (["Z_OPT = Z_OPT + 1"] + others.map { "\($0) = excluded.\($0)" })
        .joined(separator: ", ")
    }
  }

  /// Finds the row that has the constraint's values: its key and version.
  func lookupSQL(_ constraint: [Int]) -> String {
    "SELECT Z_PK, Z_OPT FROM \(tableName) WHERE "
      + constraint.map { "\(columnName(of: $0)) = ?" }.joined(separator: " AND ") + " AND Z_PK <> ?"
  }
}

extension StoreWriter {
  /// The stored row, other than the one under `key`, that has the same values in one of the entity's constraints, and
  /// that constraint.
  func rowSharingUniqueValues(
    with row: RowSnapshot, layout: EntityLayout, besides key: Int64 = 0
  ) throws(SQLiteError) -> (constraint: [Int], key: Int64, version: Int64)? {
    for constraint in layout.constraints where !constraint.contains(where: { row[$0].isNull }) {
      let statement = try statement(layout.lookupSQL(constraint))
      defer { statement.reset() }
      for (place, slot) in constraint.enumerated() { try statement.bind(row[slot], at: place + 1) }
      try statement.bind(key, at: constraint.count + 1)
      if try statement.step() { return (constraint, statement.int64(0), statement.int64(1)) }
    }
    return nil
  }
}
