// A8, D10: files that are not complete Core Data stores are refused with one sentence that describes them.
import MissionTags
internal import ObjectGraph
import Foundation
import CoreDataFiles
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("A8 D10 · files that are not stores", .tags(.a8, .d10))
struct StoreErrorTests {
  private func sentence(_ path: String) -> String {
    fileError { _ = try StoreFile(path: path) }.map { "\($0)" } ?? "no error"
  }

  @Test("A missing file, a directory, an empty file, random bytes and a plain database are refused")
  func others() throws {
    let folder = try CopiedStore()
    let expected = "; expected a store that Core Data wrote, with the tables Z_PRIMARYKEY and Z_METADATA"
    #expect(sentence(folder.path) == "\(folder.path) cannot be read: no such file")
    #expect(sentence(folder.directory.path) == "\(folder.directory.path): found a directory" + expected)
    try Data().write(to: URL(filePath: folder.path))
    #expect(sentence(folder.path) == "\(folder.path): found an empty file" + expected)
    for length in [3, 99, 100, 5_000] {
      try Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 77 &+ 13) }).write(to: URL(filePath: folder.path))
      #expect(
        sentence(folder.path) == "\(folder.path): found a file that is no SQLite database, or an encrypted one"
          + expected)
    }
    let plain = folder.directory.appending(path: "plain.sqlite").path
    let connection = try Connection(path: plain)
    try connection.execute(
      "CREATE TABLE t (x); CREATE VIEW Z_METADATA AS SELECT 1; CREATE VIEW Z_PRIMARYKEY AS SELECT 1")
    try connection.close()
    #expect(sentence(plain) == "\(plain): found an SQLite database without these tables" + expected)
    #expect(fileError { _ = try RecoveredModel(storeAt: plain) }.map { "\($0)" } == sentence(plain))
  }

  @Test("A header without its pages is refused", arguments: SampleStore.all(.library))
  func truncated(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    let bytes = try Data(contentsOf: URL(filePath: copy.path))
    let expected = "; expected a whole store; copy it again, with the -wal file beside it"
    for length in [bytes.count - 1, bytes.count / 2, 4_096, 1_000] {
      try bytes.prefix(length).write(to: URL(filePath: copy.path))
      #expect(sentence(copy.path) == "\(copy.path): found \(length) bytes of a store of \(bytes.count)" + expected)
    }
  }

  private static let missing: [(shape: SampleStore.Shape, sql: String, difference: String)] = [
    (.library, "DROP TABLE ZPAGE", "it has no entity Page"),
    (.users, "ALTER TABLE ZUSER DROP COLUMN ZNAME", "ZUSER has no column ZNAME"),
    (.users, "ALTER TABLE ZUSER RENAME COLUMN Z_OPT TO OPT", "ZUSER has no column Z_OPT"),
    (.users, "DELETE FROM Z_PRIMARYKEY", "it has no entity User"),
    (.authors, "DROP TABLE Z_1BOOKS", "it has no join table Z_1BOOKS"),
    (.garden, "ALTER TABLE ZCROP DROP COLUMN Z_FOK_BED", "ZCROP has no column Z_FOK_BED"),
    (
      .sightings, "ALTER TABLE Z_1FAVOURITES DROP COLUMN Z_FOK_1FANS",
      "Z_1FAVOURITES has no column Z_FOK_1FANS"
    ),
    (
      .users, "UPDATE ZUSER SET Z_PK = -5 WHERE Z_PK = (SELECT max(Z_PK) FROM ZUSER)",
      "ZUSER has a row with the key -5, expected keys from 1 on"
    ),
  ]

  @Test(
    "A store without a table or column of its model, or without a join table, is refused",
    arguments: missing.flatMap { part in SampleStore.all(part.shape).map { ($0, part.sql, part.difference) } })
  func missingParts(store: SampleStore, sql: String, difference: String) throws {
    let copy = try CopiedStore(store)
    try copy.execute(sql)
    #expect(
      sentence(copy.path)
        == "\(copy.path): found a store that does not fit its model: \(difference); expected every table and column of the model"
    )
  }
}

extension StoreErrorTests {
  @Test(
    "Tables that do not form a whole store are refused if there is no copy of the model",
    arguments: SampleStore.all(.shelf),
    [
      ("DROP TABLE ZUSER", "no table ZUSER for the entity User"),
      ("DELETE FROM Z_PRIMARYKEY", "no entity in Z_PRIMARYKEY"),
      ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 2", "the entity User under super-entities without end"),
      (
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 9 WHERE Z_ENT = 2",
        "the entity User under a super-entity 9 that is not there"
      ),
    ])
  func brokenSchema(store: SampleStore, damage: (sql: String, found: String)) throws {
    let copy = try CopiedStore(store)
    try copy.execute(damage.sql)
    let expected = "; expected a whole store; copy it again, with the -wal file beside it"
    #expect(sentence(copy.path) == "\(copy.path): found \(damage.found)" + expected)
  }

  @Test("Damaged pages are refused", arguments: SampleStore.all(.library))
  func damaged(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    var bytes = try Data(contentsOf: URL(filePath: copy.path))
    // The first page contains the schema.
    for index in 100..<4_000 { bytes[index] = 0xEE }
    try bytes.write(to: URL(filePath: copy.path))
    #expect(sentence(copy.path).contains("found damaged pages ("))
    // Pages that are not read when opening the store.
    bytes = try Data(contentsOf: URL(filePath: store.path))
    for index in bytes.count / 2..<bytes.count / 2 + 40_960 { bytes[index] = 0xEE }
    try bytes.write(to: URL(filePath: copy.path))
    let file = try StoreFile(path: copy.path)
    #expect(fileError { try file.verify() }.map { "\($0)" }?.contains("found damaged pages (") == true)
  }

  @Test("Metadata and model cache may be missing, empty or null", arguments: SampleStore.all(.users))
  func sparse(store: SampleStore) throws {
    for (sql, remark) in [
      ("DROP TABLE Z_MODELCACHE", "has no copy of its model"),
      ("DELETE FROM Z_MODELCACHE", "has no copy of its model"),
      ("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", "has no copy of its model"),
      ("UPDATE Z_MODELCACHE SET Z_CONTENT = x''", "has no copy of its model"),
      ("UPDATE Z_MODELCACHE SET Z_CONTENT = x'00112233'", "copy of its model cannot be read ("),
    ] {
      let copy = try CopiedStore(store)
      try copy.execute("UPDATE Z_METADATA SET Z_PLIST = NULL; \(sql)")
      let file = try StoreFile(path: copy.path)
      #expect(file.recoveredModel.origin == .schema)
      #expect(file.recoveredModel.remarks.contains { $0.contains(remark) })
      #expect(file.metadata.frameworkVersion == nil && file.metadata.entityHashes.isEmpty)
      #expect(try file.counts() == ["User": 12])
    }
  }
}
