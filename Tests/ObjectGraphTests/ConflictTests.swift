// D5: concurrent changes by others, under every policy, checked on disk and in memory.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D5 · conflicts")
struct ConflictTests {
  /// Where the other writer's version is visible.
  enum Place: CaseIterable {
    /// Another context of the same coordinator: the row cache knows.
    case cache
    /// Another coordinator on the same file: only the database knows.
    case database
  }

  /// This context with one object of version 1, and another writer's context.
  private struct Scene {
    let stack: TestStack
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext
    let other: PersistentStoreCoordinator?

    init(_ place: Place, _ policy: MergePolicy) throws {
      stack = try TestStack()
      mine = stack.context(policy)
      if place == .cache {
        other = nil
        theirs = stack.context()
      } else {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        try coordinator.addPersistentStore(stack.description())
        other = coordinator
        theirs = ManagedObjectContext(coordinator: coordinator)
      }
    }

    func mine(_ body: (ManagedObject) throws -> Void) throws {
      try mine.performAndWait { () throws in
        let quake = try Quake.insert("a", 1, into: mine)
        quake[Quake.place] = "Here"
        try mine.save()
        try body(quake)
      }
      try other?.close()
    }

    func they(_ body: (ManagedObject) throws -> Void) throws {
      try theirs.performAndWait { () throws in
        try body(try theirs.fetch(FetchRequest(entityName: "Quake"))[0])
        try theirs.save()
      }
    }

    var row: String? {
      get throws { try stack.rows("SELECT Z_OPT, ZMAGNITUDE, ZTIME, ZPLACE FROM ZQUAKE").first }
    }
  }

  private static let policies = MergePolicy.MergeType.allCases

  @Test(
    "If both sides changed an object, the policy decides per property", .tags(.d5), arguments: Place.allCases, policies)
  func updateUpdate(place: Place, type: MergePolicy.MergeType) throws {
    let scene = try Scene(place, MergePolicy(mergeType: type))
    try scene.mine { quake in
      try scene.they {
        $0[Quake.magnitude] = 20
        $0[Quake.place] = "There"
      }
      quake[Quake.magnitude] = 10
      quake[Quake.time] = Date(timeIntervalSinceReferenceDate: 9.5)
      let wanted: String
      switch type {
      case .error:
        let error = #expect(throws: ObjectGraphError.self) { try scene.mine.save() }
        guard case .optimisticLocking(let conflicts)? = error, let conflict = conflicts.first else {
          throw try #require(error)
        }
        #expect(conflicts.count == 1 && conflict.objectID == quake.objectID)
        #expect(conflict.oldVersion == 1 && conflict.newVersion == 2)
        #expect(conflict.objectSnapshot["magnitude"] == 1.0)
        if place == .cache {
          #expect(conflict.cachedSnapshot?["magnitude"] == 20.0 && conflict.persistedSnapshot == nil)
        } else {
          #expect(conflict.cachedSnapshot?["magnitude"] == 1.0 && conflict.persistedSnapshot?["magnitude"] == 20.0)
        }
        #expect(quake[Quake.magnitude] == 10 && quake.isUpdated && scene.mine.updatedObjects.count == 1)
        #expect(try scene.row == "2|20.0|0.5|There")
        return
      case .storeTrump: wanted = "3|20.0|9.5|There"
      case .objectTrump: wanted = "3|10.0|9.5|There"
      case .overwrite: wanted = "3|10.0|9.5|Here"
      case .rollback: wanted = "2|20.0|0.5|There"
      }
      try scene.mine.save()
      #expect(try scene.row == wanted)
      let parts = wanted.split(separator: "|").map(String.init)
      #expect(quake[Quake.magnitude] == Double(parts[1]))
      #expect(quake[Quake.time] == Double(parts[2]).map(Date.init(timeIntervalSinceReferenceDate:)))
      #expect(quake[Quake.place] == parts[3])
      #expect(!scene.mine.hasChanges)
      // The object has the row's version: the next save is clean.
      quake[Quake.magnitude] = 30
      try scene.mine.save()
      #expect(try scene.row?.hasPrefix("\((Int(parts[0]) ?? 0) + 1)|30.0") == true)
    }
  }

  @Test(
    "If an object was deleted there, no policy brings its row back", .tags(.d5), arguments: Place.allCases, policies)
  func updateDelete(place: Place, type: MergePolicy.MergeType) throws {
    let scene = try Scene(place, MergePolicy(mergeType: type))
    try scene.mine { quake in
      try scene.they { try scene.theirs.delete($0) }
      quake[Quake.magnitude] = 10
      if type == .error {
        let error = #expect(throws: ObjectGraphError.self) { try scene.mine.save() }
        guard case .optimisticLocking(let conflicts)? = error else { throw try #require(error) }
        #expect(conflicts.map(\.newVersion) == [0])
        #expect("\(try #require(error))".contains("was deleted by another writer"))
        #expect(quake.isUpdated && quake[Quake.magnitude] == 10)
      } else {
        try scene.mine.save()
        #expect(quake.isDeleted && !scene.mine.hasChanges)
      }
      #expect(try scene.row == nil)
    }
  }

  @Test(
    "If a deleted object was changed there, the favored side wins", .tags(.d5), arguments: Place.allCases,
    policies)
  func deleteUpdate(place: Place, type: MergePolicy.MergeType) throws {
    let scene = try Scene(place, MergePolicy(mergeType: type))
    try scene.mine { quake in
      try scene.they { $0[Quake.magnitude] = 20 }
      try scene.mine.delete(quake)
      switch type {
      case .error:
        #expect(throws: ObjectGraphError.self) { try scene.mine.save() }
        #expect(scene.mine.deletedObjects.count == 1)
        #expect(try scene.row == "2|20.0|0.5|Here")
      case .storeTrump, .rollback:
        try scene.mine.save()
        #expect(!quake.isDeleted && quake[Quake.magnitude] == 20 && !scene.mine.hasChanges)
        #expect(try scene.row == "2|20.0|0.5|Here")
      case .objectTrump, .overwrite:
        try scene.mine.save()
        #expect(quake.managedObjectContext == nil && !quake.isDeleted && !scene.mine.hasChanges)
        #expect(try scene.row == nil)
      }
    }
  }
}

extension ConflictTests {
  @Test("A row deleted on both sides is not a conflict", .tags(.d5), arguments: Place.allCases, policies)
  func deleteDelete(place: Place, type: MergePolicy.MergeType) throws {
    let scene = try Scene(place, MergePolicy(mergeType: type))
    try scene.mine { quake in
      try scene.they { try scene.theirs.delete($0) }
      try scene.mine.delete(quake)
      try scene.mine.save()
      #expect(!scene.mine.hasChanges)
      #expect(try scene.row == nil)
    }
  }

  @Test(
    "If a changed unique value is taken, the change or the stored row is dropped", .tags(.d5),
    arguments: policies)
  func constraint(type: MergePolicy.MergeType) throws {
    let stack = try TestStack()
    let context = stack.context(MergePolicy(mergeType: type))
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      let taken = try Quake.insert("b", 2, into: context)
      try context.save()
      quake[Quake.code] = "b"
      quake[Quake.magnitude] = 5
      let rows = "SELECT Z_PK, Z_OPT, ZCODE, ZMAGNITUDE FROM ZQUAKE ORDER BY Z_PK"
      switch type {
      case .error:
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        guard case .constraintConflict(let conflicts)? = error else { throw try #require(error) }
        #expect(conflicts.map(\.databaseObjectID) == [taken.objectID] && conflicts[0].constraintValues == ["b"])
        #expect(quake[Quake.code] == "b" && quake.isUpdated)
        #expect(try stack.rows(rows) == ["1|1|a|1.0", "2|1|b|2.0"])
      case .storeTrump:
        try context.save()
        #expect(quake[Quake.code] == "a" && quake[Quake.magnitude] == 5)
        #expect(try stack.rows(rows) == ["1|2|a|5.0", "2|1|b|2.0"])
      case .rollback:
        try context.save()
        #expect(quake[Quake.code] == "a" && quake[Quake.magnitude] == 1)
        #expect(try stack.rows(rows) == ["1|1|a|1.0", "2|1|b|2.0"])
      case .objectTrump, .overwrite:
        try context.save()
        #expect(taken.isDeleted && quake[Quake.code] == "b")
        #expect(try stack.rows(rows) == ["1|2|b|5.0"])
      }
    }
  }

  @Test("A unique value is free again if the same save deletes its holder", .tags(.d5))
  func deleteThenInsert() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let old = try Quake.insert("a", 1, into: context)
      try context.save()
      try context.delete(old)
      try Quake.insert("a", 2, into: context)
      try context.save()
    }
    #expect(try stack.rows("SELECT Z_PK, ZMAGNITUDE FROM ZQUAKE") == ["2|2.0"])
  }
}

extension ConflictTests {
  @Test("A custom policy decides about each conflict", .tags(.d5))
  func ownPolicy() throws {
    let policy = MergePolicy(mergeType: .error) { conflict in
      guard case .real(let mine)? = conflict.objectSnapshot["magnitude"],
        case .real(let theirs)? = conflict.cachedSnapshot?["magnitude"]
      else { return .fail }
      return .values(["magnitude": .real(mine + theirs)])
    }
    let scene = try Scene(.cache, policy)
    try scene.mine { quake in
      try scene.they { $0[Quake.magnitude] = 20 }
      quake[Quake.magnitude] = 10
      try scene.mine.save()
      #expect(quake[Quake.magnitude] == 21)
      #expect(try scene.row == "3|21.0|0.5|Here")
    }
  }

  @Test("A save that fails after conflicts were resolved undoes the resolution", .tags(.d5))
  func undoneResolution() throws {
    let scene = try Scene(.cache, .mergeByPropertyStoreTrump)
    try scene.mine { quake in
      let victim = try Quake.insert("victim", 1, into: scene.mine)
      try scene.mine.save()
      try scene.they { $0[Quake.magnitude] = 20 }
      quake[Quake.magnitude] = 10
      quake[Quake.place] = "Mine"
      try scene.mine.delete(victim)
      // SQLite may refuse the statement for any reason. Here, a trigger simulates a failing disk.
      try scene.stack.execute(
        "CREATE TRIGGER refuse BEFORE UPDATE ON ZQUAKE BEGIN SELECT RAISE(ABORT, 'no'); END")
      #expect(throws: ObjectGraphError.self) { try scene.mine.save() }
      #expect(quake[Quake.magnitude] == 10 && quake[Quake.place] == "Mine")
      #expect(scene.mine.updatedObjects.count == 1 && scene.mine.deletedObjects.count == 1)
      try scene.stack.execute("DROP TRIGGER refuse")
      try scene.mine.save()
      #expect(try scene.stack.rows("SELECT ZMAGNITUDE, ZPLACE FROM ZQUAKE") == ["20.0|Mine"])
    }
  }

  @Test(
    "If another context changed an object deleted here, the cache finds the conflict before any SQL",
    .tags(.d5))
  func deletionInCache() throws {
    let scene = try Scene(.cache, .error)
    try scene.mine { quake in
      try scene.they { $0[Quake.magnitude] = 20 }
      try scene.mine.delete(quake)
      let found = conflicts { () throws(ObjectGraphError) in try scene.mine.save() }
      #expect(found.map(\.cachedSnapshot?["magnitude"]) == [20.0])
      #expect(found.allSatisfy { $0.persistedSnapshot == nil })
    }
  }

  @Test("A save that fails after two rounds of conflicts shows the object as it was before the first", .tags(.d5))
  func undoneTwice() throws {
    let scene = try Scene(.cache, MergePolicy(mergeType: .error) { _ in .objectTrumps })
    try scene.mine { quake in
      try scene.they { $0[Quake.place] = "theirs" }
      try scene.stack.execute("UPDATE ZQUAKE SET ZPLACE = 'past', Z_OPT = 3")
      quake[Quake.magnitude] = 10
      let clash = try Quake.insert("a", 5, into: scene.mine)
      #expect(throws: ObjectGraphError.self) { try scene.mine.save() }
      #expect(quake[Quake.magnitude] == 10 && quake[Quake.place] == "Here")
      #expect(quake.committedValues(forKeys: ["place"]) == ["place": "Here"])
      try scene.mine.delete(clash)
      try scene.mine.save()
      #expect(quake[Quake.place] == "past")
      #expect(try scene.row == "4|10.0|0.5|past")
    }
  }
}

extension ConflictTests {
  /// An album of the artist A that others gave the title "theirs" and the artist B while it was to be called "mine", saved
  /// under the policy.
  private func savedAlbum(_ policy: MergePolicy) throws -> (TestStack, artist: String?) {
    let stack = try Library.stack()
    let (mine, theirs) = (stack.context(policy), stack.context())
    let artist = try mine.performAndWait { () throws in
      let artists = try ["A", "B"].map { try Library.make("Artist", $0, in: mine) }
      let album = try Library.make("Album", "old", in: mine)
      try album.setObject(artists[0], forKey: "artist")
      try mine.save()
      try theirs.performAndWait { () throws in
        let album = try Library.find("Album", "old", in: theirs)
        album["title"] = "theirs"
        try album.setObject(try Library.find("Artist", "B", in: theirs), forKey: "artist")
        try theirs.save()
      }
      album["title"] = "mine"
      try mine.save()
      let artist = try album.object(forKey: "artist")
      #expect(try artists.map { try $0.names("albums").isEmpty } == artists.map { $0 !== artist })
      return artist?.name
    }
    return (stack, artist)
  }

  @Test("A custom policy sees what was changed here, and takes relationships from snapshots", .tags(.d5))
  func ownPolicyOfRelationships() throws {
    let policy = MergePolicy(mergeType: .error) { conflict in
      if conflict.objectID.entityName == "Artist" { return .objectTrumps }
      if conflict.changedValues != ["title": "mine"] { return .fail }
      return .values(conflict.objectSnapshot.merging(conflict.changedValues) { _, new in new })
    }
    let (stack, artist) = try savedAlbum(policy)
    #expect(artist == "A")
    #expect(try stack.rows("SELECT ZTITLE, ZARTIST FROM ZALBUM") == ["mine|1"])
  }

  @Test(
    "A policy's value that fits no property, or is not an object of the relationship, changes nothing", .tags(.d5, .d13)
  )
  func unfitResolution() throws {
    let policy = MergePolicy(mergeType: .error) { _ in .values(["artist": 1, "title": true, "nothing": "x"]) }
    let (stack, artist) = try savedAlbum(policy)
    #expect(artist == "B")
    #expect(try stack.rows("SELECT ZTITLE, ZARTIST FROM ZALBUM") == ["theirs|2"])
  }

  @Test("A custom policy may clear a relationship", .tags(.d5))
  func emptiedRelationship() throws {
    let (stack, artist) = try savedAlbum(MergePolicy(mergeType: .error) { _ in .values(["artist": .null]) })
    #expect(artist == nil)
    #expect(try stack.rows("SELECT ZTITLE, ZARTIST FROM ZALBUM") == ["theirs|NULL"])
  }
}
