// The records of history: transactions, and the changes in each of them.
public import CoreDataModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a change did to an object; the numbers are Core Data's.
///
/// ```swift
/// var request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
/// request.filter.changeTypes = [.insert, .delete]
/// ```
public enum PersistentHistoryChangeType: Int, Sendable, Hashable, CaseIterable {
  case insert = 0
  case update = 1
  case delete = 2
}

/// A save or a batch request that was stored.
///
/// ```swift
/// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
/// for transaction in try context.execute(request).transactions where transaction.author != "app" {
///   try context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
/// }
/// ```
public struct PersistentHistoryTransaction: Sendable {
  /// The data of a transaction that all of its changes share.
  final class Record: Sendable {
    let token: PersistentHistoryToken
    let timestamp: Date
    let author: String?
    let contextName: String?
    let bundleID: String?
    let processID: String?

    init(
      token: PersistentHistoryToken, timestamp: Date, author: String?, contextName: String?, bundleID: String?,
      processID: String?
    ) {
      self.token = token
      self.timestamp = timestamp
      self.author = author
      self.contextName = contextName
      self.bundleID = bundleID
      self.processID = processID
    }
  }

  let record: Record
  /// The changes in their order, as selected by the request's filter; `nil` if they were not requested.
  public let changes: [PersistentHistoryChange]?

  /// Identifies the transaction; fetching after it returns later history.
  public var token: PersistentHistoryToken { record.token }
  /// Counts a store's transactions from 1; numbers are never reused.
  public var transactionNumber: Int64 { record.token.transactionNumber }
  /// The identifier of the store with the transaction.
  public var storeID: String { record.token.storeID }
  /// When it was stored, by the clock of the writing process.
  public var timestamp: Date { record.timestamp }
  /// The context's ``ManagedObjectContext/transactionAuthor``.
  public var author: String? { record.author }
  /// The context's ``ManagedObjectContext/name``.
  public var contextName: String? { record.contextName }
  /// The program that wrote it; outside Apple's systems, the program's name.
  public var bundleID: String? { record.bundleID }
  /// The name of the writing process.
  public var processID: String? { record.processID }

  /// The transaction's changes in the form that contexts merge: `context.mergeChanges(fromContextDidSave:
  /// transaction.objectIDNotification())`.
  ///
  /// Empty if the changes were not requested.
  ///
  /// ```swift
  /// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
  /// if let last = try context.execute(request).transactions.last { print(last.objectIDNotification().updated.count) }
  /// ```
  public func objectIDNotification() -> ChangedObjectIDs { ChangedObjectIDs([self]) }
}

/// One object's change in a transaction.
///
/// ```swift
/// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
/// for change in try context.execute(request).changes where change.updatedProperties?.contains("magnitude") == true {
///   print(change.changedObjectID, change.transaction.timestamp)
/// }
/// ```
public struct PersistentHistoryChange: Sendable {
  private let record: PersistentHistoryTransaction.Record
  /// Counts a store's changes from 1; numbers are never reused.
  public let changeID: Int64
  public let changeType: PersistentHistoryChangeType
  /// The object, which may be deleted by now.
  public let changedObjectID: ManagedObjectID
  /// The names of the properties that an update changed, in name order; `nil` for other changes.
  public let updatedProperties: [String]?
  /// The values of a deleted object's attributes marked `AttributeDescription.preservesValueInHistoryOnDeletion`; `nil`
  /// for other changes, and if none are marked.
  ///
  /// ```swift
  /// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
  /// let codes = try context.execute(request).changes.compactMap { $0.tombstone?["code"] }  // of deleted quakes
  /// ```
  public let tombstone: [String: AttributeValue]?

  init(
    _ record: PersistentHistoryTransaction.Record, changeID: Int64, _ changeType: PersistentHistoryChangeType,
    of objectID: ManagedObjectID, updatedProperties: [String]?, tombstone: [String: AttributeValue]?
  ) {
    self.record = record
    self.changeID = changeID
    self.changeType = changeType
    changedObjectID = objectID
    self.updatedProperties = updatedProperties
    self.tombstone = tombstone
  }

  /// The transaction that made the change, without its changes.
  public var transaction: PersistentHistoryTransaction {
    PersistentHistoryTransaction(record: record, changes: nil)
  }
}

extension ChangedObjectIDs {
  /// Combines transactions in their order; each object occurs once, as deleted, inserted or updated.
  ///
  /// ```swift
  /// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
  /// let changes = ChangedObjectIDs(try context.execute(request).transactions)
  /// try context.mergeChanges(fromContextDidSave: changes)
  /// ```
  public init(_ transactions: [PersistentHistoryTransaction]) {
    var kinds: [ManagedObjectID: PersistentHistoryChangeType] = [:]
    var order: [ManagedObjectID] = []
    for change in transactions.lazy.flatMap({ $0.changes ?? [] }) {
      let objectID = change.changedObjectID
      let known = kinds[objectID]
      if known == nil { order.append(objectID) }
      // An object that was inserted stays inserted, even if it was also updated.
      if known == nil || change.changeType != .update { kinds[objectID] = change.changeType }
    }
    self.init(
      inserted: order.filter { kinds[$0] == .insert }, updated: order.filter { kinds[$0] == .update },
      deleted: order.filter { kinds[$0] == .delete })
  }
}
