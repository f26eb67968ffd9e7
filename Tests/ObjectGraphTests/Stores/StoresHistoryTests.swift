// C2, B10: the histories of several stores, fetched with one token.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@Suite("B10 C2 · history of several stores", .tags(.b10, .c2))
struct StoresHistoryTests {
  private func stores(_ count: Int = 2) throws -> SeveralStores {
    try SeveralStores(count) { _, description in description.tracksPersistentHistory = true }
  }

  private func codes(_ transactions: [PersistentHistoryTransaction]) -> [String] {
    transactions.map { transaction in
      "\(transaction.storeID.prefix(4)) \(transaction.transactionNumber): \(transaction.changes?.count ?? 0)"
    }
  }

  @Test("Transactions come store by store, and the token of each continues in all stores")
  func order() throws {
    let files = try stores()
    let context = files.context()
    try context.performAndWait { () throws in
      let before = try #require(try files.coordinator.currentPersistentHistoryToken())
      #expect(files.stores.map { before.transactionNumber(in: $0.identifier) } == [0, 0])
      for code in ["a", "b"] {
        for number in [1, 0] { try files.insert([code], into: number, context) }
      }
      func follow(_ token: PersistentHistoryToken?) throws -> [PersistentHistoryTransaction] {
        try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: token)).transactions
      }
      let all = try follow(before)
      #expect(all.map(\.storeID) == [0, 0, 1, 1].map { files.stores[$0].identifier })
      #expect(all.map(\.transactionNumber) == [1, 2, 1, 2])
      for (index, transaction) in all.enumerated() {
        #expect(try codes(follow(transaction.token)) == codes(Array(all.dropFirst(index + 1))))
        #expect(try codes(follow(codable(transaction.token))) == codes(Array(all.dropFirst(index + 1))))
      }
      #expect(try follow(nil).count == 4)
      let current = try #require(try files.coordinator.currentPersistentHistoryToken())
      #expect(current.positions(files) == [2, 2])
      #expect(all.last?.token.positions(files) == [2, 2])
      #expect(try follow(current).isEmpty)
      // With a limit, the rest comes later, and nothing comes twice.
      var token: PersistentHistoryToken? = before
      var seen: [String] = []
      while true {
        var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
        request.fetchLimit = 1
        guard let next = try context.execute(request).transactions.first else { break }
        seen += codes([next])
        token = next.token
      }
      #expect(seen == codes(all))
      // A single store with its own token.
      var second = PersistentHistoryChangeRequest.fetchHistory(after: before)
      second.affectedStores = [files.stores[1]]
      second.resultType = .count
      #expect(try count(second, in: context) == 2)
      #expect(
        try files.coordinator.currentPersistentHistoryToken(fromStores: [files.stores[1]])
          == PersistentHistoryToken(storeID: files.stores[1].identifier, transactionNumber: 2))
    }
  }

  /// The result of a request for a number; nil for a result of another kind.
  private func count(_ request: PersistentHistoryChangeRequest, in context: ManagedObjectContext) throws -> Int? {
    if case .count(let count) = try context.execute(request) { count } else { nil }
  }

  private func codable(_ token: PersistentHistoryToken) throws -> PersistentHistoryToken {
    try JSONDecoder().decode(PersistentHistoryToken.self, from: JSONEncoder().encode(token))
  }

  @Test("A save in two stores has a token of both, and is merged into others")
  func save() throws {
    let files = try stores()
    let (context, observer) = (files.context(), files.context())
    let token = try #require(try files.coordinator.currentPersistentHistoryToken())
    let found = try observer.performAndWait { () throws in try observer.fetch(FetchRequest(entityName: "Book")).count }
    #expect(found == 0)
    try context.performAndWait { () throws in
      for (number, store) in files.stores.enumerated() {
        try context.assign(try context.make("Book", ["code": .string("\(number)")]), to: store)
      }
      let notes = Lock<[PersistentHistoryToken?]>([])
      let observation = context.observe(.didSave) { news in notes.withLock { $0.append(news.historyToken) } }
      try context.save()
      observation.cancel()
      let tokens = notes.withLock { $0 }
      #expect(tokens.map { $0?.positions(files) } == [[1, 1]])
      #expect(tokens == [try files.coordinator.currentPersistentHistoryToken()])
    }
    let merged = try files.coordinator.mergeHistory(after: token, into: [observer])
    #expect(merged?.positions(files) == [1, 1])
    try observer.performAndWait { () throws in
      #expect(try observer.codes(FetchRequest(entityName: "Book")) == ["0", "1"])
    }
  }

  @Test("A store that was added later is followed from its beginning, and another coordinator's token is foreign")
  func laterStore() throws {
    let files = try stores(1)
    let others = try stores(1)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      let token = try files.coordinator.currentPersistentHistoryToken()
      var description = PersistentStoreDescription(path: files.path(1))
      description.tracksPersistentHistory = true
      let second = try files.coordinator.addPersistentStore(description)
      var insert = BatchInsertRequest(entityName: "Book", objects: [["code": "b"]])
      insert.affectedStores = [second]
      try context.execute(insert)
      let request = PersistentHistoryChangeRequest.fetchHistory(after: token)
      #expect(try context.execute(request).transactions.map(\.storeID) == [second.identifier])
      let foreign = try #require(try others.coordinator.currentPersistentHistoryToken())
      guard
        case .foreignHistoryToken = objectGraphError({
          _ = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: foreign))
        })
      else {
        Issue.record("a token of another coordinator's store was taken")
        return
      }
    }
  }

  @Test("A store added later that deleted its first history expires the tokens that do not know it")
  func laterPurgedStore() throws {
    let files = try stores(1)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      let token = try #require(try files.coordinator.currentPersistentHistoryToken())
      var description = PersistentStoreDescription(path: files.path(1))
      description.tracksPersistentHistory = true
      let second = try files.coordinator.addPersistentStore(description)
      for code in ["b", "c"] {
        var insert = BatchInsertRequest(entityName: "Book", objects: [["code": .string(code)]])
        insert.affectedStores = [second]
        try context.execute(insert)
      }
      let current = try files.coordinator.currentPersistentHistoryToken()
      try context.execute(PersistentHistoryChangeRequest.deleteHistory(before: current))
      let error = objectGraphError {
        _ = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: token))
      }
      #expect(
        error
          == .historyTokenExpired(
            found: PersistentHistoryToken(storeID: second.identifier, transactionNumber: 0),
            oldest: PersistentHistoryToken(storeID: second.identifier, transactionNumber: 2)))
      #expect(try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: current)).transactions.isEmpty)
    }
  }
}

extension StoresHistoryTests {
  @Test("History is deleted in each store up to its own position in the token")
  func deletion() throws {
    let files = try stores()
    let context = files.context()
    try context.performAndWait { () throws in
      for code in ["a", "b"] { for number in 0...1 { try files.insert([code], into: number, context) } }
      let token = try files.coordinator.currentPersistentHistoryToken()
      try files.insert(["c"], into: 1, context)
      var request = PersistentHistoryChangeRequest.deleteHistory(before: token)
      request.resultType = .count
      #expect(try count(request, in: context) == 2)
      let rest = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: token)).transactions
      #expect(rest.map(\.transactionNumber) == [3])
    }
  }

  @Test("A limit applies to all stores together")
  func limit() throws {
    let files = try stores()
    let context = files.context()
    try context.performAndWait { () throws in
      for code in ["a", "b"] { for number in 0...1 { try files.insert([code], into: number, context) } }
      for limit in 1...5 {
        var request = PersistentHistoryChangeRequest.fetchHistory(after: nil as PersistentHistoryToken?)
        request.fetchLimit = limit
        #expect(try context.execute(request).transactions.count == min(limit, 4))
        request.resultType = .count
        guard case .count(min(limit, 4)) = try context.execute(request) else { throw TestFailure("\(limit)") }
      }
    }
  }

  @Test("A store that the token does not know deletes nothing")
  func deletionInOneStore() throws {
    let files = try stores()
    let context = files.context()
    try context.performAndWait { () throws in
      for code in ["a", "b"] { for number in 0...1 { try files.insert([code], into: number, context) } }
      let token = try files.coordinator.currentPersistentHistoryToken(fromStores: [files.stores[1]])
      var request = PersistentHistoryChangeRequest.deleteHistory(before: token)
      request.resultType = .count
      guard case .count(1) = try context.execute(request) else { throw TestFailure("another count") }
      let rest = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil as PersistentHistoryToken?))
      #expect(rest.transactions.map(\.storeID) == [0, 0, 1].map { files.stores[$0].identifier })
    }
  }

  @Test("Stores without history are skipped, unless none keeps any")
  func someStores() throws {
    let files = try SeveralStores(2) { number, description in description.tracksPersistentHistory = number == 1 }
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a"], into: 0, context)
      try files.insert(["b"], into: 1, context)
      let all = PersistentHistoryChangeRequest.fetchHistory(after: nil as PersistentHistoryToken?)
      #expect(try context.execute(all).transactions.map(\.storeID) == [files.stores[1].identifier])
      var first = all
      first.affectedStores = [files.stores[0]]
      #expect(objectGraphError { _ = try context.execute(first) } == .historyNotTracked(path: files.path(0)))
    }
  }
}

extension PersistentHistoryToken {
  fileprivate func positions(_ files: SeveralStores) -> [Int64?] {
    files.stores.map { transactionNumber(in: $0.identifier) }
  }
}
