// What a context posts: that it is about to save, has saved, or holds other objects than before.

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
  /// Whether everything that was read must be read again, even rows that results hold without an object.
  let refreshedAllObjects: Bool

  init(
    _ name: Name, inserted: [ManagedObjectID] = [], updated: [ManagedObjectID] = [], deleted: [ManagedObjectID] = [],
    refreshed: [ManagedObjectID] = [], invalidatedAllObjects: Bool = false,
    historyToken: PersistentHistoryToken? = nil, refreshedAllObjects: Bool = false
  ) {
    self.name = name
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.refreshed = refreshed
    self.invalidatedAllObjects = invalidatedAllObjects
    self.historyToken = historyToken
    self.refreshedAllObjects = refreshedAllObjects
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
    if name == .objectsDidChange { expectChanges() }
    return observers.add(name, body)
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
    if name == .objectsDidChange { expectChanges() }
    return observers.stream(name)
  }
}
