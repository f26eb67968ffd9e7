// What is done to the file of an open store: checkpoints, vacuums, and asking its pragmas.
public import SQLiteDriver

extension PersistentStoreCoordinator {
  /// Moves the store's write-ahead log into its database file; the default mode empties it too.
  ///
  /// What a context that is pinned to a query generation may still read stays in the log: the result says how much was
  /// moved, and its `isComplete` whether that is all.
  ///
  /// ```swift
  /// let result = try coordinator.checkpoint()
  /// if !result.isComplete { print("\(result.logFrames - result.checkpointedFrames) frames are still in the log") }
  /// ```
  ///
  /// - Parameters:
  ///   - mode: How hard to try.
  ///   - store: Which store; without one, the first.
  /// - Returns: How much was moved; a checkpoint that readers or writers held up is not an error.
  /// - Throws: ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .truncate, of store: PersistentStore? = nil
  ) throws(ObjectGraphError) -> CheckpointResult {
    try refuseReentrance()
    return try self.store(store).checkpoint(mode)
  }

  /// Gives the store's free pages back to the file system.
  ///
  /// Deleted rows leave free pages in the file, which new rows use again. The file becomes shorter with the checkpoint at
  /// the end, which a reader or a pinned context can hold up: the result says so.
  ///
  /// ```swift
  /// let result = try coordinator.vacuum(.incremental(pages: 1_000), of: archive)
  /// print("\(result.pagesBefore - result.pages) pages given back, \(result.freePages) still free")
  /// ```
  ///
  /// - Parameters:
  ///   - mode: The whole file, rewritten in one transaction, which takes as long as copying it and twice its space;
  ///     or some of its free pages.
  ///   - store: Which store; without one, the first.
  /// - Returns: How long the file was and is.
  /// - Throws: ``ObjectGraphError/invalidVacuum(found:expected:path:)``, ``ObjectGraphError/readOnlyStore(path:)``,
  ///   ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``; nothing is lost then.
  @discardableResult
  public func vacuum(
    _ mode: VacuumMode = .whole, of store: PersistentStore? = nil
  ) throws(ObjectGraphError) -> VacuumResult {
    try refuseReentrance()
    return try self.store(store).vacuum(mode)
  }

  /// What the store's writing connection answers for a pragma; nil when SQLite has none of that name.
  ///
  /// ```swift
  /// try coordinator.pragma("journal_mode")  // "wal"
  /// try coordinator.pragma("cache_size", of: archive)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The pragma.
  ///   - store: Which store; without one, the first.
  /// - Returns: The answer as text.
  /// - Throws: ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  public func pragma(_ name: String, of store: PersistentStore? = nil) throws(ObjectGraphError) -> String? {
    try refuseReentrance()
    return try self.store(store).pragma(name)
  }
}
