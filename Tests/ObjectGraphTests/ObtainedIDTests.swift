// D5, D6: permanent IDs before a save, and the permanent IDs of a child's objects after it.
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Synchronization
import Testing

@Suite("D5 · permanent object IDs")
struct ObtainedIDTests {
  @Test("Objects keep the IDs they obtained before the save, among others without one", .tags(.d5))
  func obtain() throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      let before = try Quake.insert("before", into: context)
      let quakes = try ["a", "b"].map { try Quake.insert($0, into: context) }
      let temporaryID = quakes[0].objectID
      try context.obtainPermanentIDs(for: quakes + [quakes[0]])
      let objectIDs = quakes.map(\.objectID)
      #expect(objectIDs.map(\.isTemporaryID) == [false, false] && Set(objectIDs).count == 2)
      #expect(before.objectID.isTemporaryID && quakes.allSatisfy(\.isInserted))
      #expect(
        objectIDs.map(\.persistentStore) == [
          stack.coordinator.persistentStores[0], stack.coordinator.persistentStores[0],
        ])
      for objectID in [temporaryID, objectIDs[0]] {
        #expect(
          try context.object(with: objectID) === quakes[0] && context.existingObject(with: objectID) === quakes[0])
        #expect(context.registeredObject(for: objectID) === quakes[0])
      }
      // Others see nothing of them.
      try other.performAndWait { () throws in
        #expect(throws: ObjectGraphError.missingObject(objectIDs[0])) { try other.existingObject(with: objectIDs[0]) }
        #expect(try other.count(for: FetchRequest(entityName: "Quake")) == 0)
      }
      let codes = try context.fetch(FetchRequest(entityName: "Quake")).map { $0[Quake.code] ?? "" }
      #expect(Set(codes) == ["before", "a", "b"])
      try context.obtainPermanentIDs(for: quakes)
      #expect(quakes.map(\.objectID) == objectIDs, "who has one gets no other")
      #expect(context.registeredObjects == [before] + quakes)
      let after = try Quake.insert("after", into: context)
      quakes[1][Quake.magnitude] = 5
      try context.save()
      #expect(quakes.map(\.objectID) == objectIDs && !context.hasChanges && quakes.allSatisfy { !$0.isDeleted })
      #expect(
        try stack.rows("SELECT Z_PK, ZCODE, Z_OPT FROM ZQUAKE ORDER BY 1") == [
          "1|a|1", "2|b|1", "3|before|1", "4|after|1",
        ])
      #expect(after.objectID != before.objectID)
      #expect(try context.object(with: objectIDs[1]) === quakes[1] && context.object(with: temporaryID) === quakes[0])
      quakes[0][Quake.magnitude] = 7
      try context.save()
    }
    #expect(
      try stack.rows("SELECT ZMAGNITUDE, Z_OPT FROM ZQUAKE ORDER BY Z_PK") == ["7.0|2", "5.0|1", "1.0|1", "1.0|1"])
  }

  @Test("An object that was looked up before it was saved is found afterwards", .tags(.d4, .d5))
  func lookedForTooEarly() throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    let objectIDs = try context.performAndWait { () throws in
      let quakes = try ["a", "b", "c"].map { try Quake.insert($0, 3, into: context) }
      try context.obtainPermanentIDs(for: quakes)
      return quakes.map(\.objectID)
    }
    try other.performAndWait { () throws in
      // Hold them, so that they stay in the context as long as possible.
      let early = try objectIDs.map { try other.object(with: $0) }
      for object in early { #expect(object[Quake.code] == nil && object.isDeleted) }
      try context.performAndWait { () throws in try context.save() }
      let fetched = try other.fetch(FetchRequest(entityName: "Quake", predicate: Quake.code == "a"))[0]
      let existing = try other.existingObject(with: objectIDs[1])
      let fault = try other.object(with: objectIDs[2])
      for object in [fetched, existing, fault] {
        #expect(object[Quake.magnitude] == 3 && !object.isDeleted && object.managedObjectContext === other)
        object[Quake.magnitude] = 4
      }
      #expect(other.updatedObjects.count == 3)
      try other.save()
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZQUAKE") == ["4.0", "4.0", "4.0"])
  }

  @Test("More rows than one INSERT takes, some with IDs, are each stored under their own ID", .tags(.d5))
  func many() throws {
    let stack = try TestStack([.quake(unique: false)])
    let context = stack.context()
    try context.performAndWait { () throws in
      let quakes = try (0..<250).map { try Quake.insert("\($0)", into: context) }
      let some = quakes.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
      try context.obtainPermanentIDs(for: some)
      try context.save()
      #expect(Set(quakes.map(\.objectID)).count == 250)
      context.reset()
    }
    let other = stack.context()
    try other.performAndWait { () throws in
      for quake in try other.fetch(FetchRequest(entityName: "Quake")) {
        let number = try #require(quake[Quake.code].flatMap(Int.init))
        let key = try #require(quake.objectID.uriRepresentation().split(separator: "p").last.flatMap { Int($0) })
        #expect((key <= 84) == (number % 3 == 0))
      }
    }
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Quake'") == ["250"])
  }
}

extension ObtainedIDTests {
  @Test("Relationships set before and after the IDs are obtained are stored", .tags(.d5, .d1))
  func relationships() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let artist = try Library.make("Artist", "Nina", in: context)
      let album = try Library.make("Album", "A", in: context)
      let tracks = try ["T1", "T2", "T3"].map { try Library.make("Track", $0, in: context) }
      let list = try Library.make("Playlist", "L", in: context)
      try artist.addObject(album, forKey: "albums")
      try album.setObjects([tracks[1], tracks[0]], forKey: "tracks")
      try context.obtainPermanentIDs(for: [artist, tracks[0], list])
      try list.setObjects([tracks[0], tracks[1]], forKey: "tracks")
      try album.addObject(tracks[2], forKey: "tracks")
      #expect(try album.object(forKey: "artist") === artist && tracks[0].object(forKey: "album") === album)
      #expect(try album.names("tracks") == ["T2", "T1", "T3"] && list.names("tracks") == ["T1", "T2"])
      try context.save()
      #expect(try album.object(forKey: "artist") === artist && list.names("tracks") == ["T1", "T2"])
    }
    let other = stack.context()
    try other.performAndWait { () throws in
      let album = try Library.find("Album", "A", in: other)
      #expect(try album.object(forKey: "artist")?.name == "Nina" && album.names("tracks") == ["T2", "T1", "T3"])
      #expect(try Library.find("Playlist", "L", in: other).names("tracks") == ["T1", "T2"])
    }
  }

  @Test("An object that is deleted, rolled back or reset before its save leaves no row under its ID", .tags(.d5))
  func neverSaved() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var objectIDs: [ManagedObjectID] = []
      let ends: [(ManagedObject) throws -> Void] = [
        { try context.delete($0) }, { _ in context.rollback() }, { _ in context.reset() },
      ]
      for end in ends {
        let quake = try Quake.insert("a", into: context)
        try context.obtainPermanentIDs(for: [quake])
        objectIDs.append(quake.objectID)
        try end(quake)
        #expect(!context.hasChanges && quake.isDeleted && context.registeredObject(for: quake.objectID) == nil)
        #expect(throws: ObjectGraphError.foreignObject(quake.objectID)) { () throws in
          try context.obtainPermanentIDs(for: [quake])
        }
      }
      try context.save()
      for objectID in objectIDs {
        #expect(throws: ObjectGraphError.missingObject(objectID)) { try context.existingObject(with: objectID) }
      }
      let last = try Quake.insert("a", into: context)
      try context.save()
      #expect(!objectIDs.contains(last.objectID), "keys are not used again")
    }
    #expect(try stack.rows("SELECT Z_PK FROM ZQUAKE") == ["4"])
  }

  @Test(
    "If its unique values are taken, an object with an ID of its own fails the save under every policy",
    .tags(.d5, .b11),
    arguments: MergePolicy.MergeType.allCases)
  func taken(type: MergePolicy.MergeType) throws {
    let stack = try TestStack()
    let context = stack.context(MergePolicy(mergeType: type))
    try context.performAndWait { () throws in
      let stored = try Quake.insert("a", 1, into: context)
      try context.save()
      let quake = try Quake.insert("a", 2, into: context)
      try context.obtainPermanentIDs(for: [quake])
      let objectID = quake.objectID
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
      guard case .constraintConflict(let conflicts)? = error else { throw TestFailure("\(String(describing: error))") }
      #expect(conflicts.map(\.conflictingObjectID) == [objectID])
      #expect(conflicts.map(\.databaseObjectID) == [stored.objectID])
      quake[Quake.code] = "b"
      try context.save()
      #expect(quake.objectID == objectID)
    }
    #expect(try stack.rows("SELECT Z_PK, ZCODE FROM ZQUAKE ORDER BY 1") == ["1|a", "2|b"])
  }

  @Test("A later new object with the same unique values takes over the row, as it would without IDs", .tags(.d5, .b11))
  func overtaken() throws {
    let stack = try TestStack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let first = try Quake.insert("a", 1, into: context)
      try context.obtainPermanentIDs(for: [first])
      let second = try Quake.insert("a", 2, into: context)
      try context.save()
      #expect(first.isDeleted && !second.isDeleted)
      #expect(context.registeredObject(for: second.objectID) === second)
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZQUAKE") == ["2.0"])
  }
}

extension ObtainedIDTests {
  @Test("An object keeps its assigned store, which its ID names", .tags(.d5, .b10))
  func stores() throws {
    let stack = try TestStack()
    let second = try stack.coordinator.addPersistentStore(PersistentStoreDescription(path: stack.path + "2"))
    let context = stack.context()
    try context.performAndWait { () throws in
      let quakes = try (0..<4).map { try Quake.insert("\($0)", into: context) }
      try context.assign(quakes[1], to: second)
      try context.assign(quakes[3], to: second)
      try context.obtainPermanentIDs(for: Array(quakes[..<3]))
      let first = stack.coordinator.persistentStores[0]
      #expect(quakes.map(\.objectID.persistentStore) == [first, second, first, nil])
      try context.save()
      #expect(quakes.map(\.objectID.persistentStore) == [first, second, first, second])
      let late = try Quake.insert("late", into: context)
      try context.assign(late, to: second)
      try context.obtainPermanentIDs(for: [late])
      let objectID = late.objectID
      try stack.coordinator.remove(second)
      // Another store would store it with a key that may belong to another object.
      #expect(throws: ObjectGraphError.foreignObject(objectID)) { () throws in try context.save() }
      context.rollback()
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE ORDER BY 1") == ["0", "2"])
  }

  @Test("History has the insertion under the obtained ID", .tags(.d5, .c2))
  func history() throws {
    let stack = try TestStack { $0.tracksPersistentHistory = true }
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      try context.obtainPermanentIDs(for: [quake])
      #expect(try context.execute(.fetchHistory(after: nil)).transactions.isEmpty, "reserving keys changes no object")
      let objectID = quake.objectID
      try context.save()
      let changes = try context.execute(.fetchHistory(after: nil)).transactions.flatMap { $0.changes ?? [] }
      #expect(changes.map(\.changedObjectID) == [objectID])
    }
  }

  // MARK: Children

  @Test("After the child's and the root's save the child's object has its permanent ID at once", .tags(.d6))
  func childInItsBlock() throws {
    let stack = try TestStack()
    let root = stack.context()
    let child = ManagedObjectContext(parent: root)
    try child.performAndWait { () throws in
      let quake = try Quake.insert("a", into: child)
      try child.save()
      #expect(quake.objectID.isTemporaryID)
      try root.performAndWait { () throws in try root.save() }
      #expect(!quake.objectID.isTemporaryID && stack.coordinator.persistentStore(for: quake.objectID) != nil)
    }
  }
}

extension ObtainedIDTests {
  @Test("A child asked later has the permanent ID too, and so has a grandchild", .tags(.d6))
  func childLater() async throws {
    let stack = try TestStack()
    let root = ManagedObjectContext(.mainQueue, coordinator: stack.coordinator)
    let child = ManagedObjectContext(parent: root)
    let grandchild = ManagedObjectContext(parent: child)
    // Held between blocks of its context, and only accessed there.
    let held = Carried<ManagedObject?>(nil)
    try await grandchild.perform {
      let quake = try Quake.insert("a", into: grandchild)
      try grandchild.save()
      held.value = quake
    }
    try await child.perform { try child.save() }
    try await root.perform { try root.save() }
    let objectID = try #require(try await grandchild.perform { held.value?.objectID })
    #expect(!objectID.isTemporaryID)
    let seen = try await child.perform { try child.existingObject(with: objectID)[Quake.code] }
    #expect(seen == "a")
    try await grandchild.perform { held.value = nil }
  }

  @Test("A child obtains IDs for its new objects, and for those that are new in its parents only", .tags(.d6, .d5))
  func children() throws {
    let stack = try TestStack()
    let root = stack.context()
    let child = ManagedObjectContext(parent: root)
    try child.performAndWait { () throws in
      let handedOver = try Quake.insert("handed over", into: child)
      try child.save()
      let mine = try Quake.insert("mine", into: child)
      try child.obtainPermanentIDs(for: [mine, handedOver])
      let objectIDs = [mine.objectID, handedOver.objectID]
      #expect(objectIDs.map(\.isTemporaryID) == [false, false] && Set(objectIDs).count == 2)
      try root.performAndWait { () throws in
        #expect(root.insertedObjects.map(\.objectID) == [objectIDs[1]])
        #expect(root.registeredObject(for: objectIDs[0]) == nil)
      }
      try child.save()
      #expect(try child.object(with: objectIDs[0]) === mine && !mine.hasChanges)
      try root.performAndWait { () throws in
        #expect(Set(root.insertedObjects.map(\.objectID)) == Set(objectIDs))
        #expect(try root.object(with: objectIDs[0]).isInserted)
        try root.save()
        #expect(try root.existingObject(with: objectIDs[0])[Quake.code] == "mine")
      }
      #expect([mine.objectID, handedOver.objectID] == objectIDs)
      mine[Quake.magnitude] = 4
      try child.save()
      try root.performAndWait { () throws in try root.save() }
    }
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE ORDER BY 1") == ["handed over|1.0", "mine|4.0"])
  }

  @Test("IDs that a root obtains reach the child with these objects", .tags(.d6, .d5))
  func rootForChild() throws {
    let stack = try TestStack()
    let root = stack.context()
    let child = ManagedObjectContext(parent: root)
    try child.performAndWait { () throws in
      let quake = try Quake.insert("a", into: child)
      try child.save()
      let objectID = try root.performAndWait { () throws in
        try root.obtainPermanentIDs(for: root.insertedObjects)
        return try #require(root.insertedObjects.first).objectID
      }
      #expect(quake.objectID == objectID && !objectID.isTemporaryID)
      #expect(quake[Quake.code] == "a")
      try root.performAndWait { () throws in try root.save() }
      #expect(quake.objectID == objectID)
    }
  }

  @Test("Obtaining IDs of another context's objects, or without a store, is an error", .tags(.d5))
  func refused() throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      let objectID = quake.objectID
      try stack.coordinator.close()
      #expect(throws: ObjectGraphError.noStore) { () throws in try context.obtainPermanentIDs(for: [quake]) }
      #expect(quake.objectID == objectID)
      other.performAndWait {
        _ = #expect(throws: ObjectGraphError.foreignObject(objectID)) { () throws in
          try other.obtainPermanentIDs(for: [quake])
        }
      }
    }
  }
}
