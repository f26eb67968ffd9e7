// D5: rows with versions that no saves reach, like in a damaged or foreign file.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D5 · versions that are unknown", .tags(.d5))
struct UnknownVersionTests {
  /// Versions in SQL, and their text in an error.
  static let versions = [
    ("549755813888", "549755813888"), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), ("1e300", "1.0e+300"), ("-1e300", "-1.0e+300"),
    ("'many'", "a text"), ("x'00'", "a blob"), ("NULL", "no value"),
  ]
  private static let policies = [
    MergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
  ]

  private func stack(_ version: String) throws -> TestStack {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      try Quake.insert("first", into: context)
      try context.save()
      context.reset()
    }
    try stack.execute("UPDATE ZQUAKE SET Z_OPT = \(version)")
    return stack
  }

  @Test(
    "A row of any version is read, and a save of it reports under each policy that the version is unknown",
    arguments: versions, policies)
  func save(version: (sql: String, found: String), policy: MergePolicy) throws {
    let stack = try stack(version.sql)
    let context = stack.context(policy)
    try context.performAndWait { () throws in
      let quake = try #require(try context.fetch(FetchRequest(entityName: "Quake")).first)
      #expect(quake[Quake.code] == "first")
      let expected = ObjectGraphError.unknownVersion(quake.objectID, found: version.found, path: stack.path)
      quake[Quake.magnitude] = 9
      #expect(throws: expected) { try context.save() }
      #expect(quake[Quake.magnitude] == 9 && context.updatedObjects == [quake])
      context.rollback()
      try context.delete(quake)
      #expect(throws: expected) { try context.save() }
      #expect(context.deletedObjects == [quake])
    }
    #expect(try stack.rows("SELECT ZCODE, ZMAGNITUDE FROM ZQUAKE WHERE Z_OPT IS \(version.sql)") == ["first|1.0"])
  }

  @Test("The last known version is saved once more")
  func last() throws {
    let stack = try stack("549755813887")
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try #require(try context.fetch(FetchRequest(entityName: "Quake")).first)
      quake[Quake.magnitude] = 9
      try context.save()
      quake[Quake.magnitude] = 10
      #expect(
        throws: ObjectGraphError.unknownVersion(quake.objectID, found: "549755813888", path: stack.path)
      ) { try context.save() }
    }
    #expect(try stack.rows("SELECT ZMAGNITUDE FROM ZQUAKE") == ["9.0"])
  }

  @Test("A version that batches increment stays an integer")
  func batches() throws {
    let stack = try TestStack.owners(.nullify)
    let context = stack.context()
    try context.performAndWait { () throws in
      try context.make("Thing", "thing").setObject(try context.make("Owner", "owner"), forKey: "owner")
      try context.save()
    }
    let versions = "SELECT typeof(t.Z_OPT), t.Z_OPT, typeof(o.Z_OPT), o.Z_OPT FROM ZTHING t JOIN ZOWNER o"
    try stack.execute("UPDATE ZTHING SET Z_OPT = 9223372036854775807; UPDATE ZOWNER SET Z_OPT = 9223372036854775806")
    try context.performAndWait { () throws in
      for _ in 0..<2 {
        for name in ["Owner", "Thing"] {
          try context.execute(BatchUpdateRequest(entityName: name, propertiesToUpdate: ["name": "other"]))
        }
      }
      #expect(try stack.rows(versions) == ["integer|9223372036854775807|integer|9223372036854775807"])
      try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Owner")))
    }
    let thing = "SELECT ZNAME, ZOWNER, typeof(Z_OPT), Z_OPT FROM ZTHING"
    #expect(try stack.rows(thing) == ["other|NULL|integer|9223372036854775807"])
  }

  @Test("A value written over the last version stays an integer", arguments: [false, true])
  func upserts(isBatch: Bool) throws {
    let stack = try stack("9223372036854775807")
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      if isBatch {
        let objects: [[String: AttributeValue]] = [["code": "first", "magnitude": 2, "time": .date(.distantPast)]]
        try context.execute(BatchInsertRequest(entityName: "Quake", objects: objects))
      } else {
        try Quake.insert("first", 2, into: context)
        try context.save()
      }
    }
    let rows = try stack.rows("SELECT ZMAGNITUDE, typeof(Z_OPT), Z_OPT FROM ZQUAKE")
    #expect(rows == ["2.0|integer|9223372036854775807"])
  }

  @Test("A new object that is replaced by a row of an unknown version is saved", arguments: versions)
  func standIn(version: (sql: String, found: String)) throws {
    let stack = try TestStack.owners(.nullify)
    let context = stack.context(.mergeByPropertyStoreTrump)
    try context.performAndWait { () throws in
      _ = try context.make("Owner", "owner")
      try context.save()
      context.reset()
    }
    try stack.execute("UPDATE ZOWNER SET Z_OPT = \(version.sql)")
    try context.performAndWait { () throws in
      let stored = try #require(try context.fetch(FetchRequest(entityName: "Owner")).first)
      #expect(stored["name"] == "owner")
      try context.make("Thing", "thing").setObject(try context.make("Owner", "owner"), forKey: "owner")
      try context.save()
      #expect(try stored.objects(forKey: "things").count == 1)
    }
    #expect(try stack.rows("SELECT ZNAME, ZOWNER FROM ZTHING") == ["thing|1"])
  }
}
