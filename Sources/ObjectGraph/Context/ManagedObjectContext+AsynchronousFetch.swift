// Asynchronous fetches: read on a queue of their own, answered on the context's.
internal import Dispatch

extension ManagedObjectContext {
  /// Begins a fetch and returns at once; its completion is called on the context's queue.
  ///
  /// The rows are read by a reader beside the context, so the context can be used meanwhile; its unsaved changes at the
  /// time of the answer decide which objects are given.
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/wrongClass(found:expected:)``,
  ///   ``ObjectGraphError/predicate(_:)`` when the request cannot be carried out at all.
  @discardableResult
  public func execute<ResultType>(
    _ request: AsynchronousFetchRequest<ResultType>
  ) throws(ObjectGraphError) -> AsynchronousFetchResult<ResultType> {
    queue.check()
    try persistentStoreCoordinator.checkClass(of: request.fetchRequest)
    let fetchRequest = request.fetchRequest.untyped
    var plan = try storeFetch(fetchRequest)
    if fetchRequest.includesPendingChanges { plan.window = .all }
    let fetch = plan
    let changes = storedChanges.follow()
    let result = AsynchronousFetchResult<ResultType>(context: self, estimatedResultCount: request.estimatedResultCount)
    let source = source
    DispatchQueue.global().async {
      let read = Result { () throws(ObjectGraphError) in
        try source.rows(fetch) { result.readRow() }
      }
      self.perform(later: {
        do throws(ObjectGraphError) {
          let rows = result.isCancelled ? [] : try read.get()
          result.finish(
            result.isCancelled
              ? FoundObjects(context: self, rows: [], changes: changes)
              : try self.results(of: fetchRequest, rows: rows, changes: changes), error: nil)
        } catch {
          result.finish(nil, error: error)
        }
        request.completion(result)
      })
    }
    return result
  }

  /// Fetches without blocking the caller and hands the objects to the body, on the context's queue.
  ///
  /// Cancelling the task cancels the fetch, which then throws `CancellationError`.
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
                    ?? FetchResults(FoundObjects(context: self, rows: [], changes: self.storedChanges.follow())))
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
