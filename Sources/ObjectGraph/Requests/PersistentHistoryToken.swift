// A position in a store's history, for readers of history to keep.

/// Identifies a transaction in a store's history; you can fetch later history from it at any time, in any process.
///
/// You can keep it anywhere: it is `Codable`. Within a store, later transactions have greater tokens; between stores,
/// the order has no meaning. A token may cover several stores of a coordinator: it then contains a position in each of
/// them.
///
/// ```swift
/// let file = URL(filePath: "last-token.json")
/// try JSONEncoder().encode(coordinator.currentPersistentHistoryToken()).write(to: file)
/// let token = try JSONDecoder().decode(PersistentHistoryToken?.self, from: Data(contentsOf: file))
/// ```
public struct PersistentHistoryToken: Sendable, Hashable, Codable, Comparable {
  /// The identifier of the store.
  public let storeID: String
  /// The number of the transaction; 0 before the first one.
  public let transactionNumber: Int64
  /// How far other stores were read, by their identifiers.
  private let others: [String: Int64]?

  /// Creates a token from a transaction's number, for code that keeps numbers instead of tokens.
  ///
  /// ```swift
  /// let start = PersistentHistoryToken(storeID: store.identifier, transactionNumber: 0)
  /// let all = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: start)).transactions
  /// ```
  public init(storeID: String, transactionNumber: Int64) {
    self.init(storeID: storeID, transactionNumber: transactionNumber, others: [:])
  }

  /// Creates a token that also says how far other stores were read.
  init(storeID: String, transactionNumber: Int64, others: [String: Int64]) {
    self.storeID = storeID
    self.transactionNumber = transactionNumber
    let rest = others.filter { $0.key != storeID }
    self.others = rest.isEmpty ? nil : rest
  }

  /// The number of the last transaction that was read from a store; `nil` if the token does not cover the store.
  ///
  /// ```swift
  /// let known = lastToken?.transactionNumber(in: archive.identifier) ?? 0
  /// print("the archive is known up to transaction \(known)")
  /// ```
  public func transactionNumber(in storeID: String) -> Int64? {
    storeID == self.storeID ? transactionNumber : others?[storeID]
  }

  /// Every store that the token covers, with the last transaction that was read.
  var positions: [String: Int64] { (others ?? [:]).merging([storeID: transactionNumber]) { _, new in new } }

  /// One token for several stores, named after the first, with the later position in each; `nil` if there are no
  /// tokens.
  static func covering(_ tokens: [PersistentHistoryToken?]) -> PersistentHistoryToken? {
    let tokens = tokens.compactMap(\.self)
    guard let first = tokens.first else { return nil }
    if tokens.count == 1 { return first }
    let positions = tokens.reduce(into: [:]) { $0.merge($1.positions, uniquingKeysWith: max) }
    return PersistentHistoryToken(
      storeID: first.storeID, transactionNumber: positions[first.storeID] ?? first.transactionNumber, others: positions)
  }

  public static func < (left: PersistentHistoryToken, right: PersistentHistoryToken) -> Bool {
    // With several stores, the first difference by store identifier decides.
    for storeID in Set(left.positions.keys).union(right.positions.keys).sorted() {
      let (one, other) = (left.transactionNumber(in: storeID), right.transactionNumber(in: storeID))
      if one == other { continue }
      // Tokens of different stores are ordered by store identifier, which has no meaning.
      if left.others == nil, right.others == nil, left.storeID != right.storeID { return left.storeID < right.storeID }
      return (one ?? -1) < (other ?? -1)
    }
    return false
  }
}

extension PersistentHistoryToken: CustomStringConvertible {
  public var description: String {
    positions.sorted { ($0.key != storeID ? 1 : 0, $0.key) < ($1.key != storeID ? 1 : 0, $1.key) }
      .map { "transaction \($0.value) of the store \($0.key)" }.joined(separator: ", ")
  }
}
