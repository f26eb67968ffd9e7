// C3, D9: two coordinators on one file: each is notified of the other's transactions, fetches them by token and merges
// them.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("C3 · remote changes", .tags(.c3, .d9))
struct RemoteChangeTests {
  /// A store with history and a second coordinator on its file, like another process would have.
  private struct Pair {
    let stack: TestStack
    let other: PersistentStoreCoordinator

    init(tracked: Bool = true) throws {
      func configure(_ description: inout PersistentStoreDescription) {
        description.tracksPersistentHistory = tracked
        description.postsRemoteChanges = true
        description.remoteChangeInterval = 0.005
      }
      stack = try TestStack(configure: configure)
      other = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
      var description = stack.description()
      configure(&description)
      try other.addPersistentStore(description)
    }
  }

  @Test("A commit of either coordinator notifies both, with the token of its transaction")
  func news() async throws {
    let pair = try Pair()
    let stack = pair.stack
    for coordinator in [stack.coordinator, pair.other] {
      var here = stack.coordinator.remoteChanges().makeAsyncIterator()
      var there = pair.other.remoteChanges().makeAsyncIterator()
      let context = ManagedObjectContext(coordinator: coordinator)
      try await context.perform {
        try Quake.insert(UUID().uuidString, into: context)
        try context.save()
      }
      let token = try coordinator.currentPersistentHistoryToken()
      #expect(token != nil)
      for news in [await here.next(), await there.next()] {
        #expect(news?.historyToken == token && news?.storeID == token?.storeID && news?.path == stack.path)
      }
    }
    try pair.other.close()
  }

  @Test("If history is kept, a commit without a transaction notifies no observer")
  func otherCommits() async throws {
    let pair = try Pair()
    let store = try #require(pair.stack.coordinator.persistentStores.first)
    let tokens = Lock<[Int64?]>([])
    let observation = pair.other.observeRemoteChanges { news in
      tokens.withLock { $0.append(news.historyToken?.transactionNumber) }
    }
    // A reader without history is notified of every commit, at the same interval.
    let reader = PersistentStoreCoordinator(managedObjectModel: pair.stack.coordinator.managedObjectModel)
    var description = pair.stack.description()
    description.isReadOnly = true
    description.postsRemoteChanges = true
    description.remoteChangeInterval = 0.005
    try reader.addPersistentStore(description)
    var commits = reader.remoteChanges().makeAsyncIterator()
    var news = pair.other.remoteChanges().makeAsyncIterator()
    let context = ManagedObjectContext(coordinator: pair.stack.coordinator)
    try await context.perform {
      try Quake.insert("a", into: context)
      try context.save()
    }
    #expect(await news.next()?.historyToken?.transactionNumber == 1)
    for number in Int64(0)..<10 {
      try pair.stack.coordinator.setMetadata(["number": .integer(number)], for: store)
      try await context.perform { try context.save() }
      _ = await commits.next()
    }
    try await context.perform {
      try Quake.insert("b", into: context)
      try context.save()
    }
    #expect(await news.next()?.historyToken?.transactionNumber == 2)
    #expect(tokens.withLock { $0 } == [1, 2])
    observation.cancel()
    try reader.close()
    try pair.other.close()
  }

  @Test("Without history every commit is reported, without a token; a released observer gets no more")
  func untracked() async throws {
    let pair = try Pair(tracked: false)
    let count = Lock(0)
    let observation = pair.other.observeRemoteChanges { _ in count.withLock { $0 += 1 } }
    var news = pair.other.remoteChanges().makeAsyncIterator()
    try pair.stack.execute("INSERT INTO ZQUAKE (Z_ENT, Z_OPT, ZCODE) VALUES (1, 1, 'past the library')")
    let change = await news.next()
    #expect(change != nil && change?.historyToken == nil)
    observation.cancel()
    let heard = count.withLock { $0 }
    try pair.stack.execute("DELETE FROM ZQUAKE")
    #expect(await news.next() != nil)
    #expect(count.withLock { $0 } == heard)
    try pair.other.close()
  }
}

extension RemoteChangeTests {
  @Test("A store is closed on the queue that an observer of its changes waits for")
  func closedMeanwhile() throws {
    let pair = try Pair()
    let context = pair.stack.context()
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let observation = pair.other.observeRemoteChanges { _ in
      begun.signal()
      context.performAndWait {}
      ended.signal()
    }
    try context.performAndWait { () throws in
      try Quake.insert("a", into: context)
      try context.save()
      #expect(begun.wait(timeout: .now() + 60) == .success)
      try pair.other.close()
    }
    #expect(ended.wait(timeout: .now() + 60) == .success)
    observation.cancel()
  }

  @Test("A context merges a transaction of another coordinator automatically", .tags(.c2))
  func mergeByContext() throws {
    let pair = try Pair()
    let (view, remote) = (ManagedObjectContext(coordinator: pair.other), pair.stack.context())
    try view.performAndWait { () throws in
      let shown = try Quake.insert("a", 1, into: view)
      try view.save()
      let token = try pair.other.currentPersistentHistoryToken()
      try remote.performAndWait { () throws in
        for quake in try remote.fetch(FetchRequest(entityName: "Quake")) { quake[Quake.magnitude] = 5 }
        try remote.save()
      }
      #expect(shown[Quake.magnitude] == 1, "nobody told the context")
      for transaction in try view.execute(.fetchHistory(after: token)).transactions {
        try view.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      #expect(shown[Quake.magnitude] == 5, "the row is read past the row cache, which has the old one")
    }
  }

  @Test("Merging a transaction brings a context of another coordinator up to date", .tags(.c2))
  func merge() throws {
    let pair = try Pair()
    let (view, remote) = (ManagedObjectContext(coordinator: pair.other), pair.stack.context())
    let objectID = try remote.performAndWait { () throws -> String in
      let quake = try Quake.insert("a", 1, into: remote)
      try Quake.insert("b", 1, into: remote)
      try remote.save()
      return quake.objectID.uriRepresentation()
    }
    try view.performAndWait { () throws in
      let shown = Array(try view.fetch(FetchRequest(entityName: "Quake", sortDescriptors: [.init(Quake.code)])))
      #expect(shown.map { $0[Quake.magnitude] } == [1, 1])
      #expect(shown[0].objectID.uriRepresentation() == objectID)
      let token = try pair.other.currentPersistentHistoryToken()
      try remote.performAndWait { () throws in
        let quakes = Array(try remote.fetch(FetchRequest(entityName: "Quake", sortDescriptors: [.init(Quake.code)])))
        quakes[0][Quake.magnitude] = 5
        try remote.delete(quakes[1])
        let new = try Quake.insert("c", into: remote)
        try remote.save()
        quakes[0][Quake.magnitude] = 6
        // It still counts as inserted.
        new[Quake.magnitude] = 7
        try remote.save()
      }
      #expect(shown[0][Quake.magnitude] == 1, "nobody told the context")
      let transactions = try view.execute(.fetchHistory(after: token)).transactions
      #expect(transactions.count == 2)
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: transactions[0].objectIDNotification(), into: [view])
      #expect(shown[0][Quake.magnitude] == 6, "rows are read as they are now")
      #expect(shown[1].isDeleted)
      let together = ChangedObjectIDs(transactions)
      #expect(together.updated == [shown[0].objectID] && together.deleted == [shown[1].objectID])
      #expect(together.inserted.map(\.entityName) == ["Quake"])
      #expect(try view.count(for: FetchRequest(entityName: "Quake")) == 2)
      let now = try pair.other.mergeHistory(after: token, into: [view])
      #expect(now == transactions[1].token)
      try remote.performAndWait { () throws in
        remote.transactionAuthor = "importer"
        let update = Quake.row("a", 8)
        remote.mergePolicy = .mergeByPropertyObjectTrump
        try remote.execute(BatchInsertRequest(entityName: "Quake", objects: [update]))
      }
      let others = PersistentHistoryFilter(excludedAuthors: ["importer"])
      #expect(try pair.other.mergeHistory(after: now, into: [view], filter: others)?.transactionNumber == 4)
      #expect(shown[0][Quake.magnitude] == 6)
      #expect(try pair.other.mergeHistory(after: now, into: [view])?.transactionNumber == 4)
      #expect(shown[0][Quake.magnitude] == 8)
    }
    try pair.other.close()
  }

  @Test("Following by tokens, a few transactions at a time, misses none and sees none twice", arguments: 1...3)
  func following(seed: UInt64) async throws {
    let pair = try Pair()
    let saves = 60
    let coordinator = pair.stack.coordinator
    let news = pair.other.remoteChanges()
    let start = try pair.other.currentPersistentHistoryToken()
    async let writers: Void = withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          let context = ManagedObjectContext(coordinator: coordinator)
          for save in 0..<saves {
            try await context.perform {
              try Quake.insert("\(writer)-\(save)", into: context)
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let follower = ManagedObjectContext(coordinator: pair.other)
    var random = SeededGenerator(seed: seed)
    var token = start
    var seen: [Int64] = []
    var inserted: Set<ManagedObjectID> = []
    for await change in news {
      while true {
        var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
        request.fetchLimit = Int.random(in: 1...20, using: &random)
        let transactions = try await follower.perform { [request] in try follower.execute(request).transactions }
        seen += transactions.map(\.transactionNumber)
        inserted.formUnion(ChangedObjectIDs(transactions).inserted)
        guard let last = transactions.last else { break }
        token = last.token
      }
      if let last = change.historyToken?.transactionNumber, last >= 2 * saves { break }
    }
    try await writers
    #expect(seen == Array(1...Int64(2 * saves)))
    #expect(inserted.count == 2 * saves)
    try pair.other.close()
  }
}
