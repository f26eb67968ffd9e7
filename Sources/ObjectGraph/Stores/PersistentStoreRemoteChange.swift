// The notice that a connection, in this process or another, has changed a store.

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
  /// The store's file, as in its description.
  public let path: String
  /// The last transaction of the store's history; `nil` without history.
  public let historyToken: PersistentHistoryToken?
}
