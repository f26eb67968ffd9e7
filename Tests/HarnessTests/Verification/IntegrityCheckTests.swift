// A1: SQLite's own check of a closed store, alone and alongside other work.
import Foundation
import BatchmarkEngine
import Instruments
import MissionTags
import SQLiteDriver
import Testing
@testable import Harness

@Suite("A1 · the check of a closed store", .tags(.a1))
struct IntegrityCheckTests {
  private struct OutOfFiles: Error {}

  /// Calls the body with a store that is intact or damaged.
  private func withStore(isSound: Bool, _ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "integrity-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "store.sqlite").path
    let connection = try Connection(path: path)
    try connection.execute(
      "CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, ZSIZE FLOAT, ZNAME VARCHAR); CREATE UNIQUE INDEX i ON ZITEM (ZNAME); "
        + "INSERT INTO ZITEM VALUES (1, 1.5, 'a'), (2, NULL, 'b')")
    if !isSound {
      // The index contains the names, but its declaration says sizes.
      try connection.execute(
        "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = 'CREATE UNIQUE INDEX i ON ZITEM (ZSIZE)' WHERE name = 'i'"
      )
    }
    try connection.close()
    try body(path)
  }

  @Test(
    "Damage is found, alone and beside other work, and that work's value is kept", arguments: [false, true],
    [false, true])
  func damage(isSound: Bool, isBesides: Bool) throws {
    try withStore(isSound: isSound) { path in
      var calls = 0
      let (complaints, value) = try IntegrityCheck(ofStoreAt: path, isBesides: isBesides).complaints {
        calls += 1
        return 7
      }
      #expect(complaints.isEmpty == isSound)
      #expect(try value.get() == 7 && calls == 1)
    }
  }

  // Use the timing pass: other passes meter the whole process, in which other tests write as well.
  @Test("A damaged store fails its sample with SQLite's message, even if every row can be read")
  func sample() throws {
    // A page that belongs to nothing: neither the rows nor the schema show it.
    let damage = """
      CREATE TABLE lost (a); PRAGMA writable_schema = 1; DELETE FROM sqlite_master WHERE name = 'lost';
      PRAGMA writable_schema = 0
      """
    #expect(try SpoilingInsertEngine().sample().contents.rows == 60)
    let error = try #require(throws: VerificationError.self) {
      try SpoilingInsertEngine(laterSQL: damage).sample()
    }
    guard case .notIntact(let complaints) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(complaints.contains { $0.contains("never used") }, "\(complaints)")
  }

  @Test("Work that fails beside the check of an intact store is repeated; alone it is not")
  func again() throws {
    try withStore(isSound: true) { path in
      for isBesides in [true, false] {
        var calls = 0
        let check = IntegrityCheck(ofStoreAt: path, isBesides: isBesides)
        let (complaints, value) = try check.complaints {
          calls += 1
          if calls == 1 { throw OutOfFiles() }
        }
        #expect(complaints.isEmpty)
        let runsBesides = isBesides && Processors.allowed().count > 1
        if runsBesides {
          #expect(throws: Never.self) { try value.get() }
        } else {
          #expect(throws: OutOfFiles.self) { try value.get() }
        }
        #expect(calls == (runsBesides ? 2 : 1))
      }
    }
  }

  @Test("A file that is not a store is refused")
  func noStore() throws {
    try withStore(isSound: true) { path in
      try Data("no database at all, though it has some bytes".utf8).write(to: URL(filePath: path))
      for isBesides in [true, false] {
        #expect(throws: SQLiteError.self) {
          try IntegrityCheck(ofStoreAt: path, isBesides: isBesides).complaints {}
        }
      }
    }
  }
}
