// D13, D5: contexts that know older states of rows and change related objects; every stack checks its store at the end.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D13 D5 · changes in contexts with outdated rows")
struct StaleKnowledgeTests {
  /// Items that are unique by code, with parents, partners, friends and tags, and special ones; an item with a partner
  /// cannot be deleted.
  private func stack(friendRule: DeleteRule = .nullify) throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("code", .string, isOptional: true),
          AttributeDescription("note", .string, isOptional: true),
        ],
        relationships: [
          RelationshipDescription("parent", to: "Item", inverse: "children"),
          RelationshipDescription("children", to: "Item", inverse: "parent", isToMany: true),
          RelationshipDescription("partner", to: "Item", inverse: "partner", deleteRule: .deny),
          RelationshipDescription("friends", to: "Item", inverse: "friends", isToMany: true, deleteRule: friendRule),
          RelationshipDescription("tags", to: "Tag", inverse: "items", isToMany: true),
        ], uniquenessConstraints: [["code"]]),
      EntityDescription("Special", superentity: "Item"),
      EntityDescription(
        "Tag", relationships: [RelationshipDescription("items", to: "Item", inverse: "tags", isToMany: true)]),
    ])
  }

  private func make(_ entity: String, _ code: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let object = try context.insertNewObject(forEntityName: entity)
    object["code"] = .string(code)
    return object
  }

  /// Makes a row one of another entity without telling the context.
  private func becomeSpecial(_ code: String, in context: ManagedObjectContext) throws -> ChangedObjectIDs {
    var request = BatchInsertRequest(entityName: "Special", objects: [["code": .string(code)]])
    request.resultType = .changes
    return try #require(context.execute(request).changes)
  }

  // MARK: Rows of other entities

  @Test(
    "A row that is overwritten whole does not refer to a row under an entity that it no longer has",
    .tags(.d13, .d5, .b8))
  func overwritesWithFormer() throws {
    let stack = try stack()
    let (here, there) = (stack.context(.overwrite), stack.context(.overwrite))
    try here.performAndWait { () throws in
      let (taken, other) = (try make("Special", "taken", in: here), try make("Item", "other", in: here))
      try other.setObject(taken, forKey: "partner")
      try here.save()
      try there.performAndWait { () throws in
        _ = try make("Item", "taken", in: there)
        try there.save()
      }
      other["note"] = "changed"
      try here.save()
      #expect(try other.object(forKey: "partner") == nil)
      #expect(try stack.rows("SELECT ZPARTNER FROM ZITEM") == ["NULL", "NULL"])
    }
  }

  @Test(
    "A merge shows a row under its new entity where others refer to it, even one fetched before", .tags(.d13, .d5, .b8))
  func fetchedBeforeMerge() throws {
    let stack = try stack()
    let here = stack.context(.mergeByPropertyObjectTrump)
    try here.performAndWait { () throws in
      let (taken, parent) = (try make("Item", "taken", in: here), try make("Item", "parent", in: here))
      try taken.setObject(parent, forKey: "parent")
      try here.save()
      #expect(try parent.objects(forKey: "children") == [taken])
      let changes = try becomeSpecial("taken", in: here)
      let special = try #require(here.fetch(FetchRequest(entityName: "Special")).first)
      try here.mergeChanges(fromContextDidSave: changes)
      #expect(taken.isDeleted)
      #expect(try parent.objects(forKey: "children") == [special])
      #expect(try special.object(forKey: "parent") === parent)
    }
  }

  @Test("A merge of an older change of a row does not affect the object of its present entity", .tags(.d13, .d5, .b8))
  func olderNews() throws {
    let stack = try stack()
    let here = stack.context(.mergeByPropertyObjectTrump)
    try here.performAndWait { () throws in
      let changes = try becomeSpecial("taken", in: here)
      let item = try make("Item", "taken", in: here)
      try here.save()
      try here.mergeChanges(fromContextDidSave: changes)
      #expect(!item.isDeleted)
      #expect(try here.fetch(FetchRequest(entityName: "Item")).map(\.self) == [item])
    }
  }

  // MARK: Children
}

extension StaleKnowledgeTests {
  @Test("A child that overwrites a whole row does not refer to a deleted row", .tags(.d13, .d5))
  func childLeadsToNothing() throws {
    let stack = try stack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let (gone, item) = (try make("Item", "gone", in: parent), try make("Item", "item", in: parent))
      try item.setObject(gone, forKey: "parent")
      try parent.save()
      let (goneID, itemID) = (gone.objectID, item.objectID)
      try child.performAndWait { () throws in
        child.mergePolicy = .overwrite
        let item = try child.existingObject(with: itemID)
        var request = BatchDeleteRequest(objectIDs: [goneID])
        request.resultType = .changes
        try parent.mergeChanges(fromContextDidSave: try #require(parent.execute(request).changes))
        try parent.existingObject(with: itemID)["note"] = "changed before"
        try parent.save()
        item["note"] = "changed"
        try child.save()
        #expect(try item.object(forKey: "parent") == nil)
      }
      #expect(try item.object(forKey: "parent") == nil)
      #expect(item["note"] == "changed")
      try parent.save()
    }
  }

  @Test(
    "A child that deletes a new object of its parent leaves no relationship to it, whatever the rule", .tags(.d13, .d5))
  func childDeletesNewObject() throws {
    let stack = try stack(friendRule: .noAction)
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let (new, friend) = (try make("Item", "new", in: parent), try make("Item", "friend", in: parent))
      try new.addObject(friend, forKey: "friends")
      let (newID, friendID) = (new.objectID, friend.objectID)
      try child.performAndWait { () throws in
        let friend = try child.existingObject(with: friendID)
        #expect(try friend.objects(forKey: "friends").count == 1)
        try child.delete(try child.existingObject(with: newID))
        try child.save()
        #expect(try friend.objects(forKey: "friends") == [])
      }
      #expect(try friend.objects(forKey: "friends") == [])
    }
  }

  // MARK: Merges

  @Test(
    "After a merge, an object that is to be deleted is not the partner of another", .tags(.d13, .d5))
  func deletedPartner() throws {
    let stack = try stack()
    let (here, there) = (stack.context(), stack.context())
    try here.performAndWait { () throws in
      let (deleted, partner) = (try make("Item", "deleted", in: here), try make("Item", "partner", in: here))
      try here.save()
      try partner.setObject(deleted, forKey: "partner")
      try here.delete(deleted)
      let deletedID = deleted.objectID
      try there.performAndWait { () throws in
        try there.existingObject(with: deletedID)["note"] = "changed"
        try there.save()
      }
      try here.mergeChanges(fromContextDidSave: ChangedObjectIDs(updated: [deletedID]))
      #expect(try partner.object(forKey: "partner") == nil && deleted.object(forKey: "partner") == nil)
      try here.save()
      #expect(try stack.rows("SELECT ZCODE FROM ZITEM") == ["partner"])
    }
  }
}

extension StaleKnowledgeTests {
  @Test(
    "A member that another program added follows the rule of its deleted owner", .tags(.d13, .d5),
    arguments: [DeleteRule.nullify, .cascade, .deny, .noAction])
  func unknownMember(rule: DeleteRule) throws {
    let stack = try TestStack.owners(rule)
    let here = stack.context()
    try here.performAndWait { () throws in
      let (owner, thing) = (try here.make("Owner", "owner"), try here.make("Thing", "thing"))
      try here.save()
      #expect(try owner.objects(forKey: "things") == [])
      // Like a program that writes the file itself.
      try stack.execute("UPDATE ZTHING SET ZOWNER = (SELECT Z_PK FROM ZOWNER)")
      try here.delete(owner)
      let error = objectGraphError { try here.save() }
      let things = try stack.rows("SELECT ZOWNER IS NULL FROM ZTHING")
      switch rule {
      case .nullify:
        #expect(error == nil && things == ["1"])
        #expect(try thing.object(forKey: "owner") == nil)
      case .cascade: #expect(error == nil && things == [])
      case .deny:
        #expect(things == ["0"] && owner.isDeleted)
        guard case .validation(let failures) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failures.map(\.code) == [.relationshipDeniedDelete])
        here.rollback()
      case .noAction:
        #expect(error == nil && things == ["0"])
        try stack.execute("DELETE FROM ZTHING")
      }
    }
  }

  @Test(
    "A merge keeps the partner that others gave a changed object in place of one deleted here", .tags(.d13, .d5))
  func partnerOfOthers() throws {
    let stack = try stack()
    let (here, there) = (stack.context(.mergeByPropertyObjectTrump), stack.context())
    try here.performAndWait { () throws in
      let items = try ["former", "kept", "new"].map { try make("Item", $0, in: here) }
      let (former, kept, new) = (items[0], items[1], items[2])
      try former.setObject(kept, forKey: "partner")
      try here.save()
      try here.delete(former)
      kept["note"] = "changed"
      let (keptID, newID) = (kept.objectID, new.objectID)
      try there.performAndWait { () throws in
        try there.existingObject(with: newID).setObject(try there.existingObject(with: keptID), forKey: "partner")
        try there.save()
      }
      try here.mergeChanges(
        fromContextDidSave: ChangedObjectIDs(inserted: [], updated: [former.objectID, keptID, newID], deleted: []))
      #expect(try kept.object(forKey: "partner") === new)
      #expect(!new.hasChanges)
      try here.save()
      #expect(try stack.rows("SELECT ZCODE, ZPARTNER FROM ZITEM ORDER BY 1") == ["kept|3", "new|2"])
    }
  }

  @Test("A merge keeps the link that others gave the former partner of an object deleted here", .tags(.d13, .d5))
  func formerPartner() throws {
    let stack = try stack()
    let (here, there) = (stack.context(), stack.context())
    try here.performAndWait { () throws in
      let items = try ["deleted", "former", "new", "other"].map { try make("Item", $0, in: here) }
      let (deleted, former) = (items[0], items[1])
      try deleted.setObject(former, forKey: "partner")
      try here.save()
      let objectIDs = items.map(\.objectID)
      try here.delete(deleted)
      try there.performAndWait { () throws in
        let items = try objectIDs.map { try there.existingObject(with: $0) }
        try items[0].setObject(items[2], forKey: "partner")
        try items[1].setObject(items[3], forKey: "partner")
        try there.save()
      }
      // The context does not know about the former partner's row.
      try here.mergeChanges(fromContextDidSave: ChangedObjectIDs(updated: [deleted.objectID]))
      #expect(!former.hasChanges)
      #expect(try former.object(forKey: "partner")?.objectID == objectIDs[3])
      here.rollback()
    }
  }

  @Test("A child that unlinks a pair that others unlinked meanwhile has no conflict", .tags(.d6, .d13))
  func partedBoth() throws {
    let stack = try stack()
    let (parent, there) = (stack.context(), stack.context())
    let objectIDs = try there.performAndWait { () throws in
      let (one, other) = (try make("Item", "one", in: there), try make("Item", "other", in: there))
      try one.setObject(other, forKey: "partner")
      try there.save()
      return [one.objectID, other.objectID]
    }
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      let one = try child.existingObject(with: objectIDs[0])
      try one.setObject(nil, forKey: "partner")
      one["note"] = "child"
      try there.performAndWait { () throws in
        try there.existingObject(with: objectIDs[0]).setObject(nil, forKey: "partner")
        try there.save()
      }
      try parent.performAndWait { () throws in
        for objectID in objectIDs {
          try parent.refresh(try parent.existingObject(with: objectID), mergeChanges: false)
        }
      }
      try child.save()
      try parent.performAndWait { () throws in try parent.save() }
      let rows = try stack.rows("SELECT ZCODE, ZNOTE, ZPARTNER FROM ZITEM ORDER BY 1")
      #expect(rows == ["one|child|NULL", "other|NULL|NULL"])
    }
  }

  @Test("Objects linked again here stay linked when an earlier unlinking by others is merged", .tags(.d13, .d5))
  func linkedAgain() throws {
    let stack = try stack()
    let (here, there) = (stack.context(), stack.context())
    try here.performAndWait { () throws in
      let (one, other) = (try make("Item", "one", in: here), try make("Item", "other", in: here))
      try one.setObject(other, forKey: "partner")
      try here.save()
      let objectIDs = [one.objectID, other.objectID]
      try there.performAndWait { () throws in
        try there.existingObject(with: objectIDs[0]).setObject(nil, forKey: "partner")
        try there.save()
      }
      // This one knows about the separation, the other one does not.
      try here.refresh(one, mergeChanges: true)
      try one.setObject(other, forKey: "partner")
      try here.mergeChanges(fromContextDidSave: ChangedObjectIDs(updated: objectIDs))
      #expect(try one.object(forKey: "partner") === other && other.object(forKey: "partner") === one)
      try here.save()
      #expect(try stack.rows("SELECT ZPARTNER FROM ZITEM ORDER BY Z_PK") == ["2", "1"])
    }
  }

  @Test("A pair that others stored meanwhile is removed at both ends", .tags(.d13, .d5), arguments: [false, true])
  func pairOfOthers(isMerged: Bool) throws {
    let stack = try stack()
    let (here, there) = (stack.context(.mergeByPropertyObjectTrump), stack.context())
    try here.performAndWait { () throws in
      let (item, tag) = (try make("Item", "item", in: here), try here.insertNewObject(forEntityName: "Tag"))
      try here.save()
      #expect(try item.objects(forKey: "tags") == [])
      try here.refresh(tag, mergeChanges: false)
      let (itemID, tagID) = (item.objectID, tag.objectID)
      try there.performAndWait { () throws in
        try there.existingObject(with: tagID).addObject(try there.existingObject(with: itemID), forKey: "items")
        try there.save()
      }
      // The item does not know about the pair, and the tag knows when it is read.
      try item.addObject(tag, forKey: "tags")
      #expect(try tag.objects(forKey: "items") == [item])
      try tag.setObjects([], forKey: "items")
      if isMerged { try here.mergeChanges(fromContextDidSave: ChangedObjectIDs(updated: [itemID, tagID])) }
      #expect(try item.objects(forKey: "tags") == [] && tag.objects(forKey: "items") == [])
      try here.save()
      let other = stack.context()
      try other.performAndWait { () throws in
        #expect(try other.existingObject(with: itemID).objects(forKey: "tags") == [])
      }
    }
  }

  @Test("A pair that is added and removed is gone, whichever end knows what others stored", .tags(.d13, .d5))
  func pairTakenOutAgain() throws {
    let stack = try stack()
    let (here, there) = (stack.context(.mergeByPropertyObjectTrump), stack.context())
    try here.performAndWait { () throws in
      let (item, tag) = (try make("Item", "item", in: here), try here.insertNewObject(forEntityName: "Tag"))
      try here.save()
      #expect(try item.objects(forKey: "tags") == [] && tag.objects(forKey: "items") == [])
      let (itemID, tagID) = (item.objectID, tag.objectID)
      try there.performAndWait { () throws in
        try there.existingObject(with: tagID).addObject(try there.existingObject(with: itemID), forKey: "items")
        try there.save()
      }
      try tag.addObject(item, forKey: "items")
      try here.refresh(item, mergeChanges: true)
      try tag.removeObject(item, forKey: "items")
      try here.mergeChanges(fromContextDidSave: ChangedObjectIDs(updated: [itemID, tagID]))
      #expect(try item.objects(forKey: "tags") == [] && tag.objects(forKey: "items") == [])
      try here.save()
      let other = stack.context()
      try other.performAndWait { () throws in
        #expect(try other.existingObject(with: tagID).objects(forKey: "items") == [])
      }
    }
  }
}
