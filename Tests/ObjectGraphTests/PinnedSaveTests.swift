// D4, D5: after a pinned context's save, other contexts no longer read the old rows from their cache.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D5 · saves of pinned contexts as others see them")
struct PinnedSaveTests {
  /// A stack with rows a and b, whose objects the context holds.
  private func scene() throws -> (stack: TestStack, context: ManagedObjectContext) {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for code in ["a", "b"] { try Quake.insert(code, 1, into: context) }
      try context.save()
    }
    return (stack, context)
  }

  private func quake(_ code: String, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(
      try context.fetch(FetchRequest(entityName: "Quake", predicate: Quake.code == code)).first)
  }

  /// Runs the body in a context that is pinned to the current state.
  private func save(_ stack: TestStack, _ body: (ManagedObjectContext) throws -> Void) throws {
    let pinned = stack.context(.mergeByPropertyObjectTrump)
    try pinned.performAndWait { () throws in
      try pinned.setQueryGeneration(from: .current)
      try body(pinned)
      try pinned.save()
    }
  }

  @Test("A changed and a deleted row are seen", .tags(.d5))
  func changes() throws {
    let (stack, context) = try scene()
    try context.performAndWait { () throws in
      let (a, b) = (try quake("a", context), try quake("b", context))
      try save(stack) { pinned in
        try quake("a", pinned)[Quake.magnitude] = 5
        try pinned.delete(try quake("b", pinned))
      }
      try context.refreshAllObjects()
      #expect(a[Quake.magnitude] == 5)
      #expect(b[Quake.code] == nil && b.isDeleted)
    }
  }

  @Test("A row replaced because of its unique values is seen as deleted", .tags(.d5, .b11))
  func replaced() throws {
    let (stack, context) = try scene()
    try context.performAndWait { () throws in
      let b = try quake("b", context)
      try save(stack) { pinned in try quake("a", pinned)[Quake.code] = "b" }
      try context.refresh(b, mergeChanges: false)
      #expect(b[Quake.code] == nil && b.isDeleted)
    }
  }

  @Test("A row that a new object overwrote is seen", .tags(.d5, .b11))
  func writtenOver() throws {
    let (stack, context) = try scene()
    try context.performAndWait { () throws in
      let b = try quake("b", context)
      try save(stack) { pinned in try Quake.insert("b", 9, into: pinned) }
      try context.refresh(b, mergeChanges: false)
      #expect(b[Quake.magnitude] == 9)
    }
  }

  @Test("A deletion that conflicts with another's change is checked against the store's current row", .tags(.d5))
  func deletionInConflict() throws {
    let stack = try Library.stack()
    let (pinned, other) = (stack.context(.mergeByPropertyObjectTrump), stack.context())
    try pinned.performAndWait { () throws in
      let label = try Library.make("Label", "L", in: pinned)
      try pinned.save()
      try pinned.setQueryGeneration(from: .current)
      try pinned.delete(label)
      pinned.processPendingChanges()
      try other.performAndWait { () throws in
        let same = try Library.find("Label", "L", in: other)
        same["name"] = "changed"
        try same.addObject(try Library.make("Artist", "A", in: other), forKey: "artists")
        try other.save()
      }
      // The delete rule denies it while there is an artist.
      let error = #expect(throws: ObjectGraphError.self) { () throws in try pinned.save() }
      guard case .validation(let failures)? = error else { throw TestFailure("\(String(describing: error))") }
      #expect(failures.map(\.code) == [.relationshipDeniedDelete])
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZLABEL") == ["changed"])
  }
}
