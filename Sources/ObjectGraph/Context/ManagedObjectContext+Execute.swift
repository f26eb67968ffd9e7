// Batch requests: straight to the store, past the context.

extension ManagedObjectContext {
  /// Inserts the request's rows in one transaction.
  ///
  /// The context takes no part: no object is made in it, nothing is validated beyond types and required values, no
  /// change is pending, objects already read keep their values. The context's ``mergePolicy`` decides what happens to
  /// rows whose unique values are taken.
  /// - Throws: ``ObjectGraphError``; nothing of the request is stored then. What a handler throws is not caught here:
  ///   handlers do not throw.
  @discardableResult
  public func execute(_ request: BatchInsertRequest) throws(ObjectGraphError) -> BatchInsertResult {
    queue.check()
    return try persistentStoreCoordinator.execute(request, mergePolicy: mergePolicy)
  }
}
