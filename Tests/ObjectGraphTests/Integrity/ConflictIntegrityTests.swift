// D13, D5: conflicts that once left dangling keys, one by one; every stack checks its store at the end.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D13 D5 · no dangling keys after a conflict")
struct ConflictIntegrityTests {
  private static let winning = [MergePolicy.mergeByPropertyObjectTrump, .overwrite]

  @Test(
    "A stored object whose unique value is taken is deleted with its delete rule", .tags(.d13, .d5),
    arguments: [DeleteRule.nullify, .cascade, .deny], winning)
  func holder(rule: DeleteRule, policy: MergePolicy) throws {
    for isRequired in [false, true] {
      let stack = try TestStack.owners(rule, isRequired: isRequired)
      let context = stack.context(policy)
      try context.performAndWait { () throws in
        let (taker, holder) = (try context.make("Owner", "taker"), try context.make("Owner", "holder"))
        let thing = try context.make("Thing", "thing")
        try thing.setObject(holder, forKey: "owner")
        let badge = try context.make("Badge", "badge")
        try badge.setObject(holder, forKey: "owner")
        try context.save()
        taker["name"] = "holder"
        let fails = rule == .deny || rule == .nullify && isRequired
        if fails {
          #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
          #expect(taker["name"] == "holder" && context.updatedObjects == [taker] && !holder.isDeleted)
          #expect(try thing.object(forKey: "owner") === holder)
          #expect(try stack.rows("SELECT ZNAME FROM ZOWNER ORDER BY 1") == ["holder", "taker"])
          return
        }
        try context.save()
        #expect(holder.isDeleted)
        #expect(try badge.object(forKey: "owner") == nil)
        #expect(try stack.rows("SELECT ZNAME FROM ZOWNER") == ["holder"])
        #expect(try stack.rows("SELECT ZOWNER FROM ZTHING") == (rule == .cascade ? [] : ["NULL"]))
        #expect(try stack.rows("SELECT ZOWNER FROM ZBADGE") == ["NULL"])
      }
    }
  }

  @Test("A new object that takes over a stored row frees the row's partner", .tags(.d13, .d5), arguments: winning)
  func takenOver(policy: MergePolicy) throws {
    let stack = try TestStack.owners(.nullify)
    let context = stack.context(policy)
    try context.performAndWait { () throws in
      let badge = try context.make("Badge", "badge")
      try badge.setObject(try context.make("Owner", "owner"), forKey: "owner")
      try context.save()
      let new = try context.make("Owner", "owner")
      let other = try context.make("Badge", "new")
      try other.setObject(new, forKey: "owner")
      try context.save()
      #expect(try badge.object(forKey: "owner") == nil)
      #expect(try new.object(forKey: "badge") === other)
      #expect(try stack.rows("SELECT ZNAME, ZOWNER FROM ZBADGE ORDER BY 1") == ["badge|NULL", "new|1"])
    }
  }

  @Test(
    "An object related to one that others deleted loses the reference, or is not saved", .tags(.d13, .d5, .d6),
    arguments: MergePolicy.MergeType.allCases, [false, true])
  func deletedTarget(type: MergePolicy.MergeType, isRequired: Bool) throws {
    let stack = try TestStack.owners(.nullify, isRequired: isRequired)
    let (here, there) = (stack.context(MergePolicy(mergeType: type)), stack.context())
    try here.performAndWait { () throws in
      let (owner, other) = (try here.make("Owner", "owner"), try here.make("Owner", "other"))
      let thing = try here.make("Thing", "thing")
      try thing.setObject(other, forKey: "owner")
      try here.save()
      let ownerID = owner.objectID
      try there.performAndWait { () throws in
        try there.delete(try there.existingObject(with: ownerID))
        try there.save()
      }
      try thing.setObject(owner, forKey: "owner")
      let badge = try here.make("Badge", "badge")
      try badge.setObject(owner, forKey: "owner")
      if type == .error || isRequired {
        #expect(throws: ObjectGraphError.self) { () throws in try here.save() }
        #expect(try stack.rows("SELECT ZOWNER FROM ZTHING") == ["2"])
        return
      }
      try here.save()
      #expect(try thing.object(forKey: "owner") !== owner)
      #expect(try stack.rows("SELECT ZOWNER FROM ZBADGE") == ["NULL"])
    }
  }
}

extension ConflictIntegrityTests {
  @Test("An object that is overwritten whole has its partner again, and the other partner has none", .tags(.d13, .d5))
  func overwrittenPartner() throws {
    let stack = try TestStack.owners(.nullify)
    let (here, there) = (stack.context(.overwrite), stack.context())
    try here.performAndWait { () throws in
      let owner = try here.make("Owner", "owner")
      let badges = try ["mine", "theirs"].map { try here.make("Badge", $0) }
      try owner.setObject(badges[0], forKey: "badge")
      try here.save()
      let (ownerID, theirsID) = (owner.objectID, badges[1].objectID)
      try there.performAndWait { () throws in
        try there.existingObject(with: ownerID).setObject(try there.existingObject(with: theirsID), forKey: "badge")
        try there.save()
      }
      owner["note"] = "changed here"
      try here.save()
      #expect(try owner.object(forKey: "badge") === badges[0])
      #expect(try stack.rows("SELECT ZNAME, ZOWNER FROM ZBADGE ORDER BY 1") == ["mine|1", "theirs|NULL"])
      #expect(try stack.rows("SELECT ZBADGE, ZNOTE FROM ZOWNER") == ["1|changed here"])
    }
  }

  @Test(
    "An object that others related to a deleted one follows the deleted one's rule", .tags(.d13, .d5),
    arguments: winning)
  func relatedMeanwhile(policy: MergePolicy) throws {
    for rule in [DeleteRule.nullify, .cascade] {
      let stack = try TestStack.owners(rule)
      let (here, there) = (stack.context(policy), stack.context())
      try here.performAndWait { () throws in
        let owner = try here.make("Owner", "owner")
        let thing = try here.make("Thing", "thing")
        try here.save()
        let (ownerID, thingID) = (owner.objectID, thing.objectID)
        try there.performAndWait { () throws in
          try there.existingObject(with: thingID).setObject(try there.existingObject(with: ownerID), forKey: "owner")
          try there.save()
        }
        try here.delete(owner)
        try here.save()
        #expect(try stack.rows("SELECT ZOWNER FROM ZTHING") == (rule == .cascade ? [] : ["NULL"]))
      }
    }
  }

  @Test(
    "A batch insert refuses new rows without a required object, unless they will be related right after",
    .tags(.d13, .b8))
  func batchInsert() throws {
    let stack = try TestStack.owners(.nullify, isRequired: true)
    let context = stack.context()
    try context.performAndWait { () throws in
      var request = BatchInsertRequest(entityName: "Thing", objects: [["name": "thing"]])
      let error = #expect(throws: ObjectGraphError.self) { () throws in _ = try context.execute(request) }
      guard case .missingValue(entity: "Thing", key: "owner", row: nil)? = error else { throw try #require(error) }
      #expect(try stack.rows("SELECT * FROM ZTHING") == [])
      request.leavesRequiredRelationshipsEmpty = true
      try context.execute(request)
      let integrity = try stack.coordinator.integrity()
      #expect(integrity.breaches.map(\.rule) == [.requiredObject] && integrity.breaches[0].count == 1)
      let thing = try #require(context.fetch(FetchRequest(entityName: "Thing")).first)
      try thing.setObject(try context.make("Owner", "owner"), forKey: "owner")
      try context.save()
    }
  }
}

extension ConflictIntegrityTests {
  @Test("A unique value of an object of another entity of the hierarchy stays taken", .tags(.d13, .d5))
  func takenByRelative() throws {
    let stack = try TestStack([
      EntityDescription(
        "Base", attributes: [AttributeDescription("code", .string, isOptional: true)],
        relationships: [RelationshipDescription("owner", to: "Owner", inverse: "bases")],
        uniquenessConstraints: [["code"]]),
      // Its own attribute comes first, so that the others have different slots.
      EntityDescription(
        "Sub", superentity: "Base", attributes: [AttributeDescription("before", .int64, isOptional: true)]),
      EntityDescription(
        "Owner", relationships: [RelationshipDescription("bases", to: "Base", inverse: "owner", isToMany: true)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let sub = try context.insertNewObject(forEntityName: "Sub")
      let base = try context.insertNewObject(forEntityName: "Base")
      let owner = try context.insertNewObject(forEntityName: "Owner")
      base["code"] = "taken"
      try context.save()
      sub["code"] = "taken"
      try base.setObject(owner, forKey: "owner")
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
      guard case .constraintConflict? = error else { throw try #require(error) }
    }
    #expect(try stack.rows("SELECT ZCODE, ZOWNER FROM ZBASE ORDER BY Z_PK") == ["NULL|NULL", "taken|NULL"])
  }

  @Test("Nothing refers to a new object that is deleted before a save, whatever its rule", .tags(.d13, .d5))
  func deletedBeforeSave() throws {
    let stack = try TestStack.owners(.deny, isRequired: true)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try context.make("Owner", "owner")
      let thing = try context.make("Thing", "thing")
      try thing.setObject(owner, forKey: "owner")
      try context.delete(owner)
      context.processPendingChanges()
      #expect(try thing.object(forKey: "owner") == nil)
      #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
    }
    #expect(try stack.rows("SELECT * FROM ZTHING") == [])
  }

  @Test("Nothing refers to an object that was found deleted after its deletion is merged", .tags(.d13, .d5))
  func foundGone() throws {
    let stack = try TestStack.owners(.nullify)
    let (here, there) = (stack.context(), stack.context())
    try here.performAndWait { () throws in
      let (owner, thing) = (try here.make("Owner", "owner"), try here.make("Thing", "thing"))
      try here.save()
      try thing.setObject(owner, forKey: "owner")
      try here.refresh(owner, mergeChanges: false)
      let ownerID = owner.objectID
      try there.performAndWait { () throws in
        try there.delete(try there.existingObject(with: ownerID))
        try there.save()
      }
      #expect(owner["name"] == .null && owner.isDeleted)
      try here.mergeChanges(fromContextDidSave: ChangedObjectIDs(deleted: [ownerID]))
      #expect(try thing.object(forKey: "owner") == nil)
      try here.save()
      #expect(try stack.rows("SELECT ZOWNER FROM ZTHING") == ["NULL"])
    }
  }

  @Test(
    "A deletion undone by a conflict and repeated by a cascade includes objects that others related", .tags(.d13, .d5))
  func deletedAgain() throws {
    let stack = try TestStack([
      EntityDescription(
        "Owner", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true, deleteRule: .deny)
        ]),
      EntityDescription(
        "Thing", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things", deleteRule: .cascade)]),
    ])
    let (here, there) = (stack.context(.rollback), stack.context())
    try here.performAndWait { () throws in
      let owner = try here.make("Owner", "owner")
      let (thing, other) = (try here.make("Thing", "thing"), try here.make("Thing", "other"))
      try thing.setObject(owner, forKey: "owner")
      try here.save()
      let (ownerID, otherID) = (owner.objectID, other.objectID)
      try there.performAndWait { () throws in
        try there.existingObject(with: otherID).setObject(try there.existingObject(with: ownerID), forKey: "owner")
        try there.save()
      }
      try here.delete(thing)
      #expect(throws: ObjectGraphError.self) { () throws in try here.save() }
      #expect(try stack.rows("SELECT ZNAME, ZOWNER FROM ZTHING ORDER BY 1") == ["other|1", "thing|1"])
    }
  }
}
