// D6: the effects of a child's save on relationships in its parent.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

extension ChildSaveTests {
  @Test(
    "A deletion in a child cascades to the object's new partner, not to the one it was moved from",
    .tags(.d6, .d5))
  func movedAndDeleted() throws {
    let stack = try TestStack([
      EntityDescription(
        "Cover", relationships: [RelationshipDescription("album", to: "Album", inverse: "covers", deleteRule: .cascade)]
      ),
      EntityDescription(
        "Album", attributes: [AttributeDescription("title", .string, isOptional: true)],
        relationships: [RelationshipDescription("covers", to: "Cover", inverse: "album", isToMany: true)]),
    ])
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let cover = try parent.insertNewObject(forEntityName: "Cover")
      for title in ["gone", "kept"] {
        try cover.setObject(try Library.make("Album", title, in: parent), forKey: "album")
      }
      try parent.save()
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: cover.objectID)
        try mine.setObject(try Library.find("Album", "gone", in: child), forKey: "album")
        try child.delete(mine)
        try child.save()
      }
      #expect(parent.deletedObjects.filter { $0 !== cover }.map(\.name) == ["gone"])
      try parent.save()
    }
    #expect(try stack.rows("SELECT ZTITLE FROM ZALBUM") == ["kept"])
    #expect(try stack.rows("SELECT count(*) FROM ZCOVER") == ["0"])
  }

  @Test("A parent has objects that a child appended, in the child's order", .tags(.d6, .d1))
  func orderOfAdditions() throws {
    let stack = try Library.stack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let owners = [try Library.make("Album", "A", in: parent), try Library.make("Playlist", "L", in: parent)]
      for owner in owners { try owner.addObject(try Library.make("Track", "first", in: parent), forKey: "tracks") }
      try Library.make("Track", "old", in: parent)
      try parent.save()
      let names = ["first", "old", "new"]
      try child.performAndWait { () throws in
        let added = [try Library.find("Track", "old", in: child), try Library.make("Track", "new", in: child)]
        for owner in owners {
          let mine = try child.existingObject(with: owner.objectID)
          for track in added { try mine.addObject(track, forKey: "tracks") }
          #expect(try mine.names("tracks") == names)
        }
        try child.save()
      }
      for owner in owners { #expect(try owner.names("tracks") == names) }
      try parent.save()
      parent.reset()
      #expect(try Library.find("Album", "A", in: parent).names("tracks") == names)
      #expect(try Library.find("Playlist", "L", in: parent).names("tracks") == names)
    }
  }

  @Test(
    "New objects of a child that have permanent IDs already reach its parent with their relationships", .tags(.d6, .d1))
  func obtainedIDs() throws {
    let stack = try Library.stack()
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      try child.performAndWait { () throws in
        let album = try Library.make("Album", "A", in: child)
        let list = try Library.make("Playlist", "L", in: child)
        let track = try Library.make("Track", "T", in: child)
        try child.obtainPermanentIDs(for: [album, list, track])
        for owner in [album, list] { try owner.addObject(track, forKey: "tracks") }
        try child.save()
      }
      let track = try #require(try parent.fetch(FetchRequest(entityName: "Track")).first)
      #expect(try track.object(forKey: "album")?.name == "A" && track.names("lists") == ["L"])
      try parent.save()
    }
    #expect(try stack.rows("SELECT ZTITLE, ZALBUM FROM ZTRACK") == ["T|1"])
    #expect(try stack.rows("SELECT count(*) FROM Z_6TRACKS") == ["1"])
  }

  @Test(
    "A child unlinks an object from a new one that its parent has saved meanwhile, without a conflict", .tags(.d6, .d13)
  )
  func savedMeanwhile() throws {
    let stack = try TestStack.owners(.nullify)
    let parent = stack.context()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let thing = try parent.make("Thing", "thing")
      try parent.save()
      let owner = try parent.make("Owner", "owner")
      try thing.setObject(owner, forKey: "owner")
      let thingID = thing.objectID
      try child.performAndWait { () throws in
        try child.existingObject(with: thingID).setObject(nil, forKey: "owner")
      }
      try parent.save()
      let ownerID = owner.objectID
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: thingID)
        #expect(mine.committedValues(forKeys: ["owner"])["owner"]?.object?.objectID == ownerID)
        try child.save()
      }
      #expect(try thing.object(forKey: "owner") == nil)
      try parent.save()
    }
    #expect(try stack.rows("SELECT ZOWNER FROM ZTHING") == ["NULL"])
  }

  @Test(
    "An object replaced by a stored row of another entity loses the relationships that this row cannot have",
    .tags(.d6, .d13), arguments: [false, true])
  func givenWay(isNew: Bool) throws {
    let stack = try TestStack([
      EntityDescription(
        "Item", attributes: [AttributeDescription("code", .int64, isOptional: true)],
        relationships: [RelationshipDescription("boxes", to: "Box", inverse: "items", isToMany: true)],
        uniquenessConstraints: [["code"]]),
      EntityDescription(
        "Special", superentity: "Item",
        relationships: [
          RelationshipDescription("owned", to: "Box", inverse: "owner", isToMany: true),
          RelationshipDescription("kept", to: "Box", inverse: "keepers", isToMany: true),
        ]),
      EntityDescription(
        "Box",
        relationships: [
          RelationshipDescription("items", to: "Item", inverse: "boxes", isToMany: true),
          RelationshipDescription("owner", to: "Special", inverse: "owned"),
          RelationshipDescription("keepers", to: "Special", inverse: "kept", isToMany: true),
        ]),
    ])
    let parent = stack.context()
    parent.mergePolicy = .mergeByPropertyStoreTrump
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      try parent.insertNewObject(forEntityName: "Item")["code"] = 1
      let stored = try parent.insertNewObject(forEntityName: "Box")
      try parent.save()
      let special = try parent.insertNewObject(forEntityName: "Special")
      special["code"] = 1
      let (specialID, storedID) = (special.objectID, stored.objectID)
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: specialID)
        let box = isNew ? try child.insertNewObject(forEntityName: "Box") : try child.existingObject(with: storedID)
        try box.setObject(mine, forKey: "owner")
        for key in ["items", "keepers"] { try box.addObject(mine, forKey: key) }
        try parent.save()
        try child.save()
        #expect(try box.object(forKey: "owner") == nil && box.objects(forKey: "keepers").isEmpty)
      }
      try parent.save()
    }
    #expect(try stack.coordinator.integrity().isSound)
    #expect(try stack.rows("SELECT Z_ENT, ZCODE FROM ZITEM").count == 1)
    #expect(try stack.rows("SELECT count(ZOWNER) FROM ZBOX") == ["0"])
  }
}
