// A place in a store's history, to be kept by whoever follows it.

/// Names a transaction of a store's history; what came after it can be asked for later, also by another process.
///
/// Keep it anywhere: it is `Codable`. Within a store, later transactions have greater tokens; between stores the order
/// has no meaning.
public struct PersistentHistoryToken: Sendable, Hashable, Codable, Comparable {
  /// The identifier of the store.
  public let storeID: String
  /// The number of the transaction; 0 before the first one.
  public let transactionNumber: Int64

  public init(storeID: String, transactionNumber: Int64) {
    self.storeID = storeID
    self.transactionNumber = transactionNumber
  }

  public static func < (left: PersistentHistoryToken, right: PersistentHistoryToken) -> Bool {
    (left.storeID, left.transactionNumber) < (right.storeID, right.transactionNumber)
  }
}

extension PersistentHistoryToken: CustomStringConvertible {
  public var description: String { "transaction \(transactionNumber) of the store \(storeID)" }
}
