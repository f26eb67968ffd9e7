// D4: which objects a context holds and for how long, and what the row cache keeps because of them.
import Foundation
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import ObjectGraph

@Suite("D4 · registered objects", .tags(.d4))
struct RegistrationTests {
  private func stack(rows: Int) throws -> TestStack {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: (0..<rows).map { Quake.row("q\($0)", Double($0)) }))
    }
    return stack
  }

  private var all: FetchRequest<ManagedObject> { FetchRequest(entityName: "Quake") }

  @Test("A context that is pinned to a generation leaves the shared row cache")
  func leavingTheCache() throws {
    let stack = try stack(rows: 3)
    let context = stack.context()
    try context.performAndWait { () throws in
      let held = Array(try context.fetch(all))
      #expect(stack.coordinator.rowCache.count == 3)
      try context.setQueryGeneration(from: .current)
      #expect(stack.coordinator.rowCache.count == 0)
      try context.setQueryGeneration(from: nil)
      context.reset()
      #expect(stack.coordinator.rowCache.count == 0 && held.count == 3)
    }
  }

  @Test("Fetching one batch after another without holding them keeps neither objects nor rows")
  func batches() throws {
    let stack = try stack(rows: 1000)
    let context = stack.context()
    try context.performAndWait { () throws in
      var most = 0
      for batch in 0..<2000 {
        var request = all
        request.fetchOffset = (batch * 50) % 1000
        request.fetchLimit = 50
        for quake in try context.fetch(request) { #expect(quake[Quake.magnitude] != nil) }
        most = max(most, stack.coordinator.rowCache.count)
      }
      #expect(most <= 1000)
      #expect(context.registeredObjects.isEmpty && stack.coordinator.rowCache.count == 0)
    }
  }

  @Test("A loop over many more rows than it holds releases them on its way")
  func manyRows() throws {
    let stack = try stack(rows: 20_000)
    let context = stack.context()
    try context.performAndWait { () throws in
      var held: [ManagedObject] = []
      for (place, quake) in try context.fetch(all).enumerated() {
        if place % 100 == 0 { held.append(quake) }
        #expect(stack.coordinator.rowCache.count <= 2200, "at most as many as are held, or a thousand, in excess")
      }
      #expect(context.registeredObjects.count == held.count && stack.coordinator.rowCache.count == held.count)
      #expect(try context.fetch(all)[100] === held[1])
    }
    #expect(stack.coordinator.rowCache.count == 0, "after the block nobody holds any")
  }
}

extension RegistrationTests {
  @Test("Objects that are held still represent their rows after every cleanup")
  func identity() throws {
    let stack = try stack(rows: 5000)
    let context = stack.context()
    try context.performAndWait { () throws in
      let held = Array(try context.fetch(all))
      try context.refreshAllObjects()
      let (faults, again) = (held.filter(\.isFault), Array(try context.fetch(all)))
      #expect(faults.count == 5000 && zip(again, held).filter { $0 === $1 }.count == 5000)
      #expect(try held.filter { try context.object(with: $0.objectID) === $0 }.count == 5000)
      #expect(Set(context.registeredObjects.map(ObjectIdentifier.init)) == Set(held.map(ObjectIdentifier.init)))
    }
  }

  @Test("A changed object without other references is kept until it is saved")
  func changed() throws {
    let stack = try stack(rows: 10)
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.fetch(all)[3][Quake.place] = "Moved"
      #expect(context.registeredObjects.count == 1)
      try context.save()
      #expect(context.registeredObjects.isEmpty)
    }
    #expect(try stack.rows("SELECT COUNT(*) FROM ZQUAKE WHERE ZPLACE = 'Moved'") == ["1"])
  }

  @Test("An object without other references is released after the block that made it")
  func endOfBlock() async throws {
    let stack = try stack(rows: 10)
    let context = stack.context()
    let box = Carried(WeakObject())
    try context.performAndWait { box.value.object = try context.fetch(all)[0] }
    #expect(box.value.object == nil && stack.coordinator.rowCache.count == 0)
    try await context.perform { box.value.object = try context.fetch(FetchRequest(entityName: "Quake"))[0] }
    #expect(box.value.object == nil && stack.coordinator.rowCache.count == 0)
  }
}

extension RegistrationTests {
  @Test("Objects outlive their context: they have no context, and keep their values")
  func contextGone() throws {
    let stack = try stack(rows: 3)
    var context: ManagedObjectContext? = stack.context()
    let kept = Carried<[ManagedObject]>([])
    try context?.performAndWait { () throws in
      guard let inside = context else { return }
      kept.value = Array(try inside.fetch(all))
      try inside.refresh(kept.value[2], mergeChanges: false)
      #expect(kept.value[0].managedObjectContext === inside)
    }
    #expect(stack.coordinator.rowCache.count == 3)
    let queue = context?.queue
    context = nil
    #expect(stack.coordinator.rowCache.count == 0, "the context gave its rows back")
    queue?.sync {
      #expect(kept.value.compactMap(\.managedObjectContext).isEmpty)
      #expect(kept.value[1][Quake.code] == "q1")
      #expect(kept.value[2].isFault && kept.value[2][Quake.code] == nil)
      kept.value[0][Quake.code] = "changed"
      #expect(kept.value[0][Quake.code] == "changed")
    }
  }

  @Test("Contexts that share a row each count for it")
  func sharedRows() throws {
    let stack = try stack(rows: 2)
    let (first, second) = (stack.context(), stack.context())
    let kept = Carried<[ManagedObject]>([])
    try first.performAndWait { kept.value = Array(try first.fetch(all)) }
    try second.performAndWait { () throws in
      let quake = try second.fetch(all)[0]
      #expect(stack.coordinator.rowCache.count == 2)
      _ = quake
    }
    #expect(stack.coordinator.rowCache.count == 2)
    first.performAndWait { first.reset() }
    #expect(stack.coordinator.rowCache.count == 0)
    #expect(first.performAndWait { kept.value[0].isFault })
  }

  @Test("An object's deinit may call its context")
  func deinitializing() throws {
    let stack = try stack(rows: 50)
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": Curious.self])
    try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait { () throws in
      for quake in try context.fetch(all) { try context.refresh(quake, mergeChanges: false) }
      #expect(context.registeredObjects.isEmpty)
    }
    #expect(coordinator.rowCache.count == 0)
    try coordinator.close()
  }

  @Test("A new object that a save does not store may make another one while it is freed")
  func deinitializingInSave() throws {
    let stack = try TestStack()
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": Succeeded.self])
    try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait { () throws in
      for number in 0..<40 {
        let quake = try context.insertNewObject(forEntityName: "Quake")
        for (key, value) in Quake.row("q\(number)") { quake[key] = value }
        if number < 20 { try context.delete(quake) }
      }
      try context.save()
      try context.save()
    }
    let codes = try context.performAndWait { () throws in try context.fetch(all).map { $0[Quake.code] ?? "" } }
    #expect(Set(codes.filter { $0.hasPrefix("q") }) == Set((20..<40).map { "q\($0)" }))
    #expect(codes.count == 40 && Set(codes).count == 40, "\(codes)")
    try coordinator.close()
  }
}

/// Makes a successor if it is freed without having been stored.
private final class Succeeded: ManagedObject {
  deinit {
    guard isGone, let context, let next = try? context.insertNewObject(forEntityName: "Quake") else { return }
    for (key, value) in Quake.row("after \(-objectID.key)") { next[key] = value }
  }
}

/// Accesses its context while it is freed.
private final class Curious: ManagedObject {
  deinit {
    guard let context = managedObjectContext else { return }
    _ = self[Quake.code]
    _ = context.hasChanges
    _ = try? context.count(for: FetchRequest(entityName: "Quake"))
  }
}
