// D3: fetching by predicate and order; unsaved changes count like saved ones.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D3 · fetching by predicate")
struct PredicateFetchTests {
  private static let places = ["Here", "there", "Ålesund", "alesund", "9km N of Alaska", nil]

  private func stack(rows: Int = 60) throws -> TestStack {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.execute(
        BatchInsertRequest(
          entityName: "Quake",
          objects: (0..<rows).map {
            Quake.row("q\($0)", $0 % 7 == 0 ? nil : Double($0 % 13) / 2, place: Self.places[$0 % Self.places.count])
          }))
    }
    return stack
  }

  private func codes(_ request: FetchRequest<ManagedObject>, _ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(request).compactMap { $0[Quake.code] }
  }

  @Test("A format and typed keys make the same request", .tags(.d3))
  func formats() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let format = FetchRequest(
        entityName: "Quake",
        predicate: try FetchPredicate(
          format: "magnitude > %@ AND (place CONTAINS[cd] %@ OR place == NIL)", 2.5, "ales"),
        sortDescriptors: [FetchSortDescriptor(Quake.magnitude, ascending: false), FetchSortDescriptor("code")])
      var typed = format
      typed.predicate =
        Quake.magnitude > 2.5
        && (Quake.place.contains("ales", options: [.caseInsensitive, .diacriticInsensitive]) || Quake.place == nil)
      let found = try codes(format, context)
      #expect(try codes(typed, context) == found && !found.isEmpty)
      let expected = (0..<60).filter { (number: Int) in
        number % 7 != 0 && number % 13 > 5 && [2, 3, 5].contains(number % 6)
      }.sorted { (left: Int, right: Int) in
        left % 13 == right % 13 ? "q\(left)" < "q\(right)" : left % 13 > right % 13
      }
      #expect(found == expected.map { "q\($0)" })
      #expect(try context.count(for: format) == found.count)
      var window = format
      window.fetchOffset = 2
      window.fetchLimit = 3
      #expect(try codes(window, context) == Array(found[2..<5]))
      #expect(try context.count(for: window) == 3)
      // A negative offset skips nothing, and a negative limit does not limit anything.
      window.fetchOffset = -2
      #expect(try codes(window, context) == Array(found[..<3]) && context.count(for: window) == 3)
      window.fetchLimit = -1
      #expect(try codes(window, context) == found && context.count(for: window) == found.count)
    }
  }

  @Test("A given object never equals null, whatever the other side", .tags(.d3))
  func givenObjects() throws {
    let stack = try stack(rows: 3)
    let context = stack.context()
    try context.performAndWait { () throws in
      let quakes = Array(try context.fetch(FetchRequest(entityName: "Quake")))
      for isPending in [false, true] {
        if isPending { for quake in quakes { quake[Quake.place] = "Reno" } }
        for (format, count) in [
          ("%@ = NULL", 0), ("NULL = %@", 0), ("%@ != NULL", 3), ("NOT %@ = NULL", 3), ("%@ IN {NULL}", 0),
          ("NULL IN {%@}", 0), ("%@ = NULL OR code = 'q1'", 1), ("%@ != NULL AND code = 'q1'", 1),
        ] {
          let predicate = try FetchPredicate(format: format, quakes[0])
          let request = FetchRequest(entityName: "Quake", predicate: predicate)
          #expect(try context.count(for: request) == count, "\(format), \(isPending)")
        }
      }
    }
  }

  @Test("Two given objects or values are compared in SQL as in memory", .tags(.d3))
  func givenAtBothSides() throws {
    let stack = try stack(rows: 3)
    let context = stack.context()
    try context.performAndWait { () throws in
      let quakes = Array(try context.fetch(FetchRequest(entityName: "Quake")))
      let new = try Quake.insert("new", into: context)
      let predicates: [(FetchPredicate, Bool)] = [
        (try FetchPredicate(format: "%@ == %@", quakes[0], quakes[0].objectID), true),
        (try FetchPredicate(format: "%@ == %@", quakes[0], quakes[1]), false),
        (try FetchPredicate(format: "%@ != %@", quakes[0], new), true),
        (try FetchPredicate(format: "%@ == %@", new, new), true),
        (try FetchPredicate(format: "%@ IN %@", quakes[0], [quakes[1], quakes[0]]), true),
        (try FetchPredicate(format: "%@ IN %@", quakes[0], [quakes[1], new]), false),
        (try FetchPredicate(format: "%@ CONTAINS %@", quakes, quakes[2]), true),
        (try FetchPredicate(format: "NOT %@ IN %@", quakes[0], [ManagedObject]()), true),
        (try FetchPredicate(format: "NULL == NULL"), true), (try FetchPredicate(format: "NULL < NULL"), false),
        (try FetchPredicate(format: "%@ == 2.5", Decimal(2.5)), true),
        (try FetchPredicate(format: "%@ == 1", true), true),
        (try FetchPredicate(format: "'a' ==[c] 'A' AND 2 > 1.5"), true),
      ]
      for (predicate, holds) in predicates {
        #expect(try predicate.evaluate(with: quakes[0]) == holds, "\(predicate)")
        #expect(
          try context.count(for: FetchRequest(entityName: "Quake", predicate: predicate)) == (holds ? 4 : 0),
          "\(predicate)")
      }
      // Each element may belong to another table, or be the object itself.
      let request = FetchRequest(
        entityName: "Quake", predicate: try FetchPredicate(format: "%@ IN {SELF, %@}", quakes[0], quakes[1]))
      #expect(try codes(request, context) == ["q0"])
    }
  }

  @Test("The worked case: quakes above 2.5, changed and saved", .tags(.d3))
  func workedCase() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let strong = try context.fetch(FetchRequest(entityName: "Quake", predicate: Quake.magnitude > 2.5))
      for quake in strong { quake[Quake.place] = "checked" }
      try context.save()
      #expect(
        try stack.rows("SELECT count(*) FROM ZQUAKE WHERE ZMAGNITUDE > 2.5 AND ZPLACE = 'checked'")
          == ["\(strong.count)"])
    }
  }

  @Test("Unsaved changes count as they would once saved, for any predicate, order and window", .tags(.d3))
  func pendingChanges() throws {
    var seed: UInt64 = 29
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    let predicates: [FetchPredicate?] = [
      nil, Quake.magnitude > 2.5, Quake.place == nil, try FetchPredicate(format: "NOT (place BEGINSWITH[c] 'THE')"),
      try FetchPredicate(format: "magnitude BETWEEN {1, 4} OR code IN {'q1', 'q2', 'new3'}"),
      try FetchPredicate(format: "magnitude * 2 != 5 AND place LIKE '*e*'"),
    ]
    let orders: [[FetchSortDescriptor]] = [
      [], [FetchSortDescriptor("code")],
      [FetchSortDescriptor("place", options: [.caseInsensitive]), FetchSortDescriptor("code", ascending: false)],
      [
        FetchSortDescriptor("place", ascending: false, selector: .localizedStandardCompare),
        FetchSortDescriptor("code"),
      ],
    ]
    for round in 0..<25 {
      let stack = try stack(rows: 30)
      let context = stack.context()
      try context.performAndWait { () throws in
        let all = Array(try context.fetch(FetchRequest(entityName: "Quake")))
        for quake in all {
          switch random(4) {
          case 0: quake[Quake.magnitude] = random(5) == 0 ? nil : Double(random(12)) / 2
          case 1: quake[Quake.place] = Self.places[random(6)]
          case 2 where random(2) == 0: try context.delete(quake)
          default: break
          }
        }
        for number in 0..<random(6) {
          let quake = try Quake.insert("new\(number)", Double(random(12)) / 2, into: context)
          quake[Quake.place] = Self.places[random(6)]
        }
        var requests: [FetchRequest<ManagedObject>] = []
        for predicate in predicates {
          for order in orders {
            var request = FetchRequest(entityName: "Quake", predicate: predicate, sortDescriptors: order)
            request.fetchOffset = random(4)
            request.fetchLimit = random(12)
            requests.append(request)
          }
        }
        let before = try requests.map { try codes($0, context) }
        let counts = try requests.map { try context.count(for: $0) }
        try context.save()
        context.reset()
        for (index, request) in requests.enumerated() {
          let after = try codes(request, context)
          #expect(before[index] == after, "round \(round), \(request)")
          #expect(counts[index] == after.count)
        }
      }
    }
  }
}

extension PredicateFetchTests {
  @Test("Without pending changes an unsaved value does not count", .tags(.d3))
  func savedOnly() throws {
    let stack = try stack(rows: 3)
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try context.fetch(FetchRequest(entityName: "Quake"))[1]
      quake[Quake.code] = "other"
      var request = FetchRequest(entityName: "Quake", predicate: Quake.code == "q1")
      #expect(try context.count(for: request) == 0)
      request.includesPendingChanges = false
      let found = try context.fetch(request)
      #expect(found.count == 1 && found[0] === quake && found[0][Quake.code] == "other")
    }
  }

  @Test("Predicates and orders work over a hierarchy, and follow relationships in the store", .tags(.d3))
  func hierarchy() throws {
    let stack = try TestStack([
      EntityDescription("Event", isAbstract: true, attributes: [AttributeDescription("code", .string)]),
      EntityDescription(
        "Quake", superentity: "Event", attributes: [AttributeDescription("magnitude", .double, isOptional: true)],
        relationships: [RelationshipDescription("station", to: "Station", inverse: "quakes")]),
      EntityDescription(
        "Blast", superentity: "Event", attributes: [AttributeDescription("charge", .double, isOptional: true)]),
      EntityDescription(
        "Station", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("quakes", to: "Quake", inverse: "station", isToMany: true)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      for (code, name) in [("c", "Quake"), ("a", "Blast"), ("b", "Quake")] {
        try context.insertNewObject(forEntityName: name)["code"] = .string(code)
      }
      try context.insertNewObject(forEntityName: "Station")["name"] = "S1"
      try context.save()
      context.reset()
      try stack.execute("UPDATE ZEVENT SET ZSTATION = 1, ZMAGNITUDE = 3 WHERE ZCODE = 'b'")
      func found(_ entity: String, _ format: String) throws -> [String] {
        try context.fetch(
          FetchRequest(
            entityName: entity, predicate: try FetchPredicate(format: format),
            sortDescriptors: [FetchSortDescriptor("code")])
        ).map { "\($0.entity.name)\($0["code"])" }
      }
      #expect(
        try found("Event", "TRUEPREDICATE") == ["Blaststring(\"a\")", "Quakestring(\"b\")", "Quakestring(\"c\")"])
      #expect(try found("Event", "code > 'a'") == ["Quakestring(\"b\")", "Quakestring(\"c\")"])
      #expect(try found("Quake", "station.name == 'S1'") == ["Quakestring(\"b\")"])
      #expect(try found("Quake", "station == NIL") == ["Quakestring(\"c\")"])
      let stations = FetchRequest(
        entityName: "Station", predicate: try FetchPredicate(format: "ANY quakes.magnitude > 2 AND quakes.@count == 1"))
      #expect(try context.count(for: stations) == 1)
    }
  }

  @Test("A predicate that does not fit the entity is an error with the key", .tags(.d3))
  func errors() throws {
    let stack = try stack(rows: 1)
    let context = stack.context()
    try context.performAndWait { () throws in
      for (format, part) in [
        ("magnitud > 1", "did you mean magnitude?"), ("place > 1", "expected"), ("time > 5", "expected"),
      ] {
        let request = FetchRequest(entityName: "Quake", predicate: try FetchPredicate(format: format))
        let error = #expect(throws: ObjectGraphError.self) { try context.fetch(request) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(throws: ObjectGraphError.self) { try context.count(for: request) }
      }
      let order = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("depth")])
      #expect(throws: ObjectGraphError.self) { try context.fetch(order) }
    }
  }
}
