// D10: the anomalies of an inspection: stores damaged on purpose, and whole ones without any.
import Foundation
import CoreDataFiles
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("D10 · anomalies of stores", .tags(.d10))
struct InspectionAnomalyTests {
  /// A way to damage stores of a shape, and the expected findings.
  struct Damage: Sendable, CustomTestStringConvertible {
    let shape: SampleStore.Shape
    let sql: String
    private let sentences: [String]

    /// In the sentences, `{books}` is the number of books, `{changes}` is the number of changes in the history, and
    /// `{row}` is the first car whose version differs from the number of its entity.
    init(_ shape: SampleStore.Shape, _ sql: String, _ sentences: String...) {
      (self.shape, self.sql, self.sentences) = (shape, sql, sentences)
    }

    func sentences(of store: SampleStore) -> [String] {
      sentences.map {
        $0.replacing("{books}", with: "\(store.rows(of: "Book") + store.rows(of: "GraphicNovel"))")
          .replacing("{changes}", with: "\(store.totalChanges)").replacing("{row}", with: store.isOwn ? "5" : "14")
      }
    }

    var testDescription: String { sql }
  }

  static let damages = [
    Damage(
      .library, "UPDATE Z_PRIMARYKEY SET Z_MAX = 10 WHERE Z_NAME = 'Book'",
      "Z_MAX of Book is 10 and the largest key in ZBOOK is {books}: the next new object would get a key that is taken."),
    Damage(
      .library, "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'CHANGE'",
      "Z_MAX of CHANGE is 0 and the largest key in ACHANGE is {changes}: the next new object would get a key that is taken."
    ),
    Damage(
      .library, "UPDATE ZFEEDBACK SET Z_ENT = 99 WHERE Z_PK <= 2",
      "2 rows of ZFEEDBACK have the entity number 99, which is no entity, and belong to neither Feedback nor an entity that inherits from it."
    ),
    Damage(
      .library, "UPDATE ZFEEDBACK SET Z_ENT = 1 WHERE Z_PK = 1",
      "1 row of ZFEEDBACK has the entity number 1, which is Book, and belongs to neither Feedback nor an entity that inherits from it."
    ),
    Damage(
      .library, "UPDATE ZFEEDBACK SET Z_ENT = NULL WHERE Z_PK = 1",
      "1 row of ZFEEDBACK has no entity number and belongs to neither Feedback nor an entity that inherits from it."),
    Damage(
      .library, "UPDATE ZBOOK SET ZAUTHOR = 77 WHERE Z_PK <= 3", "3 keys of Book.author lead to no row of ZWRITER."),
    Damage(
      .library, "UPDATE ZPAGE SET Z1_BOOK = 2 WHERE Z_PK = (SELECT min(Z_PK) FROM ZPAGE WHERE Z1_BOOK = 1)",
      "1 key of Page.book stands beside the number of another entity than the row's that it leads to."),
    Damage(
      .library, "UPDATE ACHANGE SET ZTRANSACTIONID = 9 WHERE Z_PK = 1",
      "1 change of history belongs to a transaction that is not there."),
    Damage(
      .library, "DROP INDEX Z_Book_UNIQUE_uniqueID",
      "Book should be unique by uniqueID, but ZBOOK has no such unique index."),
    Damage(
      .library,
      "DROP INDEX Z_Book_UNIQUE_uniqueID; "
        + "CREATE UNIQUE INDEX Z_Book_UNIQUE_uniqueID ON ZBOOK (ZUNIQUEID) WHERE ZUNIQUEID > ''",
      "Book should be unique by uniqueID, but ZBOOK has no such unique index."),
    Damage(
      .cars, "DROP INDEX Z_Person_UNIQUE_firstName_lastName",
      "Person should be unique by firstName and lastName, but ZPERSON has no such unique index."),
    Damage(
      .cars, "CREATE INDEX Z_9OWNER_INDEX ON ZCAR (ZOWNER)",
      "The indexes ZCAR_ZOWNER_INDEX and Z_9OWNER_INDEX of ZCAR are over the same columns: one is superfluous."),
    Damage(
      .cars, "UPDATE Z_METADATA SET Z_PLIST = NULL",
      "Z_PLIST in Z_METADATA is null: the store does not say which model it is of."),
    Damage(
      .cars, "UPDATE Z_METADATA SET Z_PLIST = x'00112233'",
      "Z_PLIST in Z_METADATA cannot be read: found bytes of another kind, expected a binary property list."),
    Damage(.cars, "UPDATE Z_METADATA SET Z_UUID = NULL", "Z_METADATA has no identifier of the store."),
    Damage(
      .cars, "UPDATE Z_PRIMARYKEY SET Z_NAME = 'LuxuryCar' WHERE Z_NAME = 'ExpensiveSportCar'",
      "Z_PRIMARYKEY names the entity LuxuryCar, of which the metadata has no version hash.",
      "The metadata has a version hash of ExpensiveSportCar, which Z_PRIMARYKEY does not name.",
      "The entity ExpensiveSportCar of the model is still called LuxuryCar in Z_PRIMARYKEY."),
    Damage(
      .cars, "ALTER TABLE ZCAR ADD COLUMN ZOLD INTEGER",
      "ZCAR has the column ZOLD, which the model does not have."),
    Damage(
      .cars, "CREATE TABLE ZMINE (A); CREATE TABLE ZTHINE (A)",
      "The file has the tables ZMINE and ZTHINE, which the model does not have."),
    // A table of SQLite itself.
    Damage(.library, "ANALYZE"),
    Damage(
      .cars, "CREATE TRIGGER mine AFTER UPDATE ON ZCAR BEGIN SELECT 1; END", "The trigger mine is not Core Data's."),
    Damage(
      .authors, "INSERT INTO Z_1BOOKS VALUES (5, 6), (5, 7)",
      "2 rows of the join table Z_1BOOKS lead to no row of ZAUTHOR.",
      "2 rows of the join table Z_1BOOKS lead to no row of ZBOOK."),
    Damage(
      .cars,
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE INDEX ZCAR_Z_ENT_INDEX ON ZCAR (Z_OPT)' "
        + "WHERE name = 'ZCAR_Z_ENT_INDEX'",
      "SQLite's check of the file complains: row {row} missing from index ZCAR_Z_ENT_INDEX."),
  ]

  @Test(
    "Each damage is found, and nothing else",
    arguments: damages.flatMap { damage in SampleStore.all(damage.shape).map { (damage, $0) } })
  func damage(_ damage: Damage, original: SampleStore) throws {
    let store = try CopiedStore(original)
    let sentences = damage.sentences(of: original)
    let before = Set(try StoreInspection(of: store.path).anomalies)
    try store.execute(damage.sql)
    let after = Set(try StoreInspection(of: store.path).anomalies)
    for sentence in sentences { #expect(after.contains(sentence), "\(after.subtracting(before))") }
    if sentences.first?.hasPrefix("SQLite's check") == true {
      // It repeats for every row, up to twenty.
      #expect(after.subtracting(before).allSatisfy { $0.contains("ZCAR_Z_ENT_INDEX") })
    } else {
      #expect(after.subtracting(before) == Set(sentences))
    }
    #expect(before.subtracting(after).isEmpty)
  }

  @Test("A key that refers to a row of another entity of the hierarchy is found", arguments: SampleStore.all(.library))
  func astray(original: SampleStore) throws {
    let store = try CopiedStore(original)
    let author = try PlainSQL(store.path).count("SELECT ZAUTHOR FROM ZBOOK WHERE ZAUTHOR NOT NULL LIMIT 1")
    let books = try PlainSQL(store.path).count("SELECT count(*) FROM ZBOOK WHERE ZAUTHOR = \(author)")
    try store.execute("UPDATE ZWRITER SET Z_ENT = 5 WHERE Z_PK = \(author)")
    let anomalies = try StoreInspection(of: store.path).anomalies
    #expect(anomalies.contains("\(books) keys of Book.author lead to a row that is no Author."))
  }
}

extension InspectionAnomalyTests {
  @Test(
    "A store without its copy of the model is reported, and that its model comes from its tables",
    arguments: SampleStore.all(.users))
  func modelCache(original: SampleStore) throws {
    let store = try CopiedStore(original)
    #expect(try StoreInspection(of: store.path).anomalies == [])
    try store.execute("DELETE FROM Z_MODELCACHE")
    let inspection = try StoreInspection(of: store.path)
    #expect(
      inspection.anomalies == ["The store has no copy of its model, so the model was worked out from its tables."])
    #expect(inspection.model.origin == .schema)
    #expect(inspection.metadata.modelCacheBytes == nil)
    #expect(inspection.entities.map(\.name) == ["User"])
  }

  @Test("Intact stores have no anomalies except those they are known for", arguments: SampleStore.all)
  func originals(store: SampleStore) throws {
    #expect(try StoreInspection(of: store.path).anomalies == store.anomalies)
  }

  @Test("A damaged page is refused in one sentence", arguments: SampleStore.all(.library))
  func damagedPage(original: SampleStore) throws {
    let store = try CopiedStore(original)
    var bytes = try Data(contentsOf: URL(filePath: store.path))
    let page = try PlainSQL(store.path).count("SELECT rootpage FROM sqlite_master WHERE name = 'ZBOOK'")
    bytes.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(repeating: 0xA5, count: 4_096))
    try bytes.write(to: URL(filePath: store.path))
    #expect(throws: CoreDataFileError.self) { try StoreInspection(of: store.path) }
  }
}
