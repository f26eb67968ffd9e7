// Notifications about changes by any connection, in this process or another.

extension PersistentStoreCoordinator {
  /// Calls the body whenever a connection changes a store that ``PersistentStoreDescription/postsRemoteChanges``, until
  /// the observation is deallocated.
  ///
  /// Saves of this coordinator are reported, too. Several transactions in quick succession may be reported once: fetch
  /// the history after the last token that you have processed. With history, only new transactions are reported;
  /// without it, every commit is. The body runs on the store's own queue. Closing the store does not wait for it.
  ///
  /// ```swift
  /// let observation = coordinator.observeRemoteChanges { change in
  ///   print("\(change.path) has new transactions")
  /// }
  /// defer { observation.cancel() }
  /// ```
  public func observeRemoteChanges(
    _ body: @escaping @Sendable (PersistentStoreRemoteChange) -> Void
  ) -> ContextObservation {
    remoteChangeObservers.add(nil, body)
  }

  /// The changes as an asynchronous sequence, from now until the coordinator is deallocated.
  ///
  /// Only the coordinator's latest unread change is kept.
  ///
  /// ```swift
  /// var token = lastToken
  /// for await _ in coordinator.remoteChanges() {
  ///   token = try coordinator.mergeHistory(after: token, into: [context])
  /// }
  /// ```
  public func remoteChanges() -> AsyncStream<PersistentStoreRemoteChange> {
    remoteChangeObservers.stream(nil, .bufferingNewest(1))
  }
}
