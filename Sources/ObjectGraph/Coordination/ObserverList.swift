// The observers of a context's changes, of changes by others, and of a controller's transitions.
internal import Support
internal import Synchronization

/// Observers of events, each registered until its observation is deallocated or the list's owner is.
final class ObserverList<Event: Sendable>: Sendable {
  typealias Name = ContextNotification.Name
  typealias Observer = @Sendable (Event) -> Void
  private struct State {
    var next = 0
    var observers: [(id: Int, name: Name?, body: Observer, ended: @Sendable () -> Void)] = []
  }
  private let state = Lock(State())

  deinit { for observer in state.withLock({ $0.observers }) { observer.ended() } }

  /// Whether there are observers.
  ///
  /// If there are none, no events are built.
  func isObserved(_ name: Name) -> Bool {
    state.withLock { $0.observers.contains { $0.name == name } }
  }

  /// - Parameters:
  ///   - name: The notifications to observe; `nil` for events without names.
  ///   - body: Called with each event.
  ///   - ended: Called when there will be no more events, because the owner was deallocated.
  /// - Returns: The observation, which keeps the observer registered.
  func add(
    _ name: Name?, _ body: @escaping Observer, ended: @escaping @Sendable () -> Void = {}
  ) -> ContextObservation {
    let id = state.withLock { state in
      state.next += 1
      state.observers.append((state.next, name, body, ended))
      return state.next
    }
    return ContextObservation { [weak self] in self?.remove(id) }
  }

  /// The events from now on, as a sequence that ends with the owner.
  func stream(
    _ name: Name? = nil, _ policy: AsyncStream<Event>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Event> {
    AsyncStream(bufferingPolicy: policy) { continuation in
      let observation = add(name, { continuation.yield($0) }, ended: { continuation.finish() })
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  func post(_ event: Event, named name: Name? = nil) {
    let bodies = state.withLock { $0.observers.filter { $0.name == name }.map(\.body) }
    for body in bodies { body(event) }
  }

  private func remove(_ id: Int) {
    // Release it after unlocking: releasing the body releases what it captures, which may be an observer itself.
    let removed = state.withLock { state in
      state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
    }
    _ = consume removed
  }
}

extension ObserverList<ContextNotification> {
  func post(_ notification: ContextNotification) { post(notification, named: notification.name) }
}
