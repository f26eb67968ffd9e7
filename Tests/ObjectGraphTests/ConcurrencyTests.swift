// D6: many writers and readers on one store at once: no update is lost, no one sees half a save, and no one waits
// forever.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import StoreFixtures
import Testing

@Suite("D6 · many writers and readers")
struct ConcurrencyTests {
  @Test("A request has the store to itself from its beginning, against other processes too")
  func immediate() throws {
    let stack = try TestStack()
    let other = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    var description = stack.description()
    description.busyTimeout = 0
    try other.addPersistentStore(description)
    let (context, rival) = (stack.context(), ManagedObjectContext(.privateQueue, coordinator: other))
    // Between the request's reading and its first row.
    let codes = Lock<[ResultCode?]>([])
    var rows = [Quake.row("a"), Quake.row("b")]
    let request = BatchInsertRequest(entityName: "Quake") { row in
      let code = rival.performAndWait {
        storeError { () throws(ObjectGraphError) in
          try rival.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("rival")]))
        }?.code
      }
      codes.withLock { $0.append(code) }
      guard let next = rows.popLast() else { return true }
      row = next
      return false
    }
    try context.performAndWait { () throws in try context.execute(request) }
    #expect(codes.withLock { $0 } == [.busy, .busy, .busy])
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE ORDER BY ZCODE") == ["a", "b"])
    try other.close()
  }

  /// 10,000 saves when everything is tested; each writer makes an eighth.
  private static let saves = isThorough ? 10_000 : 800
  private static let writers = 8
  private static let rows = 16

  @Test("Eight tasks save into one store while others read it, and no update is lost", .tags(.d6, .c1))
  func writersAndReaders() async throws {
    let stack = try TestStack(pragmas: [.init("synchronous", "normal")])
    let counters = try await Counters(rows: Self.rows, in: stack)
    let progress = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // Also do this if a writer fails, or the readers would wait forever.
        defer { progress.isDone.store(true, ordering: .relaxed) }
        try await Self.write(counters, progress)
      }
      let readers: [@Sendable () async throws -> Int] = [
        { try await counters.iterate(until: progress) }, { try await counters.fireFaults(until: progress) },
        { try await counters.readThroughChild(until: progress) },
        { try await counters.readAsynchronously(until: progress) },
      ]
      for read in readers {
        group.addTask {
          let rounds = try await read()
          #expect(rounds > 1)
        }
      }
      try await group.waitForAll()
    }
    let total = progress.saved.load(ordering: .relaxed)
    #expect(total == Self.saves)
    let sums = try stack.rows("SELECT sum(Z_OPT) - count(*), sum(ZMAGNITUDE), sum(CAST(ZPLACE AS REAL)) FROM ZQUAKE")
    #expect(sums == ["\(total)|\(Double(total))|\(Double(total))"])
  }

  private static func write(_ counters: Counters, _ progress: Progress) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<writers {
        group.addTask {
          // A quarter of the writers use child contexts; every other one merges the saves of others.
          let writer: any CounterWriter =
            number % 4 == 3
            ? ChildWriter(counters, follows: number == 3) : PlainWriter(counters, follows: number % 2 == 1)
          for round in 0..<saves / writers {
            let objectID = counters.objectIDs[(number * 5 + round) % rows]
            // A conflict fails the save; the row is read again and the change is repeated.
            while try await !writer.raise(objectID) { await Task.yield() }
            progress.saved.wrappingAdd(1, ordering: .relaxed)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// The progress of the writers.
private final class Progress: Sendable {
  let isDone = Atomic(false)
  let saved = Atomic(0)
}

/// Increments the counter of a row.
private protocol CounterWriter: Sendable {
  /// - Returns: False if another writer changed the row first, so that nothing was saved.
  func raise(_ objectID: ManagedObjectID) async throws -> Bool
}

private struct PlainWriter: CounterWriter {
  let context: ManagedObjectContext

  init(_ counters: Counters, follows: Bool) {
    context = ManagedObjectContext(coordinator: counters.coordinator)
    context.automaticallyMergesChangesFromParent = follows
  }

  func raise(_ objectID: ManagedObjectID) async throws -> Bool {
    try await context.perform {
      let quake = try context.existingObject(with: objectID)
      Counters.raise(quake)
      if try isSaved(context) { return true }
      try context.refresh(quake, mergeChanges: false)
      return false
    }
  }
}

/// Saves a child context, then its parent.
private struct ChildWriter: CounterWriter {
  let root: ManagedObjectContext
  let child: ManagedObjectContext

  init(_ counters: Counters, follows: Bool) {
    root = ManagedObjectContext(coordinator: counters.coordinator)
    root.automaticallyMergesChangesFromParent = follows
    child = ManagedObjectContext(parent: root)
  }

  func raise(_ objectID: ManagedObjectID) async throws -> Bool {
    try await child.perform {
      let quake = try child.existingObject(with: objectID)
      // Saves of others only reached the parent.
      try child.refresh(quake, mergeChanges: false)
      Counters.raise(quake)
      // Do this in one block of the parent: a merge between the two saves would keep its unsaved changes.
      return try root.performAndWait { () throws in
        // It may have merged another save since the child read.
        guard try isSaved(child) else {
          child.rollback()
          return false
        }
        if try isSaved(root) { return true }
        root.rollback()
        try root.refresh(try root.existingObject(with: objectID), mergeChanges: false)
        return false
      }
    }
  }
}

/// Whether the save succeeded; here a conflict is not a failure.
private func isSaved(_ context: ManagedObjectContext) throws -> Bool {
  do throws(ObjectGraphError) {
    try context.save()
    return true
  } catch {
    guard case .optimisticLocking(let conflicts) = error else { throw error }
    #expect(conflicts.count == 1)
    return false
  }
}

/// Rows that count their saves in two values that must always agree.
private struct Counters: Sendable {
  let coordinator: PersistentStoreCoordinator
  let objectIDs: [ManagedObjectID]

  init(rows: Int, in stack: TestStack) async throws {
    coordinator = stack.coordinator
    let context = stack.context()
    objectIDs = try await context.perform {
      let quakes = try (0..<rows).map { number in
        let quake = try Quake.insert("q\(number)", 0, into: context)
        quake[Quake.place] = "0.0"
        return quake
      }
      try context.save()
      return quakes.map(\.objectID)
    }
  }

  static func raise(_ quake: ManagedObject) {
    let count = (quake[Quake.magnitude] ?? .nan) + 1
    quake[Quake.magnitude] = count
    quake[Quake.place] = "\(count)"
  }

  /// The sum of the counters; checks that each is the result of complete saves.
  private func sum(_ quakes: some Sequence<ManagedObject>) -> Double {
    var (sum, count) = (0.0, 0)
    for quake in quakes {
      let magnitude = quake[Quake.magnitude] ?? .nan
      #expect(quake[Quake.place] == "\(magnitude)", "half a save")
      sum += magnitude
      count += 1
    }
    #expect(count == objectIDs.count)
    return sum
  }

  /// Reads repeatedly until all is done, then once more; the values never decrease.
  private func rounds(
    until progress: Progress, goesOn isMonotonic: Bool = true, _ read: () async throws -> Double
  ) async throws -> Int {
    var (rounds, last) = (0, 0.0)
    var isLast = false
    while !isLast {
      isLast = progress.isDone.load(ordering: .relaxed)
      let sum = try await read()
      if isMonotonic { #expect(sum >= last) }
      last = sum
      rounds += 1
      await Task.yield()
    }
    return rounds
  }

  /// Fetches everything again, in batches and as a whole.
  func iterate(until progress: Progress) async throws -> Int {
    let context = ManagedObjectContext(coordinator: coordinator)
    return try await rounds(until: progress) {
      try await context.perform {
        context.reset()
        var request = FetchRequest(entityName: "Quake")
        request.fetchBatchSize = 5
        #expect(try context.fetch(request).map { $0[Quake.code] }.count == objectIDs.count)
        #expect(try context.count(for: request) == objectIDs.count)
        context.reset()
        return sum(try context.fetch(FetchRequest(entityName: "Quake")))
      }
    }
  }

  /// Holds the objects, which the writers' notifications turn into faults, and reads them.
  func fireFaults(until progress: Progress) async throws -> Int {
    let context = ManagedObjectContext(coordinator: coordinator)
    context.automaticallyMergesChangesFromParent = true
    // A fault may be filled from a row that was read before the cache got a newer one.
    return try await rounds(until: progress, goesOn: false) {
      try await context.perform {
        let quakes = try objectIDs.map { try context.object(with: $0) }
        try context.refreshAllObjects()
        return sum(quakes)
      }
    }
  }

  /// Reads the values of a parent that merges the writers' saves.
  func readThroughChild(until progress: Progress) async throws -> Int {
    let parent = ManagedObjectContext(coordinator: coordinator)
    parent.automaticallyMergesChangesFromParent = true
    let child = ManagedObjectContext(parent: parent)
    return try await rounds(until: progress, goesOn: false) {
      try await child.perform {
        try child.refreshAllObjects()
        #expect(try child.count(for: FetchRequest(entityName: "Quake", predicate: Quake.magnitude >= 0)) == 16)
        return sum(try child.fetch(FetchRequest(entityName: "Quake")))
      }
    }
  }

  func readAsynchronously(until progress: Progress) async throws -> Int {
    let context = ManagedObjectContext(coordinator: coordinator)
    return try await rounds(until: progress) {
      try await context.perform { context.reset() }
      return try await context.fetch(FetchRequest(entityName: "Quake")) { sum($0) }
    }
  }
}
