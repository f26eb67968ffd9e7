// E: a deletion that leaves an orphan, or moves a row below another one, is a failed sample that names the row.
import BatchmarkEngine
import Instruments
import MissionTags
import Testing
import Harness

@Suite("E B3 · verification of deletions through levels", .tags(.b3))
struct TreeVerificationTests {
  /// Deletes the root of the first of two trees of seven rows with SQL, and returns the sample's failure.
  private func complaint(_ sql: String, rule: String) throws -> String? {
    let engine = ScriptedEngine(sql: sql)
    let text = """
      scenario: test
      model:
        Folder:
          attributes: {name: {type: string}, level: {type: int16}, half: {type: int16}}
          relationships:
            parent: {to: Folder, inverse: children}
            children: {to: Folder, inverse: parent, many: true, delete: \(rule)}
      source: {trees: {rows: 14, levels: 2, fan_out: 2}}
      operation: delete
      where: level = 0 AND half = 0
      cells: [{engine: scripted, strategy: run}]
      measure: {warm_up: 0}
      """
    do {
      _ = try engine.sample(of: text)
      return nil
    } catch let error as VerificationError {
      return error.description
    }
  }

  private static let emptied = "UPDATE ZFOLDER SET ZPARENT = NULL, Z_OPT = 2 WHERE ZPARENT = 1; "

  @Test(
    "The requirement of each rule is right",
    arguments: [
      ("cascade", "DELETE FROM ZFOLDER WHERE ZHALF = 0"), ("nullify", emptied + "DELETE FROM ZFOLDER WHERE Z_PK = 1"),
      ("no_action", "DELETE FROM ZFOLDER WHERE Z_PK = 1"),
    ])
  func right(rule: String, sql: String) throws {
    #expect(try complaint(sql, rule: rule) == nil)
  }

  @Test(
    "An orphan is named, and so is a row that was deleted unnecessarily",
    arguments: [
      (
        "DELETE FROM ZFOLDER WHERE ZHALF = 0 AND Z_PK <> 6",
        "the store breaks a rule of an object graph: 1 key of Folder.parent leads to no row: Folder/p6"
      ),
      (
        "UPDATE ZFOLDER SET ZPARENT = NULL WHERE Z_PK = 6; DELETE FROM ZFOLDER WHERE ZHALF = 0 AND Z_PK <> 6",
        "the store holds 8 rows; expected 7: row Z_PK 6 of Folder: "
      ),
      ("DELETE FROM ZFOLDER WHERE ZHALF = 0 OR Z_PK = 11", "row 11 of the source: found no row of Folder"),
      (
        "DELETE FROM ZFOLDER WHERE Z_PK <= 3",
        "4 keys of Folder.parent lead to no row: Folder/p4, Folder/p5, Folder/p6, …"
      ),
    ])
  func cascade(sql: String, complaint: String) throws {
    let found = try #require(try self.complaint(sql, rule: "cascade"))
    #expect(found.contains(complaint), "\(found)")
  }

  @Test(
    "A row below a wrong parent is named",
    arguments: [
      (
        "nullify", "UPDATE ZFOLDER SET Z_OPT = 2 WHERE ZPARENT = 1; DELETE FROM ZFOLDER WHERE Z_PK = 1",
        "2 keys of Folder.parent lead to no row: Folder/p2, Folder/p3"
      ),
      (
        "cascade", "DELETE FROM ZFOLDER WHERE ZHALF = 0; UPDATE ZFOLDER SET ZPARENT = 10 WHERE Z_PK = 11",
        "some are linked by 'Folder.parent' to the wrong object: link hash "
      ),
      (
        "cascade", "DELETE FROM ZFOLDER WHERE ZHALF = 0; UPDATE ZFOLDER SET ZPARENT = 10 WHERE Z_PK = 11",
        ": row Z_PK 11 of Folder: found parent 10; expected parent the key of row 9 of the source"
      ),
      (
        "no_action", "DELETE FROM ZFOLDER WHERE Z_PK = 1; UPDATE ZFOLDER SET ZPARENT = NULL WHERE Z_PK = 2",
        "row Z_PK 2 of Folder: found parent NULL; expected parent the key of a row that was deleted"
      ),
    ])
  func links(rule: String, sql: String, complaint: String) throws {
    let found = try #require(try self.complaint(sql, rule: rule))
    #expect(found.contains(complaint), "\(found)")
  }

  @Test("A row that was unlinked without an increased version is named")
  func versions() throws {
    let found = try complaint(
      "UPDATE ZFOLDER SET ZPARENT = NULL WHERE ZPARENT = 1; DELETE FROM ZFOLDER WHERE Z_PK = 1", rule: "nullify")
    #expect(found?.contains("row Z_PK 2 of Folder: found Z_OPT 1; expected Z_OPT 2") == true, "\(found ?? "nothing")")
  }
}
