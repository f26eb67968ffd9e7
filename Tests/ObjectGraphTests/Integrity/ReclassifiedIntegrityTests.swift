// D13, D5, B8: rows that new objects take over by a unique value, possibly from another entity, and the references to
// them.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D13 D5 B8 · rows that change their entity")
struct ReclassifiedIntegrityTests {
  /// Bases are unique by code and have parents, partners and friends; subs are bases.
  ///
  /// Base is 1, Sub is 2.
  private static let entities = entities(partnerRule: .nullify)

  private static func entities(partnerRule: DeleteRule) -> [EntityDescription] {
    [
      EntityDescription(
        "Base", attributes: [AttributeDescription("code", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("parent", to: "Base", inverse: "children"),
          RelationshipDescription("children", to: "Base", inverse: "parent", isToMany: true),
          RelationshipDescription("partner", to: "Base", inverse: "partner", deleteRule: partnerRule),
          RelationshipDescription("friends", to: "Base", inverse: "friends", isToMany: true),
        ], uniquenessConstraints: [["code"]]),
      EntityDescription(
        "Sub", superentity: "Base", attributes: [AttributeDescription("before", .int64, isOptional: true)]),
    ]
  }

  private func make(_ entity: String, _ code: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let object = try context.insertNewObject(forEntityName: entity)
    object["code"] = .string(code)
    return object
  }

  @Test("New objects that refer to a row that one of them takes over refer to that one", .tags(.d13, .d5))
  func takenOverByRelated() throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let base = try make("Base", "taken", in: context)
      try context.save()
      let (before, sub, after) = (
        try make("Base", "before", in: context), try make("Sub", "taken", in: context),
        try make("Base", "after", in: context)
      )
      for object in [before, sub, after] { try object.setObject(base, forKey: "parent") }
      try context.save()
      for object in [before, sub, after] { #expect(try object.object(forKey: "parent") === sub) }
      #expect(try Set(sub.objects(forKey: "children")) == [before, sub, after])
      let rows = try stack.rows("SELECT ZCODE, Z_ENT, ZPARENT, Z1_PARENT FROM ZBASE ORDER BY Z_PK")
      #expect(rows == ["taken|2|1|2", "before|1|1|2", "after|1|1|2"])
    }
  }

  @Test(
    "A new object that takes over a row keeps its own references, whatever was changed in the old one",
    .tags(.d13, .d5),
    arguments: ["Base", "Sub"])
  func changedAndTakenOver(entity: String) throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let old = try make("Base", "taken", in: context)
      try context.save()
      let new = try make(entity, "taken", in: context)
      try old.setObject(new, forKey: "parent")
      try context.save()
      #expect(try new.object(forKey: "parent") == nil && new.objects(forKey: "children") == [])
      #expect(try stack.rows("SELECT ZCODE, ZPARENT, Z1_PARENT FROM ZBASE") == ["taken|NULL|NULL"])
    }
  }

  @Test(
    "A changed object does not refer to a deleted row, even if it knows it under a former entity",
    .tags(.d13, .d5, .b8), arguments: [false, true])
  func deletedUnderNewEntity(isTaken: Bool) throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let (taken, child) = (try make("Base", "taken", in: context), try make("Base", "child", in: context))
      try child.setObject(taken, forKey: "parent")
      try context.save()
      _ = try context.execute(BatchInsertRequest(entityName: "Sub", objects: [["code": "taken"]]))
      if isTaken {
        child["code"] = "taken"
      } else {
        child["code"] = "changed"
        try context.delete(try #require(context.fetch(FetchRequest(entityName: "Sub")).first))
      }
      try context.save()
      #expect(try child.object(forKey: "parent") == nil)
      #expect(try stack.rows("SELECT ZCODE, ZPARENT FROM ZBASE") == [isTaken ? "taken|NULL" : "changed|NULL"])
    }
  }

  /// Makes a known row become a sub with a batch insert, and tells the context.
  private func becomeSub(_ code: String, in context: ManagedObjectContext) throws {
    var request = BatchInsertRequest(entityName: "Sub", objects: [["code": .string(code)]])
    request.resultType = .changes
    let changes = try #require(context.execute(request).changes)
    try context.mergeChanges(fromContextDidSave: changes)
  }
}

extension ReclassifiedIntegrityTests {
  @Test(
    "An object that was moved away from a row stays away when the row changes its entity",
    .tags(.d13, .d5, .b8))
  func movedAway() throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let base = try make("Base", "base", in: context)
      let (child, friend) = (try make("Base", "child", in: context), try make("Base", "friend", in: context))
      try child.setObject(base, forKey: "parent")
      try child.setObject(base, forKey: "partner")
      try base.addObject(friend, forKey: "friends")
      try context.save()
      try child.setObject(friend, forKey: "parent")
      try child.setObject(nil, forKey: "partner")
      try becomeSub("base", in: context)
      #expect(base.isDeleted)
      let sub = try #require(context.fetch(FetchRequest(entityName: "Sub")).first)
      #expect(try sub.objects(forKey: "children") == [])
      #expect(try child.object(forKey: "parent") === friend && sub.object(forKey: "partner") == nil)
      #expect(try sub.objects(forKey: "friends") == [friend])
      try context.save()
      #expect(
        try stack.rows("SELECT ZCODE, ZPARENT, ZPARTNER FROM ZBASE ORDER BY 1")
          == ["base|NULL|NULL", "child|3|NULL", "friend|NULL|NULL"])
    }
  }

  @Test("The deletion of an object whose row changes its entity is dropped", .tags(.d13, .d5, .b8))
  func deletedMeanwhile() throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let (base, friend) = (try make("Base", "base", in: context), try make("Base", "friend", in: context))
      try base.addObject(friend, forKey: "friends")
      try context.save()
      try context.delete(base)
      context.processPendingChanges()
      try becomeSub("base", in: context)
      #expect(context.deletedObjects.isEmpty)
      let sub = try #require(context.fetch(FetchRequest(entityName: "Sub")).first)
      #expect(try friend.objects(forKey: "friends") == [sub])
      try context.save()
      #expect(try stack.rows("SELECT count(*) FROM ZBASE") == ["2"])
    }
  }

  @Test(
    "A deleted object's rule applies to a partner whose row has changed its entity meanwhile",
    .tags(.d13, .d5, .b8), arguments: [DeleteRule.nullify, .cascade, .deny, .noAction])
  func deletedPartner(rule: DeleteRule) throws {
    let stack = try TestStack(Self.entities(partnerRule: rule))
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let (base, other) = (try make("Base", "base", in: context), try make("Base", "other", in: context))
      try other.setObject(base, forKey: "partner")
      try context.save()
      _ = try context.execute(BatchInsertRequest(entityName: "Sub", objects: [["code": "base"]]))
      try context.delete(other)
      let rows = { try stack.rows("SELECT ZCODE, Z_ENT, ZPARTNER FROM ZBASE ORDER BY 1") }
      switch rule {
      case .nullify:
        try context.save()
        #expect(try rows() == ["base|2|NULL"])
      case .cascade:
        try context.save()
        #expect(try rows() == [])
      case .deny:
        #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
        #expect(context.deletedObjects == [other])
        #expect(try rows() == ["base|2|2", "other|1|1"])
      case .noAction:
        try context.save()
        #expect(try rows() == ["base|2|2"])
      }
    }
  }
}

extension ReclassifiedIntegrityTests {
  @Test("Relationships of a row that changed its entity and back refer to its present object", .tags(.d13, .d5, .b8))
  func backAgain() throws {
    let stack = try TestStack(Self.entities)
    let (here, there) = (stack.context(), stack.context(.mergeByPropertyObjectTrump))
    try here.performAndWait { () throws in
      let (base, child) = (try make("Base", "base", in: here), try make("Base", "child", in: here))
      try child.setObject(base, forKey: "parent")
      try here.save()
      #expect(try base.objects(forKey: "children") == [child])
      var request = BatchInsertRequest(entityName: "Sub", objects: [["code": "base"]])
      request.resultType = .changes
      let first = try #require(here.execute(request).changes)
      let second = try there.performAndWait { () throws in
        let new = try make("Base", "base", in: there)
        try new.setObject(try there.existingObject(with: child.objectID), forKey: "partner")
        try there.save()
        return ChangedObjectIDs(inserted: [new.objectID], updated: [child.objectID], deleted: [])
      }
      try here.mergeChanges(fromContextDidSave: first)
      try here.mergeChanges(fromContextDidSave: second)
      let new = try #require(here.fetch(FetchRequest(entityName: "Base")).first { $0["code"] == "base" })
      for object in try new.objects(forKey: "children") { #expect(try object.object(forKey: "parent") === new) }
      #expect(try child.object(forKey: "parent") === new && child.object(forKey: "partner") === new)
    }
  }

  @Test("A look-up by a row's former ID changes neither its object nor the object's changes", .tags(.d13, .d5, .b8))
  func formerID() throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let base = try make("Base", "base", in: context)
      try context.save()
      let formerID = base.objectID
      try becomeSub("base", in: context)
      let sub = try #require(context.fetch(FetchRequest(entityName: "Sub")).first)
      sub["before"] = 1
      #expect(throws: ObjectGraphError.self) { () throws in _ = try context.existingObject(with: formerID) }
      #expect(try context.fetch(FetchRequest(entityName: "Base")).first === sub)
      #expect(context.updatedObjects == [sub])
      try context.save()
      #expect(try stack.rows("SELECT Z_ENT, ZBEFORE FROM ZBASE") == ["2|1"])
    }
  }

  @Test("A failed save leaves one object for a row that changed its entity", .tags(.d13, .d5, .b8))
  func oneAfterFailure() throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let (base, child) = (try make("Base", "base", in: context), try make("Base", "child", in: context))
      try child.setObject(base, forKey: "parent")
      try context.save()
      try base.setObject(child, forKey: "partner")
      var request = BatchInsertRequest(entityName: "Sub", objects: [["code": "base"]])
      request.resultType = .changes
      let changes = try #require(context.execute(request).changes)
      let sub = try #require(context.fetch(FetchRequest(entityName: "Sub")).first)
      context.mergePolicy = .error
      #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
      #expect(context.registeredObject(for: sub.objectID) === sub)
      #expect(try context.fetch(FetchRequest(entityName: "Sub")).first === sub)
      try context.mergeChanges(fromContextDidSave: changes)
      #expect(try context.fetch(FetchRequest(entityName: "Sub")).first === sub && base.isDeleted)
      #expect(try child.object(forKey: "parent") === sub && sub.objects(forKey: "children") == [child])
    }
  }

  @Test(
    "A row that changed its entity and back has its first object again",
    .tags(.d13, .d5, .b8), arguments: [false, true])
  func oneAfterReturn(isMergedFirst: Bool) throws {
    let stack = try TestStack(Self.entities)
    let (here, there) = (stack.context(), stack.context(.mergeByPropertyObjectTrump))
    try here.performAndWait { () throws in
      let (base, child) = (try make("Base", "base", in: here), try make("Base", "child", in: here))
      try here.save()
      let childID = child.objectID
      _ = try there.performAndWait { () throws in
        try there.execute(BatchInsertRequest(entityName: "Sub", objects: [["code": "base"]]))
      }
      let sub = try #require(here.fetch(FetchRequest(entityName: "Sub")).first)
      let changes = try there.performAndWait { () throws in
        let new = try make("Base", "base", in: there)
        try new.setObject(try there.existingObject(with: childID), forKey: "partner")
        try there.save()
        return ChangedObjectIDs(inserted: [new.objectID], updated: [childID], deleted: [])
      }
      func found() throws -> ManagedObject? {
        try here.fetch(FetchRequest(entityName: "Base")).first { $0.objectID != childID }
      }
      if !isMergedFirst { #expect(try found() === base) }
      try here.mergeChanges(fromContextDidSave: changes)
      #expect(try found() === base && !base.isDeleted && sub.isDeleted)
      #expect(try base.object(forKey: "partner") === child && child.object(forKey: "partner") === base)
    }
  }
}
