// D4, D6: the state of objects after their context was reset.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D4 D6 · resetting a context")
struct ResetTests {
  @Test("Stored objects that somebody holds stay faults for good, without their transient values", .tags(.d4))
  func stored() throws {
    let item = EntityDescription(
      "Item",
      attributes: [
        AttributeDescription("size", .double),
        AttributeDescription("note", .string, isOptional: true, isTransient: true),
      ])
    let stack = try TestStack([item])
    let context = stack.context()
    try context.performAndWait { () throws in
      let held = try (0..<3).map { _ in try context.insertNewObject(forEntityName: "Item") }
      for object in held {
        object["size"] = 1.5
        object["note"] = "here"
      }
      try context.save()
      held[1]["size"] = 2.5
      try context.delete(held[2])
      context.reset()
      for object in held {
        #expect(object.isFault && !object.isDeleted && !object.hasChanges && object.managedObjectContext == nil)
        #expect(object["size"] == .null && object["note"] == .null && object.changedValues().isEmpty)
        #expect(throws: ObjectGraphError.missingObject(object.objectID)) { () throws in
          _ = try object.value(forKey: "size")
        }
        #expect(throws: ObjectGraphError.deletedObject(object.objectID)) { () throws in try context.delete(object) }
        object["size"] = 9.5
        #expect(object["size"] == .null && !context.hasChanges && context.registeredObjects.isEmpty)
        let again = try context.existingObject(with: object.objectID)
        #expect(again !== object && again["size"] == 1.5 && again["note"] == .null)
        context.reset()
      }
    }
  }

  @Test("Relationships of such objects can no longer be read", .tags(.d4))
  func relationships() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let album = try Library.make("Album", "A", in: context)
      try album.setObject(try Library.make("Artist", "B", in: context), forKey: "artist")
      try album.setObjects([try Library.make("Track", "T", in: context)], forKey: "tracks")
      try context.save()
      context.reset()
      let gone = ObjectGraphError.missingObject(album.objectID)
      #expect(throws: gone) { () throws in _ = try album.objects(forKey: "tracks") }
      #expect(throws: gone) { () throws in _ = try album.object(forKey: "artist") }
      #expect(throws: gone) { () throws in try album.setObjects([], forKey: "tracks") }
      #expect(album[ToManyKey<ManagedObject>("tracks")].isEmpty && album[ToOneKey<ManagedObject>("artist")] == nil)
      #expect(!context.hasChanges)
    }
    #expect(try stack.rows("SELECT ZALBUM FROM ZTRACK") == ["1"])
  }

  @Test("New objects are deleted", .tags(.d4))
  func new() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      context.reset()
      #expect(quake.isDeleted && !quake.isInserted && quake.managedObjectContext == nil && !context.hasChanges)
      #expect(try context.fetch(FetchRequest(entityName: "Quake")).isEmpty)
    }
  }
}
