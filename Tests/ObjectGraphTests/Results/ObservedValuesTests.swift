// D12: an object, a count and a fetch as sequences of different values.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@testable import ObjectGraph

@Suite("D12 · observed values")
struct ObservedValuesTests {
  private func world() throws -> (stack: TestStack, context: ManagedObjectContext, quakeID: ManagedObjectID) {
    let stack = try TestStack()
    let context = stack.context()
    let quakeID = try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      try Quake.insert("b", 2, into: context)
      try context.save()
      return quake.objectID
    }
    return (stack, context, quakeID)
  }

  @Test("A count is sent at once and whenever it changes, even before a save and after a merge", .tags(.d12, .c1))
  func count() async throws {
    let (stack, context, quakeID) = try world()
    let request = FetchRequest(entityName: "Quake", predicate: Quake.magnitude > 0)
    var counts = try context.observe(countOf: request).makeAsyncIterator()
    #expect(try await counts.next() == 2)
    try await context.perform { _ = try Quake.insert("c", 3, into: context) }
    #expect(try await counts.next() == 3)
    try await context.perform {
      // This does not change the count, so nothing is sent.
      try context.existingObject(with: quakeID)[Quake.magnitude] = 7
      try context.save()
    }
    let other = stack.context()
    let saved = Lock<ContextNotification?>(nil)
    let observation = other.observe(.didSave) { news in saved.withLock { $0 = news } }
    try await other.perform {
      try Quake.insert("d", 4, into: other)
      try Quake.insert("e", 4, into: other)
      try other.save()
    }
    observation.cancel()
    let news = try #require(saved.withLock { $0 })
    try await context.perform { try context.mergeChanges(fromContextDidSave: news) }
    #expect(try await counts.next() == 5)
  }

  @Test("An object's value is sent when it changes, and its deletion ends the sequence", .tags(.d12))
  func object() async throws {
    let (stack, context, quakeID) = try world()
    defer { withExtendedLifetime(stack) {} }
    let magnitudes = try context.performAndWait { () throws in
      context.observe(try context.existingObject(with: quakeID)) { $0[Quake.magnitude] }
    }
    var values = magnitudes.makeAsyncIterator()
    #expect(try await values.next() == 1)
    try await context.perform {
      let quake = try context.existingObject(with: quakeID)
      quake[Quake.place] = "Elko"
      context.processPendingChanges()
      quake[Quake.magnitude] = 4
    }
    #expect(try await values.next() == 4)
    // Values that come while no one reads become one value.
    for magnitude in [5.0, 6, 7] {
      try await context.perform { try context.existingObject(with: quakeID)[Quake.magnitude] = magnitude }
    }
    #expect(try await values.next() == 7)
    try await context.perform { try context.delete(try context.existingObject(with: quakeID)) }
    #expect(try await values.next() == nil)
  }

  @Test("Observing a new object continues after its save, even with a reset in the same block", .tags(.d12, .d5))
  func newObject() async throws {
    let (stack, context, _) = try world()
    defer { withExtendedLifetime(stack) {} }
    for (code, isReset) in [("saved", false), ("reset", true)] {
      // Only the context holds the object.
      let magnitudes = try context.performAndWait { () throws in
        context.observe(try Quake.insert(code, 1, into: context)) { $0[Quake.magnitude] }
      }
      var values = magnitudes.makeAsyncIterator()
      #expect(try await values.next() == 1)
      try await context.perform {
        context.insertedObjects.first?[Quake.magnitude] = 2
        try context.save()
        if isReset { context.reset() }
      }
      #expect(try await values.next() == 2)
      try await context.perform {
        let request = FetchRequest(entityName: "Quake", predicate: Quake.code == code)
        for quake in try context.fetch(request) { try context.delete(quake) }
      }
      #expect(try await values.next() == nil)
    }
  }

  @Test(
    "Values made from a fetch are computed once per change, and an unknown entity is an error",
    .tags(.d12))
  func fetch() async throws {
    let (stack, context, quakeID) = try world()
    defer { withExtendedLifetime(stack) {} }
    let looked = Looks()
    let request = FetchRequest(
      entityName: "Quake", sortDescriptors: [FetchSortDescriptor("magnitude", ascending: false)])
    var codes = try context.observe(request) { quakes in
      looked.count.wrappingAdd(1, ordering: .relaxed)
      return quakes.compactMap { $0[Quake.code] }
    }.makeAsyncIterator()
    #expect(try await codes.next() == ["b", "a"])
    try await context.perform { try context.existingObject(with: quakeID)[Quake.magnitude] = 9 }
    #expect(try await codes.next() == ["a", "b"])
    #expect(looked.count.load(ordering: .relaxed) == 2)
    await #expect(throws: ObjectGraphError.self) {
      var unknown = try context.observe(countOf: FetchRequest(entityName: "Nothing")).makeAsyncIterator()
      _ = try await unknown.next()
    }
  }

  private final class Looks: Sendable { let count = Atomic<Int>(0) }

  @Test("A stored aggregate is sent when it changes, without pending changes", .tags(.d12))
  func dictionaries() async throws {
    let (stack, context, quakeID) = try world()
    defer { withExtendedLifetime(stack) {} }
    var request = FetchRequest<ManagedObject>(entityName: "Quake")
    request.propertiesToFetch = [.expression(ExpressionDescription("strongest", .maximum, of: "magnitude"))]
    var values = try context.observe(dictionariesOf: request) { $0.first?["strongest"] ?? .null }.makeAsyncIterator()
    #expect(try await values.next() == 2.0)
    try await context.perform {
      // This has no effect before it is saved, and none on the strongest one.
      try context.existingObject(with: quakeID)[Quake.magnitude] = 1.5
      try context.save()
      try context.existingObject(with: quakeID)[Quake.magnitude] = 4
      context.processPendingChanges()
      try context.existingObject(with: quakeID)[Quake.magnitude] = 5
      try context.save()
    }
    #expect(try await values.next() == 5.0)
  }

  @Test("A cancelled task reads nothing more, and the sequence ends with its context", .tags(.d12, .d6))
  func end() async throws {
    let (stack, context, _) = try world()
    defer { withExtendedLifetime(stack) {} }
    let counts = try context.observe(countOf: FetchRequest(entityName: "Quake"))
    let task = Task {
      var seen: [Int] = []
      for try await count in counts { seen.append(count) }
      return seen
    }
    for _ in 0..<1_000 where !context.observers.isObserved(.didSave) { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    #expect(try await task.value.count <= 1)
    #expect(!context.observers.isObserved(.didSave))
    var passing: ManagedObjectContext? = stack.context()
    let last = try #require(try passing?.observe(countOf: FetchRequest(entityName: "Quake")))
    passing = nil
    var values = last.makeAsyncIterator()
    #expect(try await values.next() == nil)
  }
}
