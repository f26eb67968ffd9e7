// B7, B11, B13: options of a batch insert beyond its rows: supplied keys, rules, bounded transactions.
import Dispatch
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("B7 B11 B13 · options of batch insert")
struct BatchInsertOptionsTests {
  private func person(_ rules: Bool = false) -> EntityDescription {
    EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("email", .string, isOptional: true),
        AttributeDescription("phone", .string, isOptional: true),
        AttributeDescription("name", .string),
        AttributeDescription("isFavourite", .boolean, defaultValue: false),
        AttributeDescription(
          "age", .int32, isOptional: true, validationRules: rules ? [.range(minimum: 0, maximum: 150)] : []),
      ],
      uniquenessConstraints: [["email"], ["phone"]])
  }

  private func stack() throws -> TestStack {
    let stack = try TestStack([person()])
    let context = stack.context()
    try context.performAndWait { () throws in
      _ = try context.execute(
        BatchInsertRequest(
          entity: person(),
          objects: [
            ["email": "a@x", "phone": "1", "name": "A", "isFavourite": true, "age": 30],
            ["email": "b@x", "phone": "2", "name": "B", "isFavourite": true],
          ]))
    }
    return stack
  }

  private let select = "SELECT Z_PK, Z_OPT, ZEMAIL, ZPHONE, ZNAME, ZISFAVOURITE, ZAGE FROM ZPERSON ORDER BY 1"

  @Test(
    "With two constraints a row may match a stored one by either", .tags(.b11), arguments: ConstraintTests.policies)
  func twoConstraints(policy: MergePolicy) throws {
    let stack = try stack()
    let context = stack.context(policy)
    let request = BatchInsertRequest(
      entityName: "Person",
      objects: [
        ["email": "a@x", "phone": "9", "name": "by email"], ["email": "c@x", "phone": "2", "name": "by phone"],
        ["email": "d@x", "phone": "4", "name": "new"], ["email": "d@x", "phone": "4", "name": "both, of one row"],
      ])
    try context.performAndWait { () throws in
      var told = request
      told.resultType = .changes
      guard case .changes(let changes) = try context.execute(told) else { throw TestFailure("no changes") }
      let wins = [.objectTrump, .overwrite].contains(policy.mergeType)
      #expect(changes.inserted.map { "\($0)".suffix(3) } == ["/p5"])
      #expect(changes.updated.map { "\($0)".suffix(3) } == (wins ? ["/p1", "/p2"] : []))
    }
    #expect(
      try stack.rows(select)
        == ([.objectTrump, .overwrite].contains(policy.mergeType)
          ? [
            "1|2|a@x|9|by email|0|NULL", "2|2|c@x|2|by phone|0|NULL", "5|2|d@x|4|both, of one row|0|NULL",
          ] : ["1|1|a@x|1|A|1|30", "2|1|b@x|2|B|1|NULL", "5|1|d@x|4|new|0|NULL"]))
  }

  @Test("A row that matches two stored ones replaces neither: the request fails and names both", .tags(.b11))
  func twoRows() throws {
    let stack = try stack()
    let rows: [[String: AttributeValue]] = [
      ["email": "c@x", "phone": "3", "name": "C"], ["email": "a@x", "phone": "2", "name": "both"],
    ]
    let before = try stack.rows(select)
    for policy in ConstraintTests.policies {
      let context = stack.context(policy)
      try context.performAndWait { () throws in
        let request = BatchInsertRequest(entityName: "Person", objects: rows)
        if [.objectTrump, .overwrite].contains(policy.mergeType) {
          let error = #expect(throws: ObjectGraphError.self) { () throws in try context.execute(request) }
          guard case .uniqueValuesTaken("Person", ["email", "phone"], let takers, 2)? = error else {
            throw TestFailure("\(String(describing: error))")
          }
          #expect(takers.map { "\($0)".suffix(3) } == ["/p1", "/p2"])
          #expect(try stack.rows(select) == before)
        }
      }
    }
    let context = stack.context(.mergeByPropertyStoreTrump)
    try context.performAndWait { () throws in
      try context.execute(BatchInsertRequest(entityName: "Person", objects: rows))
    }
    #expect(
      try stack.rows(select).map { $0.split(separator: "|")[4] } == ["A", "B", "C"], "skipped, as one stored row stays")
  }

  @Test(
    "With supplied keys only, other values of a row stay, even required ones", .tags(.b11),
    arguments: BatchInsertTests.Style.allCases)
  func suppliedKeys(style: BatchInsertTests.Style) throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      var request = style.request(
        [
          ["email": "a@x", "age": 31], ["email": "b@x", "name": "Bea"], ["email": "a@x", "isFavourite": false],
          ["email": "b@x", "age": .null], ["email": "e@x", "name": "E"], ["email": "e@x", "phone": "5"],
        ], entityName: "Person")
      request.updatesSuppliedKeysOnly = true
      request.resultType = .count
      #expect(try context.execute(request) == .count(6))
      var missing = style.request([["email": "f@x", "age": 1]], entityName: "Person")
      missing.updatesSuppliedKeysOnly = true
      #expect(throws: ObjectGraphError.missingValue(entity: "Person", key: "name", row: 1)) { () throws in
        try context.execute(missing)
      }
      var emptied = style.request([["email": "a@x", "name": .null]], entityName: "Person")
      emptied.updatesSuppliedKeysOnly = true
      #expect(throws: ObjectGraphError.missingValue(entity: "Person", key: "name", row: 1)) { () throws in
        try context.execute(emptied)
      }
    }
    #expect(
      try stack.rows(select) == [
        "1|3|a@x|1|A|0|31", "2|3|b@x|2|Bea|1|NULL", "7|2|e@x|5|E|0|NULL",
      ])
  }
}

extension BatchInsertOptionsTests {
  @Test("Rules are checked only on request, and a broken rule is reported with its row", .tags(.b7))
  func rules() throws {
    let stack = try TestStack([person(true)])
    let context = stack.context()
    try context.performAndWait { () throws in
      var request = BatchInsertRequest(
        entityName: "Person", objects: [["name": "A", "age": 150], ["name": "B", "age": 151]])
      request.validatesRules = true
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.execute(request) }
      #expect(
        error
          == .brokenRule(
            .numberTooLarge, entity: "Person", key: "age", found: "151", expected: "at most 150", row: 2))
      #expect(error?.code == 1610)
      #expect(try stack.rows("SELECT count(*) FROM ZPERSON") == ["0"])
      request.validatesRules = false
      try context.execute(request)
    }
    #expect(try stack.rows("SELECT count(*) FROM ZPERSON") == ["2"])
  }

  /// The key within its table, which is at the end of an object ID's URI.
  private func key(of objectID: ManagedObjectID) -> String {
    "\(objectID)".split(separator: "/p").last.map(String.init) ?? ""
  }

  @Test(
    "Bounded transactions store all rows, and a failure reports exactly which are stored", .tags(.b13),
    arguments: BatchInsertTests.Style.allCases, [1, 3, 5, 10, 100])
  func transactions(style: BatchInsertTests.Style, size: Int) throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let rows = (1...10).map { Quake.row("q\($0)") }
      var request = style.request(rows)
      request.transactionSize = size
      request.resultType = .count
      #expect(try context.execute(request) == .count(10))
      #expect(try stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["10|10"])
      let wanting: [[String: AttributeValue]] = (11...18).map { number in
        var row = Quake.row("q\(number)")
        if number == 17 { row["code"] = nil }
        return row
      }
      var broken = style.request(wanting)
      broken.transactionSize = size
      broken.resultType = .objectIDs
      let cause = ObjectGraphError.missingValue(entity: "Quake", key: "code", row: 7)
      let error = #expect(throws: ObjectGraphError.self) { () throws in try context.execute(broken) }
      let stored = 6 / size * size
      let keys = try stack.rows("SELECT Z_PK FROM ZQUAKE WHERE Z_PK > 10")
      #expect(keys == (0..<stored).map { "\($0 + 11)" })
      #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["\(10 + stored)"])
      if stored == 0 {
        #expect(error == cause)
      } else {
        guard case .partlyStored("Quake", stored, .objectIDs(let objectIDs), cause)? = error else {
          throw TestFailure("\(String(describing: error))")
        }
        #expect(objectIDs.map(key(of:)) == keys)
      }
    }
  }

  @Test(
    "A row that a request writes several times is reported once, as new if the request inserted it", .tags(.b9, .b13),
    arguments: [0, 1, 2, 5])
  func severalTimes(transactionSize: Int) throws {
    let stack = try TestStack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let old = try Quake.insert("a", 1, into: context)
      try context.save()
      var request = BatchInsertRequest(
        entityName: "Quake", objects: ["b", "a", "b", "c", "a", "c"].map { Quake.row($0) })
      request.transactionSize = transactionSize
      request.resultType = .changes
      let changes = try #require(try context.execute(request).changes)
      #expect(changes.inserted.map(key(of:)) == ["2", "5"])
      #expect(changes.updated == [old.objectID] && changes.deleted.isEmpty)
      request.resultType = .objectIDs
      #expect(try context.execute(request).objectIDs?.map(key(of:)) == ["2", "1", "5"])
      request.resultType = .count
      #expect(try context.execute(request) == .count(6))
    }
  }

  @Test(
    "The largest integer sets no bound, alone or together with either limit", .tags(.b13),
    arguments: [(Int.max, 0), (0, Int.max), (Int.max, Int.max), (Int.max, 1), (3, Int.max), (Int.min, Int.min)])
  func largestSizes(transactionSize: Int, walSizeLimit: Int) throws {
    let stack = try TestStack()
    let context = stack.context()
    var request = BatchInsertRequest(entityName: "Quake", objects: (0..<10).map { Quake.row("q\($0)") })
    request.transactionSize = transactionSize
    request.walSizeLimit = walSizeLimit
    request.resultType = .count
    #expect(try context.performAndWait { try context.execute(request) } == .count(10))
    #expect(try stack.rows("SELECT COUNT(*) FROM ZQUAKE") == ["10"])
  }

  @Test("Others may write between the transactions of a request, and no key is assigned twice", .tags(.b13))
  func othersBetween() throws {
    let stack = try TestStack()
    let context = stack.context()
    let other = stack.context()
    let finished = DispatchSemaphore(value: 0)
    var number = 0
    var request = BatchInsertRequest(entityName: "Quake") { (values: inout [String: AttributeValue]) in
      number += 1
      if number == 3 {
        // It waits for the writer and gets it between two transactions or after the last one.
        other.perform(later: {
          _ = try? other.execute(
            BatchInsertRequest(entityName: "Quake", objects: (1...5).map { Quake.row("other \($0)") }))
          finished.signal()
        })
      }
      values = Quake.row("q\(number)")
      return number > 200
    }
    request.transactionSize = 2
    request.resultType = .objectIDs
    let sent = request
    let result = try context.performAndWait { () throws in try context.execute(sent) }
    finished.wait()
    guard case .objectIDs(let objectIDs) = result else { throw TestFailure("\(result)") }
    #expect(Set(objectIDs).count == 200)
    #expect(try stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["205|205"])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["205"])
    let named = try stack.rows("SELECT Z_PK FROM ZQUAKE WHERE ZCODE LIKE 'q%' ORDER BY Z_PK")
    #expect(objectIDs.map(key(of:)) == named)
  }
}
