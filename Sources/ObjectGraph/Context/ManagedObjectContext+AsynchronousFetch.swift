// Asynchronous fetches: they read on their own queue and return results on the context's.
internal import Dispatch

extension ManagedObjectContext {
  /// Starts a fetch and returns at once; its completion is called on the context's queue.
  ///
  /// A separate reader reads the rows, so you can use the context in the meantime. Its unsaved changes at completion
  /// decide which objects are returned. With a limit, only the necessary rows are read. Rows are read completely and
  /// all at once: `fetchBatchSize`, `includesPropertyValues` and `propertiesToFetch` have no effect. Relationships of
  /// `relationshipKeyPathsForPrefetching` are read on the context's queue before completion.
  ///
  /// ```swift
  /// let request = AsynchronousFetchRequest(FetchRequest<Quake>(entityName: "Quake")) { result in
  ///   print(result.finalResult?.count ?? 0)  // on the context's queue
  /// }
  /// let fetch = try context.execute(request)
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/wrongClass(found:expected:)``,
  ///   ``ObjectGraphError/predicate(_:)``, ``ObjectGraphError/unknownRelationship(entity:key:expected:)`` if the
  ///   request is invalid; ``ObjectGraphError/store(_:during:)`` if a delete rule cannot read a relationship.
  @discardableResult
  public func execute<ResultType>(
    _ request: AsynchronousFetchRequest<ResultType>
  ) throws(ObjectGraphError) -> AsynchronousFetchResult<ResultType> {
    queue.check()
    try persistentStoreCoordinator.checkClass(of: request.fetchRequest)
    let untyped = request.fetchRequest.untyped
    adoptPermanentIDs()
    if untyped.includesPendingChanges { try propagateDeletionsOfEvent() }
    var fetch = try storeFetch(untyped)
    try checkPrefetching(untyped.relationshipKeyPathsForPrefetching, of: fetch.layout)
    if untyped.includesPendingChanges { fetch.window = window(for: untyped, fetch) }
    let result = AsynchronousFetchResult<ResultType>(
      context: self, changes: storedChanges.follow(), estimatedResultCount: request.estimatedResultCount)
    read(fetch, for: request, result)
    return result
  }

  /// Reads the rows outside the context's queue, and returns results on it.
  private func read<ResultType>(
    _ fetch: StoreFetch, for request: AsynchronousFetchRequest<ResultType>,
    _ result: AsynchronousFetchResult<ResultType>
  ) {
    let source = source
    DispatchQueue.global().async {
      let read = Result { () throws(ObjectGraphError) -> StoredRows in
        if result.isCancelled { return StoredRows() }
        return try source.rows(fetch) {
          result.countRow()
          request.rowHandler?(result)
          return !result.isCancelled
        }
      }
      self.perform(later: { self.answer(request, with: read, of: fetch, result) })
    }
  }

  private func answer<ResultType>(
    _ request: AsynchronousFetchRequest<ResultType>, with read: Result<StoredRows, ObjectGraphError>,
    of fetch: StoreFetch, _ result: AsynchronousFetchResult<ResultType>
  ) {
    do throws(ObjectGraphError) {
      if result.isCancelled {
        result.finish(FoundObjects(context: self, rows: StoredRows(), changes: result.changes), error: nil)
      } else {
        let rows = try read.get()
        let untyped = request.fetchRequest.untyped
        if untyped.includesPendingChanges { try propagateDeletionsOfEvent() }
        if untyped.includesPendingChanges, lacksRows(rows, of: fetch, for: untyped) {
          // Rows were changed or deleted after they were read, so later rows take their places: read more.
          var wider = fetch
          wider.window = window(for: untyped, fetch)
          return self.read(wider, for: request, result)
        }
        var found = try results(of: untyped, rows: rows, changes: result.changes)
        let paths = untyped.relationshipKeyPathsForPrefetching
        if !paths.isEmpty { found = try prefetching(paths, of: fetch.layout, for: found, result.changes) }
        result.finish(found, error: nil)
      }
    } catch {
      result.finish(nil, error: error)
    }
    request.completion(result)
  }

  /// Fetches without blocking the caller and passes the objects to the body on the context's queue.
  ///
  /// Cancelling the task cancels the fetch, which then throws `CancellationError`.
  ///
  /// ```swift
  /// let strong = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude > 4.5)
  /// let places = try await context.fetch(strong) { quakes in quakes.compactMap { $0[Quake.place] } }
  /// ```
  public func fetch<ResultType, T: Sendable>(
    _ request: FetchRequest<ResultType>, _ body: @escaping @Sendable (FetchResults<ResultType>) throws -> T
  ) async throws -> T {
    let box = PendingFetch<ResultType>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        perform(later: {
          let asynchronous = AsynchronousFetchRequest(request) { result in
            continuation.resume(
              with: Result {
                if result.isCancelled { throw CancellationError() }
                if let error = result.operationError { throw error }
                return try body(
                  result.finalResult
                    ?? FetchResults(
                      FoundObjects(context: self, rows: StoredRows(), changes: self.storedChanges.follow())))
              })
          }
          do {
            box.set(try self.execute(asynchronous))
          } catch {
            continuation.resume(throwing: error)
          }
        })
      }
    } onCancel: {
      box.cancel()
    }
  }
}
