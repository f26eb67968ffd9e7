// D3 D1: predicates about an object's entity, in memory and in SQL.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D3 D1 · entities in predicates", .tags(.d3, .d1))
struct EntityPredicateTests {
  private static let entities = [
    EntityDescription(
      "Event", isAbstract: true, attributes: [AttributeDescription("code", .string)],
      relationships: [
        RelationshipDescription("station", to: "Station", inverse: "events"),
        RelationshipDescription("next", to: "Event", inverse: "previous"),
        RelationshipDescription("previous", to: "Event", inverse: "next"),
      ]),
    EntityDescription(
      "Quake", superentity: "Event", attributes: [AttributeDescription("magnitude", .double, isOptional: true)]),
    EntityDescription(
      "Shock", superentity: "Quake", attributes: [AttributeDescription("rank", .int16, isOptional: true)]),
    EntityDescription(
      "Station", attributes: [AttributeDescription("code", .string)],
      relationships: [RelationshipDescription("events", to: "Event", inverse: "station", isToMany: true)]),
    EntityDescription(
      "Form", attributes: [AttributeDescription("code", .string), AttributeDescription("entity", .string)]),
  ]

  private func entity(_ name: String) throws -> EntityDescription {
    try #require(Self.entities.first { $0.name == name })
  }

  /// Quakes `e0` and `e2`, shocks `e1` and `e3`; the first three have a station, and `e0` refers to `e1`.
  private func fill(_ context: ManagedObjectContext) throws {
    let station = try context.insertNewObject(forEntityName: "Station")
    station["code"] = "s"
    var events: [ManagedObject] = []
    for number in 0..<4 {
      let event = try context.insertNewObject(forEntityName: number % 2 == 0 ? "Quake" : "Shock")
      event["code"] = .string("e\(number)")
      if number < 3 { try event.setObject(station, forKey: "station") }
      events.append(event)
    }
    try events[0].setObject(events[1], forKey: "next")
    let form = try context.insertNewObject(forEntityName: "Form")
    form["code"] = "f"
    form["entity"] = "paper"
  }

  /// The results of SQL, after comparing them with those in memory.
  private func codes(
    _ format: String, _ arguments: [any PredicateArgument], in entity: String, _ context: ManagedObjectContext
  ) throws -> [AttributeValue] {
    let predicate =
      switch arguments.count {
      case 0: try FetchPredicate(format: format)
      case 1: try FetchPredicate(format: format, arguments[0])
      default: try FetchPredicate(format: format, arguments[0], arguments[1])
      }
    var request = FetchRequest(entityName: entity, sortDescriptors: [FetchSortDescriptor("code")])
    let inMemory = try context.fetch(request).filter { try predicate.evaluate(with: $0) }.map { $0["code"] }
    request.predicate = predicate
    #expect(try context.count(for: request) == inMemory.count, "\(format)")
    let found = try context.fetch(request).map { $0["code"] }
    #expect(found == inMemory, "\(format)")
    return found
  }

  @Test("An object is of its own entity alone, not of its super-entities", arguments: [false, true])
  func exactEntity(isSaved: Bool) throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context()
    try context.performAndWait { () throws in
      try fill(context)
      if isSaved { try context.save() }
      let (quake, shock) = (try entity("Quake"), try entity("Shock"))
      let questions: [(format: String, arguments: [any PredicateArgument], codes: [AttributeValue])] = [
        ("entity == %@", [quake], ["e0", "e2"]), ("SELF.entity == %@", [shock], ["e1", "e3"]),
        ("%@ = entity", [quake], ["e0", "e2"]), ("entity != %@", [quake], ["e1", "e3"]),
        ("NOT entity == 'Quake'", [], ["e1", "e3"]), ("entity == %@", [try entity("Event")], []),
        ("entity IN %@", [[quake, shock]], ["e0", "e1", "e2", "e3"]), ("entity IN {'Shock'}", [], ["e1", "e3"]),
        ("NOT entity IN %@", [[try entity("Station"), shock]], ["e0", "e2"]), ("entity == NULL", [], []),
        ("entity.name == 'Shock'", [], ["e1", "e3"]), ("entity.name BEGINSWITH[c] 's'", [], ["e1", "e3"]),
        ("%K == %@", ["entity", quake], ["e0", "e2"]), ("entity == code", [], []),
        ("next.entity == %@", [shock], ["e0"]), ("next.entity == %@", [quake], []),
        ("next.entity != %@", [shock], ["e1", "e2", "e3"]), ("next.entity == NULL", [], ["e1", "e2", "e3"]),
        ("entity IN {'Shock', previous.entity}", [], ["e1", "e3"]), ("previous.entity == entity", [], []),
      ]
      for question in questions {
        let found = try codes(question.format, question.arguments, in: "Event", context)
        #expect(found == question.codes, "\(question.format)")
      }
      #expect(try codes("entity == %@", [quake], in: "Quake", context) == ["e0", "e2"])
      #expect(try codes("entity == %@", [try entity("Station")], in: "Station", context) == ["s"])
    }
  }

  @Test("The entities of objects in a to-many relationship can be compared", arguments: [false, true])
  func elements(isSaved: Bool) throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context()
    try context.performAndWait { () throws in
      try fill(context)
      if isSaved { try context.save() }
      for (format, isFound) in [
        ("ANY events.entity == 'Shock'", true), ("ALL events.entity == 'Shock'", false),
        ("NONE events.entity == 'Event'", true), ("'Quake' IN events.entity", true),
        ("ANY events.next.entity == 'Shock'", true), ("ANY events.station.entity == 'Station'", true),
        ("SUBQUERY(events, $x, $x.entity == 'Quake').@count == 2", true), ("events.entity CONTAINS 'Shock'", true),
      ] {
        #expect(try codes(format, [], in: "Station", context) == (isFound ? ["s"] : []), "\(format)")
      }
    }
  }

  @Test("A property named entity has priority, and a name that no entity has is an error")
  func names() throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context()
    try context.performAndWait { () throws in
      try fill(context)
      try context.save()
      #expect(try codes("entity == 'paper'", [], in: "Form", context) == ["f"])
      #expect(try codes("entity == 'Form'", [], in: "Form", context) == [])
      let expected = FetchPredicateError.typeMismatch(
        in: "entity = \"Quaek\"", found: "the entity 'Quaek'", expected: "one of Event, Form, Quake, Shock, Station")
      #expect(throws: ObjectGraphError.predicate(expected)) {
        try context.fetch(FetchRequest(entityName: "Event", predicate: try FetchPredicate(format: "entity == 'Quaek'")))
      }
    }
  }

  @Test("Batch requests, orders, dictionaries and followed lists support entities too")
  func requests() throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context()
    try context.performAndWait { () throws in
      try fill(context)
      try context.save()
      let ofShocks = try FetchPredicate(format: "entity == %@", try entity("Shock"))
      let results = FetchedResultsController(
        fetchRequest: FetchRequest(
          entityName: "Event", predicate: ofShocks, sortDescriptors: [FetchSortDescriptor("code")]),
        managedObjectContext: context)
      try results.performFetch()
      for (name, code) in [("Shock", "e4"), ("Quake", "e5")] {
        try context.insertNewObject(forEntityName: name)["code"] = .string(code)
      }
      context.processPendingChanges()
      #expect(results.fetchedObjects.map { $0["code"] } == ["e1", "e3", "e4"])
      try context.save()
      var groups = FetchRequest(entityName: "Event")
      groups.propertiesToFetch = [
        .property("entity"), .expression(ExpressionDescription("number", .aggregate(.count, FetchPath(keys: [])))),
      ]
      groups.propertiesToGroupBy = ["entity"]
      groups.sortDescriptors = [FetchSortDescriptor("entity", ascending: false)]
      let found = try context.fetchDictionaries(groups)
      #expect(found.map { $0["entity"] } == ["Shock", "Quake"] && found.map { $0["number"] } == [3, 3])
      var update = BatchUpdateRequest(entityName: "Quake", propertiesToUpdate: ["magnitude": 5])
      update.predicate = ofShocks
      update.resultType = .count
      #expect(try context.execute(update).count == 3)
      var deletion = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Event", predicate: ofShocks))
      deletion.resultType = .count
      #expect(try context.execute(deletion).count == 3)
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZEVENT ORDER BY 1") == ["e0", "e2", "e5"])
  }
}
