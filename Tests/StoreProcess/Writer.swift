// Random transactions; each is announced before it begins and confirmed when it is stored.
internal import Foundation
internal import CoreDataModel
internal import ObjectGraph
internal import Support

/// The announcement of a transaction.
struct Announcement: Encodable {
  enum Request: String, Encodable, CaseIterable { case save, batchInsert, batchUpdate, batchDelete }

  let begins: Int64
  let request: Request
  /// The number of entries in the new group, which has the transaction's number; 0 for none.
  var inserted: Int64 = 0
  /// The group to rewrite.
  var updated: Int64?
  /// The group to delete.
  var deleted: Int64?
}

/// The confirmation of a stored transaction.
struct Confirmation: Encodable { let ends: Int64 }

/// Writes transactions to the store, whatever an earlier process left there.
struct Writer {
  private let coordinator: PersistentStoreCoordinator
  private var random: SplitMix64
  private var number: Int64
  private let rows: Int64
  /// The current groups.
  private var groups: [Int64] = []

  init(_ path: String, seed: UInt64, first: Int64, rows: Int64) throws {
    self.rows = rows
    coordinator = try PersistentStoreCoordinator.entries(at: path)
    random = SplitMix64(seed: seed)
    number = first
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    groups = try context.performAndWait { () throws in
      var request = FetchRequest(entityName: Entry.name)
      request.propertiesToFetch = ["group"]
      request.returnsDistinctResults = true
      return try context.fetchDictionaries(request).compactMap { $0[Entry.group] }
    }
  }

  mutating func write(_ count: Int64) throws {
    let parent = getppid()
    for _ in 0..<count {
      // Nobody is left to end this process.
      if getppid() != parent { return }
      let announcement = nextTransaction()
      report(announcement)
      try carryOut(announcement)
      report(Confirmation(ends: number))
      groups.removeAll { $0 == announcement.deleted }
      if announcement.inserted > 0 { groups.append(number) }
      number += 1
    }
    try coordinator.close()
  }

  private mutating func nextTransaction() -> Announcement {
    let requests: [Announcement.Request] =
      groups.count < 3
      ? [.save, .batchInsert]
      : Announcement.Request.allCases + (groups.count > 30 ? [.batchDelete, .batchDelete] : [.save, .batchInsert])
    var announcement = Announcement(begins: number, request: requests.randomElement(using: &random) ?? .save)
    switch announcement.request {
    case .save:
      announcement.inserted = Int64.random(in: 1...max(1, rows / 10), using: &random)
      let others = groups.shuffled(using: &random)
      if others.count > 4 {
        announcement.updated = others[0]
        announcement.deleted = others[1]
      }
    case .batchInsert: announcement.inserted = Int64.random(in: 1...rows, using: &random)
    case .batchUpdate: announcement.updated = groups.randomElement(using: &random)
    case .batchDelete: announcement.deleted = groups.randomElement(using: &random)
    }
    return announcement
  }

  private mutating func carryOut(_ announcement: Announcement) throws {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    let values = (0..<announcement.inserted).map { _ in
      (code: String(random.next(), radix: 36), length: Int.random(in: 0...200, using: &random))
    }
    try context.performAndWait { () throws in
      // The transaction's name in history.
      context.transactionAuthor = "\(announcement.begins)"
      switch announcement.request {
      case .save: try save(announcement, values, context)
      case .batchInsert: try context.execute(insertion(announcement, values))
      case .batchUpdate:
        try context.execute(
          BatchUpdateRequest(
            entityName: Entry.name, propertiesToUpdate: ["generation": .integer(announcement.begins)],
            predicate: Entry.group == announcement.updated))
      case .batchDelete:
        try context.execute(BatchDeleteRequest(fetchRequest: entries(of: announcement.deleted)))
      }
    }
  }

  private func entries(of group: Int64?) -> FetchRequest<ManagedObject> {
    FetchRequest(entityName: Entry.name, predicate: Entry.group == group)
  }

  private func save(
    _ announcement: Announcement, _ values: [(code: String, length: Int)], _ context: ManagedObjectContext
  ) throws {
    for value in values {
      let entry = try context.insertNewObject(forEntityName: Entry.name)
      entry[Entry.group] = announcement.begins
      entry[Entry.size] = announcement.inserted
      entry[Entry.generation] = announcement.begins
      entry[Entry.code] = value.code
      entry[Entry.text] = String(repeating: "t", count: value.length)
    }
    if let updated = announcement.updated {
      for entry in try context.fetch(entries(of: updated)) { entry[Entry.generation] = announcement.begins }
    }
    if let deleted = announcement.deleted {
      for entry in try context.fetch(entries(of: deleted)) { try context.delete(entry) }
    }
    try context.save()
  }

  private func insertion(
    _ announcement: Announcement, _ values: [(code: String, length: Int)]
  ) -> BatchInsertRequest {
    var next = 0
    return BatchInsertRequest(entityName: Entry.name) { (entry: inout [String: AttributeValue]) in
      if next == values.count { return true }
      entry["group"] = .integer(announcement.begins)
      entry["size"] = .integer(announcement.inserted)
      entry["generation"] = .integer(announcement.begins)
      entry["code"] = .string(values[next].code)
      entry["text"] = .string(String(repeating: "t", count: values[next].length))
      next += 1
      return false
    }
  }
}
