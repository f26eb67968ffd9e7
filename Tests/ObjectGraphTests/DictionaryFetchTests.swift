// D3: dictionaries of properties and expressions, grouped or distinct, read only from the store.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D3 · fetching dictionaries", .tags(.d3))
struct DictionaryFetchTests {
  /// Nine events in two regions and without one: quakes of magnitude 1 to 6, and three blasts.
  private func stack() throws -> TestStack {
    let stack = try TestStack([
      EntityDescription(
        "Event",
        attributes: [
          AttributeDescription("code", .string), AttributeDescription("magnitude", .double, isOptional: true),
          AttributeDescription("note", .string, isOptional: true, isTransient: true),
          AttributeDescription("price", .decimal, isOptional: true),
          AttributeDescription("time", .date, isOptional: true),
        ],
        relationships: [RelationshipDescription("region", to: "Region", inverse: "events")]),
      EntityDescription(
        "Blast", superentity: "Event", attributes: [AttributeDescription("charge", .int64, isOptional: true)]),
      EntityDescription(
        "Region", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("events", to: "Event", inverse: "region", isToMany: true)]),
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      for number in 1...6 {
        let event = try context.insertNewObject(forEntityName: "Event")
        event["code"] = .string("e\(number)")
        event["magnitude"] = .real(Double(number))
        event["price"] = .decimal(Decimal(number) / 4)
        event["time"] = .date(Date(timeIntervalSinceReferenceDate: Double(number * 100)))
      }
      for number in 1...3 {
        let blast = try context.insertNewObject(forEntityName: "Blast")
        blast["code"] = .string("b\(number)")
        blast["charge"] = .integer(Int64(number % 2))
      }
      for name in ["North", "South"] { try context.insertNewObject(forEntityName: "Region")["name"] = .string(name) }
      try context.save()
    }
    try stack.execute("UPDATE ZEVENT SET ZREGION = CASE WHEN ZMAGNITUDE < 3 THEN 1 WHEN ZMAGNITUDE < 6 THEN 2 END")
    return stack
  }

  private func fetch(
    _ stack: TestStack, _ entity: String = "Event",
    _ change: (inout FetchRequest<ManagedObject>) throws -> Void = { _ in }
  ) throws -> DictionaryResults {
    var request = FetchRequest(entityName: entity)
    try change(&request)
    let context = stack.context()
    return try context.performAndWait { try context.fetchDictionaries(request) }
  }

  @Test("Properties, to-one paths and expressions are fetched with the types of their attributes")
  func properties() throws {
    let rows = try fetch(stack()) { request in
      request.predicate = try FetchPredicate(format: "magnitude > 4")
      request.propertiesToFetch = [
        "code", "region.name", "time", "price",
        .expression(
          ExpressionDescription("twice", .arithmetic(.path(FetchPath("magnitude")), .multiply, .constant(2)))),
      ]
      request.sortDescriptors = [FetchSortDescriptor("twice", ascending: false)]
    }
    #expect(rows.names == ["code", "region.name", "time", "price", "twice"])
    #expect(
      rows.map { Array($0.values) } == [
        ["e6", .null, .date(Date(timeIntervalSinceReferenceDate: 600)), .decimal(1.5), 12.0],
        ["e5", "South", .date(Date(timeIntervalSinceReferenceDate: 500)), .decimal(1.25), 10.0],
      ])
    #expect(rows[1][AttributeKey<String>("region.name")] == "South" && rows[1]["nothing"] == .null)
    #expect(rows[0].dictionary["code"] == "e6")
  }

  @Test(
    "A constant is returned unchanged, whatever its type",
    arguments: [
      .integer(7), .boolean(true), .real(2.5), .real(3), .decimal(Decimal(49) / 4), "text", .binary(Data([0, 255])),
      .date(Date(timeIntervalSinceReferenceDate: 1.5)),
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      .uri(URL(fileURLWithPath: "/a")), .null,
    ] as [AttributeValue])
  func constants(value: AttributeValue) throws {
    let rows = try fetch(stack()) { request in
      request.predicate = try FetchPredicate(format: "magnitude > 5")
      request.propertiesToFetch = ["code", .expression(ExpressionDescription("kind", .constant(value)))]
    }
    #expect(rows.map { Array($0.values) } == [["e6", value]])
  }

  @Test("Functions return values of their argument's kind, and now() one date for all rows")
  func functions() throws {
    let before = Date()
    let rows = try fetch(stack()) { request in
      request.predicate = try FetchPredicate(format: "code ENDSWITH '3' AND (magnitude = NULL OR time < now())")
      let (code, magnitude) = (FetchExpression.path(FetchPath("code")), FetchExpression.path(FetchPath("magnitude")))
      request.propertiesToFetch = [
        .expression(ExpressionDescription("capitals", .function(.uppercase, code))),
        .expression(ExpressionDescription("root", .function(.squareRoot, .negation(magnitude)))),
        .expression(ExpressionDescription("half", .function(.ceiling, .arithmetic(magnitude, .divide, .constant(2))))),
        .expression(ExpressionDescription("read", .now)),
      ]
      request.sortDescriptors = [FetchSortDescriptor("capitals")]
    }
    #expect(rows.map { Array($0.values.prefix(3)) } == [["B3", .null, .null], ["E3", .null, 2.0]])
    let dates = rows.compactMap { $0[AttributeKey<Date>("read")] }
    #expect(dates.count == 2 && dates[0] == dates[1] && (before...Date()).contains(dates[0]))
  }
}

extension DictionaryFetchTests {
  @Test("objectID, SELF and to-one relationships are the IDs of objects, each of its own entity")
  func objectIDs() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var request = FetchRequest(entityName: "Event", sortDescriptors: [FetchSortDescriptor("code")])
      let events = try context.fetch(request)
      request.propertiesToFetch = [
        "objectID", "code", "SELF", "region", "region.objectID",
        .expression(ExpressionDescription("myself", .path(FetchPath(keys: [])))),
      ]
      let rows = try context.fetchDictionaries(request)
      #expect(rows.map { $0["code"] } == events.map { $0["code"] } && rows.count == 9)
      for (row, event) in zip(rows, events) {
        for name in ["objectID", "SELF", "myself"] { #expect(row.objectID(forKey: name) == event.objectID) }
        let region = try event.object(forKey: "region")?.objectID
        for name in ["region", "region.objectID"] { #expect(row.objectID(forKey: name) == region) }
        #expect(row.objectID(forKey: "code") == nil && row.objectID(forKey: "nothing") == nil)
      }
      #expect(rows.prefix(3).compactMap { $0.objectID(forKey: "objectID")?.entityName } == ["Blast", "Blast", "Blast"])
      #expect(Set(rows).count == 9 && rows[0] == rows[0] && rows[0] != rows[1])
      let child = ManagedObjectContext(parent: context)
      let sought = request
      try child.performAndWait { () throws in #expect(try child.fetchDictionaries(sought).elementsEqual(rows)) }

      request.sortDescriptors = []
      request.propertiesToFetch = ["region"]
      request.returnsDistinctResults = true
      let regions = try context.fetch(FetchRequest(entityName: "Region")).objectIDs
      #expect(try context.fetchDictionaries(request).map { $0.objectID(forKey: "region") } == [nil] + regions)
      request.returnsDistinctResults = false
      request.propertiesToGroupBy = ["region"]
      request.propertiesToFetch = ["region", .expression(ExpressionDescription("events", .count))]
      let groups = try context.fetchDictionaries(request)
      #expect(groups.map { $0.objectID(forKey: "region") } == [nil] + regions)
      #expect(groups.map { $0["events"] } == [4, 2, 3])
      // IDs in dictionaries find their objects.
      request.propertiesToGroupBy = []
      request.propertiesToFetch = ["objectID"]
      let objectIDs = try context.fetchDictionaries(request).compactMap { $0.objectID(forKey: "objectID") }
      let predicate = try FetchPredicate(format: "objectID IN %@ AND region.objectID == %@", objectIDs, regions[1])
      #expect(try context.count(for: FetchRequest(entityName: "Event", predicate: predicate)) == 3)
    }
  }

  @Test("An entity's own property named objectID is the one that is fetched and compared")
  func ownObjectID() throws {
    let stack = try TestStack([EntityDescription("Thing", attributes: [AttributeDescription("objectID", .string)])])
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.insertNewObject(forEntityName: "Thing")["objectID"] = "x"
      var request = FetchRequest(entityName: "Thing", predicate: try FetchPredicate(format: "objectID = 'x'"))
      #expect(try context.count(for: request) == 1, "in memory")
      try context.save()
      #expect(try context.count(for: request) == 1, "in SQL")
      request.propertiesToFetch = ["objectID", "SELF"]
      let row = try #require(try context.fetchDictionaries(request).first)
      #expect(row["objectID"] == "x" && row.objectID(forKey: "SELF")?.entityName == "Thing")
    }
  }

  @Test("Without properties the dictionaries hold every stored attribute of the entity, but none of its sub-entities")
  func allAttributes() throws {
    let stack = try stack()
    #expect(try fetch(stack).names == ["code", "magnitude", "price", "time"])
    #expect(try fetch(stack).count == 9)
    #expect(try fetch(stack, "Blast").names == ["code", "charge", "magnitude", "price", "time"].sorted())
    #expect(try fetch(stack, "Blast").count == 3)
    #expect(try fetch(stack) { $0.includesSubentities = false }.count == 6)
    #expect(
      try fetch(stack) {
        $0.fetchLimit = 2; $0.fetchOffset = 1
      }.map { $0["code"] } == ["e2", "e3"])
  }

  @Test("Groups with aggregates are filtered by a condition on groups, and ordered by an aggregate")
  func groups() throws {
    let stack = try stack()
    func request(_ request: inout FetchRequest<ManagedObject>) {
      request.propertiesToGroupBy = ["region.name"]
      request.propertiesToFetch = [
        "region.name", .expression(ExpressionDescription("events", .count)),
        .expression(ExpressionDescription("strongest", .maximum, of: "magnitude")),
        .expression(ExpressionDescription("mean", .average, of: "magnitude")),
        .expression(ExpressionDescription("measured", .count, of: "magnitude")),
        .expression(
          ExpressionDescription(
            "spread",
            .arithmetic(
              .aggregate(.maximum, FetchPath("magnitude")), .subtract, .aggregate(.minimum, FetchPath("magnitude"))))),
      ]
    }
    let all = try fetch(stack, "Event", request)
    #expect(
      all.map { Array($0.values) } == [
        [.null, 4, 6.0, 6.0, 1, 0.0], ["North", 2, 2.0, 1.5, 2, 1.0], ["South", 3, 5.0, 4.0, 3, 2.0],
      ])
    for format in ["count(SELF) > 2", "$events > 2", "events > 2"] {
      let many = try fetch(stack) {
        request(&$0)
        $0.havingPredicate = try FetchPredicate(format: format)
        $0.sortDescriptors = [FetchSortDescriptor("mean")]
      }
      #expect(many.map { $0["region.name"] } == ["South", .null], "\(format)")
    }
    let named = try fetch(stack) {
      request(&$0)
      $0.predicate = try FetchPredicate(format: "magnitude != 5")
      $0.havingPredicate = try FetchPredicate(format: "region.name != NIL AND max(magnitude) BETWEEN {4, 5}")
    }
    #expect(named.map { $0["mean"] } == [3.5])
  }
}

extension DictionaryFetchTests {
  @Test("A sum has the type of its argument, even over no rows")
  func sums() throws {
    let stack = try stack()
    for (format, magnitude, price) in [("TRUEPREDICATE", 21, 5.25), ("FALSEPREDICATE", 0, 0)]
      as [(String, Double, Decimal)]
    {
      let row = try #require(
        try fetch(stack) {
          $0.predicate = try FetchPredicate(format: format)
          $0.propertiesToFetch = ["magnitude", "price"].map {
            .expression(ExpressionDescription("\($0)s", .sum, of: $0))
          }
        }.first)
      #expect(row[AttributeKey<Double>("magnitudes")] == magnitude, "\(format)")
      #expect(row[AttributeKey<Decimal>("prices")] == price, "\(format)")
    }
  }

  @Test("Aggregates without groups are one dictionary, even over no rows")
  func wholeEntity() throws {
    let stack = try stack()
    let aggregates: [FetchedProperty] = [
      .expression(ExpressionDescription("sum", .sum, of: "magnitude")),
      .expression(ExpressionDescription("first", .minimum, of: "time")),
      .expression(ExpressionDescription("rows", .count)),
    ]
    #expect(
      try fetch(stack) { $0.propertiesToFetch = aggregates }.map { Array($0.values) }
        == [[21.0, .date(Date(timeIntervalSinceReferenceDate: 100)), 9]])
    let none = try fetch(stack) {
      $0.propertiesToFetch = aggregates
      $0.predicate = .constant(false)
    }
    #expect(none.map { Array($0.values) } == [[0.0, .null, 0]])
  }

  @Test("Distinct dictionaries come once, in the order of their values or the one requested")
  func distinct() throws {
    let stack = try stack()
    var descending = false
    func names() throws -> [AttributeValue] {
      try fetch(stack) {
        $0.propertiesToFetch = ["region.name"]
        $0.returnsDistinctResults = true
        if descending { $0.sortDescriptors = [FetchSortDescriptor("region.name", ascending: false)] }
      }.map { $0["region.name"] }
    }
    #expect(try names() == [.null, "North", "South"])
    descending = true
    #expect(try names() == ["South", "North", .null])
  }

  @Test("An expression counts the objects of a to-many relationship for each row")
  func toMany() throws {
    let rows = try fetch(stack(), "Region") {
      $0.propertiesToFetch = [
        "name", .expression(ExpressionDescription("size", .aggregate(.count, FetchPath("events")))),
      ]
    }
    #expect(rows.map { Array($0.values) } == [["North", 2], ["South", 3]])
  }
}

extension DictionaryFetchTests {
  @Test("Objects, IDs and batches follow an order along a to-one relationship, and ties the order of keys")
  func orderAlongRelationship() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      var request = FetchRequest(
        entityName: "Event", sortDescriptors: [FetchSortDescriptor("region.name", ascending: false)])
      let codes = ["e3", "e4", "e5", "e1", "e2", "e6", "b1", "b2", "b3"]
      #expect(try context.fetch(request).map { $0["code"] } == codes.map { .string($0) })
      #expect(try context.fetchObjectIDs(request).map(\.entityName) == codes.map { $0 < "e" ? "Blast" : "Event" })
      #expect(try context.fetchObjectIDs(request) == context.fetch(request).map(\.objectID))
      request.fetchBatchSize = 4
      context.reset()
      #expect(try context.fetch(request).map { $0["code"] } == codes.map { .string($0) })

      let region = try context.fetch(FetchRequest(entityName: "Region"))[0]
      let event = try context.fetch(
        FetchRequest(entityName: "Event", predicate: try FetchPredicate(format: "code = 'b2'")))[0]
      try event.setObject(region, forKey: "region")
      try context.insertNewObject(forEntityName: "Event")["code"] = "new"
      let changed = ["e3", "e4", "e5", "e1", "e2", "b2", "e6", "b1", "b3", "new"]
      #expect(try context.fetch(request).map { $0["code"] } == changed.map { .string($0) })
      #expect(try context.fetchObjectIDs(request) == context.fetch(request).map(\.objectID))
    }
  }

  @Test("Dictionaries show what is stored, whatever the context has changed")
  func pendingChanges() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let request = FetchRequest(entityName: "Region", sortDescriptors: [FetchSortDescriptor("name")])
      let regions = try context.fetch(request)
      regions[0]["name"] = "Zenith"
      try context.delete(regions[1])
      #expect(try context.fetchDictionaries(request).map { $0["name"] } == ["North", "South"])
    }
  }

  @Test(
    "Properties that cannot be fetched together are an error with found and expected",
    arguments: [
      ("having", "a havingPredicate without propertiesToGroupBy"), ("beside", "'code': found a property beside"),
      ("ungrouped", "'time': found a property that does not group; expected an aggregate of it, or one of code"),
      ("unknown", "Event has no property 'cod'; expected one of code"), ("transient", "'note' is transient"),
      ("to-many", "found 'region.events.code' in propertiesToFetch, which goes through a to-many relationship"),
      ("to-many group", "'events' in propertiesToGroupBy, which goes through a to-many relationship"),
      ("given object", "found a given object; expected a path to objects of the rows"),
      ("twice", "'code' twice"), ("name", "an expression named 'code'"), ("empty", "'' in propertiesToFetch"),
      ("name with a point", "an expression named 'region.name'"), ("no name", "an expression named ''"),
      ("distinct order", "an order by 'time' with returnsDistinctResults"),
      ("text sum", "found text; expected a number"), ("sub-entity", "no property 'charge'"),
      ("group order", "'time': found a property that does not group"), ("unknown name", "the variable $nothing"),
      ("having row", "'magnitude': found a property that does not group"),
      ("having to-many", "'region.events.code': found a path of single rows"),
    ])
  func misuse(what: String, message: String) throws {
    let stack = try stack()
    let count = FetchedProperty.expression(ExpressionDescription("rows", .count))
    let error = #expect(throws: ObjectGraphError.self) {
      try fetch(stack, what == "to-many group" ? "Region" : "Event") { request in
        request.propertiesToFetch = ["code"]
        request.propertiesToGroupBy = what.contains("group") || what.hasPrefix("having ") ? ["code"] : []
        switch what {
        case "having": request.havingPredicate = .constant(true)
        case "beside": request.propertiesToFetch.append(count)
        case "ungrouped": request.propertiesToFetch.append("time")
        case "unknown": request.propertiesToFetch = ["cod"]
        case "transient": request.propertiesToFetch = ["note"]
        case "to-many": request.propertiesToFetch = ["region.events.code"]
        case "to-many group": request.propertiesToGroupBy = ["events"]
        case "given object":
          let context = stack.context()
          let regions = try context.performAndWait { try context.fetchObjectIDs(FetchRequest(entityName: "Region")) }
          request.propertiesToFetch = [.expression(ExpressionDescription("first", .object(regions[0])))]
        case "twice": request.propertiesToFetch = ["code", "time", "code"]
        case "name": request.propertiesToFetch = [.expression(ExpressionDescription("code", .count))]
        case "name with a point":
          request.propertiesToFetch = [.expression(ExpressionDescription("region.name", .count))]
        case "no name": request.propertiesToFetch = [.expression(ExpressionDescription("", .count))]
        case "empty": request.propertiesToFetch = [""]
        case "distinct order":
          request.returnsDistinctResults = true
          request.sortDescriptors = [FetchSortDescriptor("time")]
        case "text sum": request.propertiesToFetch = [.expression(ExpressionDescription("sum", .sum, of: "code"))]
        case "sub-entity": request.propertiesToFetch = ["charge"]
        case "group order": request.sortDescriptors = [FetchSortDescriptor("time")]
        case "unknown name": request.predicate = try FetchPredicate(format: "$nothing > 1")
        case "having row": request.havingPredicate = try FetchPredicate(format: "magnitude > 1")
        default: request.havingPredicate = try FetchPredicate(format: "ANY region.events.code = 'e1'")
        }
      }
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("A fetch of objects, IDs or a count refuses options that only dictionaries support")
  func objects() throws {
    let stack = try stack()
    let context = stack.context()
    let changes: [(String, (inout FetchRequest<ManagedObject>) -> Void)] = [
      ("propertiesToGroupBy", { $0.propertiesToGroupBy = ["code"] }),
      ("a havingPredicate", { $0.havingPredicate = .constant(true) }),
      ("returnsDistinctResults", { $0.returnsDistinctResults = true }),
    ]
    for (found, change) in changes {
      var request = FetchRequest(entityName: "Event")
      change(&request)
      let asked = request
      context.performAndWait {
        let errors = [
          #expect(throws: ObjectGraphError.self) { _ = try context.fetch(asked) },
          #expect(throws: ObjectGraphError.self) { _ = try context.fetchObjectIDs(asked) },
          #expect(throws: ObjectGraphError.self) { _ = try context.count(for: asked) },
        ]
        for error in errors {
          #expect(error?.description.contains("found \(found) in a fetch of objects; expected none") == true)
        }
      }
    }
  }
}

extension DictionaryFetchTests {
  @Test("Thousands of dictionaries come in order, and zeros differ from absent values")
  func manyRows() throws {
    let stack = try stack()
    let numbers = 1...2_500
    func magnitude(_ number: Int) -> AttributeValue { number.isMultiple(of: 3) ? .null : .real(Double(number % 3 - 1)) }
    let context = stack.context()
    try context.performAndWait { () throws in
      for number in numbers {
        let event = try context.insertNewObject(forEntityName: "Event")
        event["code"] = .string("n\(number)")
        event["magnitude"] = magnitude(number)
      }
      try context.save()
    }
    let rows = try fetch(stack) {
      $0.predicate = try FetchPredicate(format: "code BEGINSWITH 'n'")
      $0.propertiesToFetch = ["magnitude", "code"]
    }
    #expect(rows.count == numbers.count)
    #expect(rows.map { Array($0.values) } == numbers.map { [magnitude($0), .string("n\($0)")] })
    #expect(rows[1_024]["code"] == .string("n1025"))
  }

  @Test("A batch size changes nothing about dictionaries, which are read at once")
  func batchSize() throws {
    let stack = try stack()
    func rows(_ batchSize: Int) throws -> [DictionaryRow] {
      try Array(
        fetch(stack) { request in
          request.propertiesToFetch = ["code", "objectID"]
          request.sortDescriptors = [FetchSortDescriptor("code")]
          request.fetchBatchSize = batchSize
        })
    }
    #expect(try rows(2) == rows(0) && rows(2).count == 9)
  }
}
