// D13, D5: deletions that are undone while delete rules still apply; every stack checks its store at the end.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D13 D5 · delete rules after a deletion that is undone")
struct RevivedDeletionTests {
  private static let losing = [MergePolicy.mergeByPropertyStoreTrump, .rollback]

  /// Owners are deleted with each of their badges and things.
  private func stack() throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Owner", attributes: [AttributeDescription("note", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true),
          RelationshipDescription("badges", to: "Badge", inverse: "owner", isToMany: true),
          RelationshipDescription("friends", to: "Owner", inverse: "friends", isToMany: true),
        ]),
      EntityDescription(
        "Thing", relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")]),
      EntityDescription(
        "Badge",
        relationships: [RelationshipDescription("owner", to: "Owner", inverse: "badges", deleteRule: .cascade)]),
    ])
  }

  @Test(
    "An object that others related to one whose deletion is undone loses the reference",
    .tags(.d13, .d5), arguments: losing)
  func relatedMeanwhile(policy: MergePolicy) throws {
    let stack = try stack()
    let (here, there) = (stack.context(policy), stack.context())
    try here.performAndWait { () throws in
      let owner = try here.insertNewObject(forEntityName: "Owner")
      let thing = try here.insertNewObject(forEntityName: "Thing")
      let badge = try here.insertNewObject(forEntityName: "Badge")
      try badge.setObject(owner, forKey: "owner")
      try here.save()
      let (ownerID, thingID) = (owner.objectID, thing.objectID)
      try there.performAndWait { () throws in
        try there.existingObject(with: thingID).setObject(try there.existingObject(with: ownerID), forKey: "owner")
        try there.save()
      }
      try here.delete(badge)
      try here.save()
      #expect(try thing.object(forKey: "owner") == nil)
      #expect(try stack.rows("SELECT ZOWNER FROM ZTHING") == ["NULL"])
      #expect(try stack.rows("SELECT * FROM ZOWNER") == [])
    }
  }

  @Test(
    "A deleted object's cascade also deletes an object whose own deletion is undone", .tags(.d13, .d5),
    arguments: losing)
  func cascade(policy: MergePolicy) throws {
    let stack = try stack()
    let (here, there) = (stack.context(policy), stack.context())
    try here.performAndWait { () throws in
      let owner = try here.insertNewObject(forEntityName: "Owner")
      let badge = try here.insertNewObject(forEntityName: "Badge")
      try badge.setObject(owner, forKey: "owner")
      try here.save()
      let ownerID = owner.objectID
      try there.performAndWait { () throws in
        try there.existingObject(with: ownerID)["note"] = "changed"
        try there.save()
      }
      try here.delete(owner)
      here.processPendingChanges()
      try here.delete(badge)
      try here.save()
      #expect(try stack.rows("SELECT * FROM ZBADGE") == [])
      #expect(try stack.rows("SELECT * FROM ZOWNER") == [])
    }
  }

  @Test(
    "An object whose deletion is undone loses relationships that were set, but not saved, before it",
    .tags(.d13, .d5), arguments: losing)
  func addedBefore(policy: MergePolicy) throws {
    let stack = try stack()
    let (here, there) = (stack.context(policy), stack.context())
    try here.performAndWait { () throws in
      let (owner, friend) = (
        try here.insertNewObject(forEntityName: "Owner"), try here.insertNewObject(forEntityName: "Owner")
      )
      try here.save()
      let ownerID = owner.objectID
      try there.performAndWait { () throws in
        try there.existingObject(with: ownerID)["note"] = "changed"
        try there.save()
      }
      try owner.addObject(friend, forKey: "friends")
      try here.delete(owner)
      try here.save()
      #expect(!owner.isDeleted && !here.hasChanges)
      #expect(try owner.objects(forKey: "friends") == [] && friend.objects(forKey: "friends") == [])
      owner["note"] = "again"
      try here.save()
    }
    #expect(try stack.coordinator.integrity().isSound)
  }

  @Test(
    "Other contexts see changes from before an undone deletion", .tags(.d13, .d5, .c1), arguments: losing)
  func leftBefore(policy: MergePolicy) throws {
    let stack = try stack()
    let (here, there) = (stack.context(policy), stack.context())
    try here.performAndWait { () throws in
      let owner = try here.insertNewObject(forEntityName: "Owner")
      let thing = try here.insertNewObject(forEntityName: "Thing")
      try thing.setObject(owner, forKey: "owner")
      try here.save()
      let ownerID = owner.objectID
      let saved = Lock<ContextNotification?>(nil)
      try there.performAndWait { () throws in
        let same = try there.existingObject(with: ownerID)
        same["note"] = "changed"
        try there.save()
        #expect(try same.objects(forKey: "things").count == 1)
      }
      try thing.setObject(nil, forKey: "owner")
      try here.delete(owner)
      let observation = here.observe(.didSave) { news in saved.withLock { $0 = news } }
      try here.save()
      observation.cancel()
      #expect(!owner.isDeleted && !here.hasChanges)
      let news = try #require(saved.withLock { $0 })
      #expect(Set(news.updated) == [ownerID, thing.objectID])
      try there.performAndWait { () throws in
        try there.mergeChanges(fromContextDidSave: news)
        #expect(try there.existingObject(with: ownerID).objects(forKey: "things") == [])
      }
    }
  }

  @Test(
    "A refreshed object that was to be deleted has its friends again, but not objects that refer elsewhere",
    .tags(.d13, .d5))
  func refreshed() throws {
    let stack = try stack()
    let here = stack.context()
    try here.performAndWait { () throws in
      let (owner, friend) = (
        try here.insertNewObject(forEntityName: "Owner"), try here.insertNewObject(forEntityName: "Owner")
      )
      let thing = try here.insertNewObject(forEntityName: "Thing")
      try thing.setObject(owner, forKey: "owner")
      try owner.addObject(friend, forKey: "friends")
      try here.save()
      try here.delete(owner)
      here.processPendingChanges()
      #expect(try friend.objects(forKey: "friends") == [] && thing.object(forKey: "owner") == nil)
      try here.refresh(owner, mergeChanges: false)
      #expect(!owner.isDeleted && here.deletedObjects == [])
      #expect(try owner.objects(forKey: "friends") == [friend] && friend.objects(forKey: "friends") == [owner])
      // The missing destination is a change of the thing.
      #expect(try thing.object(forKey: "owner") == nil && owner.objects(forKey: "things") == [])
      try here.save()
      #expect(try owner.objects(forKey: "friends") == [friend])
      #expect(try stack.rows("SELECT ZOWNER FROM ZTHING") == ["NULL"])
    }
    #expect(try stack.coordinator.integrity().isSound)
  }
}
