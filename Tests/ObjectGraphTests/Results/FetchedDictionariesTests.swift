// D12: dictionaries that follow the stored state: rows, groups and aggregates, each identified by its subject.
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D12 D3 · followed dictionaries")
struct FetchedDictionariesTests {
  /// Four quakes at two places.
  private func world(_ body: (TestStack, ManagedObjectContext) throws -> Void) throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for (code, magnitude, place) in [("a", 1.0, "Elko"), ("b", 2.0, "Elko"), ("c", 3.0, "Elko"), ("d", 4.0, "Nome")] {
        try Quake.insert(code, magnitude, into: context)[Quake.place] = place
      }
      try context.save()
      try body(stack, context)
    }
  }

  private static var groups: FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("quakes", ascending: false)])
    request.propertiesToGroupBy = ["place"]
    request.propertiesToFetch = ["place", .expression(ExpressionDescription("quakes", .count))]
    return request
  }

  private func quake(_ code: String, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.fetch(FetchRequest(entityName: "Quake", predicate: Quake.code == code)).first)
  }

  /// A transition as text: kinds, values and positions.
  private func text(_ transition: FetchedTransition<DictionaryRow>) -> [String] {
    func values(_ row: DictionaryRow) -> String {
      row.values.map { ComparableValue($0).sectionName ?? "?" }.joined(separator: " ")
    }
    return transition.changes.map { change in
      switch change {
      case .insert(let row, let path): "insert \(values(row)) at \(path.section).\(path.item)"
      case .delete(let row, let path): "delete \(values(row)) at \(path.section).\(path.item)"
      case .move(let row, let from, let to):
        "move \(values(row)) from \(from.section).\(from.item) to \(to.section).\(to.item)"
      case .update(let row, let old, let now):
        "update \(values(row)) at \(old.section).\(old.item) now \(now.section).\(now.item)"
      }
    }
  }

  @Test("A group stays the same while its values change: updated in place, moved past others", .tags(.d12, .d3))
  func groups() throws {
    try world { _, context in
      let controller = FetchedDictionariesController(fetchRequest: Self.groups, managedObjectContext: context)
      #expect(controller.fetchedDictionaries.isEmpty && controller.sections.isEmpty)
      try controller.performFetch()
      #expect(controller.fetchedDictionaries.map { $0["place"] } == ["Elko", "Nome"])
      #expect(controller.dictionary(at: FetchedIndexPath(section: 0, item: 1))?["quakes"] == 1)
      #expect(controller.dictionary(at: FetchedIndexPath(section: 0, item: 2)) == nil)
      var told: [[String]] = []
      controller.didChange = { told.append(self.text($0)) }

      let new = try Quake.insert("e", 5, into: context)
      new[Quake.place] = "Nome"
      context.processPendingChanges()
      #expect(told.isEmpty && controller.fetchedDictionaries[1]["quakes"] == 1)
      try context.save()
      #expect(told == [["update Nome 2 at 0.1 now 0.1"]])
      for code in ["a", "b"] { try quake(code, context)[Quake.place] = "Nome" }
      try context.save()
      #expect(told.last == ["move Nome 4 from 0.1 to 0.0", "update Elko 1 at 0.0 now 0.1"])
      try quake("c", context)[Quake.place] = "Hilo"
      try context.save()
      #expect(told.last == ["delete Elko 1 at 0.1", "insert Hilo 1 at 0.1"])
      // A change that no dictionary shows is none.
      try quake("c", context)[Quake.magnitude] = 7
      try context.save()
      #expect(told.count == 3)
    }
  }

  @Test("A dictionary of an object is identified by the object, whether its ID is fetched or not", .tags(.d12, .d3))
  func objects() throws {
    try world { _, context in
      var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
      request.propertiesToFetch = ["place"]
      let controller = FetchedDictionariesController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "place")
      try controller.performFetch()
      #expect(controller.sections.map(\.name) == ["Elko", "Nome"])
      #expect(controller.sections.map(\.numberOfObjects) == [3, 1])
      #expect(controller.snapshot.items.allSatisfy { $0.names == ["place"] && $0.values.count == 1 })
      var told: [FetchedTransition<DictionaryRow>] = []
      controller.didChange = { told.append($0) }
      let c = try quake("c", context)
      c[Quake.place] = "Nome"
      try context.save()
      #expect(told.map(text) == [["move Nome from 0.2 to 1.0"]])
      c[Quake.place] = "Hilo"
      try context.save()
      #expect(told.last?.sectionChanges == [.insert(name: "Hilo", at: 1)])
      c[Quake.place] = "Nome"
      try quake("a", context)[Quake.place] = "Nome"
      try context.save()
      // Elko, Nome, Elko: the sections are not sorted, so the list stays unchanged.
      #expect(controller.failure?.description.contains("objects of the section 'Nome' at two places") == true)
      #expect(controller.sections.map(\.name) == ["Elko", "Hilo", "Nome"] && told.count == 2)
      try quake("b", context)[Quake.place] = "Nome"
      try context.save()
      #expect(controller.failure == nil && controller.sections.map(\.name) == ["Nome"])
    }
  }

  @Test("Batch requests and other contexts show after they are merged, and a stream has every transition", .tags(.d12))
  func merging() async throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context())
    var list: FetchedDictionariesController?
    var rows: FetchedSnapshot<DictionaryRow>
    let stream: AsyncStream<FetchedTransition<DictionaryRow>>
    (list, rows, stream) = try await context.perform {
      let list = FetchedDictionariesController(fetchRequest: Self.groups, managedObjectContext: context)
      try list.performFetch()
      return (list, list.snapshot, list.transitions())
    }
    #expect(list?.sectionNameKeyPath == nil && rows.items.isEmpty)
    var transitions = stream.makeAsyncIterator()
    try await other.perform {
      try Quake.insert("a", 1, into: other)[Quake.place] = "Elko"
      try other.save()
      var request = BatchInsertRequest(entityName: "Quake", objects: [Quake.row("b", 2, place: "Nome")])
      request.resultType = .changes
      guard case .changes(let changes) = try other.execute(request) else { throw TestFailure("no changes") }
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
    }
    let transition = try #require(await transitions.next())
    rows.apply(transition)
    #expect(rows.items.map { $0["place"] } == ["Elko", "Nome"])
    list = nil
    #expect(await transitions.next() == nil)
  }
}

extension FetchedDictionariesTests {
  @Test("A changed request shows with the next fetch, and an invalid one is refused", .tags(.d12, .d3))
  func requests() throws {
    try world { _, context in
      let controller = FetchedDictionariesController(fetchRequest: Self.groups, managedObjectContext: context)
      try controller.performFetch()
      var told: [[String]] = []
      controller.didChange = { told.append(self.text($0)) }
      controller.fetchRequest.predicate = Quake.magnitude >= 3
      try controller.performFetch()
      #expect(told == [["update Elko 1 at 0.0 now 0.0"]])
      controller.fetchRequest.propertiesToFetch.append("magnitude")
      #expect(throws: ObjectGraphError.self) { try controller.performFetch() }
      #expect(controller.fetchedDictionaries.count == 2 && told.count == 1)
      let unnamed = FetchedDictionariesController(
        fetchRequest: Self.groups, managedObjectContext: context, sectionNameKeyPath: "code")
      let error = #expect(throws: ObjectGraphError.self) { try unnamed.performFetch() }
      #expect(
        error?.description.contains("'code', which is not fetched; expected one of the propertiesToFetch: place")
          == true)
    }
  }

  @Test("Changes saved by a handler during a switch to another request are followed by that request", .tags(.d12, .d3))
  func savingHandler() throws {
    try world { _, context in
      let controller = FetchedDictionariesController(fetchRequest: Self.groups, managedObjectContext: context)
      try controller.performFetch()
      var told: [[String]] = []
      controller.didChange = { transition in
        told.append(self.text(transition))
        if told.count > 1 { return }
        do {
          try Quake.insert("e", 5, into: context)[Quake.place] = "Elko"
          try context.save()
        } catch {
          Issue.record(error)
        }
      }
      controller.fetchRequest.predicate = Quake.magnitude >= 3
      try controller.performFetch()
      #expect(told == [["update Elko 1 at 0.0 now 0.0"], ["update Elko 2 at 0.0 now 0.0"]])
    }
  }
}
