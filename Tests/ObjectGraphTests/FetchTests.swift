// D2: fetching and counting see the store with the context's unsaved changes.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D2 · fetching")
struct FetchTests {
  private func stack(rows: Int) throws -> TestStack {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: (0..<rows).map { Quake.row("q\($0)", Double($0)) }))
    }
    return stack
  }

  @Test(
    "Limit and offset window the result, and the count matches", .tags(.d2),
    arguments: [(0, 0), (3, 0), (3, 4), (0, 8), (5, 8), (2, 20)])
  func window(limit: Int, offset: Int) throws {
    let stack = try stack(rows: 10)
    let context = stack.context()
    try context.performAndWait { () throws in
      var request = FetchRequest(entityName: "Quake")
      request.fetchLimit = limit
      request.fetchOffset = offset
      let all = (0..<10).map { "q\($0)" }
      let expected = Array(limit == 0 ? all.dropFirst(offset) : all.dropFirst(offset).prefix(limit))
      #expect(try context.fetch(request).compactMap { $0[Quake.code] } == expected)
      #expect(try context.count(for: request) == expected.count)
    }
  }

  @Test(
    "Unsaved insertions come last and unsaved deletions are left out, unless pending changes are excluded", .tags(.d2))
  func pendingChanges() throws {
    let stack = try stack(rows: 4)
    let context = stack.context()
    try context.performAndWait { () throws in
      var request = FetchRequest(entityName: "Quake")
      let stored = try context.fetch(request)
      try context.delete(stored[1])
      stored[2][Quake.magnitude] = 99
      let new = try Quake.insert("new", into: context)
      #expect(try context.fetch(request).compactMap { $0[Quake.code] } == ["q0", "q2", "q3", "new"])
      #expect(try context.fetch(request)[1][Quake.magnitude] == 99)
      #expect(try context.fetch(request).objectIDs.last == new.objectID)
      request.fetchLimit = 2
      #expect(try context.fetch(request).compactMap { $0[Quake.code] } == ["q0", "q2"])
      request.fetchLimit = 0
      request.includesPendingChanges = false
      #expect(try context.fetch(request).compactMap { $0[Quake.code] } == ["q0", "q1", "q2", "q3"])
      #expect(try context.count(for: request) == 4)
    }
  }

  @Test("A row is one object in each context", .tags(.d2))
  func identity() throws {
    let stack = try stack(rows: 2)
    let (one, two) = (stack.context(), stack.context())
    try one.performAndWait { () throws in
      let request = FetchRequest(entityName: "Quake")
      let quake = try one.fetch(request)[0]
      #expect(try one.fetch(request)[0] === quake)
      let objectID = try two.performAndWait { try two.fetch(request)[0].objectID }
      #expect(objectID == quake.objectID)
      one.reset()
      #expect(quake.managedObjectContext == nil)
      #expect(try one.fetch(request)[0] !== quake)
    }
  }

  @Test("Fetching without a store, or an unknown entity, is an error", .tags(.d2))
  func errors() throws {
    let stack = try stack(rows: 1)
    let context = stack.context()
    try context.performAndWait { () throws in
      #expect(throws: ObjectGraphError.unknownEntity(found: "Tremor", expected: ["Quake"])) {
        try context.fetch(FetchRequest(entityName: "Tremor"))
      }
      try stack.coordinator.close()
      #expect(throws: ObjectGraphError.noStore) { try context.fetch(FetchRequest(entityName: "Quake")) }
    }
  }
}
