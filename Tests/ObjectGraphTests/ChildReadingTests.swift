// D6: how a child reads several objects of its parent at once.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@Suite("D6 · reads of a child from its parent", .tags(.d6))
struct ChildReadingTests {
  /// An artist with three stored albums, a store that counts its SELECTs, and a parent that has not read anything.
  private func library() throws -> (
    stack: TestStack, parent: ManagedObjectContext, artistID: ManagedObjectID, statementCount: () -> Int
  ) {
    let statements = Lock<Int>(0)
    let entities = try Library.stack().coordinator.managedObjectModel.entities
    let stack = try TestStack(entities) { description in
      description.sqlTrace = SQLTrace { line in
        if line.contains("sql: SELECT") { statements.withLock { $0 += 1 } }
      }
    }
    let writer = stack.context()
    let artistID = try writer.performAndWait { () throws in
      let artist = try Library.make("Artist", "A", in: writer)
      for title in ["one", "two", "three"] {
        try artist.addObject(try Library.make("Album", title, in: writer), forKey: "albums")
      }
      try writer.save()
      return artist.objectID
    }
    let count = {
      statements.withLock { statements in
        defer { statements = 0 }
        return statements
      }
    }
    writer.performAndWait { writer.reset() }
    _ = count()
    return (stack, stack.context(), artistID, count)
  }

  @Test("Prefetching fills a child's faults with one request, which costs its parent one statement")
  func prefetching() throws {
    let (stack, parent, artistID, statementCount) = try library()
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait { () throws in
      var request = FetchRequest(entityName: "Artist")
      request.relationshipKeyPathsForPrefetching = ["albums"]
      let artist = try #require(try child.fetch(request).first)
      #expect(artist.objectID == artistID)
      let albums = try artist.objects(forKey: "albums")
      // The artist, the keys of its albums, and the albums.
      #expect(statementCount() == 3)
      #expect(albums.count == 3 && albums.allSatisfy { !$0.isFault })
      #expect(albums.map(\.name) == ["one", "two", "three"] && statementCount() == 0)
    }
    withExtendedLifetime(stack) {}
  }

  @Test("A child's faults have the parent's unsaved values and new objects, and none that it deletes")
  func unsaved() throws {
    let (stack, parent, artistID, _) = try library()
    let child = ManagedObjectContext(parent: parent)
    try parent.performAndWait { () throws in
      let artist = try parent.existingObject(with: artistID)
      let albums = try artist.objects(forKey: "albums")
      albums[0]["title"] = "first"
      try albums[2].setObject(nil, forKey: "artist")
      try artist.addObject(try Library.make("Album", "new", in: parent), forKey: "albums")
      try child.performAndWait { () throws in
        let mine = try child.existingObject(with: artistID)
        let members = try mine.objects(forKey: "albums")
        #expect(members.map(\.isFault) == [true, true, true])
        // It is deleted after the child has made its fault.
        try parent.delete(albums[1])
        try child.delete(mine)
        child.processPendingChanges()
        #expect(child.deletedObjects.map(\.objectID) == [artistID, members[0].objectID, members[2].objectID])
        #expect(members.map(\.isFault) == [false, true, false] && members[1].isDeleted)
        #expect([members[0].name, members[2].name] == ["first", "new"])
      }
    }
    withExtendedLifetime(stack) {}
  }

  @Test("A fetch returns what the parent has read, in that order, whatever others have stored since")
  func olderThanStored() throws {
    let stack = try TestStack()
    let (parent, other) = (stack.context(), stack.context())
    let all = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("magnitude")])
    try parent.performAndWait { () throws in
      for (number, code) in ["a", "b", "c"].enumerated() { try Quake.insert(code, Double(number), into: parent) }
      try parent.save()
      let held = Array(try parent.fetch(all))
      try other.performAndWait { () throws in
        for quake in try other.fetch(all) { quake[Quake.magnitude] = 9 - (quake[Quake.magnitude] ?? 0) }
        try Quake.insert("d", 1.5, into: other)
        try other.save()
      }
      let child = ManagedObjectContext(parent: parent)
      func shown() throws -> [String] {
        try child.fetch(all).map { "\($0[Quake.code] ?? "") \($0[Quake.magnitude] ?? 0)" }
      }
      try child.performAndWait { () throws in
        #expect(try shown() == ["a 0.0", "b 1.0", "d 1.5", "c 2.0"])
        // Like a fault, which also uses what the parent has.
        child.reset()
        #expect(try child.object(with: held[2].objectID)[Quake.magnitude] == 2)
        try parent.refreshAllObjects()
        try child.refreshAllObjects()
        #expect(try shown() == ["d 1.5", "c 7.0", "b 8.0", "a 9.0"])
      }
    }
  }
}
