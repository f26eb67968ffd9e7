// News of what any connection stored, in this process or another.

/// Somebody stored something.
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
