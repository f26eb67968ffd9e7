// Batch requests: straight to the store, past the context.

extension ManagedObjectContext {
  /// Inserts the request's rows, in one transaction unless it has a ``BatchInsertRequest/transactionSize`` or a
  /// ``BatchInsertRequest/walSizeLimit``.
  ///
  /// The context takes no part: no object is made in it, nothing is validated beyond types and required values, no
  /// change is pending, objects already read keep their values until they are refreshed. The context's ``mergePolicy`` decides what happens to
  /// rows whose unique values are taken.
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
  ///   - tracer: Receives each stage; without one, stages cost nothing.
  /// - Returns: What the request's result type asks for.
  /// - Throws: ``ObjectGraphError``; nothing of the request is stored then, unless it is
  ///   ``ObjectGraphError/partlyStored(entity:rows:result:because:)``. What a handler throws is not caught here:
  ///   handlers do not throw.
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
  /// The context takes no part: objects already read keep their values, in this context and in others, until the change is
  /// merged with ``mergeChanges(fromRemoteContextSave:into:)`` or they are refreshed. Faults show what is stored.
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
  /// The context takes no part, as with an update; unsaved changes do not decide which rows are found.
  ///
  /// ```swift
  /// let weak = FetchRequest(entityName: "Quake", predicate: Quake.magnitude < 1)
  /// var request = BatchDeleteRequest(fetchRequest: weak)
  /// request.resultType = .count
  /// let deleted = try context.execute(request).count ?? 0
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/deletionRefused(_:entity:relationship:destination:count:)`` when a delete rule or a
  ///   required inverse forbids it, or another ``ObjectGraphError``; nothing is deleted then.
  @discardableResult
  public func execute(_ request: BatchDeleteRequest) throws(ObjectGraphError) -> BatchDeleteResult {
    queue.check()
    var request = request
    request.origin = origin
    return try persistentStoreCoordinator.execute(request)
  }
}
