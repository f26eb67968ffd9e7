// D1, D2, D9: the layout of the file is that of Core Data's files, and it is opened with the given pragmas.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D2 D9 · store files")
struct LayoutTests {
  @Test("Tables, columns in order, indexes and bookkeeping match Core Data's", .tags(.d1, .d2))
  func schema() throws {
    let every = EntityDescription(
      "Sample",
      attributes: AttributeType.allCases.map { AttributeDescription("a\($0.rawValue)", $0, isOptional: true) },
      uniquenessConstraints: [["astring", "aint64"]])
    let stack = try TestStack([.quake(), every])
    #expect(
      try stack.rows("SELECT sql FROM sqlite_master WHERE name LIKE 'Z%' ORDER BY rowid") == [
        "CREATE TABLE ZQUAKE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMAGNITUDE FLOAT, ZTIME TIMESTAMP, ZCODE VARCHAR, ZPLACE VARCHAR )",
        "CREATE TABLE ZSAMPLE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZABOOLEAN INTEGER, ZAINT16 INTEGER, ZAINT32 INTEGER, ZAINT64 INTEGER, ZADATE TIMESTAMP, ZADOUBLE FLOAT, ZAFLOAT FLOAT, ZADECIMAL DECIMAL, ZASTRING VARCHAR, ZAURI VARCHAR, ZAUUID BLOB, ZATRANSFORMABLE BLOB, ZABINARY BLOB )",
        "CREATE UNIQUE INDEX Z_Quake_UNIQUE_code ON ZQUAKE (ZCODE COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Sample_UNIQUE_astring_aint64 ON ZSAMPLE (ZASTRING COLLATE BINARY ASC, ZAINT64 COLLATE BINARY ASC)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
    #expect(try stack.rows("SELECT * FROM Z_PRIMARYKEY") == ["1|Quake|0|0", "2|Sample|0|0"])
  }

  @Test("Metadata has the store's identifier and the entities' hashes in a binary property list", .tags(.d2))
  func metadata() throws {
    let stack = try TestStack()
    let row = try #require(try stack.rows("SELECT Z_VERSION, Z_UUID, hex(Z_PLIST) FROM Z_METADATA").first)
    let parts = row.split(separator: "|").map(String.init)
    #expect(parts[0] == "1")
    #expect(UUID(uuidString: parts[1])?.uuidString == parts[1])
    let bytes = stride(from: 0, to: parts[2].count, by: 2).compactMap { offset in
      let start = parts[2].index(parts[2].startIndex, offsetBy: offset)
      return UInt8(parts[2][start..<parts[2].index(start, offsetBy: 2)], radix: 16)
    }
    let plist = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    #expect(plist?["NSStoreType"] as? String == "SQLite")
    #expect(plist?["_NSAutoVacuumLevel"] as? String == "2")
    let hashes = try #require(plist?["NSStoreModelVersionHashes"] as? [String: Data])
    #expect(hashes["Quake"]?.count == 32)
    for (key, length) in [("NSStoreModelVersionHashesDigest", 64), ("NSStoreModelVersionChecksumKey", 32)] {
      #expect((plist?[key] as? String).flatMap { Data(base64Encoded: $0) }?.count == length)
    }
  }

  @Test("A new store is in WAL mode with incremental vacuum, and uses the pragmas it is given", .tags(.d9))
  func pragmas() throws {
    let plain = try TestStack()
    #expect(try plain.coordinator.pragma("journal_mode") == "wal")
    #expect(try plain.coordinator.pragma("auto_vacuum") == "2")
    let tuned = try TestStack(pragmas: [
      .init("synchronous", "normal"), .init("page_size", "8192"), .init("journal_mode", "delete"),
      .init("cache_size", "-4096"), .init("auto_vacuum", "none"),
    ])
    #expect(try tuned.coordinator.pragma("journal_mode") == "delete")
    #expect(try tuned.coordinator.pragma("page_size") == "8192")
    #expect(try tuned.coordinator.pragma("synchronous") == "1")
    #expect(try tuned.coordinator.pragma("cache_size") == "-4096")
    #expect(try tuned.coordinator.pragma("auto_vacuum") == "0")
  }
}

extension LayoutTests {
  @Test("A store opens again with its rows, and continues its keys", .tags(.d2))
  func reopening() throws {
    let stack = try TestStack()
    let first = stack.context()
    try first.performAndWait { () throws in
      try Quake.insert("a", into: first)
      try first.save()
    }
    try stack.coordinator.close()
    try stack.coordinator.addPersistentStore(stack.description())
    let second = stack.context()
    try second.performAndWait { () throws in
      try Quake.insert("b", into: second)
      try second.save()
      #expect(try second.fetch(FetchRequest(entityName: "Quake")).map { $0[Quake.code] } == ["a", "b"])
    }
    #expect(try stack.rows("SELECT Z_PK, ZCODE FROM ZQUAKE") == ["1|a", "2|b"])
    #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["2"])
  }

  @Test("A store of another model reports the differences and stays as it is", .tags(.d2))
  func otherModel() throws {
    let stack = try TestStack()
    try stack.coordinator.close()
    let before = try Data(contentsOf: URL(filePath: stack.path))
    let other = PersistentStoreCoordinator(
      managedObjectModel: try ManagedObjectModel(entities: [
        EntityDescription("Quake", attributes: [AttributeDescription("depth", .double)]),
        EntityDescription("Station", attributes: [AttributeDescription("name", .string)]),
      ]))
    let differences = [
      EntityDifference(
        entity: "Quake",
        found: "the column ZMAGNITUDE FLOAT, the column ZTIME TIMESTAMP, the column ZCODE VARCHAR, "
          + "the column ZPLACE VARCHAR, the uniqueness constraint Z_Quake_UNIQUE_code",
        expected: "the column ZDEPTH"),
      EntityDifference(entity: "Station", found: "no such entity in the store", expected: "the model's entity"),
    ]
    #expect(throws: ObjectGraphError.incompatibleModel(path: stack.path, entities: differences)) {
      try other.addPersistentStore(stack.description())
    }
    #expect(try Data(contentsOf: URL(filePath: stack.path)) == before)
  }

  @Test(
    "A SQLite file that is not a store, a file that is not a database, and a missing folder are refused", .tags(.d2))
  func wrongFiles() throws {
    let stack = try TestStack()
    func open(_ path: String, _ pragmas: [PersistentStoreDescription.Pragma] = []) throws(ObjectGraphError) {
      var description = PersistentStoreDescription(path: path)
      description.pragmas = pragmas
      try PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        .addPersistentStore(description)
    }
    let plain = stack.directory.appending(path: "plain.sqlite").path
    try Connection(path: plain).execute("CREATE TABLE t (x)")
    let before = try Data(contentsOf: URL(filePath: plain))
    #expect { try open(plain, [.init("user_version", "7")]) } throws: { "\($0)".contains("no Core Data store") }
    #expect(try Data(contentsOf: URL(filePath: plain)) == before, "it is somebody else's")
    let text = stack.directory.appending(path: "text.sqlite")
    try Data(repeating: 65, count: 5_000).write(to: text)
    #expect(storeError { () throws(ObjectGraphError) in try open(text.path) }?.code == .notADatabase)
    let missing = stack.directory.path + "/missing/store.sqlite"
    #expect(storeError { () throws(ObjectGraphError) in try open(missing) }?.code == .cantOpen)
    #expect(throws: ObjectGraphError.storeAlreadyOpen(path: stack.path)) {
      try stack.coordinator.addPersistentStore(stack.description())
    }
  }

  @Test("A read-only store is read and not written", .tags(.d9))
  func readOnly() throws {
    let stack = try TestStack()
    let writer = stack.context()
    try writer.performAndWait { () throws in
      try Quake.insert("a", into: writer)
      try writer.save()
    }
    try stack.coordinator.close()
    var description = stack.description()
    description.isReadOnly = true
    try stack.coordinator.addPersistentStore(description)
    let context = stack.context()
    try context.performAndWait { () throws in
      #expect(try context.count(for: FetchRequest(entityName: "Quake")) == 1)
      try Quake.insert("b", into: context)
      #expect(throws: ObjectGraphError.readOnlyStore(path: stack.path)) { try context.save() }
      #expect(context.insertedObjects.count == 1)
    }
  }
}
