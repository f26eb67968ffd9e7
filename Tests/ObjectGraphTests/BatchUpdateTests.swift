// B5, B6, B9, B12: a batch update: what it may set and query, and what it leaves unchanged.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("B5 B6 · batch update")
struct BatchUpdateTests {
  /// Counters of every type of attribute, a hierarchy, and a relationship.
  private func stack() throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Counter",
        attributes: [
          AttributeDescription("code", .string),
          AttributeDescription("count", .int16),
          AttributeDescription("total", .int64, isOptional: true),
          AttributeDescription("size", .double, isOptional: true),
          AttributeDescription("share", .float, isOptional: true),
          AttributeDescription("price", .decimal, isOptional: true),
          AttributeDescription("isOpen", .boolean, isOptional: true),
          AttributeDescription("note", .string, isOptional: true),
          AttributeDescription("draft", .string, isOptional: true, isTransient: true),
        ],
        relationships: [
          RelationshipDescription("box", to: "Box", inverse: "counters")
        ],
        uniquenessConstraints: [["code"]]),
      EntityDescription(
        "Gauge", superentity: "Counter", attributes: [AttributeDescription("limit", .int64, isOptional: true)]),
      EntityDescription(
        "Box", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [RelationshipDescription("counters", to: "Counter", inverse: "box", isToMany: true)]),
    ])
  }

  private func filled(_ context: ManagedObjectContext) throws {
    let rows: [[String: AttributeValue]] = (1...4).map { ["code": .string("c\($0)"), "count": .integer($0)] }
    try context.execute(BatchInsertRequest(entityName: "Counter", objects: rows))
    try context.execute(
      BatchInsertRequest(entityName: "Gauge", objects: [["code": "g1", "count": 10, "limit": 5, "size": 1.5]]))
  }

  private let select = "SELECT ZCODE, ZCOUNT, Z_OPT FROM ZCOUNTER ORDER BY ZCODE"

  @Test("Constants are set in the matching rows, whose versions are incremented", .tags(.b5, .b9))
  func constants() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(context)
      var request = BatchUpdateRequest(
        entityName: "Counter", propertiesToUpdate: ["count": 7, "note": "seven", "size": 2, "price": 2.5],
        predicate: try FetchPredicate(format: "count > 2"))
      #expect(try context.execute(request) == .statusOnly(true))
      request.resultType = .count
      #expect(try context.execute(request) == .count(3))
      request.resultType = .objectIDs
      guard case .objectIDs(let objectIDs) = try context.execute(request) else { throw TestFailure("no IDs") }
      #expect(objectIDs.map { "\($0)".suffix(8) } == ["unter/p3", "unter/p4", "Gauge/p5"])
    }
    #expect(try stack.rows(select) == ["c1|1|1", "c2|2|1", "c3|7|4", "c4|7|4", "g1|7|4"])
    #expect(
      try stack.rows("SELECT ZNOTE, ZSIZE, ZPRICE FROM ZCOUNTER WHERE ZCODE = 'c3'") == ["seven|2.0|2.5"])
  }

  @Test("Without a predicate all rows of the entity are updated, those of sub-entities on request", .tags(.b5, .b6))
  func subentities() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(context)
      var request = BatchUpdateRequest(entityName: "Counter", propertiesToUpdate: ["count": 0])
      request.resultType = .count
      request.includesSubentities = false
      #expect(try context.execute(request) == .count(4))
      request.includesSubentities = true
      #expect(try context.execute(request) == .count(5))
      var gauges = BatchUpdateRequest(entityName: "Gauge", propertiesToUpdate: ["limit": 9])
      gauges.resultType = .count
      #expect(try context.execute(gauges) == .count(1))
    }
    #expect(try stack.rows("SELECT DISTINCT Z_ENT, ZCOUNT, ZLIMIT FROM ZCOUNTER ORDER BY 1") == ["2|0|NULL", "3|0|9"])
  }

  @Test("Bits and remainders give new values, and lengths choose rows, if they are of the row itself", .tags(.b5))
  func bits() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(context)
      let (count, size) = (FetchExpression.path(FetchPath("count")), FetchExpression.path(FetchPath("size")))
      try context.execute(
        BatchUpdateRequest(
          entityName: "Counter",
          expressions: [
            "count": .arithmetic(size, .bitwiseXor, .constant(6)), "total": .arithmetic(count, .modulus, .constant(4)),
          ], predicate: try FetchPredicate(format: "code.length = 2 AND size & 1 = 1")))
      #expect(try stack.rows("SELECT ZCOUNT, ZTOTAL FROM ZCOUNTER WHERE ZCODE = 'g1'") == ["7|2"])
      #expect(try stack.rows("SELECT sum(ZCOUNT) FROM ZCOUNTER WHERE ZCODE != 'g1'") == ["10"])
      for (expression, format) in [
        (FetchExpression.arithmetic(size, .modulus, .constant(2)), "TRUEPREDICATE"), (count, "box.name = 'x'"),
        (count, "box.name.length = 1"), (count, "box.length = 1"),
      ] {
        let error = #expect(throws: ObjectGraphError.self) {
          try context.execute(
            BatchUpdateRequest(
              entityName: "Counter", expressions: ["count": expression], predicate: try FetchPredicate(format: format)))
        }
        let part = format == "TRUEPREDICATE" ? "a number with a fraction" : "follows a relationship"
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
      }
    }
  }
}

extension BatchUpdateTests {
  @Test("Expressions use the row's own attributes, with their values before the update", .tags(.b5))
  func expressions() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(context)
      let count = FetchExpression.path(FetchPath("count"))
      try context.execute(
        BatchUpdateRequest(
          entityName: "Counter",
          expressions: [
            "count": .arithmetic(count, .add, .constant(1)), "total": .arithmetic(count, .multiply, .constant(100)),
            "size": count, "note": .path(FetchPath("code")), "share": .arithmetic(count, .divide, .constant(3.0)),
          ]))
      let counter = try #require(
        try context.fetch(
          FetchRequest(entityName: "Counter", predicate: try FetchPredicate(format: "code = 'c2'"))
        ).first)
      #expect(counter["count"] == 3 && counter["total"] == 200 && counter["size"] == 2.0 && counter["note"] == "c2")
      #expect(counter["share"] == .real(Double(Float(2.0 / 3.0))))
    }
    #expect(try stack.rows(select) == ["c1|2|2", "c2|3|2", "c3|4|2", "c4|5|2", "g1|11|2"])
    #expect(try stack.rows("SELECT DISTINCT typeof(ZSIZE) FROM ZCOUNTER") == ["real"])
  }

  @Test(
    "A misspelt, transient or related key, a wrong value and a missing one are reported, and nothing changes",
    .tags(.b5))
  func wrongValues() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(context)
      func refusal(_ key: String, _ expression: FetchExpression) -> ObjectGraphError? {
        #expect(throws: ObjectGraphError.self) { () throws in
          try context.execute(BatchUpdateRequest(entityName: "Counter", expressions: [key: expression]))
        }
      }
      func wrong(_ key: String, _ found: String, _ expected: String) -> ObjectGraphError {
        .wrongType(entity: "Counter", key: key, found: found, expected: expected, row: nil)
      }
      let names = ["code", "count", "draft", "isOpen", "note", "price", "share", "size", "total"]
      #expect(
        refusal("cont", .constant(1)) == .unknownAttribute(entity: "Counter", key: "cont", expected: names, row: nil))
      #expect(
        refusal("limit", .constant(1)) == .unknownAttribute(entity: "Counter", key: "limit", expected: names, row: nil))
      #expect(refusal("box", .constant(1)) == .relationshipInBatch(entity: "Counter", key: "box", row: nil))
      #expect("\(try #require(refusal("draft", .constant("x"))))".contains("the transient attribute 'draft'"))
      #expect(refusal("count", .constant("x")) == wrong("count", "a string", "an int16, -32768 to 32767"))
      #expect(refusal("count", .constant(40_000))?.isWrongType(of: "count") == true)
      #expect(refusal("code", .constant(.null)) == .missingValue(entity: "Counter", key: "code", row: nil))
      let total = FetchExpression.path(FetchPath("total"))
      let code = FetchExpression.path(FetchPath("code"))
      let count = FetchExpression.path(FetchPath("count"))
      #expect(refusal("note", .negation(.constant(.null)))?.isWrongType(of: "note") == true, "a number, though null")
      #expect(refusal("count", total) == .missingValue(entity: "Counter", key: "count", row: nil), "a null of a row")
      #expect(refusal("count", code)?.isWrongType(of: "count") == true)
      #expect(refusal("total", .path(FetchPath("size")))?.isWrongType(of: "total") == true)
      #expect(refusal("total", .arithmetic(code, .add, .constant(1)))?.isWrongType(of: "total") == true)
      #expect(
        refusal("count", .arithmetic(count, .multiply, .constant(10_000)))
          == wrong("count", "40000", "an int16, -32768 to 32767"))
      #expect(
        refusal("total", .arithmetic(count, .multiply, .constant(.integer(.max))))?.isWrongType(of: "total") == true)
      for exponent in [400, -400] as [AttributeValue] {
        let price = FetchExpression.arithmetic(count, .power, .constant(exponent))
        #expect(refusal("price", price)?.isWrongType(of: "price") == true, "beyond what decimals reach")
      }
      #expect("\(try #require(refusal("note", .path(FetchPath("box.name")))))".contains("'box.name'"))
      #expect("\(try #require(refusal("total", .aggregate(.count, FetchPath("box")))))".contains("arithmetic"))
      #expect(throws: ObjectGraphError.self) { () throws in
        try context.execute(BatchUpdateRequest(entityName: "Counter", expressions: [:]))
      }
      #expect(throws: ObjectGraphError.unknownEntity(found: "Count", expected: ["Box", "Counter", "Gauge"])) {
        () throws in
        try context.execute(BatchUpdateRequest(entityName: "Count", propertiesToUpdate: ["count": 1]))
      }
    }
    #expect(try stack.rows(select) == ["c1|1|1", "c2|2|1", "c3|3|1", "c4|4|1", "g1|10|1"])
  }

  @Test("Functions of the row's own attributes are new values; one of the wrong kind is reported", .tags(.b5, .b6))
  func functions() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(context)
      let (code, count) = (FetchExpression.path(FetchPath("code")), FetchExpression.path(FetchPath("count")))
      try context.execute(
        BatchUpdateRequest(
          entityName: "Counter",
          expressions: [
            "note": .function(.uppercase, code), "size": .function(.squareRoot, count),
            "total": .function(.absolute, .negation(count)),
          ], predicate: try FetchPredicate(format: "uppercase:(code) IN {'C4', 'C1'}")))
      #expect(throws: ObjectGraphError.self) { () throws in
        try context.execute(
          BatchUpdateRequest(entityName: "Counter", expressions: ["total": .function(.squareRoot, count)]))
      }
      for wrong in [FetchExpression.function(.absolute, code), .function(.uppercase, count), .now] {
        let error = #expect(throws: ObjectGraphError.self) { () throws in
          try context.execute(BatchUpdateRequest(entityName: "Counter", expressions: ["total": wrong]))
        }
        #expect(error?.isWrongType(of: "total") == true, "\(wrong)")
      }
    }
    #expect(
      try stack.rows("SELECT ZCODE, ZNOTE, ZSIZE, ZTOTAL FROM ZCOUNTER WHERE Z_OPT > 1 ORDER BY ZCODE")
        == ["c1|C1|1.0|1", "c4|C4|2.0|4"])
  }
}

extension BatchUpdateTests {
  @Test("A predicate that follows a relationship is refused; one that only compares its key is accepted", .tags(.b6))
  func joins() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(context)
      let box = try context.insertNewObject(forEntityName: "Box")
      box["name"] = "b"
      let counter = try #require(try context.fetch(FetchRequest(entityName: "Counter")).first)
      try counter.setObject(box, forKey: "box")
      try context.save()
      for format in ["box.name = 'b'", "NOT (code = 'x' AND box.name = 'b')"] {
        let request = BatchUpdateRequest(
          entityName: "Counter", propertiesToUpdate: ["count": 1], predicate: try FetchPredicate(format: format))
        let error = #expect(throws: ObjectGraphError.self) { () throws in try context.execute(request) }
        #expect("\(try #require(error))".contains("'box.name' in the predicate of an update"))
      }
      let error = #expect(throws: ObjectGraphError.self) { () throws in
        try context.execute(
          BatchUpdateRequest(
            entityName: "Box", propertiesToUpdate: ["name": "x"],
            predicate: try FetchPredicate(format: "ANY counters.count > 2")))
      }
      #expect("\(try #require(error))".contains("counters.count"))
      var request = BatchUpdateRequest(
        entityName: "Counter", propertiesToUpdate: ["count": 99],
        predicate: .comparison(.init(.path(FetchPath("box")), .equal, .object(box.objectID))))
      request.resultType = .count
      #expect(try context.execute(request) == .count(1))
    }
  }

  @Test("Unique values that are taken change nothing, and are reported", .tags(.b5, .b11))
  func uniqueness() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      try filled(context)
      let error = #expect(throws: ObjectGraphError.self) { () throws in
        try context.execute(BatchUpdateRequest(entityName: "Counter", propertiesToUpdate: ["code": "c4", "count": 0]))
      }
      #expect(error == .uniqueValuesTaken(entity: "Counter", constraint: ["code"], by: [], row: nil))
      #expect(error?.code == 133021)
    }
    #expect(try stack.rows(select) == ["c1|1|1", "c2|2|1", "c3|3|1", "c4|4|1", "g1|10|1"])
  }

  @Test("Rules are not validated, callbacks not called, and loaded objects keep their values", .tags(.b6, .b12))
  func contextStaysOut() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try filled(context)
      let first = try #require(try context.fetch(FetchRequest(entityName: "Counter")).first)
      #expect(first["count"] == 1)
      try context.execute(BatchUpdateRequest(entityName: "Counter", propertiesToUpdate: ["count": 50]))
      #expect(first["count"] == 1 && !context.hasChanges)
      // The version was incremented, so that the stale object does not overwrite it unnoticed.
      first["count"] = 2
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.save() }
      #expect(error?.code == 133020)
    }
  }
}

extension ObjectGraphError {
  fileprivate func isWrongType(of key: String) -> Bool {
    if case .wrongType(_, key, _, _, nil) = self { true } else { false }
  }
}
