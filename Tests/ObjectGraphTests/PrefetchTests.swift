// D3: relationships read together with a fetch: few statements, and none for accessing them afterwards.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D3 · prefetching")
struct PrefetchTests {
  /// Three labels of ten artists with two albums of three tracks, and a playlist of every tenth track; with the SQL of
  /// the store and a context that reads.
  private func library() throws -> (TestStack, reader: ManagedObjectContext, statements: @Sendable () -> [String]) {
    let stack = try Library.stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let list = try Library.make("Playlist", "L", in: context)
      for l in 0..<3 {
        let label = try Library.make("Label", "label \(l)", in: context)
        for a in 0..<10 {
          let artist = try Library.make(a % 2 == 0 ? "Artist" : "Band", "artist \(l)-\(a)", in: context)
          try artist.setObject(label, forKey: "label")
          for b in 0..<2 {
            let album = try Library.make("Album", "album \(b)", in: context)
            try album.setObject(artist, forKey: "artist")
            for t in 0..<3 {
              let track = try Library.make("Track", "track \(t)", in: context)
              try album.addObject(track, forKey: "tracks")
              if l == 0 && a == 0 && b == 0 { try list.addObject(track, forKey: "tracks") }
            }
          }
        }
      }
      try context.save()
    }
    let lines = Lock<[String]>([])
    try stack.coordinator.close()
    var description = stack.description()
    description.sqlTrace = SQLTrace { line in
      if line.contains("sql: SELECT") { lines.withLock { $0.append(line) } }
    }
    try stack.coordinator.addPersistentStore(description)
    let reader = stack.context()
    try reader.performAndWait { () throws in
      _ = try reader.count(for: FetchRequest(entityName: "Label"))
      lines.withLock { $0 = [] }
    }
    return (
      stack, reader,
      {
        lines.withLock { lines in
          defer { lines = [] }
          return lines
        }
      }
    )
  }

  private func logged(_ body: (ManagedObjectContext, () -> [String]) throws -> Void) throws {
    let (stack, reader, statements) = try library()
    defer { withExtendedLifetime(stack) {} }
    try reader.performAndWait { () throws in try body(reader, statements) }
  }

  @Test("Without prefetching each access reads one row; with it nothing is read afterwards", .tags(.d3))
  func statements() throws {
    try logged { context, statements in
      var request = FetchRequest(entityName: "Artist")
      for artist in try context.fetch(request) { _ = try artist.object(forKey: "label")?.name }
      #expect(statements().count == 1 + 3)
      context.reset()
      request.relationshipKeyPathsForPrefetching = ["label", "albums.tracks"]
      let artists = try context.fetch(request)
      // The artists; the labels; the albums; the tracks.
      #expect(statements().count == 1 + 1 + 1 + 1)
      var names: Set<String> = []
      var count = 0
      for artist in artists {
        names.insert(try #require(try artist.object(forKey: "label")).name)
        for album in try artist.objects(forKey: "albums") {
          #expect(!album.isFault && album.name.hasPrefix("album"))
          count += try album.objects(forKey: "tracks").count { $0.name.hasPrefix("track") }
        }
      }
      #expect(names == ["label 0", "label 1", "label 2"])
      #expect(count == 180)
      #expect(statements() == [])
    }
  }

  @Test("A to-one relationship is prefetched like a to-many one", .tags(.d3))
  func single() throws {
    try logged { context, statements in
      var request = FetchRequest(
        entityName: "Artist", predicate: try FetchPredicate(format: "name == 'artist 0-0'", arguments: []))
      request.relationshipKeyPathsForPrefetching = ["label"]
      let artists = try context.fetch(request)
      #expect(statements().count == 2)
      #expect(try artists[0].object(forKey: "label")?.name == "label 0")
      #expect(statements() == [])
    }
  }

  @Test("Prefetched objects equal those read one by one, with unsaved changes on top", .tags(.d3))
  func pendingChanges() throws {
    try logged { context, statements in
      let artist = try Library.find("Artist", "artist 0-0", in: context)
      let extra = try Library.make("Album", "extra", in: context)
      try extra.setObject(artist, forKey: "artist")
      let lost = try artist.objects(forKey: "albums")[0]
      try context.delete(lost)
      var request = FetchRequest(
        entityName: "Artist", predicate: try FetchPredicate(format: "name == 'artist 0-0'", arguments: []))
      request.relationshipKeyPathsForPrefetching = ["albums"]
      #expect(try context.fetch(request).first === artist)
      #expect(try artist.names("albums") == ["album 1", "extra"])
    }
  }

  @Test("A path that is not a relationship is refused, and the relationships are listed", .tags(.d3))
  func refusals() throws {
    try logged { context, _ in
      var request = FetchRequest(entityName: "Track")
      request.relationshipKeyPathsForPrefetching = ["album.title"]
      #expect(
        throws: ObjectGraphError.unknownRelationship(entity: "Album", key: "title", expected: ["artist", "tracks"])
      ) { () throws in _ = try context.fetch(request) }
    }
  }

  @Test("Unknown properties are refused, even though prefetching reads whole rows", .tags(.d3))
  func unknownProperties() throws {
    try logged { context, _ in
      var request = FetchRequest(entityName: "Track")
      request.relationshipKeyPathsForPrefetching = ["album"]
      request.propertiesToFetch = ["nothing"]
      let error = objectGraphError { _ = try context.fetch(request) }
      #expect(error?.description.contains("'nothing' in the propertiesToFetch of a fetch of objects") == true)
    }
  }
}

extension PrefetchTests {
  @Test("An asynchronous fetch prefetches too, and refuses paths that are not relationships", .tags(.d3, .d7))
  func asynchronous() async throws {
    let (stack, reader, statements) = try library()
    defer { withExtendedLifetime(stack) {} }
    func request(_ paths: [String]) -> FetchRequest<ManagedObject> {
      var request = FetchRequest(entityName: "Artist")
      request.relationshipKeyPathsForPrefetching = paths
      return request
    }
    let count = try await reader.fetch(request(["label", "albums.tracks"])) { artists in
      // The artists; the labels; the albums; the tracks.
      #expect(statements().count == 1 + 1 + 1 + 1)
      var count = 0
      for artist in artists {
        #expect(try artist.object(forKey: "label")?.name.hasPrefix("label") == true)
        for album in try artist.objects(forKey: "albums") {
          count += try album.objects(forKey: "tracks").count { $0.name.hasPrefix("track") }
        }
      }
      #expect(statements() == [])
      return count
    }
    #expect(count == 180)
    await #expect(
      throws: ObjectGraphError.unknownRelationship(
        entity: "Artist", key: "labels", expected: ["albums", "friends", "label", "manager"])
    ) { try await reader.fetch(request(["labels"])) { $0.count } }
  }

  /// Circles with tags that have notes, and squares with labels that have remarks, under the same names.
  private func shapes() throws -> TestStack {
    func entity(_ name: String, _ relationships: RelationshipDescription...) -> EntityDescription {
      EntityDescription(
        name, superentity: ["Circle", "Square"].contains(name) ? "Shape" : nil,
        attributes: ["Circle", "Square"].contains(name)
          ? [] : [AttributeDescription("name", .string, isOptional: true)],
        relationships: relationships)
    }
    func toMany(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
      RelationshipDescription(name, to: destination, inverse: inverse, isToMany: true)
    }
    return try TestStack([
      EntityDescription(
        "Shape", isAbstract: true, attributes: [AttributeDescription("name", .string, isOptional: true)]),
      entity("Circle", toMany("marks", "Tag", "circle")), entity("Square", toMany("marks", "Label", "square")),
      entity("Tag", RelationshipDescription("circle", to: "Circle", inverse: "marks"), toMany("notes", "Note", "tag")),
      entity(
        "Label", RelationshipDescription("square", to: "Square", inverse: "marks"), toMany("notes", "Remark", "label")),
      entity("Note", RelationshipDescription("tag", to: "Tag", inverse: "notes")),
      entity("Remark", RelationshipDescription("label", to: "Label", inverse: "notes")),
    ])
  }

  @Test("Each entity of a hierarchy has its own relationship of the same name prefetched", .tags(.d3))
  func siblings() throws {
    let stack = try shapes()
    let context = stack.context()
    try context.performAndWait { () throws in
      for (entity, mark, note) in [("Circle", "Tag", "Note"), ("Square", "Label", "Remark")] {
        for number in 0..<3 {
          let shape = try Library.make(entity, "\(entity) \(number)", in: context)
          for letter in ["a", "b"] {
            let marked = try Library.make(mark, "\(mark) \(number)\(letter)", in: context)
            try shape.addObject(marked, forKey: "marks")
            try marked.addObject(Library.make(note, "\(note) \(number)\(letter)", in: context), forKey: "notes")
          }
        }
      }
      try context.save()
      func found(prefetching paths: [String]) throws -> [String] {
        context.reset()
        var request = FetchRequest(entityName: "Shape")
        request.relationshipKeyPathsForPrefetching = paths
        return try context.fetch(request).map { shape in
          try "\(shape.name): "
            + shape.objects(forKey: "marks").map { "\($0.name) \(try $0.names("notes"))" }.sorted()
            .joined(separator: ", ")
        }.sorted()
      }
      let expected = try found(prefetching: [])
      #expect(expected.last == #"Square 2: Label 2a ["Remark 2a"], Label 2b ["Remark 2b"]"#)
      for path in ["marks", "marks.notes", "marks.square", "marks.circle.marks"] {
        #expect(try found(prefetching: [path]) == expected)
      }
      guard
        case .unknownRelationship(_, "nothing", ["circle", "notes", "square"]) =
          objectGraphError({ _ = try found(prefetching: ["marks.nothing"]) })
      else {
        Issue.record("the path was not refused")
        return
      }
    }
  }
}
