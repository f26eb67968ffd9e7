// Notifications of what any connection stored, in this process or another.

/// A store has changed.
///
/// ```swift
/// for await change in coordinator.remoteChanges() {
///   print("\(change.path) is at \(change.historyToken?.transactionNumber ?? 0)")
/// }
/// ```
public struct PersistentStoreRemoteChange: Sendable, Hashable {
  /// The identifier of the store.
  public let storeID: String
  /// The store's file, as its description named it.
  public let path: String
  /// The last transaction of the store's history; nil where none is kept.
  public let historyToken: PersistentHistoryToken?
}

extension PersistentStoreCoordinator {
  /// Calls the body whenever some connection has stored something in a store that
  /// ``PersistentStoreDescription/postsRemoteChanges``, until the observation is released.
  ///
  /// Saves of this coordinator are reported too. Several transactions in quick succession may be reported once: fetch
  /// the history after the last token that you have processed. If the store keeps history, only new transactions are
  /// reported, else every commit.
  /// The body runs on a queue of the store's own. Closing the store does not wait for it.
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

  /// The same as an asynchronous sequence, from now on until the coordinator is gone.
  ///
  /// While nothing reads it, only the coordinator's latest change is kept.
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
