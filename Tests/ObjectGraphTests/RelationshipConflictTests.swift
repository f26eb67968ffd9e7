// D1, D5, D6: relationships with uniqueness, conflicts and merges, in predicates, and the positions of ordered objects.
import Foundation
import MissionTags
import ObjectGraphFixtures
import Support
import Synchronization
@testable import CoreDataModel
@testable import ObjectGraph
import Testing

@Suite("D5 C1 · relationships in conflicts, merges and predicates")
struct RelationshipConflictTests {
  private func stack() throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Region", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("quakes", to: "Quake", inverse: "region", isToMany: true)],
        uniquenessConstraints: [["name"]]),
      EntityDescription(
        "Quake",
        attributes: [
          AttributeDescription("code", .string), AttributeDescription("magnitude", .double, isOptional: true),
        ],
        relationships: [
          RelationshipDescription("region", to: "Region", inverse: "quakes"),
          RelationshipDescription("tags", to: "Tag", inverse: "quakes", isToMany: true),
        ]),
      EntityDescription(
        "Tag", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("quakes", to: "Quake", inverse: "tags", isToMany: true)],
        uniquenessConstraints: [["name"]]),
    ])
  }

  private func quake(_ code: String, _ region: ManagedObject?, in context: ManagedObjectContext) throws -> ManagedObject
  {
    let quake = try context.insertNewObject(forEntityName: "Quake")
    quake["code"] = .string(code)
    try quake.setObject(region, forKey: "region")
    return quake
  }

  @Test(
    "New objects that refer to a new one with taken unique values refer to the row with these values",
    .tags(.d5), arguments: [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump])
  func standIns(_ policy: MergePolicy) throws {
    let stack = try stack()
    let first = stack.context()
    try first.performAndWait { () throws in
      _ = try Library.make("Region", "Other", in: first)
      let region = try Library.make("Region", "Nevada", in: first)
      _ = try quake("old", region, in: first)
      let tag = try Library.make("Tag", "felt", in: first)
      tag["name"] = "felt"
      try first.save()
    }
    let context = stack.context(policy)
    try context.performAndWait { () throws in
      let (region, again) = (
        try Library.make("Region", "Nevada", in: context), try Library.make("Region", "Nevada", in: context)
      )
      let felt = try Library.make("Tag", "felt", in: context)
      let quakes = [try quake("a", region, in: context), try quake("b", again, in: context)]
      try felt.setObjects(quakes, forKey: "quakes")
      try context.save()
      for quake in quakes {
        let region = try #require(try quake.object(forKey: "region"))
        #expect(region["name"] == "Nevada" && !region.objectID.isTemporaryID)
        #expect(try region.objects(forKey: "quakes").count == 3)
        #expect(try quake.names("tags") == ["felt"])
      }
    }
    #expect(try stack.rows("SELECT ZCODE, ZREGION FROM ZQUAKE ORDER BY ZCODE") == ["a|2", "b|2", "old|2"])
    #expect(try stack.rows("SELECT COUNT(*) FROM ZREGION") == ["2"])
    #expect(try stack.rows("SELECT Z_3TAGS, COUNT(*) FROM Z_1TAGS GROUP BY 1") == ["1|2"])
  }

  @Test(
    "If both moved the same object, the policy decides, and the inverse relationships agree", .tags(.d5),
    arguments: MergePolicy.MergeType.allCases)
  func moves(_ type: MergePolicy.MergeType) throws {
    let stack = try stack()
    let (mine, theirs) = (stack.context(MergePolicy(mergeType: type)), stack.context())
    try mine.performAndWait { () throws in
      let regions = try ["from", "mine", "theirs"].map { try Library.make("Region", $0, in: mine) }
      let moved = try quake("q", regions[0], in: mine)
      try mine.save()
      for region in regions { #expect(try region.objects(forKey: "quakes").count == (region === regions[0] ? 1 : 0)) }
      let (movedID, theirsID) = (moved.objectID, regions[2].objectID)
      try theirs.performAndWait { () throws in
        let object = try theirs.existingObject(with: movedID)
        try object.setObject(try theirs.object(with: theirsID), forKey: "region")
        try theirs.save()
      }
      try moved.setObject(regions[1], forKey: "region")
      let expected: String
      switch type {
      case .error:
        #expect(throws: ObjectGraphError.self) { () throws in try mine.save() }
        // Nothing is lost: the quake still has the destination that it was moved to.
        #expect(try moved.object(forKey: "region") === regions[1])
        #expect(try regions[1].objects(forKey: "quakes") == [moved])
        mine.rollback()
        try mine.refreshAllObjects()
        expected = "theirs"
      case .storeTrump, .rollback:
        try mine.save()
        expected = "theirs"
      case .objectTrump, .overwrite:
        try mine.save()
        expected = "mine"
      }
      #expect(try moved.object(forKey: "region")?["name"] == .string(expected))
      for region in regions {
        #expect(try region.names("quakes").count == (region["name"] == .string(expected) ? 1 : 0), "\(region["name"])")
      }
      #expect(!mine.hasChanges)
    }
    #expect(
      try stack.rows("SELECT ZNAME FROM ZREGION WHERE Z_PK = (SELECT ZREGION FROM ZQUAKE)").count == 1)
  }
}

extension RelationshipConflictTests {
  @Test(
    "The policy decides about an order as about a value: the stored one wins, or the one set here",
    .tags(.d5, .d1), arguments: MergePolicy.MergeType.allCases, [true, false])
  func orders(_ type: MergePolicy.MergeType, isOrderedThere: Bool) throws {
    let stack = try Library.stack()
    let (mine, theirs) = (stack.context(MergePolicy(mergeType: type)), stack.context())
    let (before, here, there) = (["1", "2", "3"], ["2", "1", "3"], ["3", "2", "1"])
    try mine.performAndWait { () throws in
      let album = try Library.make("Album", "A", in: mine)
      let tracks = try before.map { try Library.make("Track", $0, in: mine) }
      try album.setObjects(tracks, forKey: "tracks")
      try mine.save()
      #expect(try album.names("tracks") == before)
      let albumID = album.objectID
      try theirs.performAndWait { () throws in
        let same = try theirs.existingObject(with: albumID)
        same["title"] = "B"
        if isOrderedThere { try same.setObjects(same.objects(forKey: "tracks").reversed(), forKey: "tracks") }
        try theirs.save()
      }
      try album.insertObject(tracks[1], forKey: "tracks", at: 0)
      let expected: [String]
      switch type {
      case .error:
        #expect(throws: ObjectGraphError.self) { () throws in try mine.save() }
        #expect(try album.names("tracks") == here)
        return
      case .storeTrump: expected = isOrderedThere ? there : here
      case .rollback: expected = isOrderedThere ? there : before
      case .objectTrump, .overwrite: expected = here
      }
      try mine.save()
      #expect(try album.names("tracks") == expected && !mine.hasChanges)
      try theirs.performAndWait { () throws in
        theirs.reset()
        #expect(try theirs.existingObject(with: albumID).names("tracks") == expected)
      }
    }
  }
}

extension RelationshipConflictTests {
  @Test("A merge shows links that another context saved, at both ends", .tags(.c1, .d6))
  func merging() throws {
    let stack = try stack()
    let (view, background) = (stack.context(), stack.context())
    try view.performAndWait { () throws in
      let region = try Library.make("Region", "R", in: view)
      let first = try quake("1", region, in: view)
      try view.save()
      #expect(try region.objects(forKey: "quakes") == [first])
      let regionID = region.objectID
      let changes = try background.performAndWait { () throws in
        let news = Lock<ContextNotification?>(nil)
        let observation = background.observe(.didSave) { notification in news.withLock { $0 = notification } }
        defer { observation.cancel() }
        let region = try background.existingObject(with: regionID)
        let second = try quake("2", region, in: background)
        let tag = try Library.make("Tag", "felt", in: background)
        try second.addObject(tag, forKey: "tags")
        try background.existingObject(with: first.objectID).addObject(tag, forKey: "tags")
        try background.save()
        return try #require(news.withLock { $0 })
      }
      #expect(try region.objects(forKey: "quakes") == [first])
      try view.mergeChanges(fromContextDidSave: changes)
      #expect(try region.objects(forKey: "quakes").map { $0["code"] } == ["1", "2"])
      #expect(try first.names("tags") == ["felt"])
    }
  }

  @Test("Predicates and orders follow the unsaved links of changed objects", .tags(.d3))
  func predicates() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let (north, south) = (
        try Library.make("Region", "north", in: context), try Library.make("Region", "south", in: context)
      )
      let a = try quake("a", north, in: context)
      let b = try quake("b", south, in: context)
      let c = try quake("c", north, in: context)
      let tag = try Library.make("Tag", "felt", in: context)
      try context.save()
      try a.setObject(south, forKey: "region")
      try c.addObject(tag, forKey: "tags")
      func codes(_ format: String, sort: [FetchSortDescriptor] = []) throws -> [AttributeValue] {
        try context.fetch(
          FetchRequest(
            entityName: "Quake", predicate: try FetchPredicate(format: format, arguments: []), sortDescriptors: sort)
        ).map { $0["code"] }
      }
      #expect(try codes("region.name == 'south'") == ["a", "b"])
      #expect(try codes("ANY tags.name == 'felt'") == ["c"])
      #expect(try codes("tags.@count == 0") == ["a", "b"])
      #expect(
        try codes("TRUEPREDICATE", sort: [FetchSortDescriptor("region.name", ascending: false)]) == ["a", "b", "c"])
      try context.save()
      #expect(try codes("region.name == 'south'") == ["a", "b"])
      #expect(b.isUpdated == false)
    }
  }

  @Test("Order values ascend, stay the same if possible, and never collide", .tags(.d1))
  func places() {
    #expect(RelationshipPositions.assign([0, 0, 0]) == [2048, 3072, 4096])
    #expect(RelationshipPositions.assign([2048, 3072, 0]) == [2048, 3072, 4096])
    #expect(RelationshipPositions.assign([4096, 2048, 3072]) == [1024, 2048, 3072])
    #expect(RelationshipPositions.assign([1, 0, 2]) == [2048, 3072, 4096], "no room between 1 and 2")
    #expect(RelationshipPositions.assign([]) == [])
    #expect(RelationshipPositions.assign([Int32.max, 0]) == [2048, 3072])
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let old = (0..<count).map { _ in Bool.random(using: &generator) ? 0 : Int32.random(in: 1...40, using: &generator)
      }
      let new = RelationshipPositions.assign(old)
      #expect(zip(new, new.dropFirst()).allSatisfy(<) && new.allSatisfy { $0 > 0 }, "\(old) became \(new)")
      if zip(old, old.dropFirst()).allSatisfy(<), !old.contains(0) { #expect(new == old) }
    }
  }
}
