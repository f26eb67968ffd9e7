// D6: what a child's save makes of relationships in its parent.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

extension ChildSaveTests {
  @Test("What a child moved away from an object and deleted then does not take that object along", .tags(.d6, .d5))
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
}
