// What a context posts: that it is about to save, has saved, or holds other objects than before.
internal import Support
internal import Synchronization

/// A context's news, by object ID, so that it crosses queues.
///
/// ```swift
/// let observation = context.observe(.didSave) { notification in
///   print("\(notification.inserted.count) new, \(notification.deleted.count) gone")
/// }
/// ```
public struct ContextNotification: Sendable, Hashable {
  /// What the news is about.
  public enum Name: Sendable, Hashable, CaseIterable {
    /// A save begins.
    case willSave
    /// A save was stored.
    case didSave
    /// Objects were inserted, changed, deleted or refreshed since the last such news.
    case objectsDidChange
    /// Changes made elsewhere were merged.
    case didMerge
  }

  public let name: Name
  /// New objects; in ``Name/willSave`` and ``Name/objectsDidChange`` their IDs may still be temporary.
  public let inserted: [ManagedObjectID]
  /// Stored objects with other values than before.
  public let updated: [ManagedObjectID]
  /// Objects that are gone, or that the next save deletes.
  public let deleted: [ManagedObjectID]
  /// Objects that were refreshed, or that took in what others had stored.
  public let refreshed: [ManagedObjectID]
  /// Whether a reset made the context forget all of its objects.
  public let invalidatedAllObjects: Bool
  /// What names a save in the store's history; nil for other news, and where no history is kept.
  public let historyToken: PersistentHistoryToken?

  init(
    _ name: Name, inserted: [ManagedObjectID] = [], updated: [ManagedObjectID] = [], deleted: [ManagedObjectID] = [],
    refreshed: [ManagedObjectID] = [], invalidatedAllObjects: Bool = false, historyToken: PersistentHistoryToken? = nil
  ) {
    self.name = name
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.refreshed = refreshed
    self.invalidatedAllObjects = invalidatedAllObjects
    self.historyToken = historyToken
  }
}

/// Keeps an observer registered until it is cancelled or released.
///
/// ```swift
/// var observation: ContextObservation? = context.observe(.objectsDidChange) { print($0.updated.count) }
/// observation = nil  // no more news
/// ```
public final class ContextObservation: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation; doing it again does nothing.
  ///
  /// ```swift
  /// let observation = context.observe(.didMerge) { print("\($0.updated.count) objects have other values") }
  /// defer { observation.cancel() }
  /// ```
  public func cancel() { end() }
}

/// Who wants to know.
final class ObserverList: Sendable {
  typealias Observer = @Sendable (ContextNotification) -> Void
  private struct State {
    var next = 0
    var observers: [(id: Int, name: ContextNotification.Name, body: Observer, ended: @Sendable () -> Void)] = []
  }
  private let state = Lock(State())

  deinit { for observer in state.withLock({ $0.observers }) { observer.ended() } }

  /// Whether anybody listens; news nobody wants is not even put together.
  func isObserved(_ name: ContextNotification.Name) -> Bool {
    state.withLock { $0.observers.contains { $0.name == name } }
  }

  /// - Parameters:
  ///   - name: The notifications to observe.
  ///   - body: Called with the news.
  ///   - ended: Called when there will be no more, because the context is gone.
  /// - Returns: What keeps the observer registered.
  func add(
    _ name: ContextNotification.Name, _ body: @escaping Observer, ended: @escaping @Sendable () -> Void = {}
  ) -> ContextObservation {
    let id = state.withLock { state in
      state.next += 1
      state.observers.append((state.next, name, body, ended))
      return state.next
    }
    return ContextObservation { [weak self] in self?.remove(id) }
  }

  func post(_ notification: ContextNotification) {
    let bodies = state.withLock { $0.observers.filter { $0.name == notification.name }.map(\.body) }
    for body in bodies { body(notification) }
  }

  private func remove(_ id: Int) {
    // Kept until the lock is open: releasing its body releases what that holds, which may be an observer itself.
    let removed = state.withLock { state in
      state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
    }
    _ = consume removed
  }
}

extension ManagedObjectContext {
  /// Calls the body on the context's queue whenever there is such news, until the observation is released.
  ///
  /// ```swift
  /// let observation = context.observe(.didSave) { notification in
  ///   if let token = notification.historyToken { print("saved up to \(token)") }
  /// }
  /// ```
  public func observe(
    _ name: ContextNotification.Name, _ body: @escaping @Sendable (ContextNotification) -> Void
  ) -> ContextObservation {
    observers.add(name, body)
  }

  /// Such news as an asynchronous sequence, from now on until the context is gone; none is dropped while it is not being
  /// read.
  ///
  /// ```swift
  /// for await merge in context.notifications(.didMerge) where !merge.deleted.isEmpty {
  ///   print("\(merge.deleted.count) objects are gone")
  /// }
  /// ```
  public func notifications(_ name: ContextNotification.Name) -> AsyncStream<ContextNotification> {
    AsyncStream { continuation in
      let observation = observers.add(name, { continuation.yield($0) }, ended: { continuation.finish() })
      continuation.onTermination = { _ in observation.cancel() }
    }
  }
}
