// D3, D4: faults that came together are read together but filled one by one.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D4 · faults that are read together")
struct FaultBatchTests {
  /// An album with a hundred tracks, its faults in a separate context, and the SELECTs since the last call.
  private func logged(
    _ body: (TestStack, ManagedObjectContext, ManagedObject, _ statements: () -> [String]) throws -> Void
  ) throws {
    let lines = Lock<[String]>([])
    let stack = try Library.stack()
    let writer = stack.context()
    let albumID = try writer.performAndWait { () throws in
      let album = try Library.make("Album", "album", in: writer)
      for number in 0..<100 {
        try album.addObject(try Library.make("Track", "track \(number)", in: writer), forKey: "tracks")
      }
      try writer.save()
      return album.objectID
    }
    try stack.coordinator.close()
    var description = stack.description()
    description.sqlTrace = SQLTrace { line in
      if line.contains("sql: SELECT") { lines.withLock { $0.append(line) } }
    }
    try stack.coordinator.addPersistentStore(description)
    let context = stack.context()
    try context.performAndWait { () throws in
      let album = try context.existingObject(with: albumID)
      lines.withLock { $0 = [] }
      try body(stack, context, album) {
        lines.withLock { lines in
          defer { lines = [] }
          return lines
        }
      }
    }
  }

  @Test("The objects of a relationship take one statement for their keys and one for their rows", .tags(.d3, .d4))
  func relationship() throws {
    try logged { _, _, album, statements in
      let tracks = try album.objects(forKey: "tracks")
      #expect(tracks.count == 100 && tracks.allSatisfy(\.isFault) && statements().count == 1)
      #expect(tracks[0]["title"] == "track 0" && statements().count == 1)
      #expect(tracks.map(\.isFault) == (0..<100).map { $0 > 0 }, "the others are filled when they are looked at")
      #expect(tracks.map { $0["title"] } == (0..<100).map { .string("track \($0)") } && statements() == [])
    }
  }

  @Test("A limit sets how many rows are read together; with 1, each fault reads only its own", .tags(.d4))
  func limit() throws {
    for (size, count) in [(30, 4), (100, 1), (Int.max, 1), (1, 100), (0, 100)] {
      try logged { _, context, album, statements in
        context.faultBatchSize = size
        let tracks = try album.objects(forKey: "tracks")
        #expect(statements().count == 1)
        #expect(tracks.reversed().map { $0["title"] } == (0..<100).reversed().map { .string("track \($0)") })
        #expect(statements().count == count, "\(size) together")
      }
    }
  }

  @Test("Changes by this coordinator after rows were read together are seen", .tags(.d4))
  func changedSince() throws {
    try logged { stack, context, album, statements in
      let tracks = try album.objects(forKey: "tracks")
      #expect(tracks[0]["title"] == "track 0")
      let other = stack.context()
      try other.performAndWait { () throws in
        try other.existingObject(with: tracks[1].objectID)["title"] = "changed"
        try other.delete(try other.existingObject(with: tracks[2].objectID))
        try other.save()
      }
      #expect(tracks[1]["title"] == "changed" && tracks[2]["title"] == .null && tracks[2].isDeleted)
      try other.performAndWait { () throws in
        let third = try FetchPredicate(format: "title == 'track 3'")
        try other.execute(
          BatchUpdateRequest(entityName: "Track", propertiesToUpdate: ["title": "by a batch"], predicate: third))
      }
      #expect(tracks[3]["title"] == "by a batch" && tracks[4]["title"] == "track 4")
    }
  }

  @Test("Nothing is read ahead if no cached row is young enough, nor for objects that nobody holds", .tags(.d4))
  func ownRowsAlone() throws {
    try logged { _, context, album, statements in
      context.stalenessInterval = 0
      let tracks = try album.objects(forKey: "tracks")
      _ = statements()
      #expect(tracks[0]["title"] == "track 0" && tracks[1]["title"] == "track 1" && statements().count == 2)
    }
    try logged { _, _, album, statements in
      let first = try album.objects(forKey: "tracks").first
      #expect(first?["title"] == "track 0")
      #expect(statements().count { $0.contains("json_each") } == 1, "the keys alone were read together")
    }
  }
}

extension FaultBatchTests {
  @Test("A row that others turned into another entity is in no batch of the former one", .tags(.d3, .d4))
  func otherEntity() throws {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for number in 0..<4 { try Library.make("Band", "band \(number)", in: context) }
      try context.save()
      context.reset()
      var request = FetchRequest(entityName: "Band", sortDescriptors: [FetchSortDescriptor("name")])
      request.fetchBatchSize = 2
      let bands = try context.fetch(request)
      #expect(bands[0]["name"] == "band 0")
      try stack.execute(
        "UPDATE ZARTIST SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Artist') WHERE ZNAME = 'band 3'")
      #expect(bands[2]["name"] == "band 2")
      #expect(bands[3].isDeleted && bands[3]["name"] == .null && bands[3].managedObjectContext == nil)
    }
  }
}
