import MissionTags
import ObjectGraphFixtures
import Testing

// B12, D4: changes of batch requests are visible in refreshed objects and in faults, in every context.
import CoreDataModel
@testable import ObjectGraph

@Suite("B12 D4 · refreshing after batch requests")
struct BatchRefreshTests {
  private func stack() throws -> TestStack {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for code in ["a", "b"] { try Quake.insert(code, 1, into: context) }
      try context.save()
    }
    return stack
  }

  private func all(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    Array(
      try context.fetch(
        FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])))
  }

  private func update(_ values: [String: AttributeValue], in stack: TestStack) throws {
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: values))
    }
  }

  private func delete(_ entity: String, _ format: String, in stack: TestStack) throws {
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchDeleteRequest(
          fetchRequest: FetchRequest(
            entityName: entity, predicate: try FetchPredicate(format: format))))
    }
  }

  @Test(
    "After a batch update, refreshing an object shows the new values, and keeps its changes on request",
    .tags(.b12))
  func refresh() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quakes = try all(context)
      quakes[1][Quake.place] = "Mine"
      try update(["magnitude": 9, "place": "Theirs"], in: stack)
      #expect(quakes.map { $0[Quake.magnitude] } == [1, 1], "the context is not notified")
      try context.refresh(quakes[0], mergeChanges: false)
      try context.refresh(quakes[1], mergeChanges: true)
      #expect(quakes.map { $0[Quake.magnitude] } == [9, 9])
      #expect(quakes.map { $0[Quake.place] } == ["Theirs", "Mine"])
      try context.save()
    }
    #expect(
      try stack.rows("SELECT ZPLACE, Z_OPT FROM ZQUAKE ORDER BY Z_PK") == ["Theirs|2", "Mine|3"])
  }

  @Test("After a batch update, refreshAllObjects shows the new values", .tags(.b12))
  func refreshAll() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quakes = try all(context)
      quakes[1][Quake.place] = "Mine"
      try update(["magnitude": 9], in: stack)
      try context.refreshAllObjects()
      #expect(quakes.map { $0[Quake.magnitude] } == [9, 9])
      #expect(quakes[1][Quake.place] == "Mine" && context.hasChanges)
    }
  }

  @Test("After a batch update, another context's object(with:) shows the new values", .tags(.b12))
  func otherContext() throws {
    let stack = try stack()
    let (context, fresh) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      // Hold them, so that the row cache has their rows.
      let quakes = try all(context)
      try update(["magnitude": 9], in: stack)
      let objectID = quakes[0].objectID
      #expect(try fresh.performAndWait { try fresh.object(with: objectID)[Quake.magnitude] } == 9)
      #expect(quakes[0][Quake.magnitude] == 1)
    }
  }
}

extension BatchRefreshTests {
  @Test(
    "Results that were fetched before a batch update and read after it do not bring old rows back",
    .tags(.b12))
  func lateLook() throws {
    let stack = try stack()
    let (context, fresh) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      let results = try context.fetch(FetchRequest(entityName: "Quake"))
      try update(["magnitude": 9], in: stack)
      // Now their rows are put into the cache.
      let quakes = Array(results)
      let objectID = quakes[0].objectID
      #expect(try fresh.performAndWait { try fresh.object(with: objectID)[Quake.magnitude] } == 9)
      try context.refresh(quakes[0], mergeChanges: false)
      #expect(quakes[0][Quake.magnitude] == 9)
    }
  }

  @Test(
    "After a batch delete, refreshed objects of deleted rows are deleted, and their IDs find nothing",
    .tags(.b12, .b1))
  func deletion() throws {
    let stack = try stack()
    let (context, fresh) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      let quakes = try all(context)
      let objectID = quakes[0].objectID
      try delete("Quake", "code = 'a'", in: stack)
      #expect(quakes[0][Quake.code] == "a" && !quakes[0].isDeleted, "the context is not notified")
      try fresh.performAndWait { () throws in
        let fault = try fresh.object(with: objectID)
        #expect(fault[Quake.code] == nil && fault.isDeleted)
        #expect(throws: ObjectGraphError.missingObject(objectID)) {
          try fresh.existingObject(with: objectID)
        }
      }
      try context.refreshAllObjects()
      #expect(quakes[0][Quake.code] == nil && quakes[0].isDeleted)
      #expect(quakes[1][Quake.code] == "b" && !quakes[1].isDeleted)
      #expect(throws: ObjectGraphError.missingObject(objectID)) {
        try context.existingObject(with: objectID)
      }
    }
  }

  @Test(
    "After a batch delete by object IDs, a refresh shows that the rows are deleted", .tags(.b12, .b2))
  func deletionByIDs() throws {
    let stack = try stack()
    let (context, other) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      let quake = try all(context)[0]
      let objectID = quake.objectID
      try other.performAndWait { () throws in
        try other.execute(BatchDeleteRequest(objectIDs: [objectID]))
      }
      try context.refresh(quake, mergeChanges: false)
      #expect(quake[Quake.code] == nil && quake.isDeleted)
    }
  }
}

extension BatchRefreshTests {
  @Test(
    "Rows that a batch delete cascades to or removes from relationships are also read again",
    .tags(.b12, .b3))
  func related() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let artist = try Library.make("Artist", "Nina", in: context)
      let manager = try Library.make("Manager", "M", in: context)
      let album = try Library.make("Album", "A", in: context)
      let track = try Library.make("Track", "T", in: context)
      let list = try Library.make("Playlist", "L", in: context)
      try artist.setObject(manager, forKey: "manager")
      try artist.addObject(album, forKey: "albums")
      try album.addObject(track, forKey: "tracks")
      try list.setObjects([track], forKey: "tracks")
      try context.save()
      try delete("Artist", "name = 'Nina'", in: stack)
      try context.refreshAllObjects()
      #expect(try manager.object(forKey: "client") == nil && list.names("tracks").isEmpty)
      for gone in [artist, album, track] {
        _ = gone.name
        #expect(gone.isDeleted)
      }
      manager["name"] = "free"
      try context.save()
    }
    #expect(try stack.rows("SELECT ZNAME, ZCLIENT FROM ZMANAGER") == ["free|NULL"])
  }

  @Test(
    "A row that a batch insert overwrites shows its new values, even if the request fails later",
    .tags(.b12, .b11))
  func upsert() throws {
    let stack = try stack()
    let (context, importer) = (stack.context(), stack.context(.mergeByPropertyObjectTrump))
    try context.performAndWait { () throws in
      let quakes = try all(context)
      try importer.performAndWait { () throws in
        try importer.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("a", 7)]))
        var failing = BatchInsertRequest(
          entityName: "Quake", objects: [Quake.row("b", 8), ["code": "c", "magnitude": 1]])
        failing.transactionSize = 1
        #expect(throws: ObjectGraphError.self) { () throws in try importer.execute(failing) }
      }
      try context.refreshAllObjects()
      #expect(quakes.map { $0[Quake.magnitude] } == [7, 8])
    }
  }

  @Test(
    "Rows of sub-entities are read again together with those of the updated entity", .tags(.b12, .b6)
  )
  func subentities() throws {
    let stack = try TestStack([.quake(), EntityDescription("Aftershock", superentity: "Quake")])
    let context = stack.context()
    try context.performAndWait { () throws in
      let shock = try context.insertNewObject(forEntityName: "Aftershock")
      for (key, value) in Quake.row("s", 1) { shock[key] = value }
      try context.save()
      try update(["magnitude": 9], in: stack)
      try context.refresh(shock, mergeChanges: false)
      #expect(shock[Quake.magnitude] == 9)
      try delete("Quake", "code = 's'", in: stack)
      try context.refresh(shock, mergeChanges: false)
      #expect(shock[Quake.code] == nil && shock.isDeleted)
    }
  }
}

extension BatchRefreshTests {
  @Test(
    "A row whose entity a batch insert changes is deleted under its former entity",
    .tags(.b12, .b11))
  func otherEntity() throws {
    let stack = try TestStack([
      .quake(), EntityDescription("Aftershock", superentity: "Quake"),
      EntityDescription(
        "Station", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [RelationshipDescription("last", to: "Quake", inverse: nil)]),
    ])
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      let station = try context.insertNewObject(forEntityName: "Station")
      try station.setObject(quake, forKey: "last")
      try context.save()
      try context.execute(
        BatchInsertRequest(entityName: "Aftershock", objects: [Quake.row("a", 5)]))
      try context.refreshAllObjects()
      #expect(quake[Quake.code] == nil && quake.isDeleted)
      let shock = try #require(try station.object(forKey: "last"))
      #expect(shock.entity.name == "Aftershock" && shock[Quake.magnitude] == 5)
    }
  }

  @Test("A pinned context still sees its generation's rows", .tags(.b12, .d4))
  func pinned() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.setQueryGeneration(from: .current)
      let quakes = try all(context)
      try update(["magnitude": 9], in: stack)
      try context.refreshAllObjects()
      #expect(quakes.map { $0[Quake.magnitude] } == [1, 1])
      try context.setQueryGeneration(from: nil)
      try context.refreshAllObjects()
      #expect(quakes.map { $0[Quake.magnitude] } == [9, 9])
    }
  }

  @Test(
    "Rows that no batch request can have changed still come from the row cache",
    .tags(.b12, .d4))
  func untouched() throws {
    let stack = try TestStack([
      .quake(),
      EntityDescription(
        "Note", attributes: [AttributeDescription("text", .string, isOptional: true)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      let note = try context.insertNewObject(forEntityName: "Note")
      note["text"] = "cached"
      try context.save()
      // Write without the library, to show where values come from.
      try stack.execute("UPDATE ZNOTE SET ZTEXT = 'stored'")
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 2")
      try context.execute(
        BatchInsertRequest(entityName: "Quake", objects: [Quake.row("b"), Quake.row("a", 5)]))
      try context.refreshAllObjects()
      #expect(quake[Quake.magnitude] == 1, "under the error policy an insert writes over nothing")
      try context.execute(
        BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["place": "x"]))
      try context.refreshAllObjects()
      #expect(quake[Quake.magnitude] == 2 && note["text"] == "cached")
      try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake")))
      try context.refreshAllObjects()
      #expect(note["text"] == "cached" && quake[Quake.code] == nil)
    }
  }

  @Test("A row that is read while a request changes it is read again", .tags(.b12, .d4))
  func overtaken() throws {
    let model = CompiledModel(
      try ManagedObjectModel(entities: [
        .quake(),
        EntityDescription(
          "Note", attributes: [AttributeDescription("text", .string, isOptional: true)]),
      ]))
    let cache = RowCache(model)
    let store = StoreIdentity(uuid: "store", entityNames: model.layouts.map(\.entity.name))
    let (quake, note) = (try model.layout(named: "Quake"), try model.layout(named: "Note"))
    func objectID(_ layout: EntityLayout) -> ManagedObjectID {
      ManagedObjectID(store: store, entityIndex: Int32(layout.index), key: 1)
    }
    for layout in [quake, note] { cache.use(objectID(layout), layout.defaults, read: .now) }
    let start = ReadTime.now
    cache.expire(quake.family)
    #expect(cache.row(objectID(quake)) == nil && cache.row(objectID(note)) != nil)
    // It was read from an earlier point on, so it is unknown which version of the row it is.
    cache.refresh(objectID(quake), quake.defaults, read: start)
    #expect(cache.row(objectID(quake)) == nil)
    cache.refresh(objectID(quake), quake.defaults, read: .now)
    let read = try #require(cache.row(objectID(quake))).read
    // An earlier reading does not make it older again.
    cache.use(objectID(quake), quake.defaults, read: start)
    #expect(cache.row(objectID(quake))?.read == read)
  }
}
