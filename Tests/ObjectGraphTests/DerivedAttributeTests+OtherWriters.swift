// D10: derived attributes if another context has stored changes that the saving one does not know.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

extension DerivedAttributeTests {
  private static let policies: [MergePolicy] = [
    .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
  ]

  /// Three songs of one category, two of them with a tag; a second category and tag without songs.
  private func songs() throws -> TestStack {
    func derived(_ name: String, _ expression: String, _ type: AttributeType = .int64) -> AttributeDescription {
      AttributeDescription(name, type, isOptional: true, derivationExpression: expression)
    }
    let name = AttributeDescription("name", .string)
    let sums = [name, derived("count", "songs.@count"), derived("sum", "songs.rank.@sum")]
    let stack = try TestStack([
      EntityDescription(
        "Song",
        attributes: [name, .init("rank", .int32), derived("copy", "category.name", .string)],
        relationships: [
          .init("category", to: "Category", inverse: "songs"),
          .init("tags", to: "Tag", inverse: "songs", isToMany: true),
        ]),
      EntityDescription(
        "Category", attributes: sums, relationships: [.init("songs", to: "Song", inverse: "category", isToMany: true)]),
      EntityDescription(
        "Tag", attributes: sums, relationships: [.init("songs", to: "Song", inverse: "tags", isToMany: true)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      func make(_ entity: String, _ name: String) throws -> ManagedObject {
        let object = try context.insertNewObject(forEntityName: entity)
        object["name"] = .string(name)
        return object
      }
      let (category, tag) = (try make("Category", "c1"), try make("Tag", "t1"))
      _ = (try make("Category", "c2"), try make("Tag", "t2"))
      for number in 1...3 {
        let song = try make("Song", "s\(number)")
        song["rank"] = .integer(Int64(number))
        try song.setObject(category, forKey: "category")
        if number < 3 { try song.addObject(tag, forKey: "tags") }
      }
      try context.save()
    }
    return stack
  }

  /// The derived attributes that differ from the values they are derived from.
  private func wrong(_ stack: TestStack) throws -> [String] {
    let pairs = "Z_2TAGS p JOIN ZSONG s ON s.Z_PK = p.Z_2SONGS"
    return try stack.rows(
      "SELECT s.ZNAME, ZCOPY FROM ZSONG s LEFT JOIN ZCATEGORY c ON c.Z_PK = ZCATEGORY WHERE ZCOPY IS NOT c.ZNAME")
      + stack.rows(
        "SELECT ZNAME, ZCOUNT, ZSUM FROM ZCATEGORY c WHERE (ZCOUNT, ZSUM) IS NOT "
          + "(SELECT count(*), ifnull(sum(ZRANK), 0) FROM ZSONG WHERE ZCATEGORY = c.Z_PK)")
      + stack.rows(
        "SELECT ZNAME, ZCOUNT, ZSUM FROM ZTAG t WHERE (ZCOUNT, ZSUM) IS NOT "
          + "(SELECT count(*), ifnull(sum(s.ZRANK), 0) FROM \(pairs) WHERE p.Z_3TAGS = t.Z_PK)")
  }

  /// A change by two contexts; the second one has read everything before.
  private func change(
    _ stack: TestStack, _ policy: MergePolicy, first: ([String: ManagedObject]) throws -> Void,
    second: (ManagedObjectContext, [String: ManagedObject]) throws -> Void
  ) throws {
    func read(_ context: ManagedObjectContext) throws -> [String: ManagedObject] {
      var objects: [String: ManagedObject] = [:]
      for entity in ["Song", "Category", "Tag"] {
        for object in try context.fetch(FetchRequest(entityName: entity)) {
          objects[object[AttributeKey<String>("name")] ?? ""] = object
          if entity == "Song" { _ = try (object.object(forKey: "category"), object.objects(forKey: "tags")) }
          if entity != "Song" { _ = try object.objects(forKey: "songs") }
        }
      }
      return objects
    }
    let (mine, other) = (stack.context(policy), stack.context())
    try mine.performAndWait { () throws in
      let objects = try read(mine)
      try other.performAndWait { () throws in
        try first(try read(other))
        try other.save()
      }
      try second(mine, objects)
      try mine.save()
      #expect(!mine.hasChanges)
      #expect(try wrong(stack) == [])
      // A recomputed value is no change by others.
      mine.mergePolicy = .error
      try mine.refreshAllObjects()
      for object in try read(mine).values where object.entity.name != "Song" { object["name"] = "renamed" }
      try mine.save()
    }
    #expect(try wrong(stack) == [])
  }

  @Test("A song has its category's stored name, whatever name a context has", .tags(.d5), arguments: policies)
  func staleName(policy: MergePolicy) throws {
    let stack = try songs()
    try change(stack, policy) {
      $0["c1"]?["name"] = "x"
    } second: { _, objects in
      objects["s1"]?["rank"] = 9
    }
    try change(try songs(), policy) {
      $0["c2"]?["name"] = "x"
    } second: { context, objects in
      let song = try context.insertNewObject(forEntityName: "Song")
      (song["name"], song["rank"]) = ("new", 1)
      try song.setObject(objects["c2"], forKey: "category")
    }
  }

  @Test("Sums use the stored ranks", .tags(.d5), arguments: policies)
  func staleRanks(policy: MergePolicy) throws {
    try change(try songs(), policy) {
      $0["s2"]?["rank"] = 20
    } second: { _, objects in
      objects["s1"]?["rank"] = 10
    }
    // The sum is known as stored, but not the rank.
    try change(try songs(), policy) {
      $0["s2"]?["rank"] = 20
    } second: { context, objects in
      for name in ["c1", "t1"] { try context.refresh(try #require(objects[name]), mergeChanges: false) }
      try objects["s1"]?.setObject(nil, forKey: "category")
      try objects["s1"]?.setObjects([], forKey: "tags")
    }
    // A rank that is overwritten with the same value.
    try change(try songs(), policy) {
      $0["s3"]?["rank"] = 30
    } second: { _, objects in
      try objects["s3"]?.addObject(try #require(objects["t1"]), forKey: "tags")
    }
  }

  @Test("A tag follows a song that was tagged without the context's knowledge", .tags(.d5), arguments: policies)
  func unknownPair(policy: MergePolicy) throws {
    func tag(_ objects: [String: ManagedObject]) throws {
      try objects["s3"]?.addObject(try #require(objects["t2"]), forKey: "tags")
    }
    try change(try songs(), policy, first: tag) { _, objects in objects["s3"]?["rank"] = 30 }
    try change(try songs(), policy, first: tag) { context, objects in try context.delete(try #require(objects["s3"])) }
  }

  @Test("A box no longer counts a single whose row changes its entity", .tags(.d4, .d5))
  func changedEntity() throws {
    let count = AttributeDescription("count", .int64, isOptional: true, derivationExpression: "singles.@count")
    let stack = try TestStack([
      EntityDescription("Song", attributes: [.init("name", .string)], uniquenessConstraints: [["name"]]),
      EntityDescription(
        "Single", superentity: "Song", relationships: [.init("boxes", to: "Box", inverse: "singles", isToMany: true)]),
      EntityDescription("Live", superentity: "Song"),
      EntityDescription(
        "Box", attributes: [count], relationships: [.init("singles", to: "Single", inverse: "boxes", isToMany: true)]),
    ])
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let box = try context.insertNewObject(forEntityName: "Box")
      for name in ["a", "b"] {
        let single = try context.insertNewObject(forEntityName: "Single")
        single["name"] = .string(name)
        try single.addObject(box, forKey: "boxes")
      }
      try context.save()
      try context.insertNewObject(forEntityName: "Live")["name"] = "b"
      try context.save()
      #expect(try stack.rows("SELECT ZCOUNT FROM ZBOX") == ["1"])
      #expect(box["count"] == 1)
    }
  }
}
