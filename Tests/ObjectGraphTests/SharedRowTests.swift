import CoreDataModel
import MissionTags
import ObjectGraphFixtures
import Testing

// D4: what the row cache gives to contexts that do not read the store, and when it drops a row.
@testable import ObjectGraph

@Suite("D4 · the row cache shared by contexts")
struct SharedRowTests {
  /// A stack with one stored row, and a context whose object keeps the row cached.
  private func scene() throws -> (
    stack: TestStack, holder: ManagedObjectContext, objectID: ManagedObjectID
  ) {
    let stack = try TestStack()
    let holder = stack.context()
    let objectID = try holder.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: holder)
      try holder.save()
      return quake.objectID
    }
    return (stack, holder, objectID)
  }

  private func magnitude(_ stack: TestStack, _ objectID: ManagedObjectID) throws -> Double? {
    let context = stack.context()
    return try context.performAndWait { try context.object(with: objectID)[Quake.magnitude] }
  }

  @Test(
    "Rows that one context reads again under its changes are visible to others without reading the store", .tags(.d4)
  )
  func readAnew() throws {
    let (stack, holder, objectID) = try scene()
    try holder.performAndWait { () throws in
      let quake = try holder.existingObject(with: objectID)
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2, Z_OPT = 2")
      #expect(try magnitude(stack, objectID) == 1, "the cache answers")
      quake[Quake.place] = "Mine"
      holder.stalenessInterval = 0
      try holder.refresh(quake, mergeChanges: true)
      #expect(try magnitude(stack, objectID) == 2)
    }
  }

  @Test("Rows that one context finds deleted are deleted for the others too", .tags(.d4))
  func gone() throws {
    let (stack, holder, objectID) = try scene()
    try holder.performAndWait { () throws in
      let quake = try holder.existingObject(with: objectID)
      try stack.execute("DELETE FROM ZQUAKE")
      #expect(try magnitude(stack, objectID) == 1, "the cache answers")
      let other = stack.context()
      try other.performAndWait { () throws in
        other.stalenessInterval = 0
        #expect(throws: ObjectGraphError.missingObject(objectID)) {
          try other.existingObject(with: objectID)
        }
        #expect(other.registeredObject(for: objectID) == nil)
      }
      #expect(try magnitude(stack, objectID) == nil)
      #expect(quake[Quake.magnitude] == 1)
    }
  }

  @Test("A row that was deleted and inserted again is read again, as an object that exists", .tags(.d4))
  func again() throws {
    let (stack, _, objectID) = try scene()
    let context = stack.context()
    try context.performAndWait { () throws in
      context.stalenessInterval = 0
      try stack.execute("CREATE TABLE kept AS SELECT * FROM ZQUAKE; DELETE FROM ZQUAKE")
      #expect(throws: ObjectGraphError.missingObject(objectID)) {
        try context.existingObject(with: objectID)
      }
      try stack.execute("INSERT INTO ZQUAKE SELECT * FROM kept")
      let quake = try context.existingObject(with: objectID)
      #expect(!quake.isDeleted && quake[Quake.magnitude] == 1)
    }
  }
}

extension SharedRowTests {
  @Test(
    "Merging the IDs of deleted rows removes their objects from every context",
    .tags(.d4, .c1))
  func merged() throws {
    for isKnown in [true, false] {
      let (stack, holder, objectID) = try scene()
      let merging = stack.context()
      try holder.performAndWait { () throws in
        let quake = try holder.existingObject(with: objectID)
        try stack.execute("DELETE FROM ZQUAKE")
        try ManagedObjectContext.mergeChanges(
          fromRemoteContextSave: isKnown
            ? ChangedObjectIDs(deleted: [objectID]) : ChangedObjectIDs(updated: [objectID]),
          into: [merging])
        #expect(try magnitude(stack, objectID) == nil)
        #expect(quake[Quake.magnitude] == 1)
      }
    }
  }

  @Test(
    "A row of an older version does not replace a newer one, nor does one of another entity of its table",
    .tags(.d4))
  func versions() throws {
    let model = CompiledModel(
      try ManagedObjectModel(entities: [
        .quake(), EntityDescription("Aftershock", superentity: "Quake"),
      ]))
    let cache = RowCache(model)
    let store = StoreIdentity(uuid: "store", entityNames: model.layouts.map(\.entity.name))
    let (quake, shock) = (try model.layout(named: "Quake"), try model.layout(named: "Aftershock"))
    let objectID = ManagedObjectID(store: store, entityIndex: Int32(quake.index), key: 1)
    var (old, new) = (quake.defaults, quake.defaults)
    (old.version, new.version) = (1, 2)
    cache.use(objectID, new, read: .now)
    cache.refresh(objectID, old, read: .now)
    #expect(cache.row(objectID)?.row.version == 2)
    cache.use(objectID, old, read: .now)
    #expect(cache.row(objectID)?.row.version == 2)
    let other = ManagedObjectID(store: store, entityIndex: Int32(shock.index), key: 1)
    #expect(cache.row(other) == nil && cache.lastRow(other) == nil)
    // There are two users, so the row is dropped with the last one.
    cache.release(objectID)
    #expect(cache.row(objectID) != nil && cache.count == 1)
    cache.release(objectID)
    #expect(cache.row(objectID) == nil && cache.count == 0)
  }

  @Test("An element of a result whose row was found deleted is a deleted object", .tags(.d4, .d3))
  func foundGone() throws {
    let (stack, _, objectID) = try scene()
    let context = stack.context()
    try context.performAndWait { () throws in
      context.stalenessInterval = 0
      let results = try context.fetch(FetchRequest(entityName: "Quake"))
      try stack.execute("DELETE FROM ZQUAKE")
      #expect(try context.object(with: objectID)[Quake.code] == nil)
      context.releaseUnheldObjects()
      let element = try #require(results.first)
      #expect(element.isDeleted && element[Quake.code] == "a")
    }
  }
}

extension SharedRowTests {
  @Test("The row of a filled fault is cached while a context has the object", .tags(.d4))
  func filled() throws {
    let (stack, holder, objectID) = try scene()
    holder.performAndWait { holder.reset() }
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.object(with: objectID)
      #expect(stack.coordinator.rowCache.count == 0)
      #expect(quake[Quake.magnitude] == 1 && stack.coordinator.rowCache.count == 1)
      context.reset()
      #expect(stack.coordinator.rowCache.count == 0)
    }
  }

  @Test("A context that moves to a generation and is reset leaves no row cached", .tags(.d4))
  func moved() throws {
    let (stack, holder, objectID) = try scene()
    holder.performAndWait { holder.reset() }
    #expect(stack.coordinator.rowCache.count == 0)
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.existingObject(with: objectID)
      #expect(stack.coordinator.rowCache.count == 1)
      try context.setQueryGeneration(from: .current)
      #expect(
        stack.coordinator.rowCache.count == 0,
        "its objects count in the generation's cache from now on")
      #expect(quake[Quake.magnitude] == 1)
      context.reset()
      try context.setQueryGeneration(from: nil)
    }
    #expect(stack.coordinator.rowCache.count == 0)
  }

  @Test("The row that a fetch reads for a fault replaces the old one in the cache", .tags(.d4))
  func fetchedAnew() throws {
    let (stack, holder, objectID) = try scene()
    try holder.performAndWait { () throws in
      let quake = try holder.existingObject(with: objectID)
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2, Z_OPT = 2")
      try holder.refresh(quake, mergeChanges: false)
      let fetched = try holder.fetch(FetchRequest(entityName: "Quake"))
      #expect(fetched[0] === quake && quake[Quake.magnitude] == 2)
      #expect(try magnitude(stack, objectID) == 2)
    }
  }

  @Test("A row that a save deleted leaves the cache, even while another context has its object", .tags(.d4))
  func deleted() throws {
    let (stack, holder, objectID) = try scene()
    try holder.performAndWait { () throws in
      let held = try holder.existingObject(with: objectID)
      #expect(held[Quake.magnitude] == 1)
      let context = stack.context()
      try context.performAndWait { () throws in
        try context.delete(try context.existingObject(with: objectID))
        try context.save()
      }
      #expect(try magnitude(stack, objectID) == nil)
      #expect(held[Quake.magnitude] == 1, "it keeps what it has read")
    }
  }
}
