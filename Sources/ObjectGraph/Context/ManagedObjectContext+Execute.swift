// Batch requests, which bypass the context.

extension ManagedObjectContext {
  /// Inserts the request's rows, in one transaction unless it has a ``BatchInsertRequest/transactionSize`` or a
  /// ``BatchInsertRequest/walSizeLimit``.
  ///
  /// The request bypasses the context: it creates no objects and no pending changes, and validates only types and
  /// required values. Objects that were already read keep their values until they are refreshed. The context's
  /// ``mergePolicy`` decides about rows with unique values that are already taken.
  ///
  /// ```swift
  /// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
  /// request.resultType = .count
  /// context.mergePolicy = .mergeByPropertyObjectTrump  // rows whose code is taken are written over
  /// let stored = try context.execute(request).count ?? 0
  /// ```
  ///
  /// - Parameters:
  ///   - request: What to insert.
  ///   - tracer: Receives each stage; without a tracer, stages cost nothing.
  /// - Returns: The result that the request's result type selects.
  /// - Throws: ``ObjectGraphError``; nothing is stored then, except with
  ///   ``ObjectGraphError/partlyStored(entity:rows:result:because:)``. Handlers cannot throw.
  @discardableResult
  public func execute(
    _ request: BatchInsertRequest, tracer: (any BatchInsertTracer)? = nil
  ) throws(ObjectGraphError) -> BatchInsertResult {
    queue.check()
    var isStored = false
    tracer?.began(.preparation)
    defer { tracer?.ended(isStored: isStored) }
    var request = request
    request.origin = origin
    request.tracer = tracer
    let result = try persistentStoreCoordinator.execute(request, mergePolicy: mergePolicy)
    isStored = true
    return result
  }

  /// Updates the request's rows, in one transaction.
  ///
  /// The request bypasses the context: objects that were already read, in this or other contexts, keep their values
  /// until the changes are merged with ``mergeChanges(fromRemoteContextSave:into:)`` or the objects are refreshed.
  /// Faults show what is stored.
  ///
  /// ```swift
  /// var request = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "unknown"])
  /// request.predicate = Quake.place == nil
  /// request.resultType = .count
  /// let updated = try context.execute(request).count ?? 0
  /// ```
  ///
  /// - Throws: ``ObjectGraphError``; nothing is changed then.
  @discardableResult
  public func execute(_ request: BatchUpdateRequest) throws(ObjectGraphError) -> BatchUpdateResult {
    queue.check()
    var request = request
    request.origin = origin
    return try persistentStoreCoordinator.execute(request)
  }

  /// Deletes the request's rows and those that cascades reach, in one transaction.
  ///
  /// The request bypasses the context, as an update does; unsaved changes do not affect which rows are found.
  ///
  /// ```swift
  /// let weak = FetchRequest(entityName: "Quake", predicate: Quake.magnitude < 1)
  /// var request = BatchDeleteRequest(fetchRequest: weak)
  /// request.resultType = .count
  /// let deleted = try context.execute(request).count ?? 0
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/deletionRefused(_:entity:relationship:destination:count:)`` if a delete rule or a
  ///   required inverse denies it, or another ``ObjectGraphError``; nothing is deleted then.
  @discardableResult
  public func execute(_ request: BatchDeleteRequest) throws(ObjectGraphError) -> BatchDeleteResult {
    queue.check()
    var request = request
    request.origin = origin
    return try persistentStoreCoordinator.execute(request)
  }
}
