// The notifications of a context: it is about to save, has saved, or its objects have changed.

/// A notification from a context, with object IDs so that it can cross queues.
///
/// ```swift
/// let observation = context.observe(.didSave) { notification in
///   print("\(notification.inserted.count) new, \(notification.deleted.count) gone")
/// }
/// ```
public struct ContextNotification: Sendable, Hashable {
  /// The event that the notification reports.
  public enum Name: Sendable, Hashable, CaseIterable {
    /// A save is about to begin.
    case willSave
    /// A save was stored.
    case didSave
    /// Objects were inserted, changed, deleted or refreshed since the last such notification.
    case objectsDidChange
    /// Changes made elsewhere were merged.
    case didMerge
  }

  public let name: Name
  /// New objects; in ``Name/willSave`` and ``Name/objectsDidChange`` their IDs may still be temporary.
  public let inserted: [ManagedObjectID]
  /// Stored objects with changed values.
  public let updated: [ManagedObjectID]
  /// Objects that were deleted, or that the next save deletes.
  public let deleted: [ManagedObjectID]
  /// Objects that were refreshed, or that took over values stored by others.
  public let refreshed: [ManagedObjectID]
  /// Whether the context was reset and forgot all of its objects.
  public let invalidatedAllObjects: Bool
  /// The token of the save in the store's history; `nil` for other events and without history.
  public let historyToken: PersistentHistoryToken?
  /// Whether everything must be read again, including rows that results hold without objects.
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

/// Keeps an observer registered until it is canceled or deallocated.
///
/// ```swift
/// var observation: ContextObservation? = context.observe(.objectsDidChange) { print($0.updated.count) }
/// observation = nil  // no more news
/// ```
public final class ContextObservation: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation; calling it again has no effect.
  ///
  /// ```swift
  /// let observation = context.observe(.didMerge) { print("\($0.updated.count) objects have other values") }
  /// defer { observation.cancel() }
  /// ```
  public func cancel() { end() }
}

extension ManagedObjectContext {
  /// Calls the body on the context's queue for each such notification, until the observation is deallocated.
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

  /// The notifications as an asynchronous sequence, from now until the context is deallocated; unread ones are kept.
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
