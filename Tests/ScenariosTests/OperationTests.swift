// D8: scenarios that update or delete, and every mistake in them.
import MissionTags
internal import ObjectGraph
import CoreDataModel
import Foundation
import BatchmarkEngine
import Scenarios
import Testing

@Suite("D8 · operations in scenarios", .tags(.d8))
struct OperationTests {
  /// The valid scenario with an operation and cells for it.
  fileprivate func changing(_ lines: String, operation: String) -> String {
    let cells = validScenario.replacing("strategy: insert}", with: "strategy: \(operation)}")
      .replacing("duplicates: 5%", with: "duplicates: 0%")
    return cells + "\n" + lines
  }

  private func updating(_ lines: String) -> String {
    changing("operation: update\n" + lines, operation: "update")
  }

  fileprivate func deleting(_ lines: String = "") -> String {
    changing("operation: delete\n" + lines, operation: "delete")
  }

  @Test("Without an operation a scenario inserts, and saying so changes nothing")
  func insert() throws {
    let plain = try read(validScenario)
    let said = try read(validScenario + "\noperation: insert")
    #expect(plain.operation == .insert)
    #expect(plain.fingerprint == said.fingerprint && plain.cells == said.cells)
  }

  @Test("An update's values have the attributes' types, and its cells the strategies of updates")
  func update() throws {
    let scenario = try read(updating("where: magnitude > 5 AND code != \"x\"\nset: {magnitude: 7, time: 2018-06-12}"))
    #expect(scenario.operation.kind == .update)
    let time = AttributeValue.date(Date(timeIntervalSinceReferenceDate: 550_454_400))
    #expect(scenario.operation.assignments == [Assignment("magnitude", .real(7)), Assignment("time", time)])
    #expect(
      scenario.operation.condition
        == .and([
          .comparison(attribute: "magnitude", .greater, [.real(5)]),
          .comparison(attribute: "code", .notEqual, [.string("x")]),
        ]))
    #expect(scenario.cells.map(\.id) == ["quakes/objectgraph/save[save_every=100]", "quakes/sqlite/update"])
    #expect(scenario.cells.allSatisfy { $0.operation == .update })
  }

  @Test("A delete without a predicate affects every row")
  func delete() throws {
    let scenario = try read(deleting())
    #expect(scenario.operation == .delete())
  }
}

extension OperationTests {
  private func fetching(_ lines: String) -> String {
    changing("operation: fetch\n" + lines, operation: "select").replacing(
      "strategy: save, save_every: 100", with: "strategy: objects")
  }

  private func found(_ lines: String) -> String {
    complaints(fetching(lines))
      .map { $0.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "" }.joined(separator: "\n")
  }

  @Test("An order needs a unique attribute, and a page needs an order", .tags(.d3, .a15))
  func parts() throws {
    #expect(
      found("limit: 5").contains(
        "found the key 'limit' without the key 'order'; expected order: and a unique attribute"))
    #expect(found("order: magnitude").contains("found the attribute 'magnitude', which is not unique"))
    #expect(found("order: cod").contains("found the attribute 'cod'"))
    #expect(found("order: code\noffset: -1").contains("found -1; expected a whole number of rows from 0"))
    let deleting = complaints(deleting("order: code\npage_cache: cold")).joined()
    for key in ["order", "page_cache"] {
      #expect(deleting.contains("found the key '\(key)' with the operation delete; expected operation: fetch"))
    }
    let scenario = try read(fetching("order: code\ndescending: true\noffset: 2\nlimit: 3"))
    #expect(
      scenario.operation == .fetch(FetchQuery(order: "code", isAscending: false, offset: 2, limit: 3)))
    #expect(scenario.operation.query.description == "by code descending from 2, at most 3")
  }

  @Test("A predicate may be one of the named ones, and all of them are read", .tags(.d3, .a15))
  func namedPredicates() throws {
    let names = "predicates: {strong: magnitude >= 6, weak: magnitude < 2}"
    #expect(try read(deleting(names + "\npredicate: weak")).operation.condition?.description == "magnitude < 2.0")
    let complaint = { (lines: String) in complaints(self.deleting(lines)).joined(separator: "\n") }
    #expect(
      complaint(names + "\npredicate: stron").contains("found the predicate 'stron'; expected one of strong, weak"))
    #expect(complaint(names).contains("found the key 'predicates' without the key 'predicate'"))
    #expect(complaint(names + "\npredicate: weak\nwhere: magnitude < 1").contains("with the key 'where'"))
    #expect(complaint("predicates: {a: magnitud < 1, b: magnitude < 1}\npredicate: b").contains("magnitud"))
    let swept = try read(deleting(names + "\nsweep: {predicate: [strong, weak]}"))
    #expect(swept.cells.count == 4 && Set(swept.variants.values.map(\.operation)).count == 2)
  }
}

extension OperationTests {
  @Test("A worker gets its cell's named predicate, whatever its name looks like", .tags(.d3, .a15))
  func predicateNames() throws {
    let predicates = [
      "strong": "magnitude >= 6.0", "all": "magnitude < 5.0", "2B": "magnitude < 2.0", "1024B": "magnitude < 1.0",
    ]
    let named = predicates.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    let scenario = try read(
      deleting("predicates: {\(named)}\nsweep: {predicate: [\(predicates.keys.joined(separator: ", "))]}"))
    let told = try JSONDecoder().decode([Cell].self, from: JSONEncoder().encode(scenario.cells))
    #expect(told.count == 8)
    for cell in told {
      let name = try #require(cell.parameters["predicate"]).description
      #expect(scenario.variant(for: cell).operation.condition?.description == predicates[name], "\(cell.id)")
    }
  }

  @Test("A named predicate may be a list of existing values, given by its length", .tags(.d3, .a15))
  func valueLists() throws {
    let text = fetching("predicates: {some: {code: 10}, strong: magnitude >= 6}\npredicate: some")
    let scenario = try read(text)
    #expect(scenario.operation.query.description == "code IN 10 values")
    let rows = try scenario.sourceRows()
    let listed = scenario.listingValues(of: rows).operation.query
    guard case .comparison("code", .isIn, let values)? = listed.condition else {
      Issue.record("\(listed)")
      return
    }
    // The source has 1,000 rows, and each hundredth one is chosen.
    #expect(values.count == 10 && Set(values).count == 10)
    #expect(values == stride(from: 0, to: 1_000, by: 100).map { try? rows.tables[0].code($0) })
    #expect(try read(text.replacing("10}", with: "11}")).fingerprint != scenario.fingerprint)
    #expect(found("predicates: {a: {magnitude: 3}}\npredicate: a").contains("'magnitude', which is not unique"))
    #expect(found("predicates: {a: {code: 0}}\npredicate: a").contains("found 0; expected a whole number of values"))
    #expect(found("predicates: {a: {}}\npredicate: a").contains("found a mapping of 0 keys; expected a predicate, or"))
    #expect(
      complaints(deleting("predicates: {a: {code: 3}}\npredicate: a")).joined()
        .contains("found a list of values with the operation delete"))
  }

  @Test("Groups need an attribute and aggregates, and strategies that can make them", .tags(.d3, .a15))
  func groups() throws {
    let scenario = try read(fetching("group_by: code\naggregates: [count, max(magnitude), min( time )]"))
    let aggregates = [Aggregate(.count), Aggregate(.maximum, of: "magnitude"), Aggregate(.minimum, of: "time")]
    #expect(scenario.operation.query.grouping == RowGrouping(by: "code", aggregates))
    #expect(scenario.operation.query.description == "count, max(magnitude), min(time) by code")
    let counting = try read(fetching("group_by: code\naggregates: [count(code), count(magnitude), count(time)]"))
    #expect(counting.operation.query.description == "count(code), count(magnitude), count(time) by code")
    for (lines, complaint) in [
      ("aggregates: [count]", "found the key 'aggregates' without the key 'group_by'"),
      ("group_by: code", "found no key 'aggregates'"), ("group_by: code\naggregates: []", "found no aggregate"),
      ("group_by: magnitude\naggregates: [count]", "found the optional attribute 'magnitude' of type double"),
      ("group_by: code\naggregates: [coun]", "did you mean 'count'?"),
      ("group_by: code\naggregates: [sum(magnitude)]", "expected a required attribute that is a whole number"),
      ("group_by: code\naggregates: [max(code)]", "found the attribute 'code' of type string; expected an attribute"),
      ("group_by: code\naggregates: [max(cod)]", "found the attribute 'cod'"),
      ("group_by: code\naggregates: [count]\norder: code", "found the key 'order' with the key 'group_by'"),
    ] {
      #expect(found(lines).contains(complaint), "\(lines): \(found(lines))")
    }
    let unable = fetching("group_by: code\naggregates: [count]")
      .replacing("strategy: objects", with: "strategy: object-ids")
    #expect(
      complaints(unable).joined().contains(
        "found the strategy 'object-ids' of the engine objectgraph, which cannot group rows; expected one of objectgraph/"
      ))
    #expect(found("follow: tracks").contains("found the key 'follow' with rows of one entity"))
  }
}

extension ColumnarRows {
  /// The first attribute's text, as a value.
  fileprivate func code(_ row: Int) throws -> AttributeValue {
    guard case .text(let texts) = columns[0], let text = texts.string(at: row) else {
      throw CocoaError(.coderReadCorrupt)
    }
    return .string(text)
  }
}

extension OperationTests {
  @Test("A null is a valid value of an optional attribute")
  func null() throws {
    let operation = try read(updating("where: magnitude != NULL\nset: {magnitude: null}")).operation
    #expect(operation.assignments == [Assignment("magnitude", .null)])
    #expect(operation.condition == .comparison(attribute: "magnitude", .notEqual, [.null]))
  }

  @Test(
    "Predicates become conditions with constants of the attribute's type",
    arguments: [
      ("5 < magnitude", RowCondition.comparison(attribute: "magnitude", .greater, [.real(5)])),
      ("magnitude BETWEEN {1, 2.5}", .comparison(attribute: "magnitude", .between, [.real(1), .real(2.5)])),
      ("code IN {'a', 'b'}", .comparison(attribute: "code", .isIn, [.string("a"), .string("b")])),
      ("NOT code BEGINSWITH 'us'", .not(.comparison(attribute: "code", .beginsWith, [.string("us")]))),
      (
        "code CONTAINS 'x' OR TRUEPREDICATE",
        .or([.comparison(attribute: "code", .contains, [.string("x")]), .constant(true)])
      ),
      (
        "time >= '2001-01-02T00:00:00Z'",
        .comparison(
          attribute: "time", .greaterOrEqual, [.date(Date(timeIntervalSinceReferenceDate: 86_400))])
      ),
    ])
  func conditions(format: String, condition: RowCondition) throws {
    #expect(try read(deleting("where: \"\(format)\"")).operation.condition == condition)
  }

  @Test("Changes and their condition are part of the scenario's question")
  func fingerprint() throws {
    let texts = [
      deleting(), deleting("where: magnitude > 1"), deleting("where: magnitude > 1.5"),
      deleting("where: magnitude < 1"),
      updating("set: {magnitude: 1}"), updating("set: {magnitude: 2}"), updating("set: {magnitude: null}"),
      updating("where: magnitude > 1\nset: {magnitude: 1}"),
      validScenario.replacing("duplicates: 5%", with: "duplicates: 0%"),
    ]
    #expect(try Set(texts.map { try read($0).fingerprint }).count == texts.count)
  }
}

extension OperationTests {
  @Test("The command line can change the rows and the sizes")
  func settings() throws {
    let scenario = try read(deleting("where: magnitude > 1"), "where=magnitude < 0", "save_every=7")
    #expect(scenario.operation.condition == .comparison(attribute: "magnitude", .less, [.real(0)]))
    #expect(scenario.cells.map(\.parametersText) == ["save_every=7", "save_every=7"])
    #expect(
      complaints(validScenario, "where=magnitude < 0") == [
        "--set where=magnitude < 0, for Scenarios/x.yml: found the key 'where' with the operation insert; expected "
          + "operation: update or delete or fetch, or no such key"
      ])
  }

  @Test(
    "An invalid operation is reported at its location",
    arguments: [
      (
        "operation: updat",
        "19:12: found 'updat'; expected one of insert, update, delete, fetch, migrate; did you mean 'update'?"
      ),
      (
        "set: {magnitude: 1}",
        "19:6: found the key 'set' with the operation insert; expected operation: update, or no such key"
      ),
    ])
  func wrongOperation(line: String, complaint: String) {
    #expect(complaints(validScenario + "\n" + line) == ["Scenarios/x.yml:" + complaint])
  }

  @Test(
    "An invalid update is reported at its location",
    arguments: [
      (
        "set: {}",
        "20:6: found no attribute; expected a mapping of attributes and their new values, such as {magnitude: 5.5}"
      ),
      (
        "set: {magnitud: 1}",
        "20:7: found the attribute 'magnitud'; expected one of code, magnitude, time; did you mean 'magnitude'?"
      ),
      ("set: {magnitude: big}", "20:18: found 'big'; expected a value that is a number"),
      (
        "set: {code: x}",
        "20:7: found the attribute 'code', which is unique, in an update of many rows; expected attributes that may be "
          + "alike in all of them"
      ),
      (
        "set: {time: null}",
        "20:13: found nothing for the attribute 'time', which is required; expected a value that is a time such as "
          + "2018-06-12T16:38:28.820Z"
      ),
      (
        "set: {magnitude: 1}\nrepeat: 2",
        "21:9: found the key 'repeat' with the operation update; expected operation: insert, or no such key"
      ),
    ])
  func wrongUpdate(lines: String, complaint: String) {
    #expect(complaints(updating(lines)) == ["Scenarios/x.yml:" + complaint])
  }
}

extension OperationTests {
  @Test("An update without values or with an inserting strategy is reported")
  func missing() {
    #expect(
      complaints(updating("")) == [
        "Scenarios/x.yml:1:1: found no key 'set'; expected one, such as set: {magnitude: 5.5}"
      ])
    #expect(
      complaints(deleting().replacing("strategy: save, save_every: 100", with: "strategy: batch-objects")) == [
        "Scenarios/x.yml:16:16: found the strategy 'batch-objects' of the engine objectgraph for the operation delete; "
          + "expected one of save, batch-delete, batch-delete-ids"
      ])
    #expect(
      complaints(deleting().replacing("strategy: save, save_every: 100", with: "strategy: delete")) == [
        "Scenarios/x.yml:16:16: found the strategy 'delete' of the engine objectgraph for the operation delete; "
          + "expected one of save, batch-delete, batch-delete-ids; did you mean 'engine: sqlite, strategy: delete'?"
      ])
  }

  @Test("A value that breaks the attribute's rule is refused at its location")
  func rule() {
    let text = updating("set: {magnitude: 12}").replacing("optional: true", with: "optional: true, max: 10")
    #expect(complaints(text).count == 1)
    #expect(complaints(text).first?.hasPrefix("Scenarios/x.yml:20:18: found the value ") == true)
  }

  @Test(
    "An invalid predicate is reported with the reason",
    arguments: [
      (
        "magnitud > 1",
        "the key 'magnitud' in the predicate; expected one of code, magnitude, time; did you mean 'magnitude'?"
      ),
      ("magnitude > 'big'", "\"big\" for the attribute magnitude in 'magnitude > \"big\"'; expected a number"),
      (
        "time > 5",
        "5 for the attribute time in 'time > 5'; expected a time such as 2018-06-12T16:38:28.820Z, in quotes"
      ),
      (
        "code =[c] 'x'",
        "the comparison 'code =[c] \"x\"' in the predicate; expected one by =, !=, <, <=, >, >=, IN, BETWEEN, "
          + "BEGINSWITH, CONTAINS, without [c] or [d]"
      ),
      (
        "magnitude = magnitude",
        "the comparison 'magnitude = magnitude' in the predicate; expected an attribute of Quake on one side and a "
          + "value on the other"
      ),
      ("magnitude > NULL", "NULL for the attribute magnitude in 'magnitude > NULL'; expected a number"),
      (
        "magnitude CONTAINS '1'",
        "the comparison 'magnitude CONTAINS \"1\"' in the predicate; expected an attribute that is a string; magnitude "
          + "is of type double"
      ),
    ])
  func wrongPredicate(format: String, complaint: String) {
    #expect(complaints(deleting("where: \"\(format)\"")) == ["Scenarios/x.yml:20:8: found " + complaint])
  }

  @Test("A syntax error in a predicate is reported with its character")
  func syntax() {
    let found = complaints(deleting("where: magnitude > > 1"))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("Scenarios/x.yml:20:8: found ") == true)
    #expect(found.first?.contains(" at character 13 of the predicate; expected ") == true, "\(found)")
  }
}
