// A1: a store that contradicts its model fails its sample with one sentence, whatever its content hash.
import MissionTags
import SQLiteDriver
import Testing
import Harness

@Suite("A1 A10 · verification of the store", .tags(.a1, .a10))
struct StoreVerificationTests {
  private func error(_ sql: String) -> VerificationError? {
    do {
      _ = try SpoilingInsertEngine(sql: sql).sample()
      return nil
    } catch {
      return error as? VerificationError
    }
  }

  @Test("An intact store is accepted in every journal mode", arguments: ["wal", "delete", "memory", "off"])
  func right(journal: String) throws {
    let sample = try SpoilingInsertEngine().sample(store: "{journal_mode: \(journal)}", repeats: 2)
    #expect(sample.contents.rows == 60 && sample.notes.isEmpty, "\(sample.notes)")
  }

  @Test(
    "A value of another storage class is refused, although it is equal when read",
    arguments: [
      ("ZPLACE = CAST(ZPLACE AS BLOB)", "place", "blob", ["text"]),
      ("ZTIME = CAST(ZTIME AS BLOB)", "time", "blob", ["real", "integer"]),
      ("ZTIME = '2024-02-29'", "time", "text", ["real", "integer"]),
      // 2^53 + 1: no double equals it.
      ("ZTIME = 9007199254740993", "time", "integer", ["real", "integer"]),
      ("ZMAGNITUDE = CAST('4.5' AS BLOB)", "magnitude", "blob", ["real"]),
      ("ZNST = 7.5", "nst", "real", ["integer"]),
      ("ZNST = 'many'", "nst", "text", ["integer"]),
      ("ZGAP = 'wide'", "gap", "text", ["real", "integer"]),
      ("Z_OPT = 1.5", "Z_OPT", "real", ["integer"]),
    ])
  func storageClasses(assignment: String, property: String, found: String, expected: [String]) {
    #expect(
      error("UPDATE ZQUAKE SET \(assignment) WHERE Z_PK = 7")
        == .misfiledValue(
          MisfiledValue(row: StoredRow(table: "Quake", key: 7), property: property, found: found, expected: expected)))
  }

  @Test("Whole seconds and whole decimals may be stored as integers, as SQLite does")
  func wholeNumbers() throws {
    let feed = "id,mag,place,time,nst,gap\na,1,x,2024-02-29T00:00:00Z,3,12\nb,2,y,2024-02-29T00:00:00.5Z,,12.5\n"
    #expect(try SpoilingInsertEngine().sample(source: "{feed: feed.csv}", feed: feed).contents.rows == 2)
  }

  private static let unique = "a unique index of ZQUAKE (ZCODE)"
}

extension StoreVerificationTests {
  @Test(
    "A missing, different or unknown table, column, index, trigger or view is named",
    arguments: [
      ("DROP TABLE ZOTHER", "no table ZOTHER", "one, as the model has it"),
      ("CREATE TABLE NOTES (note)", "the table NOTES", "no table that is not of the model"),
      (
        "CREATE TABLE T (a INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE T", "the table sqlite_sequence",
        "no table that is not of the model"
      ),
      ("ALTER TABLE ZQUAKE ADD COLUMN ZNOTE", "the column ZNOTE in ZQUAKE", "no column that is not of the model"),
      ("ALTER TABLE ZOTHER DROP COLUMN ZNAME", "the table ZOTHER without the column ZNAME", "VARCHAR"),
      (
        "DROP TABLE ZOTHER; CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME TEXT)",
        "the column ZNAME of ZOTHER as TEXT", "VARCHAR"
      ),
      (
        "DROP TABLE ZOTHER; CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER NOT NULL, "
          + "ZNAME VARCHAR)", "the column Z_OPT of ZOTHER as INTEGER NOT NULL", "INTEGER"
      ),
      (
        "DROP TABLE ZOTHER; CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, Z_ENT INTEGER, ZNAME VARCHAR)",
        "the columns of ZOTHER in the order Z_PK, Z_OPT, Z_ENT, ZNAME", "Z_PK, Z_ENT, Z_OPT, ZNAME"
      ),
      (
        "DROP TABLE ZOTHER; CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR) "
          + "WITHOUT ROWID", "the table ZOTHER made as WITHOUT ROWID", "an ordinary table"
      ),
      ("DROP INDEX Z_Quake_UNIQUE_code", "no index Z_Quake_UNIQUE_code", unique),
      (
        "DROP INDEX Z_Quake_UNIQUE_code; CREATE INDEX Z_Quake_UNIQUE_code ON ZQUAKE (ZCODE)",
        "an index of ZQUAKE (ZCODE) as Z_Quake_UNIQUE_code", unique
      ),
      (
        "DROP INDEX Z_Quake_UNIQUE_code; CREATE UNIQUE INDEX Z_Quake_UNIQUE_code ON ZQUAKE (ZCODE DESC)",
        "a unique index of ZQUAKE (ZCODE DESC) as Z_Quake_UNIQUE_code", unique
      ),
      (
        "DROP INDEX Z_Quake_UNIQUE_code; "
          + "CREATE UNIQUE INDEX Z_Quake_UNIQUE_code ON ZQUAKE (ZCODE) where Z_PK > 7 AND 1",
        "a unique index of ZQUAKE (ZCODE) where Z_PK > 7 AND 1 as Z_Quake_UNIQUE_code", unique
      ),
      (
        "CREATE INDEX MINE ON ZQUAKE (ZTIME)", "the index MINE, an index of ZQUAKE (ZTIME)",
        "no index that is not of the model"
      ),
      (
        "CREATE TRIGGER MINE AFTER DELETE ON ZQUAKE BEGIN DELETE FROM ZOTHER; END", "the trigger MINE",
        "no trigger that is not of the model"
      ),
      ("CREATE VIEW MINE AS SELECT 1", "the view MINE", "no view that is not of the model"),
    ])
  func layout(sql: String, found: String, expected: String) {
    #expect(error(sql) == .wrongLayout(LayoutDifference(found: found, expected: expected)))
  }

  private static let seventh = StoredRow(table: "Quake", key: 7)

  @Test(
    "Entity numbers, versions, keys, their count and the metadata are checked",
    arguments: [
      ("UPDATE ZQUAKE SET Z_ENT = 9 WHERE Z_PK = 7", .entityNumber(seventh, found: 9, expected: [2: "Quake"])),
      ("UPDATE ZQUAKE SET Z_ENT = NULL WHERE Z_PK = 7", .entityNumber(seventh, found: nil, expected: [2: "Quake"])),
      (
        "INSERT INTO ZOTHER VALUES (1, 1, 1, 'a')",
        .entityNumber(StoredRow(table: "Other", key: 1), found: 1, expected: [:])
      ),
      ("UPDATE ZQUAKE SET Z_OPT = NULL WHERE Z_PK = 7", .version(seventh, found: nil)),
      ("UPDATE ZQUAKE SET Z_OPT = 0 WHERE Z_PK = 7", .version(seventh, found: 0)),
      ("UPDATE ZQUAKE SET Z_PK = 0 WHERE Z_PK = 7", .key(StoredRow(table: "Quake", key: 0))),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 59",
        .keyCount(entity: "Quake", found: 59, largestKey: StoredRow(table: "Quake", key: 60))
      ),
      (
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Other'",
        .entityRow(entity: "Other", found: nil, expected: "Z_ENT 1, Z_SUPER 0")
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 1",
        .entityRow(entity: "Other", found: "Z_ENT 1, Z_SUPER 2", expected: "Z_ENT 1, Z_SUPER 0")
      ),
      ("DELETE FROM Z_METADATA", .metadataRows(found: 0)),
      ("UPDATE Z_METADATA SET Z_PLIST = x''", .versionHash(entity: "Other", isThere: false)),
    ] as [(String, BookkeepingFault)])
  func bookkeeping(sql: String, fault: BookkeepingFault) {
    #expect(error(sql) == .wrongBookkeeping(fault))
  }

  @Test("Each message is one sentence with the location, the found value and the expected one")
  func sentences() {
    let complaints = [
      (
        "UPDATE ZQUAKE SET ZPLACE = x'41' WHERE Z_PK = 7",
        "row Z_PK 7 of Quake: found place stored as blob; expected text"
      ),
      (
        "DROP INDEX Z_Quake_UNIQUE_code",
        "the store's layout is not the model's: found no index Z_Quake_UNIQUE_code; expected a unique index of ZQUAKE (ZCODE)"
      ),
      (
        "UPDATE ZQUAKE SET Z_ENT = 9 WHERE Z_PK = 7",
        "row Z_PK 7 of Quake: found the entity number (Z_ENT) 9; expected 2 (Quake)"
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 3",
        "row Z_PK 60 of Quake: found Z_MAX 3 for Quake in Z_PRIMARYKEY; expected at least 60, the largest key"
      ),
    ]
    for (sql, sentence) in complaints { #expect(SpoilingInsertEngine(sql: sql).complaint() == sentence) }
  }
}
