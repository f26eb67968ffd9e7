// D10: a store with a log is copied completely, or not at all while it is being written.
import Foundation
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@testable import CoreDataFiles

@Suite("D10 · copies of stores in use", .tags(.d10))
struct StoreCopyTests {
  /// A store in write-ahead mode that an application has open.
  private final class OpenStore {
    let path: String
    let writer: Connection
    private let place: CopiedStore

    init() throws {
      place = try CopiedStore()
      path = place.path
      writer = try Connection(path: path)
      #expect(try writer.setPragma("journal_mode", to: "wal") == "wal")
      try writer.execute("CREATE TABLE first (a); CREATE TABLE second (a)")
      for _ in 0..<20 { try writer.execute("INSERT INTO first VALUES (1)") }
    }

    /// Copies it and runs code after each copied file.
    func copy(_ event: @escaping (_ number: Int) throws -> Void) throws -> StoreCopy {
      var number = 0
      return try StoreCopy(of: path, logs: try StoreCopy.logs(beside: path), named: "a store") { file, copy in
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        number += 1
        try event(number)
      }
    }
  }

  @Test("A store whose log is checkpointed between the two copies is still read")
  func movedLog() throws {
    let store = try OpenStore()
    var copied = 0
    let copy = try store.copy { number in
      copied = number
      guard number == 1 else { return }
      // The file has been copied. Then neither copy has what was in the log, and the log has something else.
      _ = try store.writer.checkpoint(.truncate)
      try store.writer.execute("INSERT INTO second VALUES (2)")
    }
    #expect(copied == 4)
    let read = try PlainSQL(copy.file)
    #expect(try read.count("SELECT count(*) FROM first") == 20 && read.count("SELECT count(*) FROM second") == 1)
    try store.writer.close()
  }

  @Test("After five tries, the error names the other writer and what to do")
  func busyWriter() throws {
    let store = try OpenStore()
    var copied = 0
    let error = fileError {
      _ = try store.copy { number in
        copied = number
        try store.writer.execute("INSERT INTO second VALUES (2)")
      }
    }
    #expect(copied == 10)
    #expect(
      error
        == .unreadable(
          path: "a store",
          reason: "somebody is writing to it; close the application that has it open, and try again"))
    try store.writer.close()
  }
}
