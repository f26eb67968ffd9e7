// D12: the contents and reports of lists in hard cases: fetches during a report, unusual dates, texts that look alike.
import Foundation
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D12 · hard cases of followed lists")
struct HardResultsTests {
  /// Makes a list of one object show two as soon as it changes, or before that.
  private final class Widening: FetchedResultsControllerDelegate {
    let isEarly: Bool
    private(set) var calls: [String] = []

    init(isEarly: Bool) { self.isEarly = isEarly }

    func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
      calls.append("will")
      if isEarly { widen(controller) }
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
      calls.append("did")
      if !isEarly { widen(controller) }
    }

    private func widen(_ controller: FetchedResultsController<ManagedObject>) {
      controller.fetchRequest.fetchLimit = 2
      do { try controller.performFetch() } catch { Issue.record(error) }
    }
  }

  @Test(
    "A fetch by a delegate is one transition, after the changes that the delegate was notified of", .tags(.d12),
    arguments: [false, true])
  func fetchByDelegate(isEarly: Bool) async throws {
    let stack = try TestStack()
    let context = stack.context()
    var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
    request.fetchLimit = 1
    let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    let (transitions, objectIDs) = try context.performAndWait { () throws in
      try controller.performFetch()
      let transitions = controller.transitions()
      let delegate = Widening(isEarly: isEarly)
      controller.delegate = delegate
      try withExtendedLifetime(delegate) { () throws in
        for code in ["a", "b"] { try Quake.insert(code, into: context) }
        context.processPendingChanges()
        #expect(delegate.calls == ["will", "did"])
      }
      return (transitions, controller.snapshot.objectIDs)
    }
    var changes: [[FetchedResultsChange]] = []
    for await transition in transitions {
      changes.append(transition.changes)
      if changes.flatMap(\.self).count == 2 { break }
    }
    try #require(objectIDs.count == 2)
    let inserted = objectIDs.enumerated().map { index, objectID in
      FetchedResultsChange.insert(objectID, at: FetchedIndexPath(section: 0, item: index))
    }
    #expect(changes == (isEarly ? [inserted] : inserted.map { [$0] }))
  }

  /// Reads every object before a change.
  private final class Looking: FetchedResultsControllerDelegate {
    func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
      for object in controller.fetchedObjects { _ = object[Quake.magnitude] }
    }
  }

  @Test(
    "Objects that a delegate reads before a merged change or a reset have the stored values", .tags(.d12),
    arguments: [false, true])
  func lookBeforeChange(isReset: Bool) throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
    try other.performAndWait { () throws in
      for code in ["a", "b"] { try Quake.insert(code, 1, into: other) }
      try other.save()
      other.reset()
    }
    request.fetchLimit = 2
    let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    let delegate = Looking()
    try context.performAndWait { () throws in
      try controller.performFetch()
      controller.delegate = delegate
    }
    let saved = other.observe(.didSave) { saved in
      context.performAndWait {
        if isReset { return context.reset() }
        do { try context.mergeChanges(fromContextDidSave: saved) } catch { Issue.record(error) }
      }
    }
    try other.performAndWait { () throws in
      for quake in try other.fetch(FetchRequest(entityName: "Quake")) { quake[Quake.magnitude] = 2 }
      try other.save()
      other.reset()
    }
    saved.cancel()
    try context.performAndWait { () throws in
      #expect(controller.fetchedObjects.map { $0[Quake.magnitude] } == [2, 2])
      controller.fetchedObjects[0][Quake.magnitude] = 3
      // With the error policy, values older than the stored ones would make it fail.
      try context.save()
    }
    withExtendedLifetime(delegate) {}
  }

  @Test(
    "A new object that a delegate reads while it is removed disappears from every list", .tags(.d12, .d6),
    arguments: [false, true])
  func lookWhileGoing(isChild: Bool) throws {
    let stack = try TestStack()
    let parent = stack.context()
    let context = isChild ? ManagedObjectContext(parent: parent) : parent
    try context.performAndWait { () throws in
      let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
      let looked = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
      try looked.performFetch()
      let delegate = Looking()
      looked.delegate = delegate
      let list = try FollowedList("quakes", request, context)
      let quake = try Quake.insert("a", 1, into: context)
      if !isChild { try context.obtainPermanentIDs(for: [quake]) }
      context.processPendingChanges()
      context.rollback()
      try list.check("rolled back")
      #expect(looked.fetchedObjects.isEmpty && list.mirror.told == ["insert": 1, "delete": 1])
      withExtendedLifetime(delegate) {}
    }
  }

  @Test("A change that a list could not follow is reported with the next one that it can", .tags(.d12))
  func missedNews() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var quakes: [ManagedObject] = []
      for (index, place) in ["Elko", "Elko", "Reno"].enumerated() {
        let quake = try Quake.insert("\(index)", Double(index), into: context)
        quake[Quake.place] = place
        quakes.append(quake)
      }
      try context.save()
      let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.magnitude)])
      let list = try FollowedList("quakes", request, section: "place", context)
      quakes[0][Quake.place] = "Reno"
      quakes[1][Quake.magnitude] = 1.5
      context.processPendingChanges()
      #expect(list.controller.failure != nil && list.mirror.told.isEmpty)
      // However long that takes, only the identities of the list's changed objects are kept.
      for round in 0..<10 {
        try Quake.insert("new \(round)", into: context)[Quake.place] = "Reno"
        quakes[1][Quake.time] = Date(timeIntervalSinceReferenceDate: Double(round))
        context.processPendingChanges()
      }
      #expect(list.controller.failure != nil && list.controller.follower?.missed.count == 2)
      for quake in context.insertedObjects { try context.delete(quake) }
      quakes[0][Quake.place] = "Elko"
      context.processPendingChanges()
      #expect(list.controller.failure == nil && list.mirror.told == ["update": 2])
    }
  }

  @Test(
    "Sections along a relationship keep the context's names while others have stored new ones", .tags(.d12))
  func olderNames() throws {
    let stack = try TestStack([
      EntityDescription(
        "Item", attributes: [AttributeDescription("rank", .int64)],
        relationships: [RelationshipDescription("group", to: "Group", inverse: "items")]),
      EntityDescription(
        "Group", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("items", to: "Item", inverse: "group", isToMany: true)]),
    ])
    let context = stack.context()
    let other = stack.context()
    let list = try context.performAndWait { () throws in
      var groups: [ManagedObject] = []
      for (rank, name) in ["a", "a", "b"].enumerated() {
        let group = try context.insertNewObject(forEntityName: "Group")
        group["name"] = .string(name)
        let item = try context.insertNewObject(forEntityName: "Item")
        item["rank"] = .integer(Int64(rank))
        try item.setObject(group, forKey: "group")
        groups.append(group)
      }
      try context.save()
      let list = FetchedResultsController(
        fetchRequest: FetchRequest(
          entityName: "Item", sortDescriptors: [FetchSortDescriptor("group.name"), FetchSortDescriptor("rank")]),
        managedObjectContext: context, sectionNameKeyPath: "group.name")
      try list.performFetch()
      return Carried((list, groups))
    }
    try other.performAndWait { () throws in
      let request = FetchRequest(entityName: "Group", sortDescriptors: [FetchSortDescriptor("name")])
      try #require(other.fetch(request).first)["name"] = "c"
      try other.save()
    }
    try context.performAndWait { () throws in
      let list = list.value.0
      // Two groups are still called "a" here; in the store, one of them comes after "b".
      list.fetchedObjects[0]["rank"] = 7
      try context.save()
      #expect(list.failure == nil && list.sections.map(\.name) == ["a", "b"])
      #expect(list.sections.map(\.numberOfObjects) == [2, 1])
      try context.refreshAllObjects()
      context.processPendingChanges()
      #expect(list.failure == nil && list.sections.map(\.name) == ["a", "b", "c"])
    }
  }

  @Test("A date beyond any calendar names its section by its number of seconds", .tags(.d12))
  func dates() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let ordinary = Date(timeIntervalSinceReferenceDate: 60)
      for (code, date) in [("a", ordinary), ("b", Date(timeIntervalSinceReferenceDate: 1e300))] {
        try Quake.insert(code, into: context)[Quake.time] = date
      }
      try context.save()
      let names = ["\(ordinary)", "1e+300 seconds after 2001-01-01"]
      let objects = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time)])
      let controller = FetchedResultsController(
        fetchRequest: objects, managedObjectContext: context, sectionNameKeyPath: "time")
      try controller.performFetch()
      #expect(controller.sections.map(\.name) == names)
      var dictionaries = objects
      dictionaries.propertiesToFetch = ["time"]
      let rows = FetchedDictionariesController(
        fetchRequest: dictionaries, managedObjectContext: context, sectionNameKeyPath: "time")
      try rows.performFetch()
      #expect(rows.sections.map(\.name) == names)
    }
  }

  @Test("Texts that look alike but differ in code points are different sections and values", .tags(.d12))
  func codePoints() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let (decomposed, composed) = ("e\u{301}", "\u{e9}")
      var quakes: [ManagedObject] = []
      for (code, place) in [("a", decomposed), ("b", "f"), ("c", composed)] {
        let quake = try Quake.insert(code, into: context)
        quake[Quake.place] = place
        quakes.append(quake)
      }
      try context.save()
      let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.place)])
      let list = FetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "place")
      try list.performFetch()
      func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }
      #expect(bytes(list.sections.map(\.name)) == bytes([decomposed, "f", composed]))

      var dictionaries = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
      dictionaries.propertiesToFetch = ["code", "place"]
      let rows = FetchedDictionariesController(fetchRequest: dictionaries, managedObjectContext: context)
      try rows.performFetch()
      var (snapshot, flat) = (rows.snapshot, rows.fetchedDictionaries)
      rows.didChange = { transition in
        snapshot.apply(transition)
        if let applied = flat.applying(transition.difference) { flat = applied }
      }
      quakes[0][Quake.place] = composed
      try context.save()
      #expect(bytes(list.sections.map(\.name)) == bytes(["f", composed]))
      #expect(list.sections.map(\.numberOfObjects) == [1, 2] && list.failure == nil)
      for places in [rows.fetchedDictionaries, snapshot.items, flat].map({ $0.compactMap { $0[Quake.place] } }) {
        #expect(bytes(places) == bytes([composed, "f", composed]))
      }
    }
  }

  @Test("A new object that is saved is updated in a list with a batch size and a window", .tags(.d12, .d5))
  func savedInWindow() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
      request.fetchBatchSize = 20
      request.fetchLimit = 50
      try Quake.insert("a", into: context)
      try context.save()
      let list = try FollowedList("window", request, context)
      let quake = try Quake.insert("b", into: context)
      context.processPendingChanges()
      let former = quake.objectID
      try context.save()
      try list.check("after the save")
      list.checkObjects("after the save")
      #expect(former != quake.objectID && list.mirror.told == ["insert": 1, "update": 1])
    }
  }
}

extension HardResultsTests {
  @Test(
    "A list without pending changes has the stored sections, even with prefetched relationships", .tags(.d12))
  func storedSections() throws {
    let stack = try TestStack([
      EntityDescription(
        "Item", attributes: [AttributeDescription("rank", .int64)],
        relationships: [RelationshipDescription("group", to: "Group", inverse: "items")]),
      EntityDescription(
        "Group", relationships: [RelationshipDescription("items", to: "Item", inverse: "group", isToMany: true)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      for rank in 0..<3 { try context.insertNewObject(forEntityName: "Item")["rank"] = .integer(Int64(rank)) }
      try context.save()
      var request = FetchRequest(entityName: "Item", sortDescriptors: [FetchSortDescriptor("rank")])
      request.includesPendingChanges = false
      request.relationshipKeyPathsForPrefetching = ["group"]
      let list = FetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "rank")
      try list.performFetch()
      list.fetchedObjects[0]["rank"] = 2
      context.processPendingChanges()
      #expect(list.failure == nil && list.sections.map(\.name) == ["0", "1", "2"])
      try context.save()
      #expect(list.failure == nil && list.sections.map(\.name) == ["1", "2"])
    }
  }

  @Test("A pinned context's list shows others' stored changes once a save has moved the context", .tags(.d12))
  func movedGeneration() throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    try other.performAndWait { () throws in
      for (index, code) in ["a", "b", "c"].enumerated() { try Quake.insert(code, Double(index), into: other) }
      try other.save()
    }
    try context.performAndWait { () throws in
      try context.setQueryGeneration(from: .current)
      let byMagnitude = [FetchSortDescriptor(Quake.magnitude)]
      let list = try FollowedList("quakes", FetchRequest(entityName: "Quake", sortDescriptors: byMagnitude), context)
      try other.performAndWait { () throws in
        for quake in try other.fetch(FetchRequest(entityName: "Quake", sortDescriptors: byMagnitude)).dropFirst() {
          quake[Quake.magnitude] = 5
        }
        try Quake.insert("d", 4, into: other)
        try other.save()
      }
      list.controller.fetchedObjects[0][Quake.magnitude] = 6
      try context.save()
      try list.check("after the save")
      #expect(list.controller.fetchedObjects.map { $0[Quake.code] } == ["d", "b", "c", "a"])
      #expect(list.controller.fetchedObjects.map { $0[Quake.magnitude] } == [4, 5, 5, 6])
    }
  }

  @Test("A list of other objects shows them too, if a conflict leaves nothing to save", .tags(.d12, .d5))
  func movedByConflict() throws {
    let stack = try Library.stack()
    let (context, other) = (stack.context(.rollback), stack.context())
    let albumID = try other.performAndWait { () throws in
      let album = try Library.make("Album", "A", in: other)
      try Library.make("Track", "1", in: other)
      try other.save()
      return album.objectID
    }
    try context.performAndWait { () throws in
      try context.setQueryGeneration(from: .current)
      let request = FetchRequest(entityName: "Track", sortDescriptors: [FetchSortDescriptor("title")])
      let list = try FollowedList("tracks", request, context)
      let album = try context.existingObject(with: albumID)
      try other.performAndWait { () throws in
        try other.existingObject(with: albumID)["title"] = "B"
        try Library.make("Track", "2", in: other)
        try other.save()
      }
      album["title"] = "mine"
      try context.save()
      #expect(album["title"] == "B" && !context.hasChanges)
      try list.check("after the save")
      #expect(list.controller.fetchedObjects.map(\.name) == ["1", "2"])
    }
  }

  @Test(
    "After a rollback, a pinned context's list shows the generation of the last refresh",
    .tags(.d12, .d4))
  func changesOfFormerGeneration() throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    let byMagnitude = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.magnitude)])
    try other.performAndWait { () throws in
      for (index, code) in ["a", "b", "c", "d"].enumerated() { try Quake.insert(code, Double(index), into: other) }
      try other.save()
    }
    try context.performAndWait { () throws in
      try context.setQueryGeneration(from: .current)
      let list = try FollowedList("quakes", byMagnitude, context)
      list.controller.fetchedObjects[3][Quake.magnitude] = 9
      for quake in list.controller.fetchedObjects.prefix(2) { try context.delete(quake) }
      context.processPendingChanges()
      try other.performAndWait { () throws in
        let quakes = Array(try other.fetch(byMagnitude))
        quakes[0][Quake.magnitude] = 5
        for quake in [quakes[1], quakes[3]] { try other.delete(quake) }
        try other.save()
      }
      try context.setQueryGeneration(from: .current)
      try context.refreshAllObjects()
      context.processPendingChanges()
      #expect(context.deletedObjects.count == 1 && context.updatedObjects.count == 1)
      try list.check("refreshed")
      context.rollback()
      try list.check("rolled back")
      #expect(list.controller.fetchedObjects.map { $0[Quake.magnitude] } == [2, 5])
    }
  }

  @Test("A list drops an object whose entity a batch insert changes", .tags(.d12), arguments: [0, 9])
  func otherEntity(limit: Int) throws {
    let stack = try TestStack([
      EntityDescription("Item", attributes: [AttributeDescription("code", .string)], uniquenessConstraints: [["code"]]),
      EntityDescription("Gem", superentity: "Item"),
    ])
    let (context, other) = (stack.context(), stack.context(.mergeByPropertyObjectTrump))
    try other.performAndWait { () throws in
      for code in ["a", "b"] { try other.insertNewObject(forEntityName: "Gem")["code"] = .string(code) }
      try other.save()
      other.reset()
    }
    try context.performAndWait { () throws in
      let lists = try ["Item", "Gem"].map { entity in
        var request = FetchRequest(entityName: entity, sortDescriptors: [FetchSortDescriptor("code")])
        request.fetchLimit = limit
        return try FollowedList(entity, request, context)
      }
      let changes = try other.performAndWait { () throws in
        var request = BatchInsertRequest(entityName: "Item", objects: [["code": "a"]])
        request.resultType = .changes
        return try #require(try other.execute(request).changes)
      }
      try context.mergeChanges(fromContextDidSave: changes)
      for list in lists {
        try list.check("after the merge")
        list.checkObjects("after the merge")
      }
      #expect(lists.map(\.controller.fetchedObjects.count) == [2, 1])
    }
  }

  @Test("A list made after changes follows further changes of the changed and new objects", .tags(.d12, .d6))
  func lateList() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let stored = try Quake.insert("a", 1, into: context)
      try context.save()
      stored[Quake.place] = "Elko"
      let new = try Quake.insert("b", 2, into: context)
      context.processPendingChanges()
      let request = FetchRequest(
        entityName: "Quake", predicate: Quake.magnitude < 3, sortDescriptors: [FetchSortDescriptor(Quake.magnitude)])
      let list = try FollowedList("quakes", request, context)
      new[Quake.magnitude] = 0.5
      stored[Quake.magnitude] = 4
      context.processPendingChanges()
      try list.check("after both changed")
      #expect(list.mirror.told == ["delete": 1, "update": 1])
    }
  }

  @Test(
    "A list fetched before changes are reported follows their rollback and deletion", .tags(.d12, .d6),
    arguments: [0, 9])
  func changesWithoutNews(limit: Int) throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quakes = try (0..<3).map { try Quake.insert("\($0)", Double($0), into: context) }
      try context.save()
      var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.magnitude)])
      request.fetchLimit = limit
      try Quake.insert("new", 5, into: context)
      quakes[0][Quake.magnitude] = 9
      try context.delete(quakes[1])
      let rolledBack = try FollowedList("rollback", request, context)
      context.rollback()
      context.processPendingChanges()
      try rolledBack.check("after the rollback")
      #expect(rolledBack.controller.fetchedObjects.map { $0[Quake.code] } == ["0", "1", "2"])
      #expect(rolledBack.mirror.told == ["delete": 1, "insert": 1, "move": 1])
      let new = try Quake.insert("new", 5, into: context)
      let deleted = try FollowedList("deletion", request, context)
      try context.delete(new)
      context.processPendingChanges()
      try deleted.check("after the deletion")
      #expect(deleted.mirror.told == ["delete": 1])
    }
  }

  @Test("A list follows a relationship that is changed and changed back, and later changes", .tags(.d12, .d6))
  func changedBack() throws {
    let stack = try TestStack([
      EntityDescription(
        "Item", attributes: [AttributeDescription("rank", .int64)],
        relationships: [RelationshipDescription("tags", to: "Tag", inverse: "items", isToMany: true)]),
      EntityDescription(
        "Tag", relationships: [RelationshipDescription("items", to: "Item", inverse: "tags", isToMany: true)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let item = try context.insertNewObject(forEntityName: "Item")
      item["rank"] = 1
      let tag = try context.insertNewObject(forEntityName: "Tag")
      try context.save()
      let order = [FetchSortDescriptor("rank")]
      let lists = try ["tags.@count > 0", "rank < 5"].map { format in
        let request = FetchRequest(
          entityName: "Item", predicate: try FetchPredicate(format: format), sortDescriptors: order)
        return try FollowedList(format, request, context)
      }
      for change in [
        { try item.addObject(tag, forKey: "tags") }, { try item.removeObject(tag, forKey: "tags") },
        { item["rank"] = 9 },
      ] {
        try change()
        context.processPendingChanges()
        for list in lists { try list.check("after a change") }
      }
      #expect(lists[1].mirror.told["delete"] == 1)
    }
  }
}
