// A batch delete: one DELETE if no relationship is affected, otherwise first the closure of cascades, then set by set.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteStore {
  /// Deletes the rows of the fetch and applies their delete rules, or does nothing.
  ///
  /// - Parameters:
  ///   - fetch: Selects the rows.
  ///   - resultType: What to return.
  ///   - origin: The author of the request.
  ///   - beforeCommit: Called when everything is written but nothing is committed. If it throws, nothing is stored.
  /// - Returns: What was deleted.
  /// - Throws: ``ObjectGraphError``.
  func delete(
    _ fetch: StoreFetch, resultType: BatchResultType, by origin: RequestOrigin,
    beforeCommit: () throws(ObjectGraphError) -> Void
  ) throws(ObjectGraphError) -> BatchResult {
    guard let rows = try SelectedRows(fetch, store: self) else {
      try beforeCommit()
      return BatchTally(resultType: resultType).result
    }
    return try delete(rows, resultType: resultType, by: origin, beforeCommit: beforeCommit)
  }

  /// Deletes the rows with the keys in the same way.
  func delete(
    keys: [Int64], of layout: EntityLayout, resultType: BatchResultType, by origin: RequestOrigin,
    beforeCommit: () throws(ObjectGraphError) -> Void
  ) throws(ObjectGraphError) -> BatchResult {
    try delete(
      SelectedRows(keys: keys, of: layout, store: self), resultType: resultType, by: origin, beforeCommit: beforeCommit)
  }

  private func delete(
    _ rows: SelectedRows, resultType: BatchResultType, by origin: RequestOrigin,
    beforeCommit: () throws(ObjectGraphError) -> Void
  ) throws(ObjectGraphError) -> BatchResult {
    var tally = BatchTally(resultType: resultType)
    let layout = rows.layout
    let plan = DeletionPlan(layout, reader.schema.model)
    try write { (writer) throws(ObjectGraphError) in
      let action = "deleting a batch of \(layout.entity.name)"
      try writer.transaction(action, by: origin, beforeCommit: beforeCommit) { () throws(ObjectGraphError) in
        if plan.isEmpty {
          try during(action) { () throws(SQLiteError) in
            try writer.history?.record(.delete, rowsOf: rows.layout, keys: rows.keys)
            try writer.delete("DELETE FROM \(raw: rows.table)\(rows.whereClause)", &tally)
          }
        } else {
          try writer.carryOut(plan, rows, action, &tally)
        }
      }
    }
    return tally.result
  }
}

extension StoreWriter {
  fileprivate func delete(_ sql: SQLFragment, _ tally: inout BatchTally) throws(SQLiteError) {
    let deleted = try change(sql, namesRows: tally.namesRows)
    tally.count += deleted.count
    tally.changes.deleted += deleted.objectIDs
  }

  /// Collects all rows to delete, checks deny rules, removes references to them, and deletes them.
  fileprivate func carryOut(
    _ plan: DeletionPlan, _ rows: SelectedRows, _ action: String, _ tally: inout BatchTally
  ) throws(ObjectGraphError) {
    try during(action) { () throws(SQLiteError) in
      for sql in DeletionPlan.emptyList { try connection.execute(sql) }
      try prepare(plan.collect(rows)).run()
    }
    for refusal in plan.refusals {
      let count = try during(action) { () throws(SQLiteError) -> Int64 in
        let statement = try prepare(SQLFragment(refusal.count))
        defer { statement.reset() }
        return try statement.step() ? statement.int64(0) : 0
      }
      if count > 0 {
        throw .deletionRefused(
          refusal.reason, entity: rows.layout.entity.name, relationship: refusal.relationship,
          destination: refusal.destination.entity.name, count: Int(count))
      }
    }
    try during(action) { () throws(SQLiteError) in
      var nullified: Set<ManagedObjectID> = []
      for nullification in plan.nullifications {
        try history?.record(
          .update, rowsOf: nullification.destination, keys: SQLFragment(nullification.keys),
          properties: [nullification.relationship])
        let changed = try change(SQLFragment(nullification.sql), namesRows: resultNamesNullified(tally))
        nullified.formUnion(changed.objectIDs)
      }
      tally.changes.updated = nullified.sorted { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
      for sql in plan.joinDeletions { try prepare(SQLFragment(sql)).run() }
      for root in plan.roots {
        try history?.record(.delete, rowsOf: root, keys: SQLFragment(DeletionPlan.keys(root)))
        try delete(SQLFragment(DeletionPlan.deletion(root)), &tally)
      }
      try connection.execute(DeletionPlan.forgetList)
    }
  }

  private func resultNamesNullified(_ tally: BatchTally) -> Bool { tally.resultType == .changes }
}
