// B12, D4: results that were fetched before objects were refreshed show the refreshed values, not the fetched ones.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("B12 D4 · results after refreshing")
struct RefreshedResultTests {
  private func stack() throws -> TestStack {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for code in ["a", "b", "c"] { try Quake.insert(code, 1, into: context) }
      try context.save()
    }
    return stack
  }

  private func update(_ magnitude: AttributeValue, in stack: TestStack) throws {
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["magnitude": magnitude]))
    }
  }

  /// Results that keep rows, single values and batches of rows.
  private static let requests: [FetchRequest<ManagedObject>] = {
    let byCode = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
    var partial = byCode
    partial.propertiesToFetch = ["magnitude"]
    var batched = byCode
    batched.fetchBatchSize = 2
    var both = partial
    both.fetchBatchSize = 2
    return [byCode, partial, batched, both]
  }()

  @Test(
    "A result shows the new values of refreshed objects, and their changes can be saved", .tags(.b12),
    arguments: requests.indices)
  func refresh(_ index: Int) throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let found = try context.fetch(Self.requests[index])
      let quake = found[0]
      #expect(quake[Quake.magnitude] == 1)
      try update(9, in: stack)
      try context.refresh(quake, mergeChanges: false)
      #expect(found[0] === quake && quake[Quake.magnitude] == 9)
      quake[Quake.place] = "Mine"
      try context.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE, ZPLACE FROM ZQUAKE WHERE ZCODE = 'a'") == ["9.0|Mine"])
  }

  @Test(
    "After refreshAllObjects, a result shows the new values, even of objects without other references", .tags(.b12),
    arguments: requests.indices)
  func refreshAll(_ index: Int) throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let found = try context.fetch(Self.requests[index])
      let quake = found[0]
      #expect(quake[Quake.magnitude] == 1)
      try update(9, in: stack)
      try context.refreshAllObjects()
      #expect(found[0] === quake)
      #expect(found.map { $0[Quake.magnitude] } == [9, 9, 9])
      try update(10, in: stack)
      #expect(try context.fetch(Self.requests[index]).count == 3)
      #expect(quake[Quake.magnitude] == 9, "nothing was refreshed since")
      for quake in found { quake[Quake.place] = "Mine" }
      try context.refreshAllObjects()
      try context.save()
    }
    #expect(
      try stack.rows("SELECT DISTINCT ZMAGNITUDE, ZPLACE FROM ZQUAKE") == ["10.0|Mine"])
  }

  @Test("A result that was fetched after refreshAllObjects keeps its fetched rows", .tags(.b12))
  func fetchedAfterwards() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let before = try context.fetch(Self.requests[0])
      try context.refreshAllObjects()
      let after = try context.fetch(Self.requests[0])
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 9")
      #expect(after[0][Quake.magnitude] == 1)
      #expect(before[1][Quake.magnitude] == 9)
    }
  }

  @Test("A result fetched in another generation shows the rows of its context's present generation", .tags(.d4, .d9))
  func generations() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.setQueryGeneration(from: .current)
      let found = try context.fetch(Self.requests[0])
      let quake = found[0]
      #expect(quake[Quake.magnitude] == 1)
      try update(9, in: stack)
      try context.setQueryGeneration(from: .current)
      #expect(found[1][Quake.magnitude] == 9)
      #expect(quake[Quake.magnitude] == 1, "it was not refreshed yet")
      try context.refreshAllObjects()
      #expect(found.map { $0[Quake.magnitude] } == [9, 9, 9])
      try update(10, in: stack)
      try context.refreshAllObjects()
      #expect(found.map { $0[Quake.magnitude] } == [9, 9, 9])
    }
  }
}
