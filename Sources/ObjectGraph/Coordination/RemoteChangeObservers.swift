// Who wants news of what any connection stored, in this process or another.
internal import Support
internal import Synchronization

/// Who wants to know of remote changes.
final class RemoteChangeObservers: Sendable {
  typealias Observer = @Sendable (PersistentStoreRemoteChange) -> Void
  private struct State {
    var next = 0
    var observers: [(id: Int, body: Observer, ended: @Sendable () -> Void)] = []
  }
  private let state = Lock(State())

  deinit { for observer in state.withLock({ $0.observers }) { observer.ended() } }

  func add(_ body: @escaping Observer, ended: @escaping @Sendable () -> Void = {}) -> ContextObservation {
    let id = state.withLock { state in
      state.next += 1
      state.observers.append((state.next, body, ended))
      return state.next
    }
    return ContextObservation { [weak self] in self?.remove(id) }
  }

  private func remove(_ id: Int) {
    // Kept until the lock is open: releasing its body releases what that holds, which may be an observer itself.
    let removed = state.withLock { state in
      state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
    }
    _ = consume removed
  }

  func post(_ change: PersistentStoreRemoteChange) {
    for observer in state.withLock({ $0.observers }) { observer.body(change) }
  }
}

extension PersistentStoreCoordinator {
  /// Calls the body whenever some connection has stored something in a store that
  /// ``PersistentStoreDescription/postsRemoteChanges``, until the observation is released.
  ///
  /// Saves of this coordinator are reported too. Several transactions in quick succession may be one piece of news: ask
  /// history for what came after the last token that was dealt with. Where history is kept, only new transactions are
  /// news, else any commit.
  /// The body runs on a queue of the store's own.
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
    remoteChangeObservers.add(body)
  }

  /// The same as an asynchronous sequence, from now on until the coordinator is gone.
  ///
  /// While it is not being read, only the latest news of the coordinator is kept.
  ///
  /// ```swift
  /// var token = lastToken
  /// for await _ in coordinator.remoteChanges() {
  ///   token = try coordinator.mergeHistory(after: token, into: [context])
  /// }
  /// ```
  public func remoteChanges() -> AsyncStream<PersistentStoreRemoteChange> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = remoteChangeObservers.add({ continuation.yield($0) }, ended: { continuation.finish() })
      continuation.onTermination = { _ in observation.cancel() }
    }
  }
}
