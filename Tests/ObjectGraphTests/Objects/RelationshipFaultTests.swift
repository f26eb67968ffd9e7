// D4: whether a relationship still has to be read, and paths over deleted objects.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D4 · relationships that are faults")
struct RelationshipFaultTests {
  /// A stored artist with an album and a track, in a context that has not read anything.
  private func stored() throws -> (TestStack, ManagedObjectContext) {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let album = try Library.make("Album", "Blue", in: context)
      try album.setObject(try Library.make("Artist", "Nina", in: context), forKey: "artist")
      try album.addObject(try Library.make("Track", "One", in: context), forKey: "tracks")
      try context.save()
      context.reset()
    }
    return (stack, context)
  }

  @Test("A to-one relationship is a fault as long as its object is one", .tags(.d4))
  func toOne() throws {
    let (stack, context) = try stored()
    try context.performAndWait { () throws in
      let album = try Library.find("Album", "Blue", in: context)
      #expect(!album.hasFault(forRelationshipNamed: "artist") && album.hasFault(forRelationshipNamed: "tracks"))
      try context.refresh(album, mergeChanges: false)
      #expect(album.hasFault(forRelationshipNamed: "artist") && album.isFault)
      #expect(try album.object(forKey: "artist")?.name == "Nina")
      #expect(!album.hasFault(forRelationshipNamed: "artist"))
      #expect(try !Library.make("Album", "New", in: context).hasFault(forRelationshipNamed: "artist"))
    }
    withExtendedLifetime(stack) {}
  }

  @Test(
    "A path through a row that others deleted finds nothing, in memory and in the store", .tags(.d3),
    arguments: [
      ("album.artist.name == 'Nina'", 0), ("album.artist.name == NULL", 1), ("album.artist == NULL", 1),
      ("album.artist.name != 'Nina'", 1), ("NOT album.artist.name BEGINSWITH 'N'", 1),
      ("album.artist.label.name CONTAINS 'x'", 0), ("album.title == NULL", 1),
    ])
  func brokenPath(format: String, count: Int) throws {
    let (stack, context) = try stored()
    try stack.execute("DELETE FROM ZALBUM")
    try context.performAndWait { () throws in
      let request = FetchRequest(entityName: "Track", predicate: try FetchPredicate(format: format))
      #expect(try context.count(for: request) == count, "in the store")
      let track = try Library.find("Track", "One", in: context)
      track["title"] = "Two"
      #expect(try context.fetch(request).count == count, "in memory")
    }
  }
}
