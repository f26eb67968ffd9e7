// D10: the figures of an inspection compared with the test's own SQL, for stores of every year.
internal import CoreDataModel
import Foundation
import CoreDataFiles
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("D10 · inspecting stores", .tags(.d10))
struct InspectionTests {
  /// The numbers of an entity and of all its subentities, in brackets.
  private func family(_ number: Int) -> String {
    """
    (WITH RECURSIVE f (n) AS (VALUES (\(number)) UNION SELECT Z_ENT FROM Z_PRIMARYKEY JOIN f ON Z_SUPER = n)
    SELECT n FROM f)
    """
  }

  @Test("Entities, rows and last keys are those of Z_PRIMARYKEY and the tables", arguments: SampleStore.all)
  func entities(store: SampleStore) throws {
    let inspection = try StoreInspection(of: store.path)
    let sql = try PlainSQL(store.path)
    let keys = try sql.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT")
      .map { $0.split(separator: "|").map(String.init) }
    #expect(inspection.entities.map(\.name) == keys.map { $0[1] })
    for (entity, key) in zip(inspection.entities, keys) {
      let number = try #require(Int(key[0]))
      #expect(entity.number == number)
      #expect(entity.superentity == keys.first { $0[0] == key[2] }?[1])
      #expect(entity.lastKey == (key[2] == "0" ? Int64(key[3]) : nil))
      let table = try #require(entity.table)
      #expect(entity.rows == Int64(try sql.count("SELECT count(*) FROM \(table) WHERE Z_ENT = \(number)")))
      #expect(
        entity.rowsWithSubentities
          == Int64(try sql.count("SELECT count(*) FROM \(table) WHERE Z_ENT IN \(family(number))")))
    }
  }

  @Test(
    "The nulls of each attribute and the links of each relationship are those that SQL counts",
    arguments: SampleStore.all)
  func properties(store: SampleStore) throws {
    let inspection = try StoreInspection(of: store.path)
    try #require(!inspection.entities.isEmpty)
    let sql = try PlainSQL(store.path)
    for entity in inspection.entities {
      let table = try #require(entity.table)
      let rows = "FROM \(table) AS r WHERE r.Z_ENT IN \(family(try #require(entity.number)))"
      let all = try sql.count("SELECT count(*) \(rows)")
      for attribute in entity.attributes {
        guard let column = attribute.column else { continue }
        let nulls = all - (try sql.count("SELECT count(r.\(column)) \(rows)"))
        #expect(attribute.nulls == Int64(nulls), "\(entity.name).\(attribute.name)")
        #expect(attribute.nullShare == (all == 0 ? nil : Double(nulls) / Double(all)))
        #expect(attribute.values == nil)
      }
      for relationship in entity.relationships {
        let place = try #require(relationship.column, "\(entity.name).\(relationship.name)").split(separator: ".")
        let (linked, links): (Int, Int)
        if place.count == 2 {
          let (other, key) = (place[0], place[1])
          linked = try sql.count(
            "SELECT count(*) \(rows) AND EXISTS (SELECT 1 FROM \(other) AS o WHERE o.\(key) = r.Z_PK)")
          links = try sql.count("SELECT count(*) FROM \(other) AS o WHERE o.\(key) IN (SELECT r.Z_PK \(rows))")
        } else if relationship.isToMany {
          let keys = try sql.rows(
            "SELECT name FROM pragma_table_info('\(place[0])') WHERE name NOT LIKE 'Z!_FOK%' ESCAPE '!'")
          let inverse = try #require(relationship.inverse).uppercased()
          let key = try #require(keys.first { $0.drop { !$0.isNumber }.drop(while: \.isNumber) == inverse })
          linked = try sql.count("SELECT count(*) \(rows) AND r.Z_PK IN (SELECT \(key) FROM \(place[0]))")
          links = try sql.count("SELECT count(*) FROM \(place[0]) WHERE \(key) IN (SELECT r.Z_PK \(rows))")
        } else {
          linked = try sql.count("SELECT count(*) \(rows) AND r.\(place[0]) IS NOT NULL")
          links = linked
        }
        #expect(relationship.linked == Int64(linked), "\(entity.name).\(relationship.name)")
        #expect(relationship.links == Int64(links), "\(entity.name).\(relationship.name)")
        #expect(relationship.linkedShare == (all == 0 ? nil : Double(linked) / Double(all)))
      }
    }
  }

  @Test("Pages, bytes and sizes are SQLite's own", arguments: SampleStore.all)
  func sizes(store: SampleStore) throws {
    let path = try store.path
    let inspection = try StoreInspection(of: path)
    let sql = try PlainSQL(path)
    let file = inspection.file
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(file.name == store.name)
    #expect(file.bytes == Int64(bytes.count))
    #expect(file.pages * file.pageSize == file.bytes)
    #expect(file.freePages == Int64(try sql.count("PRAGMA freelist_count")))
    #expect(file.journalMode == (bytes[18] == 2 ? "wal" : "rollback"))
    #expect(file.autoVacuum == store.autoVacuum)
    #expect(file.encoding == "UTF-8")
    #expect(inspection.writeAheadLog == nil)
    guard let objects = inspection.sizes.objects else {
      // Only a SQLite without dbstat may leave out sizes.
      #expect(!SQLiteLibrary.compileOptions.contains("ENABLE_DBSTAT_VTAB"))
      return
    }
    let expected = try sql.rows(
      """
      SELECT name, count(*), sum(pgsize), sum(unused) FROM dbstat GROUP BY name ORDER BY sum(pgsize) DESC, name
      """)
    #expect(objects.map { "\($0.name)|\($0.pages)|\($0.bytes)|\($0.unusedBytes)" } == expected)
    for object in objects where object.kind == .index {
      #expect(try sql.rows("SELECT tbl_name FROM sqlite_master WHERE name = '\(object.name)'") == [object.table])
    }
  }
}

extension InspectionTests {
  @Test("History has what its tables hold", arguments: SampleStore.all)
  func history(store: SampleStore) throws {
    let inspection = try StoreInspection(of: store.path)
    let sql = try PlainSQL(store.path)
    guard try sql.count("SELECT count(*) FROM sqlite_master WHERE name = 'ACHANGE'") == 1 else {
      #expect(inspection.history == nil)
      return
    }
    let history = try #require(inspection.history)
    let kinds = try (0...2).map { Int64(try sql.count("SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = \($0)")) }
    #expect([history.inserts, history.updates, history.deletes] == kinds)
    #expect(history.changes == Int64(try sql.count("SELECT count(*) FROM ACHANGE")))
    #expect(history.transactions == Int64(try sql.count("SELECT count(*) FROM ATRANSACTION")))
    let strings = store.history == .old ? nil : Int64(try sql.count("SELECT count(*) FROM ATRANSACTIONSTRING"))
    #expect(history.strings == strings)
    // SQLite's own calendar: seconds since 1970; 978307200 of them are before 2001.
    let time = "strftime('%Y-%m-%dT%H:%M:%SZ', CAST(x AS INTEGER) + 978307200, 'unixepoch')"
    let times = try sql.rows(
      """
      SELECT \(time) FROM (SELECT min(ZTIMESTAMP) AS x FROM ATRANSACTION)
      UNION ALL SELECT \(time) FROM (SELECT max(ZTIMESTAMP) AS x FROM ATRANSACTION)
      """)
    #expect([history.first, history.last] == times.map { $0 == "NULL" ? nil : $0 })
    if let bytes = history.bytes {
      let objects = "SELECT name FROM sqlite_master WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')"
      #expect(bytes == Int64(try sql.count("SELECT sum(pgsize) FROM dbstat WHERE name IN (\(objects))")))
    }
  }

  @Test("Entities, history and metadata are the ones known for each store", arguments: SampleStore.all)
  func facts(store: SampleStore) throws {
    let inspection = try StoreInspection(of: store.path)
    #expect(inspection.entities.map { "\($0.name) \($0.rows)" } == store.entities.map { "\($0.name) \($0.rows)" })
    #expect(inspection.history?.changes == (store.history == .none ? nil : Int64(store.totalChanges)))
    #expect(inspection.history?.transactions == (store.history == .none ? nil : Int64(store.changes[0])))
    #expect(inspection.metadata.uuid == store.uuid)
    #expect(inspection.metadata.frameworkVersion == store.frameworkVersion)
    #expect(inspection.model.origin == (store.hasModelCache ? .modelCache : .schema))
    guard store.shape == .library else { return }
    let book = try #require(inspection.entities.first)
    #expect(book.attributes.first { $0.name == "pagesCount" }?.derivation != nil)
    #expect(book.relationships.first { $0.name == "pages" }?.deleteRule == .cascade)
  }

  @Test("Metadata keys that the store writes itself are not listed as the application's")
  func applicationKeys() throws {
    let store = try CopiedStore(SampleStore.own(.cars))
    let before = try StoreInspection(of: store.path).metadata.applicationKeys
    let content = try #require(try PlainSQL(store.path).rows("SELECT hex(Z_PLIST) FROM Z_METADATA").first)
    let bytes = stride(from: 0, to: content.count, by: 2).compactMap {
      UInt8(content.dropFirst($0).prefix(2), radix: 16)
    }
    var list = try #require(
      try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any])
    // Like after a migration with pending removals.
    list["NSPersistentStoreDeferredLightweightMigrationOptionKey"] = true
    list["_ObjectGraphDeferredRemovals"] = ["ZCAR.ZOLD"]
    list["launches"] = 7
    let changed = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    let hex = changed.map { String(format: "%02x", $0) }.joined()
    try store.execute("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
    #expect(try StoreInspection(of: store.path).metadata.applicationKeys == before + 1)
  }

  @Test(
    "Values are shown on request: ranges, lengths, distinct counts, the most frequent",
    arguments: SampleStore.all(.library))
  func values(store: SampleStore) throws {
    let inspection = try StoreInspection(of: store.path, withValues: true)
    let sql = try PlainSQL(store.path)
    func values(_ entity: String, _ attribute: String) throws -> StoreInspection.Values {
      try #require(
        inspection.entities.first { $0.name == entity }?.attributes.first { $0.name == attribute }?.values)
    }
    let rating = try values("Feedback", "rating")
    #expect(rating.distinct == Int64(try sql.count("SELECT count(DISTINCT ZRATING) FROM ZFEEDBACK")))
    #expect(
      try sql.rows("SELECT min(ZRATING), max(ZRATING) FROM ZFEEDBACK") == [
        "\(rating.least ?? "")|\(rating.greatest ?? "")"
      ])
    let top = try sql.rows(
      "SELECT ZRATING, count(*) FROM ZFEEDBACK WHERE ZRATING NOT NULL GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT 5"
    )
    #expect(rating.mostFrequent.map { "\($0.value)|\($0.rows)" } == top)
    let comment = try values("Feedback", "comment")
    #expect(comment.least == nil)
    #expect(
      try sql.rows("SELECT min(length(ZCOMMENT)), max(length(ZCOMMENT)) FROM ZFEEDBACK")
        == ["\(comment.shortest ?? 0)|\(comment.longest ?? 0)"])
    let content = try values("Page", "content")
    #expect(content.mostFrequent.isEmpty)
    #expect(content.longest == Int64(try sql.count("SELECT max(length(ZCONTENT)) FROM ZPAGE")))
    #expect(try values("Page", "isBookmarked").mostFrequent.allSatisfy { ["true", "false"].contains($0.value) })
    let published = try values("Book", "publishedAt")
    #expect(published.least?.count == 20 && published.least?.last == "Z")
  }
}

extension InspectionTests {
  @Test(
    "Rows that are only in the log are counted too; the store and its neighbors stay unchanged to the byte",
    arguments: SampleStore.all(.users))
  func writeAheadLog(store: SampleStore) throws {
    let origin = try CopiedStore(store)
    let copy = try CopiedStore()
    let writer = try Connection(path: origin.path, access: .readWrite)
    try writer.execute("PRAGMA wal_autocheckpoint = 0; INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (13, 1, 1)")
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: origin.path + suffix, toPath: copy.path + suffix)
    }
    try writer.close()
    let before = try copy.files()
    #expect(before.count == 3)

    let inspection = try StoreInspection(of: copy.path, withValues: true)
    #expect(
      inspection.entities.first?.rows == Int64(try PlainSQL(store.path).count("SELECT count(*) FROM ZUSER")) + 1)
    let log = try #require(inspection.writeAheadLog)
    #expect(log.bytes == Int64(before["store.sqlite-wal"]?.count ?? 0))
    #expect(log.sharedMemoryBytes == Int64(before["store.sqlite-shm"]?.count ?? 0))
    #expect(log.pageSize == 4_096)
    #expect(log.frames == (log.bytes - 32) / (4_096 + 24))
    #expect(log.committedFrames == log.frames && log.frames > 0)
    #expect(try copy.files() == before)
  }

  @Test(
    "A truncated log, and a restarted one, have fewer committed frames than they have room for",
    arguments: SampleStore.all(.users))
  func logFrames(original: SampleStore) throws {
    let store = try CopiedStore(original)
    let writer = try Connection(path: store.path, access: .readWrite)
    try writer.execute("PRAGMA wal_autocheckpoint = 0")
    for key in 13..<23 { try writer.execute("INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), 1, 1)") }
    let copy = try CopiedStore()
    func inspected() throws -> StoreInspection.WriteAheadLog {
      for suffix in ["", "-wal"] {
        try Data(contentsOf: URL(filePath: store.path + suffix)).write(to: URL(filePath: copy.path + suffix))
      }
      return try #require(try StoreInspection(of: copy.path).writeAheadLog)
    }
    let full = try inspected()
    #expect(full.frames == 10 && full.committedFrames == 10)
    try writer.execute("PRAGMA wal_checkpoint(RESTART); INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (30, 1, 1)")
    let afresh = try inspected()
    #expect(afresh.frames == 10 && afresh.committedFrames == 1)
    try writer.close()
  }

  @Test("No file of a store or beside it changes", arguments: SampleStore.all)
  func untouched(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    let before = try copy.files()
    _ = try StoreInspection(of: copy.path, withValues: true)
    #expect(try copy.files() == before)
  }

  @Test("The encoded form is read back unchanged, and states its version", arguments: SampleStore.all(.library))
  func coding(store: SampleStore) throws {
    let inspection = try StoreInspection(of: store.path, withValues: true)
    let data = try JSONEncoder().encode(inspection)
    #expect(try JSONDecoder().decode(StoreInspection.self, from: data) == inspection)
    #expect(inspection.schemaVersion == StoreInspection.currentSchemaVersion)
  }
}
