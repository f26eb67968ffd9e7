// Maintenance of open stores: checkpoints, vacuums, reading pragmas, and the check of their rows.
public import SQLiteDriver

extension PersistentStoreCoordinator {
  /// Moves the store's write-ahead log into its database file; the default mode also empties the log.
  ///
  /// Data that a pinned context may still read stays in the log: the result says how much was moved, and its
  /// `isComplete` whether that was everything.
  ///
  /// ```swift
  /// let result = try coordinator.checkpoint()
  /// if !result.isComplete { print("\(result.logFrames - result.checkpointedFrames) frames are still in the log") }
  /// ```
  ///
  /// - Parameters:
  ///   - mode: How hard to try.
  ///   - store: The store; by default, the first.
  /// - Returns: How much was moved; it is not an error if readers or writers hold up the checkpoint.
  /// - Throws: ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .truncate, of store: PersistentStore? = nil
  ) throws(ObjectGraphError) -> CheckpointResult {
    try refuseReentrance()
    return try self.store(store).checkpoint(mode)
  }

  /// Returns the store's free pages to the file system.
  ///
  /// Deleted rows leave free pages in the file, which new rows reuse. The final checkpoint shortens the file. A reader
  /// or a pinned context can hold up this checkpoint, which the result reports.
  ///
  /// ```swift
  /// let result = try coordinator.vacuum(.incremental(pages: 1_000), of: archive)
  /// print("\(result.pagesBefore - result.pages) pages given back, \(result.freePages) still free")
  /// ```
  ///
  /// - Parameters:
  ///   - mode: Whether to return some free pages, or to rewrite the whole file in one transaction, which takes as long
  ///     as copying it and twice its space.
  ///   - store: The store; by default, the first.
  /// - Returns: The length of the file before and after.
  /// - Throws: ``ObjectGraphError/invalidVacuum(found:expected:path:)``, ``ObjectGraphError/readOnlyStore(path:)``,
  ///   ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``; nothing is lost then.
  @discardableResult
  public func vacuum(
    _ mode: VacuumMode = .whole, of store: PersistentStore? = nil
  ) throws(ObjectGraphError) -> VacuumResult {
    try refuseReentrance()
    return try self.store(store).vacuum(mode)
  }

  /// The value of a pragma in the store's writing connection; `nil` if SQLite does not know the pragma.
  ///
  /// ```swift
  /// try coordinator.pragma("journal_mode")  // "wal"
  /// try coordinator.pragma("cache_size", of: archive)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The pragma.
  ///   - store: The store; by default, the first.
  /// - Returns: The value as text.
  /// - Throws: ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  public func pragma(_ name: String, of store: PersistentStore? = nil) throws(ObjectGraphError) -> String? {
    try refuseReentrance()
    return try self.store(store).pragma(name)
  }
}

extension PersistentStoreCoordinator {
  /// Checks whether the rows of a store form a valid object graph; nothing is written.
  ///
  /// Saves, batch requests, conflicts and merges of this library always leave a valid graph. The exceptions are
  /// relationships without an inverse or with the delete rule ``DeleteRule/noAction``, and
  /// ``BatchInsertRequest/leavesRequiredRelationshipsEmpty``. A store written by other programs may be invalid. O(rows
  /// with relationships).
  ///
  /// ```swift
  /// let integrity = try coordinator.integrity()
  /// if !integrity.isSound { print(integrity.breaches) }
  /// ```
  ///
  /// - Parameter store: The store; by default, the first.
  /// - Returns: What was checked, and the broken rules.
  /// - Throws: ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  public func integrity(of store: PersistentStore? = nil) throws(ObjectGraphError) -> StoreIntegrity {
    try self.store(store).reader.integrity()
  }
}
