// D3: requests from templates of the model, and predicates with variables that get values later.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D3 · fetch request templates", .tags(.d3))
struct FetchTemplateTests {
  @Test(
    "Values replace variables, except those that a subquery introduces",
    arguments: [
      ("a > $MIN", "a > 4"), ("a BETWEEN $BOUNDS", "a BETWEEN {1, 2}"),
      (
        "a IN $LIST AND NOT b = $NAME",
        #"a IN {"x", "y"} AND NOT b = "n""#
      ), ("$NAME IN a.b", #""n" IN a.b"#),
      ("abs:(a - $MIN) < 1 OR a BETWEEN {-$MIN, $MIN}", "abs:((a - 4)) < 1 OR a BETWEEN {(-(4)), 4}"),
      (
        "SUBQUERY(a, $MIN, $MIN.b = $NAME AND $MIN = SELF).@count > $MIN",
        #"SUBQUERY(a, $MIN, $MIN.b = "n" AND $MIN = SELF).@count > 4"#
      ),
      ("a = 1", "a = 1"), ("TRUEPREDICATE", "TRUEPREDICATE"),
      (
        "(a = $MIN OR (b = 1 AND c = $MIN)) AND NOT (d = 2 OR e = 3)",
        "(a = 4 OR (b = 1 AND c = 4)) AND NOT (d = 2 OR e = 3)"
      ), ("a = $NOTHING", "a = NULL"),
    ])
  func substitution(format: String, expected: String) throws {
    let values: [String: any PredicateArgument] = [
      "MIN": 4, "BOUNDS": 1...2, "LIST": ["x", "y"], "NAME": "n", "NOTHING": nil as String?, "UNUSED": 0,
    ]
    #expect(try FetchPredicate(format: format).withSubstitutionVariables(values).description == expected)
  }

  @Test(
    "A variable without a value, or with an unsuitable one, is a typed error",
    arguments: [
      ("a > $MAX", "found the variable $MAX"), ("SUBQUERY(a, $x, $x.b = $y).@count > 0", "found the variable $y"),
      ("a = $LIST", "found {1, 2}; expected one value"), ("a BETWEEN $MIN", "expected a list of two values"),
      ("a IN $MIN", "expected a list"), ("$MIN.b = 1", "which has no properties"),
      ("$MIN.@count = 1", "which has no properties"), ("$MAX.@count = 1", "found the variable $MAX"),
    ])
  func wrongValues(format: String, message: String) throws {
    let predicate = try FetchPredicate(format: format)
    let error = #expect(throws: FetchPredicateError.self) {
      try predicate.withSubstitutionVariables(["MIN": 4, "LIST": [1, 2]])
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("Variables are substituted in predicates of any size and depth")
  func large() throws {
    var predicate = try FetchPredicate(format: "a = $V")
    for level in 0..<20_000 { predicate = level % 2 == 0 ? .and([predicate, .constant(true)]) : .not(predicate) }
    let result = try predicate.withSubstitutionVariables(["V": 1])
    #expect(result != predicate && result.description.contains("a = 1") && !result.description.contains("$"))
  }

  @Test("A template makes requests, each with its own values")
  func requests() throws {
    let model = try ManagedObjectModel(
      entities: [.quake()],
      fetchRequestTemplates: [
        "between": FetchRequestTemplate(
          entityName: "Quake", predicateFormat: "magnitude BETWEEN $BOUNDS AND place == $PLACE",
          sortings: [.init("magnitude", ascending: false)], fetchLimit: 2, fetchBatchSize: 10),
        "all": FetchRequestTemplate(entityName: "Quake"),
        "wrong": FetchRequestTemplate(entityName: "Quake", predicateFormat: "magnitude >"),
      ])
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for magnitude in 1...5 {
        try Quake.insert("q\(magnitude)", Double(magnitude), into: context)[Quake.place] = "Here"
      }
      for _ in 0..<2 {
        func codes(_ bounds: ClosedRange<Int>, _ place: String) throws -> [String?] {
          let request = try model.fetchRequest(
            fromTemplate: "between", substitutionVariables: ["BOUNDS": bounds, "PLACE": place])
          #expect(request.fetchBatchSize == 10 && request.includesSubentities)
          return try context.fetch(request).map { $0[Quake.code] }
        }
        #expect(try codes(2...4, "Here") == ["q4", "q3"])
        #expect(try codes(1...1, "Here") == ["q1"])
        #expect(try codes(1...5, "There") == [])
        #expect(try context.count(for: model.fetchRequest(fromTemplate: "all", as: ManagedObject.self)) == 5)
        try context.save()
      }
    }
    #expect(throws: ObjectGraphError.unknownTemplate(found: "al", expected: ["all", "between", "wrong"])) {
      try model.fetchRequest(fromTemplate: "al")
    }
    #expect(throws: ObjectGraphError.predicate(.unknownVariable("BOUNDS"))) {
      try model.fetchRequest(fromTemplate: "between", substitutionVariables: ["PLACE": "Here"])
    }
    #expect(throws: ObjectGraphError.self) { try model.fetchRequest(fromTemplate: "wrong") }
  }
}
