// D6, D4: settings of a context, wherever it is made, its queue, and the maximum age of its rows.
import Dispatch
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D6 · settings and queues of contexts")
struct ContextSettingsTests {
  @Test("A context is configured when it is made, on no queue, and its saves use these settings", .tags(.d6, .c2))
  func setUp() throws {
    let stack = try TestStack { $0.tracksPersistentHistory = true }
    let context = ManagedObjectContext(coordinator: stack.coordinator)
    context.name = "import"
    context.transactionAuthor = "feed"
    context.mergePolicy = .mergeByPropertyObjectTrump
    context.stalenessInterval = 3
    context.propagatesDeletesAtEndOfEvent = false
    context.automaticallyMergesChangesFromParent = true
    #expect(context.name == "import" && context.transactionAuthor == "feed")
    #expect(context.mergePolicy == .mergeByPropertyObjectTrump && context.stalenessInterval == 3)
    #expect(!context.propagatesDeletesAtEndOfEvent && context.automaticallyMergesChangesFromParent)
    try context.performAndWait { () throws in
      try Quake.insert("a", 1, into: context)
      try context.save()
      try Quake.insert("a", 2, into: context)
      try context.save()
      let transactions = try context.execute(.fetchHistory(after: nil)).transactions
      #expect(transactions.map(\.author) == ["feed", "feed"])
      #expect(transactions.map(\.contextName) == ["import", "import"])
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZQUAKE") == ["2.0"])
  }

  @Test("Settings are read and set by many threads while the context is used", .tags(.d6))
  func concurrently() async throws {
    let context = try TestStack().context()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<200 {
            context.name = "task \(number), round \(round)"
            context.transactionAuthor = context.name
            context.stalenessInterval = Double(round)
            context.mergePolicy = round % 2 == 0 ? .error : .overwrite
          }
        }
      }
      group.addTask { await context.countRepeatedly(200) }
    }
    #expect(context.stalenessInterval == 199 && context.mergePolicy == .overwrite)
    #expect(context.name?.hasSuffix("round 199") == true)
  }

  private static let mainMark = DispatchSpecificKey<Bool>()

  @Test("A main-queue context works on the main queue, a private one does not", .tags(.d6))
  func queues() async throws {
    let stack = try TestStack()
    DispatchQueue.main.setSpecific(key: Self.mainMark, value: true)
    defer { DispatchQueue.main.setSpecific(key: Self.mainMark, value: nil) }
    let view = ManagedObjectContext(.mainQueue, coordinator: stack.coordinator)
    let background = stack.context()
    #expect(try await view.perform { DispatchQueue.getSpecific(key: Self.mainMark) == true })
    #expect(try await background.perform { DispatchQueue.getSpecific(key: Self.mainMark) == nil })
    let child = ManagedObjectContext(.mainQueue, parent: background)
    #expect([view, background, child].map(\.concurrencyType) == [.mainQueue, .privateQueue, .mainQueue])
    #expect(try await child.perform { DispatchQueue.getSpecific(key: Self.mainMark) == true })
    // On the main actor, which uses the main queue, it can be used directly.
    try await MainActor.run {
      try Quake.insert("a", into: view)
      try view.save()
      #expect(try child.count(for: FetchRequest(entityName: "Quake")) == 1)
    }
  }

  @Test("With a positive staleness interval, a cached row is used while it is young, and no longer", .tags(.d4))
  func staleness() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2, Z_OPT = 2")
      context.stalenessInterval = 3_600
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.magnitude] == 1, "an hour has not passed")
      context.stalenessInterval = 1e-6
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.magnitude] == 2, "writing the row took longer than a microsecond")
    }
  }

  @Test("A row's age counts from when it was read, however often it is then found in the cache", .tags(.d4))
  func age() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try context.save()
      let start = ContinuousClock.now
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2, Z_OPT = 2")
      let age = start.duration(to: .now) / .seconds(1)
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.magnitude] == 1)
      // The access above found the row in the cache and did not read it.
      context.stalenessInterval = age
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.magnitude] == 2)
    }
  }
}

extension ManagedObjectContext {
  /// Fetches again and again on the queue.
  fileprivate func countRepeatedly(_ rounds: Int) async {
    for _ in 0..<rounds {
      _ = try? await perform { try self.count(for: FetchRequest(entityName: "Quake")) }
    }
  }
}
