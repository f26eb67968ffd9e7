// A request for a store's history, or for deleting its older part.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request for history after some point, or for deleting history before it.
///
/// ```swift
/// var request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
/// request.filter.excludedAuthors = ["app"]
/// request.fetchLimit = 100
/// let transactions = try context.execute(request).transactions
/// ```
public struct PersistentHistoryChangeRequest: Sendable, Hashable {
  /// What the result contains; the numbers are Core Data's.
  ///
  /// ```swift
  /// var request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
  /// request.resultType = .count
  /// if case .count(let count) = try context.execute(request) { print("\(count) transactions") }
  /// ```
  public enum ResultType: Int, Sendable, Hashable, CaseIterable {
    /// Only that the request was executed.
    case statusOnly = 0
    /// The changed objects, each once, in the order of their first change.
    case objectIDs = 1
    /// The number of transactions found or deleted.
    case count = 2
    case transactionsOnly = 3
    case changesOnly = 4
    case transactionsAndChanges = 5
  }

  /// A point in history.
  enum Point: Sendable, Hashable {
    case beginning
    case token(PersistentHistoryToken)
    case date(Date)
  }

  var point: Point
  let isDeletion: Bool
  /// What the result contains: by default transactions with their changes, or a status for a deletion.
  public var resultType: ResultType
  /// Selects transactions and changes; a deletion ignores it.
  public var filter = PersistentHistoryFilter()
  /// The most transactions to return, the oldest first; 0 for all.
  public var fetchLimit = 0
  /// The stores to use; `nil` for all with history.
  public var affectedStores: [PersistentStore]?
  /// How far other stores were read, which the tokens of this store's transactions also contain.
  var otherPositions: [String: Int64] = [:]

  private init(_ point: Point, isDeletion: Bool) {
    self.point = point
    self.isDeletion = isDeletion
    resultType = isDeletion ? .statusOnly : .transactionsAndChanges
  }

  /// Fetches everything after the token's transaction; without a token, the whole history.
  ///
  /// ```swift
  /// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
  /// let lastToken = try context.execute(request).transactions.last?.token ?? lastToken
  /// ```
  public static func fetchHistory(after token: PersistentHistoryToken?) -> PersistentHistoryChangeRequest {
    PersistentHistoryChangeRequest(token.map { .token($0) } ?? .beginning, isDeletion: false)
  }

  /// Fetches everything stored after the date.
  ///
  /// ```swift
  /// let recent = PersistentHistoryChangeRequest.fetchHistory(after: yesterday)
  /// for change in try context.execute(recent).changes { print(change.changedObjectID, change.changeType) }
  /// ```
  public static func fetchHistory(after date: Date) -> PersistentHistoryChangeRequest {
    PersistentHistoryChangeRequest(.date(date), isDeletion: false)
  }

  /// Fetches everything after the transaction.
  ///
  /// ```swift
  /// let all = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: lastToken)).transactions
  /// if let first = all.first {
  ///   let later = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: first)).transactions
  /// }
  /// ```
  public static func fetchHistory(after transaction: PersistentHistoryTransaction) -> PersistentHistoryChangeRequest {
    fetchHistory(after: transaction.token)
  }

  /// Deletes history before the token's transaction, which stays; without a token, nothing.
  ///
  /// ```swift
  /// let request = PersistentHistoryChangeRequest.deleteHistory(before: lastToken)
  /// try context.execute(request)
  /// ```
  public static func deleteHistory(before token: PersistentHistoryToken?) -> PersistentHistoryChangeRequest {
    PersistentHistoryChangeRequest(token.map { .token($0) } ?? .beginning, isDeletion: true)
  }

  /// Deletes history from before the date.
  ///
  /// The newest transaction is kept, so that the current token stays valid.
  ///
  /// ```swift
  /// let weekAgo = Date(timeIntervalSinceNow: -7 * 86_400)
  /// try context.execute(PersistentHistoryChangeRequest.deleteHistory(before: weekAgo))
  /// ```
  public static func deleteHistory(before date: Date) -> PersistentHistoryChangeRequest {
    PersistentHistoryChangeRequest(.date(date), isDeletion: true)
  }

  /// Deletes history before the transaction, which stays.
  ///
  /// ```swift
  /// let known = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: lastToken)).transactions
  /// if let last = known.last { try context.execute(PersistentHistoryChangeRequest.deleteHistory(before: last)) }
  /// ```
  public static func deleteHistory(before transaction: PersistentHistoryTransaction) -> PersistentHistoryChangeRequest {
    deleteHistory(before: transaction.token)
  }
}

/// Selects transactions and changes for a history request; `nil` selects all.
///
/// If it selects changes, transactions without any such change are omitted.
///
/// ```swift
/// var request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
/// request.filter = PersistentHistoryFilter(excludedAuthors: ["app"], entityNames: ["Quake"])
/// ```
public struct PersistentHistoryFilter: Sendable, Hashable {
  /// Only transactions of these authors.
  public var authors: Set<String>?
  /// No transactions of these authors, for example one's own; transactions without an author are included.
  public var excludedAuthors: Set<String> = []
  /// Only transactions of contexts with these names.
  public var contextNames: Set<String>?
  /// Only changes of objects of these entities and their sub-entities.
  public var entityNames: Set<String>?
  /// Only changes of these types.
  public var changeTypes: Set<PersistentHistoryChangeType>?

  /// Creates a filter; by default, it selects everything.
  ///
  /// ```swift
  /// var request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
  /// request.filter = PersistentHistoryFilter(entityNames: ["Quake"], changeTypes: [.delete])
  /// ```
  public init(
    authors: Set<String>? = nil, excludedAuthors: Set<String> = [], contextNames: Set<String>? = nil,
    entityNames: Set<String>? = nil, changeTypes: Set<PersistentHistoryChangeType>? = nil
  ) {
    self.authors = authors
    self.excludedAuthors = excludedAuthors
    self.contextNames = contextNames
    self.entityNames = entityNames
    self.changeTypes = changeTypes
  }
}

/// The result of a history request, in the requested form.
///
/// ```swift
/// var request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
/// request.resultType = .objectIDs
/// if case .objectIDs(let objectIDs) = try context.execute(request) { print(objectIDs.count) }
/// ```
public enum PersistentHistoryResult: Sendable {
  /// The request was executed.
  case statusOnly(Bool)
  case objectIDs([ManagedObjectID])
  case count(Int)
  /// Oldest first.
  case transactions([PersistentHistoryTransaction])
  /// Oldest first.
  case changes([PersistentHistoryChange])

  /// The transactions of the result; empty for another type of result.
  ///
  /// ```swift
  /// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
  /// let authors = Set(try context.execute(request).transactions.compactMap(\.author))
  /// ```
  public var transactions: [PersistentHistoryTransaction] {
    if case .transactions(let transactions) = self { transactions } else { [] }
  }

  /// The changes of the result, including those of its transactions.
  ///
  /// ```swift
  /// let changes = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: lastToken)).changes
  /// let deleted = changes.filter { $0.changeType == .delete }.map(\.changedObjectID)
  /// ```
  public var changes: [PersistentHistoryChange] {
    switch self {
    case .changes(let changes): changes
    case .transactions(let transactions): transactions.flatMap { $0.changes ?? [] }
    case .statusOnly, .objectIDs, .count: []
    }
  }
}
