// D1, D5: the effects of a deletion on the objects at the other ends, and how many of them there may be.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D1 D5 · delete rules and counts")
struct DeleteRuleTests {
  /// An owner of things under one rule.
  private func stack(_ rule: DeleteRule, requiresOwner: Bool = false) throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Owner", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true, deleteRule: rule)
        ]),
      EntityDescription(
        "Thing", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("owner", to: "Owner", inverse: "things", isOptional: !requiresOwner),
          RelationshipDescription("parts", to: "Thing", inverse: "whole", isToMany: true, deleteRule: .cascade),
          RelationshipDescription("whole", to: "Thing", inverse: "parts"),
        ]),
    ])
  }

  /// An owner of two things, saved and read again.
  private func owner(in context: ManagedObjectContext) throws -> ManagedObject {
    let owner = try Library.make("Owner", "O", in: context)
    for name in ["a", "b"] { try owner.addObject(try Library.make("Thing", name, in: context), forKey: "things") }
    try context.save()
    context.reset()
    return try Library.find("Owner", "O", in: context)
  }

  @Test("Counts and fetches see the effects of a deletion before it is saved", .tags(.d1, .d3))
  func counting() throws {
    let stack = try stack(.cascade)
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.delete(try owner(in: context))
      #expect(try context.count(for: FetchRequest(entityName: "Thing")) == 0)
      context.rollback()
      try context.delete(try Library.find("Owner", "O", in: context))
      #expect(try context.fetchObjectIDs(FetchRequest(entityName: "Thing")) == [])
    }
  }

  @Test("A required to-many relationship holds at least one object", .tags(.d1))
  func requiredToMany() throws {
    let stack = try TestStack([
      EntityDescription(
        "Owner",
        relationships: [
          RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true, isOptional: false)
        ]),
      EntityDescription("Thing", relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try context.insertNewObject(forEntityName: "Owner")
      let wrong = failures { () throws(ObjectGraphError) in try context.save() }
      #expect(wrong.map(\.code) == [.relationshipLacksMinimumCount] && wrong.first?.expected == "1 or more")
      try owner.addObject(try context.insertNewObject(forEntityName: "Thing"), forKey: "things")
      try context.save()
    }
  }

  @Test("Nullify clears the other objects' references to the deleted object", .tags(.d1, .d5))
  func nullify() throws {
    let stack = try stack(.nullify)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try owner(in: context)
      try context.delete(owner)
      let thing = try Library.find("Thing", "a", in: context)
      #expect(try thing.object(forKey: "owner") == nil)
      try context.save()
    }
    #expect(try stack.rows("SELECT ZNAME, ZOWNER, Z_OPT FROM ZTHING ORDER BY ZNAME") == ["a|NULL|2", "b|NULL|2"])
    #expect(try stack.rows("SELECT * FROM ZOWNER") == [])
  }
}

extension DeleteRuleTests {
  @Test("Cascade deletes the other objects too, to any depth and around any circle", .tags(.d1, .d5))
  func cascade() throws {
    let stack = try stack(.cascade)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try owner(in: context)
      var whole = try Library.find("Thing", "a", in: context)
      let top = whole
      for depth in 1...20 {
        let part = try Library.make("Thing", "part \(depth)", in: context)
        try part.setObject(whole, forKey: "whole")
        whole = part
      }
      try top.setObject(whole, forKey: "whole")
      try context.save()
      #expect(try stack.rows("SELECT COUNT(*) FROM ZTHING") == ["22"])
      try context.delete(owner)
      context.processPendingChanges()
      #expect(context.deletedObjects.count == 23)
      #expect(try context.count(for: FetchRequest(entityName: "Thing")) == 0)
      try context.save()
    }
    #expect(try stack.rows("SELECT COUNT(*) FROM ZTHING") == ["0"])
  }

  @Test("Deny fails the save while an object is at the other end, unless that is deleted too", .tags(.d1, .d5))
  func deny() throws {
    let stack = try stack(.deny)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try owner(in: context)
      try context.delete(owner)
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
      #expect(error?.code == 1600)
      #expect("\(try #require(error))".contains("things: found 2 objects at its other end"))
      #expect(context.deletedObjects.map(\.objectID) == [owner.objectID], "a failed save loses nothing")
      for name in ["a", "b"] { try context.delete(try Library.find("Thing", name, in: context)) }
      try context.save()
    }
    #expect(try stack.rows("SELECT (SELECT COUNT(*) FROM ZOWNER) + (SELECT COUNT(*) FROM ZTHING)") == ["0"])
  }

  @Test("No action leaves the other objects' references to the deleted object", .tags(.d1, .d5))
  func noAction() throws {
    let stack = try stack(.noAction)
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.delete(try owner(in: context))
      try context.save()
      context.reset()
      let thing = try Library.find("Thing", "a", in: context)
      let owner = try #require(try thing.object(forKey: "owner"))
      #expect(throws: ObjectGraphError.missingObject(owner.objectID)) { () throws in
        _ = try owner.value(forKey: "name")
      }
    }
    #expect(try stack.rows("SELECT ZOWNER, Z_OPT FROM ZTHING") == ["1|1", "1|1"])
  }
}

extension DeleteRuleTests {
  @Test("An object that requires an owner prevents the owner's deletion from being saved", .tags(.d5))
  func requiredOwner() throws {
    let stack = try stack(.nullify, requiresOwner: true)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try owner(in: context)
      try context.delete(owner)
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
      #expect(error?.code == 1560)
      #expect("\(try #require(error))".contains("owner: found no value; expected one, because it is required"))
      context.rollback()
      #expect(try owner.names("things") == ["a", "b"])
      #expect(!context.hasChanges)
    }
  }

  @Test("Rules are applied at the end of the event, or by the save on request", .tags(.d5))
  func propagation() throws {
    let stack = try stack(.cascade)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try owner(in: context)
      #expect(context.propagatesDeletesAtEndOfEvent)
      try context.delete(owner)
      #expect(context.deletedObjects.count == 1)
      context.processPendingChanges()
      #expect(context.deletedObjects.count == 3)
      context.rollback()
      context.propagatesDeletesAtEndOfEvent = false
      try context.delete(owner)
      context.processPendingChanges()
      #expect(try context.count(for: FetchRequest(entityName: "Thing")) == 2)
      #expect(context.deletedObjects.count == 1)
      try context.save()
    }
    #expect(try stack.rows("SELECT COUNT(*) FROM ZTHING") == ["0"])
  }

  @Test(
    "A cascade of any depth needs no deep stack, even if the save applies the rules", .tags(.d5),
    arguments: [true, false])
  func deepCascade(atEndOfEvent: Bool) throws {
    let stack = try stack(.cascade)
    let context = stack.context()
    context.propagatesDeletesAtEndOfEvent = atEndOfEvent
    try context.performAndWait { () throws in
      let first = try context.insertNewObject(forEntityName: "Thing")
      var whole = first
      for _ in 0..<5_000 {
        let part = try context.insertNewObject(forEntityName: "Thing")
        try part.setObject(whole, forKey: "whole")
        whole = part
      }
      try context.save()
      try context.delete(first)
      context.processPendingChanges()
      #expect(context.deletedObjects.count == (atEndOfEvent ? 5_001 : 1))
      try context.save()
    }
    #expect(try stack.rows("SELECT COUNT(*) FROM ZTHING") == ["0"])
  }
}

extension DeleteRuleTests {
  @Test("A new object that is deleted again leaves no trace at the other end", .tags(.d5))
  func newObject() throws {
    let stack = try stack(.nullify)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try owner(in: context)
      let thing = try Library.make("Thing", "c", in: context)
      try thing.setObject(owner, forKey: "owner")
      try context.delete(thing)
      context.processPendingChanges()
      #expect(try owner.names("things") == ["a", "b"])
      #expect(!context.hasChanges)
    }
  }

  @Test("Deleting an object of a many-to-many relationship also deletes its pairs", .tags(.d1, .d5))
  func pairs() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let list = try Library.make("Playlist", "L", in: context)
      let tracks = try ["1", "2"].map { try Library.make("Track", $0, in: context) }
      try list.setObjects(tracks, forKey: "tracks")
      let (a, b) = (try Library.make("Artist", "A", in: context), try Library.make("Artist", "B", in: context))
      try a.addObject(b, forKey: "friends")
      try context.save()
      try context.delete(tracks[0])
      try context.delete(b)
      try context.save()
      #expect(try list.names("tracks") == ["2"])
      #expect(try a.names("friends") == [])
    }
    #expect(try stack.rows("SELECT COUNT(*) FROM Z_6TRACKS") == ["1"])
    #expect(try stack.rows("SELECT COUNT(*) FROM Z_2FRIENDS") == ["0"])
  }

  @Test(
    "Too few and too many objects are reported with Core Data's codes; an optional relationship may be empty",
    .tags(.d1, .d5))
  func counts() throws {
    let stack = try TestStack([
      EntityDescription(
        "Team", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription(
            "players", to: "Player", inverse: "team", isToMany: true, isOptional: false, minimumCount: 2,
            maximumCount: 3),
          RelationshipDescription(
            "reserves", to: "Player", inverse: "reserveOf", isToMany: true, minimumCount: 2),
        ]),
      EntityDescription(
        "Player", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("team", to: "Team", inverse: "players"),
          RelationshipDescription("reserveOf", to: "Team", inverse: "reserves"),
        ]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let team = try Library.make("Team", "T", in: context)
      let players = try (1...5).map { try Library.make("Player", "\($0)", in: context) }
      func code(players count: Int, reserves: Int) throws -> Int? {
        try team.setObjects(Array(players.prefix(count)), forKey: "players")
        try team.setObjects(Array(players.prefix(reserves)), forKey: "reserves")
        do throws(ObjectGraphError) {
          try context.save()
          return nil
        } catch {
          return error.code
        }
      }
      #expect(try code(players: 0, reserves: 0) == 1580)
      #expect(try code(players: 1, reserves: 0) == 1580)
      #expect(try code(players: 4, reserves: 0) == 1590)
      #expect(try code(players: 2, reserves: 1) == 1580)
      #expect(try code(players: 1, reserves: 1) == 1560)
      #expect(try code(players: 2, reserves: 0) == nil)
      #expect(try code(players: 3, reserves: 2) == nil)
    }
    #expect(
      try stack.rows("SELECT ZTEAM, ZRESERVEOF FROM ZPLAYER ORDER BY Z_PK") == [
        "1|1", "1|1", "1|NULL", "NULL|NULL", "NULL|NULL",
      ])
  }

  @Test("A cascade skips objects whose rows are already deleted", .tags(.d1, .d5))
  func cascadeToGoneRows() throws {
    let stack = try stack(.cascade)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try owner(in: context)
      #expect(try owner.objects(forKey: "things").count == 2)
      try stack.execute("DELETE FROM ZTHING WHERE ZNAME = 'a'")
      try context.delete(owner)
      try context.save()
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZOWNER UNION ALL SELECT ZNAME FROM ZTHING") == [])
  }
}
