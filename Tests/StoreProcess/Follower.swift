// Follows the changes of another process, with notifications and history, from a token that is stored with what was
// seen.
internal import Dispatch
internal import Foundation
internal import ObjectGraph

/// A line of the journal with what was seen.
///
/// Token and transactions are written together, so that a killed process leaves both or neither.
struct Sighting: Codable {
  let transactions: [Int64]
  let token: PersistentHistoryToken
}

/// An object as the follower's context shows it.
struct ShownEntry: Encodable {
  let key: String
  let group: Int64?
  let generation: Int64?
  let code: String?
  let text: String?
}

/// Follows a store in a context that only learns what changed.
final class Follower {
  private let coordinator: PersistentStoreCoordinator
  private let context: ManagedObjectContext
  private let journal: FileHandle
  private var token: PersistentHistoryToken?
  /// All objects, kept alive.
  private var shown: [ManagedObjectID: ManagedObject] = [:]
  private let news = DispatchSemaphore(value: 0)

  init(_ path: String, journal: String) throws {
    coordinator = try PersistentStoreCoordinator.entries(at: path, watched: true)
    context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    if !FileManager.default.fileExists(atPath: journal) { try Data().write(to: URL(fileURLWithPath: journal)) }
    self.journal = try FileHandle(forUpdating: URL(fileURLWithPath: journal))
    // An incomplete line of a killed process does not count.
    let text = try self.journal.readToEnd() ?? Data()
    let whole = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    try self.journal.truncate(atOffset: UInt64(whole))
    if let last = text[..<whole].split(separator: UInt8(ascii: "\n")).last {
      token = try JSONDecoder().decode(Sighting.self, from: last).token
    }
  }

  func follow(until last: Int64) throws {
    let observation = coordinator.observeRemoteChanges { [news] _ in news.signal() }
    defer { observation.cancel() }
    try context.performAndWait { () throws in
      // The shown objects may be newer than the token: merging known changes again changes nothing.
      for entry in try context.fetch(FetchRequest(entityName: Entry.name)) { shown[entry.objectID] = entry }
    }
    try catchUp()
    while token?.transactionNumber ?? 0 < last {
      guard news.wait(timeout: .now() + 120) == .success else {
        return report(Failure(failed: "no news after \(String(describing: token))"))
      }
      try catchUp()
    }
    try tell()
    try coordinator.close()
  }

  /// Reads what came after the token, a few transactions at a time.
  private func catchUp() throws {
    while true {
      var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
      request.fetchLimit = 7
      let transactions = try context.performAndWait { [request] () throws in
        try context.execute(request).transactions
      }
      guard let last = transactions.last else { return }
      try merge(ChangedObjectIDs(transactions))
      var line = try JSONEncoder().encode(
        Sighting(transactions: transactions.map(\.transactionNumber), token: last.token))
      line.append(UInt8(ascii: "\n"))
      try journal.write(contentsOf: line)
      token = last.token
    }
  }

  private func merge(_ changes: ChangedObjectIDs) throws {
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
    try context.performAndWait {
      for objectID in changes.inserted { shown[objectID] = try context.object(with: objectID) }
      for objectID in changes.deleted { shown[objectID] = nil }
    }
  }

  /// Reports what the context shows, from the objects that it holds.
  private func tell() throws {
    context.performAndWait {
      for (objectID, entry) in shown {
        report(
          ShownEntry(
            key: objectID.uriRepresentation(), group: entry[Entry.group], generation: entry[Entry.generation],
            code: entry[Entry.code], text: entry[Entry.text]))
      }
    }
  }
}
