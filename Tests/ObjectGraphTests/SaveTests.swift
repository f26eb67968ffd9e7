// D2, B11: a save passes context, coordinator and store; it is all or nothing, on disk and in memory.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D2 · saving objects")
struct SaveTests {
  @Test("A save stores new objects with keys in their order, and they stay in use under permanent IDs", .tags(.d2))
  func inserting() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let first = try Quake.insert("a", 4.5, into: context)
      let second = try Quake.insert("b", nil, into: context)
      #expect(first.objectID.isTemporaryID)
      #expect(first.objectID != second.objectID)
      #expect(context.hasChanges)
      try context.save()
      #expect(!context.hasChanges)
      #expect(!first.objectID.isTemporaryID && !first.hasChanges)
      #expect(second.objectID.uriRepresentation().hasSuffix("/Quake/p2"))
      let fetched = try context.fetch(FetchRequest(entityName: "Quake"))
      #expect(fetched[0] === first && fetched[1] === second)
    }
    #expect(
      try stack.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZCODE, ZMAGNITUDE, ZPLACE, ZTIME FROM ZQUAKE") == [
        "1|1|1|a|4.5|NULL|0.5", "2|1|1|b|NULL|NULL|0.5",
      ])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["2"])
  }

  @Test("Changing and saving an object writes its changed columns and increments its version", .tags(.d2))
  func updating() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 4.5, into: context)
      try context.save()
      // Another writer's column must survive an update that does not name it.
      try stack.execute("UPDATE ZQUAKE SET ZPLACE = 'elsewhere'")
      quake[Quake.magnitude] = 4.6
      #expect(quake.isUpdated && quake.changedValues() == ["magnitude": 4.6])
      try context.save()
      quake["magnitude"] = .null
      try context.save()
    }
    #expect(try stack.rows("SELECT Z_OPT, ZMAGNITUDE, ZPLACE FROM ZQUAKE") == ["3|NULL|elsewhere"])
  }

  @Test("Deleting removes the row; deleting a new object discards it", .tags(.d2))
  func deleting() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let kept = try Quake.insert("kept", into: context)
      let gone = try Quake.insert("gone", into: context)
      try context.save()
      try context.delete(gone)
      let passing = try Quake.insert("passing", into: context)
      try context.delete(passing)
      #expect(try context.fetch(FetchRequest(entityName: "Quake")).map(\.objectID) == [kept.objectID])
      #expect(try context.count(for: FetchRequest(entityName: "Quake")) == 1)
      try context.save()
      #expect(!gone.isDeleted && gone.managedObjectContext == nil)
      #expect(throws: ObjectGraphError.deletedObject(gone.objectID)) { try context.delete(gone) }
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["kept"])
  }
}

extension SaveTests {
  @Test(
    "Every missing or wrong value is reported, nothing is stored, and the save succeeds once they are fixed",
    .tags(.d1, .d2))
  func validation() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for number in 0..<7_000 { try Quake.insert("q\(number)", into: context) }
      let nameless = try Quake.insert(nil, into: context)
      let wrong = try Quake.insert("wrong", into: context)
      wrong["magnitude"] = "strong"
      let misspelt = try Quake.insert("misspelt", into: context)
      misspelt["magnitud"] = 1.5
      let error = #expect(throws: ObjectGraphError.self) { try context.save() }
      guard case .validation(let failures)? = error else { throw try #require(error) }
      #expect(failures.map(\.key) == ["code", "magnitude", "magnitud"])
      #expect(failures[0].code == .missingMandatoryProperty && failures[0].objectID == nameless.objectID)
      #expect("\(failures[1])".contains("found a string; expected a double"))
      #expect("\(failures[2])".contains("expected one of code, magnitude, place, time"))
      #expect(error?.code == 1560)
      #expect(context.insertedObjects.count == 7_003)
      #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
      nameless[Quake.code] = "named"
      try context.delete(wrong)
      try context.delete(misspelt)
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try stack.rows("SELECT count(*), max(Z_PK) FROM ZQUAKE") == ["7001|7001"])
  }

  @Test("Defaults are set from the start, and stored if nothing else was set", .tags(.d1))
  func defaults() throws {
    let stack = try TestStack([
      EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("count", .int32, defaultValue: 7),
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription("ratio", .double, defaultValue: 1),
        ])
    ])
    let context = stack.context()
    try context.performAndWait { () throws in
      let item = try context.insertNewObject(forEntityName: "Item")
      #expect(item["count"] == 7 && item["ratio"] == .real(1) && item["name"].isNull)
      let other = try context.insertNewObject(forEntityName: "Item")
      other["count"] = 8
      #expect(item["count"] == 7)
      try context.save()
    }
    #expect(try stack.rows("SELECT ZCOUNT, ZNAME, ZRATIO FROM ZITEM") == ["7|NULL|1.0", "8|NULL|1.0"])
  }

  @Test("Every type is read back as it was stored, in its Core Data encoding", .tags(.d1))
  func everyType() throws {
    let stack = try TestStack([
      EntityDescription(
        "Sample",
        attributes: AttributeType.allCases.map { AttributeDescription("a\($0.rawValue)", $0, isOptional: true) })
    ])
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    let values: [String: AttributeValue] = [
      "aint16": .integer(-32_768), "aint32": .integer(2_147_483_647), "aint64": .integer(.min), "aboolean": true,
      "afloat": .real(Double(Float(1.2))), "adouble": .real(-0.1), "adecimal": .decimal(Decimal(string: "10.11")!),
      "adate": .date(Date(timeIntervalSinceReferenceDate: -631_064_399)), "astring": "Ḧellö, 世界\0 \u{1F30B}",
      "abinary": .binary(Data([0, 255, 0])), "auuid": .uuid(uuid),
      "auri": .uri(URL(string: "https://example.org/a?b=c")!),
    ]
    let context = stack.context()
    try context.performAndWait { () throws in
      let sample = try context.insertNewObject(forEntityName: "Sample")
      for (key, value) in values { try sample.setValue(value, forKey: key) }
      _ = try context.insertNewObject(forEntityName: "Sample")
      try context.save()
      context.reset()
      let fetched = try context.fetch(FetchRequest(entityName: "Sample"))
      for (key, value) in values {
        #expect(try fetched[0].value(forKey: key) == value, "\(key)")
        #expect(try fetched[1].value(forKey: key) == .null)
      }
    }
    #expect(
      try stack.rows(
        "SELECT typeof(ZADATE), ZADATE, typeof(ZADECIMAL), hex(ZAUUID), typeof(ZAFLOAT), ZABOOLEAN FROM ZSAMPLE"
      )[0] == "integer|-631064399|real|0102030405060708090A0B0C0D0E0F10|real|1")
  }
}

extension SaveTests {
  @Test("A decimal keeps all its digits in memory, and in a store those of a double", .tags(.d1))
  func decimalDigits() throws {
    let stack = try TestStack([EntityDescription("Price", attributes: [AttributeDescription("amount", .decimal)])])
    let context = stack.context()
    try context.performAndWait { () throws in
      let price = try context.insertNewObject(forEntityName: "Price")
      for (set, read) in [
        ("10.11", "10.11"), ("0.1", "0.1"), ("9007199254740993", "9007199254740992"),
        ("12345678901234567890.5", "12345678901234567000"),
      ] {
        let (exact, stored) = (try #require(Decimal(string: set)), try #require(Decimal(string: read)))
        price["amount"] = .decimal(exact)
        try context.save()
        #expect(price["amount"] == .decimal(exact))
        try context.refresh(price, mergeChanges: false)
        context.stalenessInterval = 0
        #expect(price["amount"] == .decimal(stored), "\(set)")
      }
    }
  }

  @Test("A row someone else changed or deleted is not overwritten: the whole save fails", .tags(.d2))
  func optimisticLocking() throws {
    let stack = try TestStack()
    let (mine, other) = (stack.context(), stack.context())
    let objectID = try mine.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: mine)
      try mine.save()
      try other.performAndWait { () throws in
        let theirs = try other.fetch(FetchRequest(entityName: "Quake"))[0]
        theirs[Quake.magnitude] = 2
        try other.save()
      }
      quake[Quake.magnitude] = 3
      try Quake.insert("b", into: mine)
      let error = #expect(throws: ObjectGraphError.self) { try mine.save() }
      guard case .optimisticLocking(let conflicts)? = error else { throw try #require(error) }
      #expect(conflicts.map(\.objectID) == [quake.objectID] && error?.code == 133020)
      #expect(quake[Quake.magnitude] == 3 && mine.insertedObjects.count == 1 && mine.updatedObjects.count == 1)
      return quake.objectID
    }
    #expect(objectID.uriRepresentation().hasSuffix("p1"))
    #expect(try stack.rows("SELECT ZCODE, Z_OPT, ZMAGNITUDE FROM ZQUAKE") == ["a|2|2.0"])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["1"])
  }

  @Test("A full disk fails the save, leaves the store as it was and the objects pending", .tags(.d2))
  func fullDisk() throws {
    let stack = try TestStack(pragmas: [.init("max_page_count", "30")])
    let context = stack.context()
    try context.performAndWait { () throws in
      for number in 0..<5_000 { try Quake.insert("code \(number)", into: context) }
      #expect(storeError { () throws(ObjectGraphError) in try context.save() }?.code == .full)
      #expect(context.insertedObjects.count == 5_000)
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["0"])
    #expect(try stack.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test("Use of a context off its queue is detected, use on it is not", .tags(.d2))
  func queues() async throws {
    let stack = try TestStack()
    let context = stack.context()
    let code = try await context.perform {
      let quake = try Quake.insert("a", into: context)
      // It can be nested: this is already on the queue.
      return context.performAndWait { quake[Quake.code] }
    }
    #expect(code == "a")
    let container = PersistentContainer(
      managedObjectModel: stack.coordinator.managedObjectModel,
      store: PersistentStoreDescription(path: stack.path + "2"))
    try container.loadPersistentStores()
    let count = try await container.performBackgroundTask { context in
      try Quake.insert("b", into: context)
      try context.save()
      return try context.count(for: FetchRequest(entityName: "Quake"))
    }
    #expect(count == 1)
    let view = await container.viewContext
    let seen = try await view.perform { try view.count(for: FetchRequest(entityName: "Quake")) }
    #expect(seen == 1)
    try container.persistentStoreCoordinator.close()
  }
}
