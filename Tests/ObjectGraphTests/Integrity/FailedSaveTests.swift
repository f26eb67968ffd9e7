// D13, D5: saves that fail after conflicts were resolved, each of which leaves its context as it was; every stack checks its
// store in the end.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D13 D5 · a failed save leaves its context as it was")
struct FailedSaveTests {
  /// Owners that are unique by name and stay as long as they have things, one to one with a badge.
  private func stack() throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Owner", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true, deleteRule: .deny),
          RelationshipDescription("badge", to: "Badge", inverse: "owner"),
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        "Thing", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")]),
      EntityDescription(
        "Badge", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("owner", to: "Owner", inverse: "badge")]),
    ])
  }

  private func make(_ entity: String, _ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let object = try context.insertNewObject(forEntityName: entity)
    object["name"] = .string(name)
    return object
  }

  @Test("An object that was set to what it is has the values that it had", .tags(.d13, .d5))
  func unchangedValues() throws {
    let stack = try stack()
    let (here, there) = (stack.context(.overwrite), stack.context())
    try here.performAndWait { () throws in
      let (taker, holder) = (try make("Owner", "taker", in: here), try make("Owner", "holder", in: here))
      let (owner, badge) = (try make("Owner", "owner", in: here), try make("Badge", "badge", in: here))
      try make("Thing", "thing", in: here).setObject(holder, forKey: "owner")
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

  @Test("An object that was set to what it is has the relationships that it had", .tags(.d13, .d5))
  func unchangedRelationships() throws {
    let stack = try stack()
    let (here, there) = (stack.context(.overwrite), stack.context())
    try here.performAndWait { () throws in
      let (taker, holder) = (try make("Owner", "taker", in: here), try make("Owner", "holder", in: here))
      try make("Thing", "thing", in: here).setObject(holder, forKey: "owner")
      let (owner, deleted) = (try make("Owner", "owner", in: here), try make("Thing", "deleted", in: here))
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
}
