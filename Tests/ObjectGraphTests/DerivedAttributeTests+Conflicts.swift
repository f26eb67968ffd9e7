// D10, D5: derived attributes if new objects take over stored rows, or stored objects replace new ones.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Testing

extension DerivedAttributeTests {
  /// Songs, categories and tags that are unique by name; each category and tag counts its songs.
  private func songs(history: Bool) throws -> TestStack {
    func derived(_ name: String, _ expression: String, _ type: AttributeType = .int64) -> AttributeDescription {
      AttributeDescription(name, type, isOptional: true, derivationExpression: expression)
    }
    let name = AttributeDescription("name", .string)
    return try TestStack(
      [
        EntityDescription(
          "Song",
          attributes: [name, .init("rank", .int32, isOptional: true), derived("note", "category.note", .string)],
          relationships: [
            .init("category", to: "Category", inverse: "songs"),
            .init("tags", to: "Tag", inverse: "songs", isToMany: true),
          ], uniquenessConstraints: [["name"]]),
        EntityDescription(
          "Category",
          attributes: [
            name, .init("note", .string, isOptional: true), derived("count", "songs.@count"),
            derived("best", "songs.rank.@min"),
          ], relationships: [.init("songs", to: "Song", inverse: "category", isToMany: true)],
          uniquenessConstraints: [["name"]]),
        EntityDescription(
          "Tag", attributes: [name, derived("count", "songs.@count"), derived("sum", "songs.rank.@sum")],
          relationships: [.init("songs", to: "Song", inverse: "tags", isToMany: true)],
          uniquenessConstraints: [["name"]]),
      ], configure: { $0.tracksPersistentHistory = history })
  }

  private static let categories = "SELECT ZNAME, ZCOUNT, ZBEST FROM ZCATEGORY ORDER BY ZNAME"
  private static let tags = "SELECT ZNAME, ZCOUNT, ZSUM FROM ZTAG ORDER BY ZNAME"

  @discardableResult
  private func song(
    _ name: String, _ rank: Int64, _ category: ManagedObject, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let song = try context.insertNewObject(forEntityName: "Song")
    song["name"] = .string(name)
    song["rank"] = .integer(rank)
    try song.setObject(category, forKey: "category")
    return song
  }

  private func make(
    _ entity: String, _ name: String, note: AttributeValue = .null, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let object = try context.insertNewObject(forEntityName: entity)
    object["name"] = .string(name)
    if entity == "Category" { object["note"] = note }
    return object
  }

  /// Two categories, with three songs and with one.
  private func fill(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    let categories = try ["a", "b"].map { try make("Category", $0, note: "old", in: context) }
    for number in 1...3 { try song("a\(number)", Int64(number), categories[0], in: context) }
    let last = try song("b1", 5, categories[1], in: context)
    try last.addObject(try make("Tag", "t", in: context), forKey: "tags")
    try context.save()
    return categories
  }

  private func named(_ entity: String, _ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(
      try context.fetch(FetchRequest(entityName: entity, predicate: try FetchPredicate(format: "name == %@", name)))
        .first)
  }

  @Test(
    "A new category with a taken name counts the songs of both, in the store, in the context and in others' lists",
    .tags(.d5, .d12), arguments: MergePolicy.MergeType.allCases.filter { $0 != .error }, [false, true])
  func takenName(type: MergePolicy.MergeType, history: Bool) throws {
    let stack = try songs(history: history)
    let isWrittenOver = type == .objectTrump || type == .overwrite
    let (context, other) = (stack.context(MergePolicy(mergeType: type)), stack.context())
    other.automaticallyMergesChangesFromParent = true
    let categories = try context.performAndWait { Carried(try fill(context)) }
    let list = try other.performAndWait { () throws in
      let request = FetchRequest(entityName: "Category", sortDescriptors: [FetchSortDescriptor("count")])
      let list = FetchedResultsController(fetchRequest: request, managedObjectContext: other)
      try list.performFetch()
      return Carried(list)
    }
    try context.performAndWait { () throws in
      let new = try make("Category", "b", note: "new", in: context)
      let songs = try (0..<3).map { try song("new\($0)", Int64($0), new, in: context) }
      try songs[0].addObject(try make("Tag", "t", in: context), forKey: "tags")
      try context.save()
      #expect(try stack.rows(Self.categories) == ["a|3|1", "b|4|0"])
      #expect(try stack.rows(Self.tags) == ["t|2|5"])
      let note = isWrittenOver ? "new" : "old"
      #expect(try stack.rows("SELECT DISTINCT ZNOTE FROM ZSONG WHERE ZRANK IN (0, 5)") == [note])
      let stored = try named("Category", "b", in: context)
      #expect(stored["count"] == 4 && stored["best"] == 0 && songs[0]["note"] == .string(note))
      #expect(!context.hasChanges && (isWrittenOver ? stored === new : stored === categories.value[1]))
      // The version is that of the store, so a later change is no conflict.
      context.mergePolicy = .error
      stored["note"] = "changed"
      try context.save()
    }
    other.performAndWait {
      other.processPendingChanges()
      #expect(list.value.fetchedObjects.map { $0["count"] } == [3, 4])
    }
  }

  @Test(
    "After new songs with taken names, categories count the songs that they have", .tags(.d5),
    arguments: MergePolicy.MergeType.allCases.filter { $0 != .error }, [false, true])
  func takenSong(type: MergePolicy.MergeType, isRead: Bool) throws {
    let stack = try songs(history: true)
    let isWrittenOver = type == .objectTrump || type == .overwrite
    let context = stack.context(MergePolicy(mergeType: type))
    try context.performAndWait { () throws in
      let categories = try fill(context)
      if isRead { for category in categories { _ = try category.objects(forKey: "songs") } }
      // One song of another category, and one of the same.
      try song("a1", -1, categories[1], in: context)
      try song("b1", -5, categories[1], in: context)
      try context.save()
      #expect(try stack.rows(Self.categories) == (isWrittenOver ? ["a|2|2", "b|2|-5"] : ["a|3|1", "b|1|5"]))
      #expect(categories.map { $0["count"] } == (isWrittenOver ? [2, 2] : [3, 1]))
      #expect(categories.map { $0["best"] } == (isWrittenOver ? [2, -5] : [1, 5]))
      // Each row occurs once in the transaction.
      let last = try #require(
        try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil)).transactions.last?.changes)
      #expect(Set(last.map(\.changedObjectID)).count == last.count)
      context.mergePolicy = .error
      for category in categories { category["note"] = "changed" }
      try context.save()
    }
  }

  @Test("If two new objects have one name, the categories count the stored one", .tags(.d5))
  func sameName() throws {
    let stack = try songs(history: false)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let categories = try fill(context)
      for category in categories { try song("twice", 0, category, in: context) }
      for name in ["x", "y"] { try song(name, 9, try make("Category", "c", in: context), in: context) }
      try context.save()
      #expect(try stack.rows(Self.categories) == ["a|3|1", "b|2|0", "c|2|9"])
      #expect(categories.map { $0["count"] } == [3, 2])
    }
  }

  @Test(
    "A batch insert that overwrites a row keeps values derived from its relationships, unless it sets them", .tags(.b11)
  )
  func batch() throws {
    let stack = try songs(history: false)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      _ = try fill(context)
      let objects: [[String: AttributeValue]] = [
        ["name": "a", "note": "new"], ["name": "b", "count": 7], ["name": "c"],
      ]
      try context.execute(BatchInsertRequest(entityName: "Category", objects: objects))
    }
    #expect(try stack.rows(Self.categories) == ["a|3|1", "b|7|5", "c|NULL|NULL"])
    #expect(try stack.rows("SELECT ZNOTE FROM ZCATEGORY ORDER BY ZNAME") == ["new", "NULL", "NULL"])
  }
}
