// D5, B7, C2: stores whose counters of keys are exhausted, like in a damaged or foreign file.
import CoreDataModel
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import ObjectGraph

@Suite("D5 B7 C2 · keys that are exhausted", .tags(.d5, .b7, .c2))
struct ExhaustedKeysTests {
  /// Counters in SQL, and their text in an error.
  static let counters = [
    ("9223372036854775807", "9223372036854775807"), ("9223372036854775806", "9223372036854775806"),
    ("'many'", "a text"), ("x'00'", "a blob"), ("-1", "-1"), ("1e300", "1.0e+300"),
  ]

  private func stack(_ name: String, _ counter: String) throws -> TestStack {
    let stack = try TestStack.tracked()
    let context = stack.context()
    try context.performAndWait { () throws in
      try Quake.insert("first", into: context)
      try context.save()
    }
    try stack.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(counter) WHERE Z_NAME = '\(name)'")
    return stack
  }

  @Test(
    "Saves, permanent IDs and batch inserts report that an entity's keys are exhausted, and store nothing",
    arguments: ExhaustedKeysTests.counters)
  func entity(counter: String, found: String) throws {
    let stack = try stack("Quake", counter)
    let expected = ObjectGraphError.keysExhausted(of: "Quake", found: found, path: stack.path)
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("second", into: context)
      #expect(throws: expected) { try context.obtainPermanentIDs(for: [quake]) }
      #expect(throws: expected) { try context.save() }
      #expect(context.hasChanges && quake.isInserted)
      #expect(throws: expected) {
        try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("second")]))
      }
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["first"])
    #expect("\(expected)".hasPrefix("no keys are left for new rows of Quake in the store \(stack.path): found"))
  }

  @Test(
    "Saves and batches report that the keys of a history table are exhausted, and store nothing",
    arguments: HistoryEntity.allCases, ExhaustedKeysTests.counters)
  func history(entity: HistoryEntity, counter: (sql: String, found: String)) throws {
    let stack = try stack(entity.name, counter.sql)
    let expected = ObjectGraphError.keysExhausted(of: entity.name, found: counter.found, path: stack.path)
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try #require(try context.fetch(FetchRequest(entityName: "Quake")).first)
      quake[Quake.magnitude] = 9
      try Quake.insert("second", into: context)
      #expect(throws: expected) { try context.save() }
      #expect(throws: expected) {
        try context.execute(BatchInsertRequest(entityName: "Quake", objects: [Quake.row("second")]))
      }
      #expect(throws: expected) {
        try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Quake")))
      }
      context.rollback()
      try context.delete(quake)
      #expect(throws: expected) { try context.save() }
    }
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE") == ["first|1.0"])
    #expect(try stack.rows("SELECT count(*) FROM ACHANGE") == ["1"])
  }

  @Test("A counter without a value counts as 0")
  func null() throws {
    let stack = try TestStack()
    try stack.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = NULL")
    let context = stack.context()
    try context.performAndWait { () throws in
      try Quake.insert("first", into: context)
      try context.save()
    }
    #expect(try stack.rows("SELECT Z_PK, ZCODE FROM ZQUAKE") == ["1|first"])
  }
}
