// A1: if rows have wrong contents, the first one that differs is named, with its differences.
import MissionTags
import SQLiteDriver
import Testing
import Harness

@Suite("A1 · the row that is wrong", .tags(.a1))
struct RowSearchTests {
  private func difference(_ sql: String, rows: Int = 60) -> RowDifference? {
    do {
      _ = try SpoilingInsertEngine(sql: sql).sample(rows: rows)
    } catch {
      if case .wrongContents(_, _, _, _, let difference) = error as? VerificationError { return difference }
    }
    return nil
  }

  @Test("One wrong row among 100,000 is found, with the attribute that differs")
  func oneOfMany() throws {
    let complaint = try #require(
      SpoilingInsertEngine(sql: "UPDATE ZQUAKE SET ZPLACE = 'nowhere' WHERE Z_PK = 70001").complaint(rows: 100_000))
    #expect(
      complaint.hasPrefix(
        "the store holds 100000 rows, as it should, but other values: row Z_PK 70001 of Quake: found place \"nowhere\"; "
          + "expected place \""), "\(complaint)")
  }

  @Test("Several attributes of a row are named together, null among them")
  func severalAttributes() {
    guard
      case .differs(let row, let found, let expected) = difference(
        "UPDATE ZQUAKE SET ZPLACE = NULL, ZMAGNITUDE = 99.5 WHERE Z_PK = 7")
    else {
      Issue.record("found no row that differs")
      return
    }
    #expect(row == StoredRow(table: "Quake", key: 7))
    #expect(found == [.init("magnitude", "99.5"), .init("place", "NULL")])
    #expect(expected.map(\.name) == ["magnitude", "place"])
  }

  @Test("Swapped values of two rows are found at the first of them")
  func exchanged() {
    let sql = """
      UPDATE ZQUAKE SET ZPLACE = 'first' WHERE Z_PK = 9;
      UPDATE ZQUAKE SET ZPLACE = 'second' WHERE Z_PK = 8
      """
    guard case .differs(let row, let found, _) = difference(sql) else {
      Issue.record("found no row that differs")
      return
    }
    #expect(row.key == 8 && found == [.init("place", "\"second\"")])
  }

  @Test("A missing row is named by the source, and an extra one by its key")
  func counts() {
    guard case .missing(let entity, let sourceRow, let fields) = difference("DELETE FROM ZQUAKE WHERE Z_PK = 7") else {
      Issue.record("found no row that is missing")
      return
    }
    #expect(entity == "Quake" && sourceRow == 7 && fields.first?.name == "code")
    let sql = """
      INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (61, 2, 1, 'mine');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 61
      """
    guard case .unexpected(let row, let values) = difference(sql) else {
      Issue.record("found no row that is unexpected")
      return
    }
    #expect(row.key == 61 && values.first == .init("code", "\"mine\""))
  }
}
