// D9: a pragma in a store's description that SQLite does not know, or ignores, is an error.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D9 · pragmas of a store", .tags(.d9))
struct PragmaOptionTests {
  @Test(
    "An unknown name and a value that is not accepted are refused, by SQLite's answer",
    arguments: [
      ("jornal_mode", "wal", "unknown to SQLite"), ("main.sychronous", "off", "unknown to SQLite"),
      ("synchronous", "sideways", "answers 1"), ("journal_mode", "sideways", "answers"), ("page_size", "1000", "4096"),
      ("auto_vacuum", "sometimes", "answers 0"), ("mmap_size", "99999999999999", "answers"),
    ])
  func refused(name: String, value: String, found: String) throws {
    let error = #expect(throws: ObjectGraphError.self) { _ = try TestStack(pragmas: [.init(name, value)]) }
    guard case .pragma(name, let message, _, _)? = error else { throw TestFailure("\(String(describing: error))") }
    #expect(message.contains(found), "\(message)")
    #expect(error?.description.contains("'\(name)'") == true)
  }

  @Test("Every spelling that SQLite accepts opens a store")
  func taken() throws {
    let stack = try TestStack(pragmas: [
      .init("PAGE_SIZE", "4096"), .init("main.synchronous", "Normal"), .init("temp_store", "MEMORY"),
      .init("foreign_keys", "yes"), .init("cache_spill", "on"), .init("cache_size", "+500"), .init("optimize", "2"),
      .init("wal_autocheckpoint", "-1"), .init("case_sensitive_like", "on"), .init("encoding", "'utf8'"),
      .init("journal_mode", "wal"),
    ])
    #expect(try stack.coordinator.pragma("synchronous") == "1")
    #expect(try stack.coordinator.pragma("no_such_pragma") == nil)
  }

  @Test("A store whose first opening failed by a pragma accepts the right ones later, even those that shape the file")
  func later() throws {
    let stack = try TestStack()
    let path = stack.directory.appending(path: "new.sqlite").path
    let coordinator = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    var description = PersistentStoreDescription(path: path)
    description.pragmas = [.init("no_such_pragma", "1")]
    #expect(throws: ObjectGraphError.self) { try coordinator.addPersistentStore(description) }
    description.pragmas = [.init("page_size", "8192"), .init("auto_vacuum", "none")]
    try coordinator.addPersistentStore(description)
    #expect(try coordinator.pragma("page_size") == "8192")
    #expect(try coordinator.pragma("auto_vacuum") == "0")
    #expect(try coordinator.pragma("journal_mode") == "wal")
    try coordinator.close()
    // An existing store keeps its page layout, as before.
    description.pragmas = [.init("page_size", "4096"), .init("auto_vacuum", "full")]
    try coordinator.addPersistentStore(description)
    #expect(try coordinator.pragma("page_size") == "8192")
  }
}
