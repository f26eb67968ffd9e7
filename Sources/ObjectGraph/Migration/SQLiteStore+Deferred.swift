// Completes deferred migrations: removes tables and columns that were left in a store's file.
internal import CoreDataModel
internal import SQLiteDriver

extension PersistentStoreCoordinator {
  /// Removes tables and columns that deferred migrations have left in the open stores.
  ///
  /// A store has some if its metadata contains `NSPersistentStoreDeferredLightweightMigrationOptionKey`. Each table is
  /// one transaction; removing a column rewrites every row of its table. Contexts can read in the meantime.
  ///
  /// ```swift
  /// let metadata = try coordinator.metadata(for: store)
  /// if metadata["NSPersistentStoreDeferredLightweightMigrationOptionKey"] == true {
  ///   try coordinator.finishDeferredLightweightMigration()
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)``, ``ObjectGraphError/storeMigrated(path:)``; the removals until
  ///   then are kept, and the next call continues.
  public func finishDeferredLightweightMigration() throws(ObjectGraphError) {
    while try finishDeferredLightweightMigrationTask() {}
  }

  /// Removes one table, or the columns of one table, that a deferred migration has left in an open store.
  ///
  /// ```swift
  /// // Between other work, a table at a time.
  /// let hasMore = try coordinator.finishDeferredLightweightMigrationTask()
  /// ```
  ///
  /// - Returns: Whether there is more to remove.
  /// - Throws: ``ObjectGraphError/store(_:during:)``, ``ObjectGraphError/storeMigrated(path:)``.
  @discardableResult
  public func finishDeferredLightweightMigrationTask() throws(ObjectGraphError) -> Bool {
    try refuseReentrance()
    var hasWorked = false
    for store in openStores where !store.isReadOnly {
      if hasWorked {
        if try !store.deferredRemovals().isEmpty { return true }
      } else if let remaining = try store.finishDeferredTask() {
        if !remaining.isEmpty { return true }
        hasWorked = true
      }
    }
    return false
  }
}

extension SQLiteStore {
  /// What remains to be removed.
  func deferredRemovals() throws(ObjectGraphError) -> DeferredRemovals {
    DeferredRemovals(try metadata())
  }

  /// Removes what remains to be removed from one table.
  ///
  /// - Returns: What then still remains; `nil` if there was nothing.
  func finishDeferredTask() throws(ObjectGraphError) -> DeferredRemovals? {
    if try deferredRemovals().isEmpty { return nil }
    let action = "finishing the migration of \(path)"
    return try write { (writer) throws(ObjectGraphError) in
      // Do not let SQLite parse triggers again, which may call functions that only Core Data has.
      try during(action) { () throws(SQLiteError) in try writer.connection.execute("PRAGMA legacy_alter_table = ON") }
      defer { try? writer.connection.execute("PRAGMA legacy_alter_table = OFF") }
      return try writer.transaction(action) { () throws(ObjectGraphError) in
        let metadata = try during(action) { () throws(SQLiteError) in try StoredMetadata(writer.connection) }
        try metadata.refuseLoss()
        var removals = DeferredRemovals(metadata.entries)
        guard let table = removals.affectedTables.first else { return removals }
        try during(action) { () throws(SQLiteError) in
          let found = try StoreTables(writer.connection)
          if removals.tables.contains(table) {
            if found.contains(table) { try writer.connection.execute("DROP TABLE \(table.quotedForSQL)") }
          } else {
            // This takes half of the log that a copy takes, and rebuilds no index: a copy is as fast only with more
            // columns.
            for column in (removals.columns[table] ?? []).sorted() where found.column(column, of: table) != nil {
              try writer.connection.execute("ALTER TABLE \(table.quotedForSQL) DROP COLUMN \(column.quotedForSQL)")
            }
          }
        }
        removals.remove(table)
        try StoredMetadata.write(removals.noted(in: metadata.entries), writer.connection)
        return removals
      }
    }
  }
}
