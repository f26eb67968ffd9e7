// D12: the contents and reports of a fetched-results controller, according to Core Data's documented contract and our
// own decisions.
import Foundation
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D12 · fetched results")
struct FetchedResultsControllerTests {
  /// Quakes a to e of two places, by place and magnitude.
  private func world(
    section: String? = "place", order: [FetchSortDescriptor]? = nil, predicate: FetchPredicate? = nil,
    _ body: (FollowedList, ManagedObjectContext, [String: ManagedObject]) throws -> Void
  ) throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var quakes: [String: ManagedObject] = [:]
      for (index, code) in ["a", "b", "c", "d", "e"].enumerated() {
        let quake = try Quake.insert(code, Double(index), into: context)
        quake[Quake.place] = index < 3 ? "Elko" : "Reno"
        quakes[code] = quake
      }
      try context.save()
      let request = FetchRequest(
        entityName: "Quake", predicate: predicate,
        sortDescriptors: order ?? [FetchSortDescriptor(Quake.place), FetchSortDescriptor(Quake.magnitude)])
      try body(try FollowedList("quakes", request, section: section, context), context, quakes)
    }
  }

  /// The transition that the change causes when it is processed; afterwards the rows must equal those of a fresh fetch.
  private func transition(_ list: FollowedList, _ change: () throws -> Void) throws -> FetchedResultsTransition {
    var transitions: [FetchedResultsTransition] = []
    let told = list.controller.follower?.didChange
    list.controller.follower?.didChange = {
      told?($0)
      transitions.append($0)
    }
    defer { if let told { list.controller.follower?.didChange = told } }
    try change()
    list.controller.managedObjectContext.processPendingChanges()
    try list.check("after a change")
    list.checkObjects("after a change")
    #expect(transitions.count <= 1)
    return try #require(transitions.first)
  }

  private func path(_ section: Int, _ item: Int) -> FetchedIndexPath { FetchedIndexPath(section: section, item: item) }

  @Test("Objects come in order and in sections with names, counts and index paths", .tags(.d12))
  func contents() throws {
    try world { list, _, quakes in
      let controller = list.controller
      #expect(controller.sections.map(\.name) == ["Elko", "Reno"])
      #expect(controller.sections.map(\.numberOfObjects) == [3, 2] && controller.sections.map(\.offset) == [0, 3])
      #expect(controller.fetchedObjects.map { $0[Quake.code] } == ["a", "b", "c", "d", "e"])
      let d = try #require(quakes["d"])
      #expect(controller.object(at: path(1, 0)) === d && controller.indexPath(for: d) == path(1, 0))
      for gone in [path(9, 0), path(1, 9), path(-1, 0), path(0, -1)] { #expect(controller.object(at: gone) == nil) }
      #expect(controller.indexPath(forObjectID: d.objectID) == path(1, 0))
      #expect(controller.snapshot.objectIDs == controller.fetchedObjects.map(\.objectID))
    }
  }

  @Test(
    "Equal objects are ordered by their stores, even by one that is added after the first fetch",
    .tags(.d12, .b10))
  func storeAddedLater() throws {
    let files = try SeveralStores(1)
    let context = files.context()
    try context.performAndWait { () throws in
      try files.insert(["a", "b"], into: 0, context)
      let request = FetchRequest<ManagedObject>(entityName: "Book", sortDescriptors: [FetchSortDescriptor("title")])
      let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
      try controller.performFetch()
      let later = try files.coordinator.addPersistentStore(PersistentStoreDescription(path: files.path(1)))
      // Their keys are those of a and b.
      var insert = BatchInsertRequest(entityName: "Book", objects: [["code": "c"], ["code": "d"]])
      insert.affectedStores = [later]
      try context.execute(insert)
      try controller.performFetch()
      let mirror = ListMirror(controller)
      controller.delegate = mirror
      let book = try #require(controller.fetchedObjects.first { $0["code"] == "c" })
      for title: AttributeValue in ["last", .null] {
        book["title"] = title
        context.processPendingChanges()
        let expected = try context.fetch(request).map(\.objectID)
        #expect(controller.fetchedObjects.map(\.objectID) == expected && mirror.rows.flatMap(\.objectIDs) == expected)
      }
      #expect(controller.fetchedObjects.map { $0["code"] } == ["a", "b", "c", "d"])
    }
  }

  @Test("An object that others deleted leaves every list once a save has dropped its changes", .tags(.d12, .d6))
  func deletedElsewhere() throws {
    let stack = try TestStack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let quakes = try ["a", "b"].map { try Quake.insert($0, 1, into: context) }
      try context.save()
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest<ManagedObject>(
          entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.magnitude)]),
        managedObjectContext: context)
      try controller.performFetch()
      quakes[0][Quake.magnitude] = 2
      try stack.execute("DELETE FROM ZQUAKE WHERE ZCODE = 'a'")
      try context.save()
      #expect(quakes[0].isDeleted && Array(controller.fetchedObjects) == [quakes[1]])
    }
  }

  @Test("An observation that ends releases the objects that it holds", .tags(.d12))
  func heldByAnObservation() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      weak var held: FetchedResultsController<ManagedObject>?
      var observation: ContextObservation?
      try { () throws in
        let controller = FetchedResultsController(
          fetchRequest: FetchRequest<ManagedObject>(
            entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.magnitude)]),
          managedObjectContext: context)
        try controller.performFetch()
        held = controller
        observation = context.observe(.didSave) { _ in _ = controller.failure }
      }()
      #expect(held != nil && observation != nil)
      observation = nil
      #expect(held == nil)
    }
  }

  @Test("Without a key path there is one section without a name, even when it is empty", .tags(.d12))
  func oneSection() throws {
    try world(section: nil, predicate: Quake.magnitude > 3.5) { list, context, quakes in
      #expect(list.controller.sections == [.init(name: "", numberOfObjects: 1, offset: 0)])
      let made = try transition(list) { quakes["e"]?[Quake.magnitude] = 1 }
      #expect(
        made.sectionChanges.isEmpty && list.controller.sections == [.init(name: "", numberOfObjects: 0, offset: 0)])
    }
  }

  @Test("Before the first fetch a list is empty, and a request without an order is refused", .tags(.d12))
  func unfetched() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest(entityName: "Quake"), managedObjectContext: context)
      #expect(controller.fetchedObjects.isEmpty && controller.sections.isEmpty && controller.snapshot.sections.isEmpty)
      let error = try #require(throws: ObjectGraphError.self) { try controller.performFetch() }
      guard case .invalidFetch("Quake", let found, _) = error else { throw error }
      #expect(found.contains("no sortDescriptors"))
      controller.fetchRequest.sortDescriptors = [FetchSortDescriptor("code")]
      try controller.performFetch()
      #expect(controller.sections.count == 1)
    }
  }
}

extension FetchedResultsControllerTests {
  @Test("Insert, delete, update and move of an object are one change each", .tags(.d12))
  func kinds() throws {
    try world { list, context, quakes in
      let (a, b) = (try #require(quakes["a"]), try #require(quakes["b"]))
      #expect(
        try transition(list) { b[Quake.time] = Date() }.changes == [
          .update(b.objectID, at: path(0, 1), now: path(0, 1))
        ])
      #expect(
        try transition(list) { a[Quake.magnitude] = 9 }.changes == [.move(a.objectID, from: path(0, 0), to: path(0, 2))]
      )
      #expect(
        try transition(list) { try context.delete(b) }.changes == [.delete(b.objectID, at: path(0, 0))])
      let inserted = try transition(list) {
        let quake = try Quake.insert("f", 0.5, into: context)
        quake[Quake.place] = "Reno"
      }
      #expect(inserted.changes.count == 1 && inserted.sectionChanges.isEmpty)
      guard case .insert(_, path(1, 0)) = inserted.changes[0] else { throw TestFailure("\(inserted)") }
    }
  }

  @Test("An object whose sort value changes but not its position is updated, not moved", .tags(.d12))
  func noMoveToItself() throws {
    try world { list, _, quakes in
      let b = try #require(quakes["b"])
      #expect(
        try transition(list) { b[Quake.magnitude] = 1.5 }.changes
          == [.update(b.objectID, at: path(0, 1), now: path(0, 1))])
    }
  }

  @Test("An object that others shift is updated in place, with both index paths", .tags(.d12))
  func shifted() throws {
    try world { list, context, quakes in
      let (a, c) = (try #require(quakes["a"]), try #require(quakes["c"]))
      let made = try transition(list) {
        try context.delete(a)
        c[Quake.time] = Date()
      }
      #expect(
        made.changes == [.delete(a.objectID, at: path(0, 0)), .update(c.objectID, at: path(0, 2), now: path(0, 1))])
    }
  }

  @Test("An object that passes another is moved, even if a deletion keeps its index path the same", .tags(.d12))
  func fixedPoint() throws {
    try world { list, context, quakes in
      let (a, b, c) = (try #require(quakes["a"]), try #require(quakes["b"]), try #require(quakes["c"]))
      // b is at position 1 before and after, with c on its other side: c is the object that moves.
      let made = try transition(list) {
        try context.delete(a)
        b[Quake.magnitude] = 8
      }
      #expect(
        made.changes == [
          .delete(a.objectID, at: path(0, 0)), .move(c.objectID, from: path(0, 2), to: path(0, 0)),
          .update(b.objectID, at: path(0, 1), now: path(0, 1)),
        ])
    }
  }
}

extension FetchedResultsControllerTests {
  @Test("When two objects exchange positions, both are reported as moved", .tags(.d12))
  func exchanged() throws {
    try world { list, _, quakes in
      let (a, c) = (try #require(quakes["a"]), try #require(quakes["c"]))
      let made = try transition(list) {
        a[Quake.magnitude] = 2
        c[Quake.magnitude] = 0
      }
      #expect(made.changes.count == 2 && made.changes.allSatisfy { if case .move = $0 { true } else { false } })
    }
  }

  @Test("A section that becomes empty while its object moves is deleted, and the new one is inserted", .tags(.d12))
  func emptiedSection() throws {
    try world { list, context, quakes in
      let (d, e) = (try #require(quakes["d"]), try #require(quakes["e"]))
      _ = try transition(list) { try context.delete(e) }
      let made = try transition(list) { d[Quake.place] = "Yuma" }
      #expect(made.sectionChanges == [.delete(name: "Reno", at: 1), .insert(name: "Yuma", at: 1)])
      // The numbers are the same but the section is different, so it is still a move.
      #expect(made.changes == [.move(d.objectID, from: path(1, 0), to: path(1, 0))])
      let back = try transition(list) { d[Quake.place] = "Elko" }
      #expect(back.sectionChanges == [.delete(name: "Yuma", at: 1)])
      #expect(back.changes == [.move(d.objectID, from: path(1, 0), to: path(0, 3))])
    }
  }

  @Test("The only object of a section can change without a deletion and insertion of its section", .tags(.d12))
  func loneObject() throws {
    try world { list, context, quakes in
      let (d, e) = (try #require(quakes["d"]), try #require(quakes["e"]))
      _ = try transition(list) { try context.delete(e) }
      let made = try transition(list) { d[Quake.magnitude] = 7 }
      #expect(made.sectionChanges.isEmpty)
      #expect(made.changes == [.update(d.objectID, at: path(1, 0), now: path(1, 0))])
    }
  }

  @Test("A section whose objects all pass another one is deleted and inserted, and the other stays", .tags(.d12))
  func passingSection() throws {
    try world(order: [FetchSortDescriptor(Quake.magnitude)]) { list, _, quakes in
      let made = try transition(list) {
        for (index, code) in ["a", "b", "c"].enumerated() { quakes[code]?[Quake.magnitude] = Double(index + 10) }
      }
      #expect(made.sectionChanges == [.delete(name: "Elko", at: 0), .insert(name: "Elko", at: 1)])
      #expect(made.changes.count == 3 && made.changes.allSatisfy { if case .move = $0 { true } else { false } })
    }
  }
}

extension FetchedResultsControllerTests {
  @Test("A list without pending changes loses an object that is to be deleted when others have deleted it", .tags(.d12))
  func storedOnly() throws {
    try world { list, context, quakes in
      var request = list.controller.fetchRequest
      request.includesPendingChanges = false
      let stored = try FollowedList("stored", request, context)
      try context.delete(try #require(quakes["b"]))
      context.processPendingChanges()
      #expect(stored.controller.fetchedObjects.count == 5 && list.controller.fetchedObjects.count == 4)
      var deletion = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake", predicate: Quake.code == "b"))
      deletion.resultType = .changes
      guard case .changes(let changes) = try context.execute(deletion) else { throw TestFailure("no changes") }
      try context.mergeChanges(fromContextDidSave: changes)
      #expect(stored.controller.fetchedObjects.count == 4)
      try stored.check("merged")
    }
  }

  @Test("A save reports nothing but the permanent IDs of new objects", .tags(.d12, .d5))
  func save() throws {
    try world { list, context, quakes in
      let b = try #require(quakes["b"])
      var new: ManagedObject?
      _ = try transition(list) {
        b[Quake.magnitude] = 1.5
        new = try Quake.insert("f", 1, into: context)
        new?[Quake.place] = "Elko"
      }
      let f = try #require(new)
      #expect(f.objectID.isTemporaryID && list.controller.indexPath(for: f) == path(0, 1))
      let former = f.objectID
      let made = try transition(list) { try context.save() }
      #expect(made.changes == [.update(f.objectID, at: path(0, 1), now: path(0, 1))] && former != f.objectID)
      #expect(made.former == [1: former])
    }
  }

  @Test("A rollback undoes what unsaved changes did", .tags(.d12))
  func rollback() throws {
    try world { list, context, quakes in
      let before = list.controller.snapshot
      _ = try transition(list) {
        quakes["a"]?[Quake.place] = "Yuma"
        try context.delete(try #require(quakes["d"]))
        try Quake.insert("g", 3, into: context)
      }
      _ = try transition(list) {
        context.rollback()
        #expect(list.controller.snapshot == before, "before anything else is processed")
      }
      #expect(list.controller.snapshot == before)
    }
  }

  @Test(
    "Objects that nobody holds are made again from stored values, never from rolled-back ones", .tags(.d12, .d4))
  func remade() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try Quake.insert("a", 1, into: context)
      try context.save()
    }
    let list = try context.performAndWait { () throws in
      let request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
      let list = try FollowedList("quakes", request, context)
      list.controller.fetchedObjects[0][Quake.magnitude] = 5
      context.processPendingChanges()
      context.rollback()
      return Carried(list)
    }
    context.performAndWait {
      let quake = list.value.controller.fetchedObjects[0]
      #expect(quake[Quake.magnitude] == 1 && !quake.hasChanges)
    }
  }
}

extension FetchedResultsControllerTests {
  @Test("Sections that the order does not keep together are refused, and followed again when it does", .tags(.d12))
  func outOfOrder() throws {
    try world(order: [FetchSortDescriptor(Quake.magnitude)]) { list, context, quakes in
      let before = list.controller.snapshot
      let a = try #require(quakes["a"])
      a[Quake.place] = "Reno"
      context.processPendingChanges()
      guard case .invalidFetch("Quake", let found, _)? = list.controller.failure else {
        throw TestFailure("\(String(describing: list.controller.failure))")
      }
      #expect(found.contains("'Reno'") && list.mirror.failure == list.controller.failure)
      #expect(list.controller.snapshot == before)
      a[Quake.magnitude] = 3.5
      context.processPendingChanges()
      #expect(list.controller.failure == nil && list.controller.sections.map(\.numberOfObjects) == [2, 3])
      let request = list.controller.fetchRequest
      let other = FetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "magnitude")
      try other.performFetch()
      quakes["e"]?[Quake.magnitude] = nil
      quakes["c"]?[Quake.magnitude] = nil
      context.processPendingChanges()
      #expect(other.sections.first?.name == "" && other.sections.first?.numberOfObjects == 2)
      #expect(throws: ObjectGraphError.self) {
        try FetchedResultsController(
          fetchRequest: FetchRequest<ManagedObject>(
            entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")]),
          managedObjectContext: context, sectionNameKeyPath: "place"
        ).performFetch()
      }
    }
  }

  @Test(
    "A second fetch uses a new request; the delegate is not called, and transitions report the differences",
    .tags(.d12))
  func refetch() async throws {
    let stack = try TestStack()
    let context = stack.context()
    let (controller, transitions, start) = try context.performAndWait { () throws in
      for code in ["a", "b", "c"] { try Quake.insert(code, 1, into: context) }
      try context.save()
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")]),
        managedObjectContext: context)
      try controller.performFetch()
      return (controller, controller.transitions(), controller.snapshot)
    }
    let expected = try context.performAndWait { () throws in
      let mirror = ListMirror(controller)
      controller.delegate = mirror
      controller.fetchRequest.predicate = Quake.code != "b"
      controller.fetchRequest.sortDescriptors = [FetchSortDescriptor("code", ascending: false)]
      try controller.performFetch()
      #expect(mirror.told.isEmpty && controller.fetchedObjects.map { $0[Quake.code] } == ["c", "a"])
      try Quake.insert("d", 1, into: context)
      context.processPendingChanges()
      return controller.snapshot
    }
    var rows = start
    var count = 0
    for await transition in transitions {
      rows.apply(transition)
      count += 1
      if rows == expected { break }
    }
    #expect(count == 2 && rows.objectIDs.count == 3)
  }

  @Test("Transitions end with their controller", .tags(.d12))
  func end() async throws {
    let stack = try TestStack()
    let context = stack.context()
    let transitions = try context.performAndWait { () throws in
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")]),
        managedObjectContext: context)
      try controller.performFetch()
      return controller.transitions()
    }
    for await transition in transitions { Issue.record("\(transition)") }
  }

  @Test("Changes by a delegate are reported after those that it was notified of", .tags(.d12))
  func nested() throws {
    try world { list, context, quakes in
      let told = list.controller.follower?.didChange
      var depths: [Int] = []
      var depth = 0
      list.controller.follower?.didChange = { transition in
        depths.append(depth)
        depth += 1
        if depths.count == 1 {
          quakes["a"]?[Quake.magnitude] = 4
          context.processPendingChanges()
        }
        depth -= 1
        told?(transition)
      }
      quakes["b"]?[Quake.magnitude] = 6
      context.processPendingChanges()
      #expect(depths == [0, 0])
      try list.check("after both")
    }
  }
}
