// D13, D5: saves that fail after conflicts were resolved and leave their context unchanged; every stack checks its
// store at the end.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D13 D5 · contexts after a failed save")
struct FailedSaveTests {
  @Test("An object that was set to its own value keeps its values", .tags(.d13, .d5))
  func unchangedValues() throws {
    let stack = try TestStack.owners(.deny)
    let (here, there) = (stack.context(.overwrite), stack.context())
    try here.performAndWait { () throws in
      let (taker, holder) = (try here.make("Owner", "taker"), try here.make("Owner", "holder"))
      let (owner, badge) = (try here.make("Owner", "owner"), try here.make("Badge", "badge"))
      try here.make("Thing", "thing").setObject(holder, forKey: "owner")
      try taker.setObject(badge, forKey: "badge")
      try here.save()
      let (ownerID, badgeID) = (owner.objectID, badge.objectID)
      try there.performAndWait { () throws in
        try there.existingObject(with: badgeID).setObject(try there.existingObject(with: ownerID), forKey: "owner")
        try there.save()
      }
      owner["name"] = "owner"
      try badge.setObject(nil, forKey: "owner")
      taker["name"] = "holder"
      #expect(throws: ObjectGraphError.self) { () throws in try here.save() }
      #expect(try owner.object(forKey: "badge") == nil)
      #expect(here.updatedObjects.contains(owner) && taker["name"] == "holder" && !holder.isDeleted)
    }
  }

  @Test("An object that was set to its own value keeps its relationships", .tags(.d13, .d5))
  func unchangedRelationships() throws {
    let stack = try TestStack.owners(.deny)
    let (here, there) = (stack.context(.overwrite), stack.context())
    try here.performAndWait { () throws in
      let (taker, holder) = (try here.make("Owner", "taker"), try here.make("Owner", "holder"))
      try here.make("Thing", "thing").setObject(holder, forKey: "owner")
      let (owner, deleted) = (try here.make("Owner", "owner"), try here.make("Thing", "deleted"))
      try deleted.setObject(owner, forKey: "owner")
      try here.save()
      let deletedID = deleted.objectID
      try there.performAndWait { () throws in
        try there.delete(try there.existingObject(with: deletedID))
        try there.save()
      }
      #expect(try owner.objects(forKey: "things") == [deleted])
      owner["name"] = "owner"
      deleted["name"] = "changed"
      taker["name"] = "holder"
      #expect(throws: ObjectGraphError.self) { () throws in try here.save() }
      #expect(try owner.objects(forKey: "things") == [deleted])
    }
  }

  @Test("A row that another context deleted stays deleted for contexts that look for it", .tags(.d13, .d5))
  func deletedRow() throws {
    let stack = try TestStack.owners(.deny)
    let (here, there) = (stack.context(.mergeByPropertyObjectTrump), stack.context())
    try here.performAndWait { () throws in
      let (taker, holder) = (try here.make("Owner", "taker"), try here.make("Owner", "holder"))
      try here.make("Thing", "thing").setObject(holder, forKey: "owner")
      let deleted = try here.make("Badge", "deleted")
      try here.save()
      let deletedID = deleted.objectID
      try there.performAndWait { () throws in
        try there.delete(try there.existingObject(with: deletedID))
        try there.save()
      }
      deleted["name"] = "changed"
      taker["name"] = "holder"
      #expect(throws: ObjectGraphError.self) { () throws in try here.save() }
      #expect(deleted["name"] == "changed" && here.updatedObjects.contains(deleted))
      let other = stack.context()
      other.performAndWait {
        #expect(throws: ObjectGraphError.self) { () throws in try other.existingObject(with: deletedID) }
      }
    }
  }

  @Test(
    "A child's save that fails because of the parent's value changes neither of them",
    .tags(.d13, .d5, .d6))
  func takenFromParent() throws {
    let stack = try TestStack([
      EntityDescription(
        "Thing",
        attributes: [
          AttributeDescription(
            "count", .int64, isOptional: true, validationRules: [.range(minimum: nil, maximum: .integer(10))]),
          AttributeDescription("note", .string, isOptional: true),
        ])
    ])
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    child.mergePolicy = .mergeByPropertyStoreTrump
    try parent.performAndWait { () throws in
      let thing = try parent.insertNewObject(forEntityName: "Thing")
      try parent.save()
      let thingID = thing.objectID
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: thingID)
        mine["count"] = 2
        mine["note"] = "mine"
      }
      thing["count"] = 3
      try parent.save()
      thing["count"] = 11
      try child.performAndWait { () throws in
        #expect(throws: ObjectGraphError.self) { () throws in try child.save() }
        let mine = try child.existingObject(with: thingID)
        #expect(mine["count"] == 2 && mine["note"] == "mine" && child.updatedObjects == [mine])
        #expect(mine.changedValues().keys.sorted() == ["count", "note"])
      }
      #expect(thing["count"] == 11 && thing["note"].isNull)
      thing["count"] = 4
      try child.performAndWait { () throws in try child.save() }
      #expect(thing["count"] == 4 && thing["note"] == "mine")
      try parent.save()
    }
  }
}
