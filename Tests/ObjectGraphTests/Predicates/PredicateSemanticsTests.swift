// Known answers: the meaning of predicates, both in memory and in SQL.
import Foundation
import MissionTags
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D3 · the meaning of predicates", .tags(.d3))
struct PredicateSemanticsTests {
  /// Three quakes of one network and one without; the second has only its relationships.
  private func store() throws -> WorldStore {
    let store = try WorldStore()
    let alaska = store.add("Network", ["name": "Ålaska", "rank": 3])
    let parent = store.add("Network", ["name": "World"])
    alaska.connect("parent", to: parent, inverse: nil)
    let loud = store.add("Tag", ["word": "loud", "weight": 2])
    let deep = store.add("Tag", ["word": "deep", "weight": 5])
    let full: [String: AttributeValue] = [
      "code": "us1", "magnitude": 2.5, "felt": 7, "price": .decimal(3), "reviewed": true,
      "time": .date(Date(timeIntervalSinceReferenceDate: 0)),
    ]
    let first = store.add("Quake", full)
    let second = store.add("Quake")
    let third = store.add(
      "Quake", ["code": "Straße 3", "magnitude": -1.0, "felt": .integer(1 << 53 + 1), "price": .decimal(0.5)])
    let fourth = store.add(
      "Quake", ["code": "É", "magnitude": 6, "reviewed": false, "raw": .binary(Data([0, 1]))])
    for quake in [first, second, third] { quake.connect("network", to: alaska, inverse: "quakes") }
    store.tag(first, loud)
    store.tag(first, deep)
    store.tag(third, deep)
    for (quake, size) in [(first, 1.0), (first, 2.0), (second, nil), (fourth, 0.5)] as [(WorldObject, Double?)] {
      var values: [String: AttributeValue] = size.map { ["size": .real($0)] } ?? [:]
      // Two UTF-16 code units, one code point.
      if size == 2 { values["label"] = "😀" }
      let shock = store.add("Shock", values)
      shock.connect("quake", to: quake, inverse: "shocks")
    }
    try store.write()
    return store
  }

  @Test(
    "A predicate finds the quakes it should, in memory and in SQL",
    arguments: [
      // Null equals null and differs from values; other comparisons with it are false, and their negations true.
      ("magnitude = NULL", [2]), ("magnitude != NULL", [1, 3, 4]), ("magnitude != 2.5", [2, 3, 4]),
      ("magnitude > 0", [1, 4]), ("NOT magnitude > 0", [2, 3]), ("NOT magnitude <= 0", [1, 2, 4]),
      ("magnitude > NULL", []), ("magnitude IN {2.5, NULL}", [1, 2]), ("NOT magnitude IN {2.5}", [2, 3, 4]),
      ("magnitude BETWEEN {-1, 2.5}", [1, 3]), ("NOT magnitude BETWEEN {-1, 2.5}", [2, 4]),
      ("magnitude BETWEEN {NULL, 9}", []), ("code CONTAINS NULL", []), ("NULL = NULL", [1, 2, 3, 4]),
      ("NOT code CONTAINS 'zz'", [1, 2, 3, 4]), ("magnitude IN {}", []),
      // Numbers of all types can be compared; booleans are 0 and 1.
      ("reviewed = 1", [1]), ("reviewed = NO", [4]), ("felt > 6.5", [1, 3]), ("price = 0.5", [3]),
      // 2 to the power of 53, plus 1, is not a double.
      ("felt > 9007199254740992.0", [3]), ("felt = 9007199254740992.0", []), ("9007199254740992.0 < felt", [3]),
      ("felt < 9.3e18 AND felt > -9.3e18", [1, 3]),
      // Integer division gives integers, but that of decimals does not, although SQLite stores whole ones as integers.
      ("felt / 2 = 3", [1]), ("price / 2 = 1.5", [1]), ("felt / 0 = NULL", [1, 2, 3, 4]), ("felt * 2.0 = 14", [1]),
      ("felt + 9223372036854775807 > 9.2e18", [1, 3]), ("-felt = -7", [1]), ("2 ** felt = 128", [1]),
      ("felt - 5 < 3", [1]), ("max(network.quakes.price) / 2 = 1.5", [1, 2, 3]),
      // Bits and remainders of integers and of the whole parts of doubles.
      ("felt & 1 = 1", [1, 3]), ("felt & 4 = 4", [1]), ("felt | 8 = 15", [1]), ("felt ^ 7 = 0", [1]),
      ("felt ^ NULL = NULL", [1, 2, 3, 4]), ("felt << 1 = 14", [1]), ("felt >> 53 = 1", [3]), ("felt >> -1 = 14", [1]),
      ("felt << 64 = 0", [1, 3]), ("-felt >> 64 = -1", [1, 3]), ("felt << -64 = 0", [1, 3]), ("-felt & 1 = 1", [1, 3]),
      ("magnitude & 3 = 2", [1, 4]), ("magnitude ^ 1 = 3", [1]), ("magnitude & -1 = -1", [3]), ("1e300 ^ felt < 0", []),
      ("price | 1 = 3", [1]), ("reviewed & 1 = 1", [1]), ("(felt & 6) + 1 > 6", [1]),
      ("modulus:by:(felt, 4) = 3", [1]), ("modulus:by:(-felt, 4) = -3", [1]),
      ("modulus:by:(felt, 0) = NULL", [1, 2, 3, 4]),
      ("modulus:by:(-9223372036854775808, -1) = 0", [1, 2, 3, 4]), ("modulus:by:(magnitude, 2) = 0", [1, 4]),
      ("modulus:by:(magnitude, 2) / 4 = 0", [1, 4]), ("modulus:by:(price, 2) = 1", [1]),
      ("modulus:by:(9, 4.5) / 2 = 0.5", [1, 2, 3, 4]),
      // The length of text in UTF-16 code units, of data in bytes.
      ("code.length = 3", [1]), ("code.length = 8", [3]), ("code.length = NULL", [2]), ("code.length > 0", [1, 3, 4]),
      ("network.name.length = 6", [1, 2, 3]), ("network.name.length = NULL", [4]),
      ("ANY tags.word.length = 4", [1, 3]),
      ("tags.@sum.word.length = 8", [1]), ("tags.@max.word.length = NULL", [2, 4]), ("raw.length = 2", [4]),
      ("shocks.@max.label.length = 2", [1]), ("(magnitude - 0.5) & -1 = -1", [3]),
      ("SUBQUERY(tags, $t, $t.word.length > code.length).@count = 2", [1]),
      // Functions: null for null, integers if values are already whole, null for a root below 0.
      ("uppercase:(code) = 'US1'", [1]), ("uppercase:(code) = 'STRASSE 3'", [3]), ("lowercase:(code) = 'é'", [4]),
      ("canonical:(code) = 'e'", [4]), ("canonical:(code) = 'strasse 3'", [3]), ("lowercase:(code) = NULL", [2]),
      ("code = lowercase:('US1')", [1]),
      ("canonical:(network.name) BEGINSWITH uppercase:('al')", []),
      ("lowercase:(network.name) = 'ålaska'", [1, 2, 3]), ("uppercase:(NULL) = NULL", [1, 2, 3, 4]),
      ("'ALASKA' = uppercase:(canonical:(network.name))", [1, 2, 3]),
      ("abs:(magnitude) = 1", [3]), ("abs:(-felt) = 7", [1]), ("abs:(magnitude) = NULL", [2]),
      ("abs:(-9223372036854775808) > 9.2e18", [1, 2, 3, 4]), ("abs:(reviewed) = 1", [1]),
      ("sqrt:(felt + 2) = 3", [1]), ("sqrt:(magnitude) = NULL", [2, 3]), ("sqrt(price) = sqrt(3)", [1]),
      ("ceiling:(magnitude) = 3", [1]), ("floor:(magnitude) = 2", [1]), ("trunc:(magnitude + 0.5) = 0", [3]),
      ("floor:(magnitude + 0.5) = -1", [3]), ("ceiling:(price) = 1", [3]), ("floor:(felt) / 2 = 3", [1]),
      ("floor:(price) / 2 = 1.5", [1]), ("trunc:(felt) = 9007199254740993", [3]),
      ("abs:(shocks.@sum.size) = 3", [1]), ("now() > time", [1]), ("now() = NULL", []),
      ("now() = now()", [1, 2, 3, 4]),
      ("SUBQUERY(tags, $t, uppercase:($t.word) = 'LOUD').@count = 1", [1]),
      // Collections that contain values.
      ("tags.word CONTAINS 'deep'", [1, 3]), ("tags.word CONTAINS[c] 'DEEP'", [1, 3]), ("tags.word CONTAINS 'dee'", []),
      ("tags.weight CONTAINS felt - 2", [1]), ("shocks.size CONTAINS NULL", [2]),
      ("{2.5, 6} CONTAINS magnitude", [1, 4]),
      ("{} CONTAINS magnitude", []), ("network.quakes CONTAINS SELF", [1, 2, 3]),
      ("network.parent.name CONTAINS 'r'", [1, 2, 3]),
      ("NOT network.quakes CONTAINS SELF", [4]), ("network.quakes.code CONTAINS 'us1'", [1, 2, 3]),
      // Text by code points; options ignore case and diacritics.
      ("code = 'US1'", []), ("code =[c] 'US1'", [1]), ("code =[d] 'E'", [4]), ("code =[cd] 'e'", [4]),
      ("code = 'E\u{301}'", []), ("code =[d] 'e\u{301}'", []), ("code CONTAINS[c] 'STRASSE'", [3]),
      ("code BEGINSWITH 'us'", [1]), ("code BEGINSWITH ''", [1, 3, 4]), ("code ENDSWITH '3'", [3]),
      ("code ENDSWITH ''", [1, 3, 4]), ("code CONTAINS[cd] ''", [1, 3, 4]),
      ("code LIKE 'us?'", [1]), ("code LIKE 'us?' OR code LIKE 'É'", [1, 4]), ("code LIKE '*s*'", [1]),
      ("code LIKE[c] '*S*'", [1, 3]), ("code LIKE 's*'", []),
      ("code MATCHES '[a-z]+\\\\d'", [1]), ("code MATCHES '[a-z]'", []), ("code MATCHES[d] 'E'", [4]),
      ("code MATCHES[c] 'US\\\\d'", [1]), ("code IN[c] {'US1', 'É'}", [1, 4]), ("code < 'a'", [3]),
      ("code > 'us1'", [4]),
      ("code BETWEEN[c] {'ST', 'V'}", [1, 3]), ("'us1 and more' BEGINSWITH code", [1]),
      // Paths, one and many.
      ("network = NULL", [4]), ("network.name = NULL", [4]), ("network.parent.name = 'World'", [1, 2, 3]),
      ("network.name BEGINSWITH[d] 'Alas'", [1, 2, 3]), ("network.parent.parent = NULL", [1, 2, 3, 4]),
      ("ANY tags.word = 'loud'", [1]), ("ALL tags.word = 'deep'", [2, 3, 4]), ("NONE tags.word = 'deep'", [2, 4]),
      ("NOT ANY tags.weight > 3", [2, 4]), ("'deep' IN tags.word", [1, 3]), ("SOME tags.weight BETWEEN {1, 2}", [1]),
      ("ANY shocks.size = NULL", [2]), ("ALL shocks.size > 0", [1, 3, 4]), ("NONE shocks.size > 1", [2, 3, 4]),
      ("shocks.@count = 0", [3]), ("tags.@count = 2", [1]), ("shocks.@sum.size = 3", [1]),
      ("shocks.@sum.size = 0", [2, 3]),
      ("shocks.@avg.size = 1.5", [1]), ("shocks.@max.size = NULL", [2, 3]), ("shocks.@min.size < 1", [4]),
      ("network.quakes.@count = 3", [1, 2, 3]), ("network.quakes.@count = 0", [4]),
      ("ANY network.quakes.tags.word = 'loud'", [1, 2, 3]), ("ANY tags.quakes.code = 'us1'", [1, 3]),
      ("SUBQUERY(shocks, $s, $s.size > 0.75).@count = 2", [1]),
      ("SUBQUERY(tags, $t, SUBQUERY($t.quakes, $q, $q != SELF).@count > 0).@count > 0", [1, 3]),
      ("SUBQUERY(network.quakes, $q, $q.magnitude > magnitude).@count = 1", [3]),
      ("SELF IN network.quakes", [1, 2, 3]), ("TRUEPREDICATE", [1, 2, 3, 4]), ("FALSEPREDICATE", []),
    ] as [(String, [Int64])])
  func answers(format: String, expected: [Int64]) throws {
    let store = try store()
    let predicate = try FetchPredicate(format: format)
    #expect(try store.keysInMemory(predicate, of: "Quake") == expected, "in memory")
    #expect(try store.keys(predicate, of: "Quake") == expected, "in SQL")
    let negated = [1, 2, 3, 4].filter { !expected.contains($0) }
    #expect(try store.keysInMemory(!predicate, of: "Quake") == negated, "negated, in memory")
    #expect(try store.keys(!predicate, of: "Quake") == negated, "negated, in SQL")
  }

  @Test("Given objects compare by identity; those of another store and unsaved ones equal none")
  func objects() throws {
    let store = try store()
    let network = store.world.objectID("Network", 1)
    let foreign = PredicateWorld(uuid: "another").objectID("Network", 1)
    let unsaved = store.world.objectID("Network", -1)
    let cases: [(String, [any PredicateArgument], [Int64])] = [
      ("network = %@", [network], [1, 2, 3]), ("network != %@", [network], [4]), ("network = %@", [foreign], []),
      ("network != %@", [foreign], [1, 2, 3, 4]), ("network = %@", [unsaved], []),
      ("network IN %@", [[foreign, network]], [1, 2, 3]),
      ("%@ IN tags", [store.world.objectID("Tag", 2)], [1, 3]),
      ("ANY tags = %@", [store.world.objectID("Tag", 1)], [1]),
      ("tags CONTAINS %@", [store.world.objectID("Tag", 2)], [1, 3]),
      ("NOT tags CONTAINS %@", [store.world.objectID("Tag", 1)], [2, 3, 4]),
      ("network.quakes CONTAINS %@", [store.world.objectID("Quake", 3)], [1, 2, 3]),
      ("tags CONTAINS %@", [PredicateWorld(uuid: "another").objectID("Tag", 2)], []),
      ("tags CONTAINS %@", [nil as String?], []),
      ("%@ CONTAINS code", [["us1", "É"]], [1, 4]),
      ("%@ CONTAINS network", [[network]], [1, 2, 3]),
      ("SUBQUERY(tags, $t, $t.quakes CONTAINS %@).@count > 0", [store.world.objectID("Quake", 3)], [1, 3]),
      ("SELF = %@", [store.world.objectID("Quake", 2)], [2]),
      ("objectID = %@", [store.world.objectID("Quake", 2)], [2]),
      ("objectID IN %@", [[store.world.objectID("Quake", 4), store.world.objectID("Quake", 2)]], [2, 4]),
      ("NOT objectID IN %@", [Set([store.world.objectID("Quake", 4)])], [1, 2, 3]),
      ("objectID != SELF", [], []), ("network.objectID = %@", [network], [1, 2, 3]),
      ("network.objectID = NULL", [], [4]),
      ("network.parent.objectID = %@", [store.world.objectID("Network", 2)], [1, 2, 3]),
      ("ANY tags.objectID = %@", [store.world.objectID("Tag", 1)], [1]),
      ("tags.objectID CONTAINS %@", [store.world.objectID("Tag", 2)], [1, 3]),
      ("%@ IN network.quakes.objectID", [store.world.objectID("Quake", 3)], [1, 2, 3]),
      ("tags.objectID.@count = 2", [], [1]),
      ("SUBQUERY(tags, $t, $t.objectID = %@).@count = 1", [store.world.objectID("Tag", 1)], [1]),
      ("SELF IN %@", [[store.world.objectID("Quake", 4), store.world.objectID("Quake", 2)]], [2, 4]),
    ]
    for (format, arguments, expected) in cases {
      let predicate = try FetchPredicate(format: format, arguments: arguments)
      #expect(try store.keysInMemory(predicate, of: "Quake") == expected, "\(format)")
      #expect(try store.keys(predicate, of: "Quake") == expected, "\(format)")
    }
  }
}

extension PredicateSemanticsTests {
  @Test(
    "A combination without a meaning is a typed error, in memory and in SQL",
    arguments: [
      ("magnitude > 'x'", "expected a number"), ("code > 1", "found a number; expected text"),
      ("time > 5", "found a number; expected a date"), ("magnitude CONTAINS '1'", "found a number; expected text"),
      ("code + 1 > 2", "expected a number"), ("-code = 1", "expected a number"), ("code IN {'a', 1}", "found a number"),
      ("network > network", "objects have no order"), ("network = 1", "found a number; expected an object"),
      ("shocks.size > 1", "put ANY, ALL or NONE before it"), ("ANY magnitude > 1", "a to-many relationship"),
      ("ANY 1 > 1", "ANY needs a path"), ("magnitude.@count > 1", "through a to-many relationship"),
      ("shocks.size.@count > 1", "through a to-many relationship"), ("sum(magnitude) > 1", "through a to-many"),
      ("sum(tags.word) > 1", "found text; expected a number"), ("max(tags) = 1", "objects have no order"),
      ("magnitude.x = 1", "'magnitude' is an attribute"), ("magnitude.length = 1", "'magnitude' is an attribute"),
      ("code.length.x = 1", "'code' is an attribute"), ("ANY shocks.size.length > 1", "'size' is an attribute"),
      ("ANY tags.word.length.x > 1", "'word' is an attribute"), ("code.length = '3'", "found text; expected a number"),
      ("tags CONTAINS 'x'", "found an object; expected text"), ("tags.word CONTAINS 5", "expected a number"),
      ("{1, 2} CONTAINS code", "found a number; expected text"), ("objectID > objectID", "objects have no order"),
      ("code.objectID = 'x'", "'code' is an attribute"), ("tags.objectID = SELF", "put ANY, ALL or NONE before it"),
      ("objectID.@count = 1", "through a to-many"), ("objectID.x = 1", "no property"),
      ("code & 1 = 1", "expected a number"),
      ("modulus:by:(code, 1) = 1", "expected a number"), ("abs:(code) = 1", "found text; expected a number"),
      ("uppercase:(felt) = 'x'", "found a number; expected text"), ("lowercase:(network) = 'x'", "found an object"),
      ("floor:(time) = 1", "found a date; expected a number"), ("now() > 1", "found a number; expected a date"),
      ("uppercase:({'a'}) = 'A'", "a list is allowed only"),
      ("sqrt:(shocks.size) = 1", "put ANY, ALL or NONE before it"),
      ("{1, 2} = magnitude", "a list is allowed only"),
      ("$x.a = 1", "the variable $x"),
      ("code MATCHES '('", "regular expression"),
      ("felt IN magnitude", "through a to-many"), ("wrong = 1", "no property 'wrong'"),
      ("network.wrong = 1", "no property 'wrong'"),
      ("shocks.@avg.wrong = 1", "no property 'wrong'"),
      ("SUBQUERY(magnitude, $x, $x = 1).@count = 0", "through a to-many"),
    ])
  func errors(format: String, part: String) throws {
    let store = try store()
    let predicate = try FetchPredicate(format: format)
    let inMemory = try #require(throws: FetchPredicateError.self) { try store.keysInMemory(predicate, of: "Quake") }
    #expect("\(inMemory)".contains(part), "in memory: \(inMemory)")
    let inSQL = try #require(throws: FetchPredicateError.self) { try store.keys(predicate, of: "Quake") }
    #expect("\(inSQL)".contains(part), "in SQL: \(inSQL)")
  }

  @Test("For an unknown key, the error suggests the nearest one")
  func nearest() throws {
    let store = try store()
    let error = try #require(throws: FetchPredicateError.self) {
      try store.keys(FetchPredicate(format: "magnitud > 1"), of: "Quake")
    }
    guard case .unknownKey("Quake", "magnitud", let expected, "magnitude") = error else {
      Issue.record("\(error)")
      return
    }
    #expect(expected.contains("tags"))
  }

  @Test("An integer sum beyond 64 bits is an error, in memory and in SQL")
  func overflow() throws {
    let store = try WorldStore()
    let network = store.add("Network")
    for _ in 0..<2 { store.add("Quake", ["felt": .integer(.max)]).connect("network", to: network, inverse: "quakes") }
    try store.write()
    let predicate = try FetchPredicate(format: "quakes.@sum.felt > 0")
    #expect(throws: FetchPredicateError.overflow(in: "sum(quakes.felt)")) {
      try store.keysInMemory(predicate, of: "Network")
    }
    #expect(throws: (any Error).self) { try store.keys(predicate, of: "Network") }
  }
}
