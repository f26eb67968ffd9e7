// Programs in any language that spoil a store with correct rows are detected like engines of this executable.
import Foundation
import MissionTags
import Programs
import Testing

/// SQL that spoils a store of earthquakes, and the message about it.
struct SpoiltStore: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sql: String
  let sentence: String

  private init(_ name: String, _ sql: String, _ sentence: String) {
    (testDescription, self.sql, self.sentence) = (name, sql, sentence)
  }

  private static func ofRow(_ name: String, _ change: String, _ sentence: String) -> SpoiltStore {
    SpoiltStore(name, "UPDATE ZQUAKE SET \(change) WHERE Z_PK = 7", "row Z_PK \(sentence)")
  }

  private static func redeclared(_ name: String, _ column: String, with constraint: String) -> SpoiltStore {
    SpoiltStore(
      name,
      "PRAGMA writable_schema = on; UPDATE sqlite_master SET sql = replace(sql, '\(column)', '\(column) \(constraint)') "
        + "WHERE name = 'ZQUAKE'; PRAGMA writable_schema = reset",
      "found \(constraint.prefix { $0 != " " }) in the table ZQUAKE; expected no constraint that is not of the model")
  }

  static let all = [
    ofRow("text as a blob", "ZPLACE = CAST(ZPLACE AS BLOB)", "7 of Quake: found place stored as blob; expected text"),
    ofRow("a real in an integer", "ZNST = 7.5", "7 of Quake: found nst stored as real; expected integer"),
    ofRow("a date as text", "ZTIME = '2024-02-29'", "7 of Quake: found time stored as text; expected real or integer"),
    ofRow("another entity", "Z_ENT = 9", "7 of Quake: found the entity number (Z_ENT) 9; expected 1 (Quake)"),
    ofRow("no version", "Z_OPT = NULL", "7 of Quake: found the version (Z_OPT) NULL; expected at least 1"),
    ofRow("a negative key", "Z_PK = -7", "-7 of Quake: found a key that is not positive; expected keys from 1 on"),
    ofRow("another value", "ZMAGNITUDE = 99.5", "7 of Quake: found magnitude 99.5; expected magnitude "),
    SpoiltStore(
      "a column", "ALTER TABLE ZQUAKE ADD COLUMN ZNOTE VARCHAR", "found the column ZNOTE in ZQUAKE; expected"),
    SpoiltStore("a table", "CREATE TABLE NOTES (note VARCHAR)", "found the table NOTES; expected"),
    SpoiltStore(
      "no index", "DROP INDEX Z_Quake_UNIQUE_code", "found no index Z_Quake_UNIQUE_code; expected a unique index"),
    SpoiltStore(
      "an index that is not unique",
      "DROP INDEX Z_Quake_UNIQUE_code; CREATE INDEX Z_Quake_UNIQUE_code ON ZQUAKE (ZCODE COLLATE BINARY ASC)",
      "found an index of ZQUAKE (ZCODE) as Z_Quake_UNIQUE_code; expected a unique index"),
    redeclared("a check", "ZCODE VARCHAR", with: "CHECK (length(ZCODE) > 0)"),
    redeclared("a collation", "ZPLACE VARCHAR", with: "COLLATE RTRIM"),
    SpoiltStore("no metadata", "DELETE FROM Z_METADATA", "found no row in Z_METADATA; expected one"),
    SpoiltStore(
      "another version of the metadata", "UPDATE Z_METADATA SET Z_VERSION = 7",
      "found Z_VERSION 7 in Z_METADATA; expected 1"),
    SpoiltStore(
      "another identifier", "UPDATE Z_METADATA SET Z_UUID = 'mine'", "found 'mine' as the store's UUID (Z_UUID)"),
    SpoiltStore(
      "another vacuum", "PRAGMA auto_vacuum = none; VACUUM", "the file has auto_vacuum 0; expected incremental"),
  ]

  /// Expects that the sample of a program that runs the SQL fails with the sentence.
  fileprivate func expect(of engine: ProgramEngine, _ strategy: String, in folder: String) {
    let error = #expect(throws: (any Error).self) {
      try engine.sample(strategy, rows: 60, in: folder) {
        $0.replacing("code: {type: string}", with: "code: {type: string}\n      nst: {type: int32, optional: true}")
      }
    }
    let found = error.map { "\($0)" } ?? ""
    #expect(found.contains(sentence) && !found.contains("\n"), "\(found)")
  }
}

@Suite("A13 · stores that programs spoil", .tags(.a13))
struct SpoiltStoreTests {
  @Test(
    "A program in Python that spoils its store fails its sample with a sentence",
    .enabled(if: PythonProgram.isPossible, PythonProgram.missing), arguments: SpoiltStore.all)
  func python(_ spoilt: SpoiltStore) throws {
    let program = try PythonProgram.faulty(
      "def insert(self, key):\n    rows = super().insert(key)\n    self.connection.executescript(\"\(spoilt.sql)\")\n"
        + "    return rows")
    try spoilt.expect(of: ProgramEngine(program.definition()), "save", in: program.folder)
  }

  @Test(
    "A program in C that spoils its store fails its sample with the same sentence",
    .enabled(if: CProgram.isPossible, CProgram.missing), arguments: SpoiltStore.all)
  func c(_ spoilt: SpoiltStore) throws {
    let end = "*stored = row_count;"
    let program = try CProgram(replacing: end, with: "\(end) run(\"\(spoilt.sql)\");")
    spoilt.expect(of: program.engine, "insert", in: program.folder)
  }
}
