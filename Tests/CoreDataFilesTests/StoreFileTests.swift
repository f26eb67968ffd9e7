// A8, D10: stores of Core Data can be opened with their own model and do not change.
import Foundation
import CoreDataFiles
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("A8 D10 · stores of Core Data's", .tags(.a8, .d10))
struct StoreFileTests {
  @Test("The sample stores cover every generation, with the header, pages and metadata of their year")
  func generations() throws {
    for generation in Generation.allCases {
      let stores = SampleStore.all.filter { $0.isOwn && $0.frameworkVersion == generation.frameworkVersion }
      #expect(!stores.isEmpty, "\(generation)")
      for store in stores {
        let file = try StoreInspection(of: store.path).file
        let sql = try PlainSQL(store.path)
        let tables = Set(try sql.rows("SELECT name FROM sqlite_master WHERE type = 'table'"))
        #expect(file.pageSize == (generation == .of2009 ? 2_048 : 4_096))
        #expect(file.journalMode == ([.of2009, .of2013].contains(generation) ? "rollback" : "wal"))
        #expect(tables.contains("Z_MODELCACHE") == ![.of2009, .of2013].contains(generation))
        #expect(tables.contains("ACHANGE") == (store.history != .none))
        #expect(tables.contains("ATRANSACTIONSTRING") == (store.history == .new))
      }
    }
  }

  @Test("Entities, rows and history match the file, which stays unchanged", arguments: SampleStore.all)
  func opens(store: SampleStore) throws {
    let url = URL(filePath: try store.path)
    let folder = url.deletingLastPathComponent().path
    let before = try Data(contentsOf: url)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let file = try StoreFile(path: url.path)
    let sql = try PlainSQL(url.path)
    #expect(
      Set(file.recoveredModel.model.entities.map(\.name))
        == Set(try sql.rows("SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16001")))
    for entity in file.recoveredModel.model.entities {
      let parent = try sql.rows(
        "SELECT p.Z_NAME FROM Z_PRIMARYKEY e JOIN Z_PRIMARYKEY p ON p.Z_ENT = e.Z_SUPER WHERE e.Z_NAME = '\(entity.name)'"
      )
      #expect(entity.superentityName == parent.first)
    }
    let counts = try file.counts()
    #expect(counts == Dictionary(uniqueKeysWithValues: store.entities.map { ($0.name, $0.rows) }))
    for (entity, count) in counts {
      let table = try #require(file.recoveredModel.model.tableName(of: entity))
      let number = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)')"
      #expect(try sql.count("SELECT count(*) FROM \(table) WHERE Z_ENT = \(number)") == count)
    }
    #expect(file.metadata.identifier == store.uuid)
    #expect(Set(file.metadata.entityHashes.keys) == Set(counts.keys))
    #expect(file.metadata.entityHashes.values.allSatisfy { $0.count == 32 })
    #expect(file.metadata.frameworkVersion == store.frameworkVersion)
    if store.history != .none {
      let kinds = try file.read { context in
        let result = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil))
        let changes = result.changes
        return [result.transactions.count] + (0...2).map { kind in changes.count { $0.changeType.rawValue == kind } }
      }
      #expect(kinds == store.changes)
      let counted = try (0...2).map { try sql.count("SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = \($0)") }
      #expect(kinds == [try sql.count("SELECT count(*) FROM ATRANSACTION")] + counted)
    }
    try file.verify()
    try file.close()
    #expect(try Data(contentsOf: url) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names.sorted())
  }

  @Test("Every value of a row is the one in the file, in each encoding", arguments: SampleStore.all(.library))
  func values(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try copy.dropTriggers()
    try copy.execute(
      """
      UPDATE ZBOOK SET ZPUBLISHEDAT = -631064399 WHERE Z_PK = 1; UPDATE ZBOOK SET ZPRICE = 0 WHERE Z_PK = 2;
      UPDATE ZBOOK SET ZPUBLISHEDAT = NULL, ZPRICE = NULL, ZTITLE = NULL, ZUNIQUEID = NULL, ZCOVER = NULL WHERE Z_PK = 3;
      UPDATE ZBOOK SET ZISBLACKANDWHITE = 1 WHERE Z_ENT = 2
      """)
    let sql = try PlainSQL(copy.path)
    let file = try StoreFile(path: copy.path)
    // Whole dates are stored as integers, decimals as doubles.
    #expect(try sql.count("SELECT count(*) FROM ZBOOK WHERE typeof(ZPUBLISHEDAT) = 'integer'") == 1)
    let stored = try sql.rows(
      """
      SELECT Z_PK, ZPUBLISHEDAT, ZPRICE, ZTITLE, iif(ZUNIQUEID IS NULL, 'NULL', hex(ZUNIQUEID)), length(ZCOVER), \
      ZPAGESCOUNT, ZISBLACKANDWHITE FROM ZBOOK ORDER BY Z_PK
      """)
    let read = try file.read { context in
      try context.fetch(FetchRequest(entityName: "Book")).map { book in
        let isNovel = book.objectID.entityName == "GraphicNovel"
        let key = book.objectID.uriRepresentation().split(separator: "p").last.map(String.init) ?? ""
        let names = ["publishedAt", "price", "title", "uniqueID", "cover", "pagesCount"]
        return ([key] + names.map { text(book[$0]) } + [isNovel ? text(book["isBlackAndWhite"]) : "NULL"])
          .joined(separator: "|")
      }
    }
    func normalized(_ row: String) -> [String] {
      row.split(separator: "|", omittingEmptySubsequences: false).map { Double($0).map { "\($0)" } ?? String($0) }
    }
    #expect(read.count == store.rows(of: "Book") + store.rows(of: "GraphicNovel"))
    for (row, expected) in zip(read, stored) { #expect(normalized(row) == normalized(expected)) }
    let sites = try file.read { context in
      try context.fetch(FetchRequest(entityName: "Author")).map { text($0["siteURL"]) }
    }
    #expect(sites == (try sql.rows("SELECT ZSITEURL FROM ZWRITER ORDER BY Z_PK")))
  }

  @Test(
    "A store in a read-only folder is read, and no file is created there",
    arguments: SampleStore.all(.library))
  func readOnlyFolder(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: copy.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: copy.directory.path)
    let before = try copy.files()
    let file = try StoreFile(path: copy.path)
    #expect(try file.counts()["Page"] == store.rows(of: "Page"))
    #expect(try copy.files() == before && before.count == 1)
    try file.close()
    #expect(try copy.files() == before)
  }
}

extension StoreFileTests {
  @Test(
    "Rows that are only in the log are read, and store, log and folder stay unchanged",
    arguments: SampleStore.all(.users))
  func log(store: SampleStore) throws {
    let live = try CopiedStore(store)
    let copy = try CopiedStore()
    // The state of a running application: rows in the log, and an older file.
    let writer = try Connection(path: live.path, access: .readWrite)
    try writer.setPragma("journal_mode", to: "wal")
    try writer.setPragma("wal_autocheckpoint", to: "0")
    try writer.execute("INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (900, 1, 1, 'in the log')")
    for suffix in ["", "-wal", "-shm"] {
      try Data(contentsOf: URL(filePath: live.path + suffix)).write(to: URL(filePath: copy.path + suffix))
    }
    try writer.close()
    let before = try copy.files()
    #expect(before.count == 3)
    let temporary = FileManager.default.temporaryDirectory.path
    let folders = { try Set(FileManager.default.contentsOfDirectory(atPath: temporary)) }
    #expect(try PlainSQL(copy.path).count("SELECT count(*) FROM ZUSER") == 12)
    var image = ""
    do {
      let file = try StoreFile(path: copy.path)
      #expect(
        file.recoveredModel.remarks.contains { $0.contains("-wal file of \(before["store.sqlite-wal"]?.count ?? 0)") })
      let names = try file.read { context in
        try context.fetch(FetchRequest(entityName: "User")).map { text($0["name"]) }
      }
      #expect(names.count == 13 && names.last == "in the log")
      image = URL(filePath: file.store.path).deletingLastPathComponent().lastPathComponent
      #expect(try folders().contains(image))
      #expect(try copy.files() == before)
      try file.close()
    }
    // The private copy is removed with the last user.
    #expect(!(try folders().contains(image)))
    #expect(try copy.files() == before)
  }

  @Test(
    "A store whose last transaction did not end is read without that transaction", arguments: SampleStore.all(.users))
  func journal(store: SampleStore) throws {
    let live = try CopiedStore(store)
    try live.execute("SELECT 1")
    let copy = try CopiedStore()
    let writer = try Connection(path: live.path, access: .readWrite)
    try writer.setPragma("cache_spill", to: "1")
    try writer.execute("BEGIN; UPDATE ZUSER SET ZNAME = 'half-written'")
    try writer.flushPages()
    for suffix in ["", "-journal"] {
      try Data(contentsOf: URL(filePath: live.path + suffix)).write(to: URL(filePath: copy.path + suffix))
    }
    writer.rollback()
    try writer.close()
    let before = try copy.files()
    #expect(try PlainSQL(copy.path).count("SELECT count(*) FROM ZUSER WHERE ZNAME = 'half-written'") == 12)
    let file = try StoreFile(path: copy.path)
    let names = try file.read { context in
      try context.fetch(FetchRequest(entityName: "User")).map { text($0["name"]) }
    }
    #expect(names.count == 12 && !names.contains("half-written"))
    #expect(try copy.files() == before)
  }

  @Test(
    "A store is read with a given model that has fewer properties, and refused with one that has more",
    arguments: SampleStore.all(.library))
  func otherModel(store: SampleStore) throws {
    let path = try store.path
    func model(_ attribute: AttributeDescription) throws -> RecoveredModel {
      RecoveredModel(
        model: try ManagedObjectModel(entities: [EntityDescription("Feedback", attributes: [attribute])]),
        origin: .modelFile)
    }
    let file = try StoreFile(path: path, model: model(.init("comment", .string, isOptional: true)))
    #expect(try file.counts() == ["Feedback": store.rows(of: "Feedback")])
    let error = try #require(fileError { _ = try StoreFile(path: path, model: model(.init("stars", .int16))) })
    #expect("\(error)".contains("ZFEEDBACK has no column ZSTARS"))
  }

  @Test("A store opened with its own model cannot be written", arguments: SampleStore.all(.users))
  func readOnly(store: SampleStore) throws {
    let file = try StoreFile(path: store.path)
    #expect(throws: ObjectGraphError.readOnlyStore(path: file.store.path)) {
      try file.read { context in
        _ = try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "User")))
      }
    }
  }
}
