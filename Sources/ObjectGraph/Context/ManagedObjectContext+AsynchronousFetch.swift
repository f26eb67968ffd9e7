// Asynchronous fetches: read on a queue of their own, answered on the context's.
internal import Dispatch

extension ManagedObjectContext {
  /// Begins a fetch and returns at once; its completion is called on the context's queue.
  ///
  /// The rows are read by a reader beside the context, so the context can be used meanwhile; its unsaved changes at the
  /// time of the answer decide which objects are given.
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/predicate(_:)`` when the request
  ///   cannot be carried out at all.
  @discardableResult
  public func execute(_ request: AsynchronousFetchRequest) throws(ObjectGraphError) -> AsynchronousFetchResult {
    queue.check()
    let fetchRequest = request.fetchRequest
    var plan = try storeFetch(fetchRequest)
    if fetchRequest.includesPendingChanges { plan.window = .all }
    let fetch = plan
    let changes = storedChanges.follow()
    let result = AsynchronousFetchResult(context: self, estimatedResultCount: request.estimatedResultCount)
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
              ? FetchResults(context: self, rows: [], changes: changes)
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
  public func fetch<T: Sendable>(
    _ request: FetchRequest, _ body: @escaping @Sendable (FetchResults) throws -> T
  ) async throws -> T {
    let box = PendingFetch()
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
                    ?? FetchResults(context: self, rows: [], changes: self.storedChanges.follow()))
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
