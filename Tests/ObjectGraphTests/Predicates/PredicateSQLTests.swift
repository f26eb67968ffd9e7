// The SQL itself: conditions for indexes, long lists, long conditions.
import Foundation
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D3 · predicates as SQL", .tags(.d3))
struct PredicateSQLTests {
  private func sql(_ format: String, _ arguments: any PredicateArgument...) throws -> SQLCondition {
    try SQLCondition(
      try FetchPredicate(format: format, arguments: arguments), entity: "Quake", schema: PredicateWorld())
  }

  @Test(
    "The SQL is what a person would write",
    arguments: [
      ("magnitude > 2.5", "", "(t0.ZMAGNITUDE > ?)"), ("magnitude = NULL", "", "(t0.ZMAGNITUDE IS NULL)"),
      ("code != 'x'", "", "(t0.ZCODE IS NOT ?)"), ("code IN {'x', 'y'}", "", "(t0.ZCODE IN (?, ?))"),
      ("code BEGINSWITH 'us'", "", "(t0.ZCODE >= ? AND t0.ZCODE < ?)"),
      ("code CONTAINS[cd] 'X'", "", "(instr(OG_FOLD(t0.ZCODE, 3), ?) > 0)"),
      ("NOT code = 'x'", "", "((t0.ZCODE = ?) IS NOT TRUE)"),
      (
        "network.name = 'a' AND network.rank > 1", " LEFT JOIN ZNETWORK t1 ON t1.Z_PK = t0.ZNETWORK",
        "((t1.ZNAME = ?) AND (t1.ZRANK > ?))"
      ),
      ("network = NULL", "", "(t0.ZNETWORK IS NULL)"), ("network.objectID = NULL", "", "(t0.ZNETWORK IS NULL)"),
      ("ANY shocks.size > 1", "", "(EXISTS (SELECT 1 FROM ZSHOCK t1 WHERE t1.ZQUAKE = t0.Z_PK AND (t1.ZSIZE > ?)))"),
      ("shocks.@count > 1", "", "((SELECT count(*) FROM ZSHOCK t1 WHERE t1.ZQUAKE = t0.Z_PK) > ?)"),
      (
        "ANY tags.word = 'x'", "",
        "(EXISTS (SELECT 1 FROM Z_TAGGED t2 JOIN ZTAG t1 ON t1.Z_PK = t2.ZTAG WHERE t2.ZQUAKE = t0.Z_PK AND (t1.ZWORD = ?)))"
      ),
    ])
  func shapes(format: String, joins: String, condition: String) throws {
    let sql = try sql(format)
    #expect(sql.joins == joins)
    #expect(sql.condition == condition)
  }

  @Test(
    "Equality, IN and BEGINSWITH can use an index",
    arguments: ["code = 'x'", "code IN {'x', 'y'}", "code BEGINSWITH 'x'"])
  func index(format: String) throws {
    let store = try WorldStore()
    let condition = try sql(format)
    let plan = try store.connection.prepare(
      "EXPLAIN QUERY PLAN SELECT Z_PK FROM ZQUAKE t0 WHERE \(condition.condition)")
    #expect(try plan.step())
    #expect(plan.string(3)?.contains("USING COVERING INDEX quake_code") == true, "\(plan.string(3) ?? "")")
  }

  @Test("Constants are folded once, when the SQL is made")
  func folding() throws {
    #expect(try sql("code =[cd] 'Ålaska'").parameters == ["alaska"])
  }
}

extension PredicateSQLTests {
  @Test("A list longer than SQLite's parameters is packed into one, of every type and without losing a bit")
  func longLists() throws {
    var random = SeededGenerator(seed: 5)
    for type in AttributeType.allCases {
      let store = try RandomWorld.store(seed: 11)
      let name = [
        "magnitude": AttributeType.double, "felt": .int64, "price": .decimal, "reviewed": .boolean, "time": .date,
        "code": .string, "key": .uuid, "raw": .binary, "link": .uri,
      ]
      .first { $0.value.valueKind == type.valueKind && (type.valueKind != .number || $0.value == type) }?.key
      guard let name else { continue }
      let values = (0..<6).map { _ in RandomWorld.value(type, &random) }
      let path = FetchExpression.path(FetchPath(name))
      let short = FetchPredicate.comparison(.init(path, .isIn, .list(values.map { .constant($0) })))
      // SQLite allows 32,766 parameters unless it is built for more.
      let count = type == .string ? 40_000 : 1_000
      let padded = values + (0..<count).map { values[$0 % values.count] }
      let long = FetchPredicate.comparison(.init(path, .isIn, .list(padded.map { .constant($0) })))
      #expect(try SQLCondition(long, entity: "Quake", schema: store.world).parameters.count == 1)
      #expect(try store.keys(long, of: "Quake") == store.keysInMemory(short, of: "Quake"), "\(type)")
      #expect(try store.keys(!long, of: "Quake") == store.keysInMemory(!short, of: "Quake"), "not \(type)")
    }
  }

  @Test("Conditions of thousands of terms stay within SQLite's depth")
  func longConditions() throws {
    let store = try RandomWorld.store(seed: 2)
    let terms = (0..<5_000).map { Quake.magnitude == Double($0) / 4 }
    #expect(try store.keys(.or(terms), of: "Quake") == store.keysInMemory(.or(terms), of: "Quake"))
  }

  @Test("Many constants become SELECTs, which SQLite does not compare with each other; those in lists and calls stay")
  func manyConstants() throws {
    let terms = try (0..<600).map {
      try FetchPredicate(format: "magnitude > %d AND (code LIKE 'x*' OR code IN {'a', 'b'})", $0)
    }
    let long = try SQLCondition(.and(terms), entity: "Quake", schema: PredicateWorld())
    let part = "((t0.ZMAGNITUDE > (SELECT ?)) AND (OG_LIKE(t0.ZCODE, ?) OR (t0.ZCODE IN (?, ?))))"
    // Nested conjunctions become one.
    #expect(long.condition.contains(String(part.dropFirst().dropLast())) && long.condition.hasPrefix("+("))
    #expect(long.parameters.count == 2_400)
    let short = try SQLCondition(.and(Array(terms.prefix(5))), entity: "Quake", schema: PredicateWorld())
    #expect(!short.condition.contains("SELECT") && short.condition.hasPrefix("(("))
  }
}

extension PredicateSQLTests {
  @Test("Terms nested deeper than SQLite's parser allows become the branches of a CASE")
  func cascade() throws {
    let terms = (0..<9).map { Quake.magnitude > Double($0) }
    var predicate = terms[8]
    for (index, term) in terms.dropLast().enumerated().reversed() {
      predicate = index % 2 == 0 ? .and([term, predicate]) : .or([predicate, term])
    }
    let sql = try SQLCondition(.not(predicate), entity: "Quake", schema: PredicateWorld())
    let term = "(t0.ZMAGNITUDE > ?)"
    #expect(
      sql.parameters.count == 9 && sql.condition.hasPrefix("(CASE WHEN \(term) IS NOT TRUE THEN 1 WHEN \(term) THEN 0 ")
    )
    #expect(sql.condition.contains(" IS NOT TRUE) END)"))
    #expect(sql.condition.filter { $0 == "?" }.count == 9)
  }

  @Test("An order is the same in memory and in SQL, with nulls lowest")
  func order() throws {
    for seed in 0..<4 as Range<UInt64> {
      let store = try RandomWorld.store(seed: seed)
      let orders: [[FetchSortDescriptor]] =
        [
          [.init("magnitude")], [.init(Quake.code, ascending: false)], [.init("code", options: .caseInsensitive)],
          [
            .init("network.name", options: [.caseInsensitive, .diacriticInsensitive]), .init("felt", ascending: false),
          ],
          [.init("network.parent.rank", ascending: false), .init("key"), .init("raw", ascending: false)],
          [.init("price"), .init("time", ascending: false), .init("link")], [.init("reviewed"), .init("code")],
          [.init("network.name", ascending: false, selector: .localizedStandardCompare), .init("code")],
          [.init("code", options: .diacriticInsensitive, selector: .localizedCompare)],
        ] + SortSelector.allCases.map { [.init(Quake.code, selector: $0), .init("felt", ascending: false)] }
      for order in orders {
        let sorted = try order.sorted(try #require(store.objects["Quake"])).map(\.predicateObjectID.key)
        #expect(try store.keys(.constant(true), of: "Quake", sortedBy: order) == sorted, "\(order)")
      }
      let lowest = try store.keys(.constant(true), of: "Quake", sortedBy: orders[0]).first
      let isNull = try FetchPredicate(format: "magnitude = NULL")
      #expect(try store.keysInMemory(isNull, of: "Quake").contains(try #require(lowest)))
    }
  }

  @Test("An order by an object, by many values, or with options on a number is refused in memory and in SQL")
  func wrongOrder() throws {
    let store = try RandomWorld.store(seed: 1)
    let quakes = try #require(store.objects["Quake"])
    for descriptor in [
      FetchSortDescriptor("network"), .init("shocks.size"), .init("magnitude", options: .caseInsensitive),
      .init("wrong"), .init("magnitude", selector: .localizedCompare), .init("time", selector: .caseInsensitiveCompare),
    ] {
      #expect(throws: FetchPredicateError.self) { try [descriptor].sorted(quakes) }
      #expect(throws: FetchPredicateError.self) { try store.keys(.constant(true), of: "Quake", sortedBy: [descriptor]) }
    }
  }

  @Test("A predicate combined with an order keeps its parameters in place")
  func parametersInOrder() throws {
    let store = try RandomWorld.store(seed: 6)
    let predicate = try FetchPredicate(format: "ANY shocks.size > 0 AND network.rank > 1 AND magnitude < 5")
    let order = [FetchSortDescriptor("network.name"), FetchSortDescriptor("code")]
    let matching = try (store.objects["Quake"] ?? []).filter { try predicate.evaluate(with: $0) }
    #expect(
      try store.keys(predicate, of: "Quake", sortedBy: order) == order.sorted(matching).map(\.predicateObjectID.key))
  }
}
