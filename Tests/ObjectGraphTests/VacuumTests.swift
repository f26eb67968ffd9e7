// D9: free pages are released, a few or all of them, or by rewriting the whole file; on request or at opening.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D9 · vacuum", .tags(.d9))
struct VacuumTests {
  /// A store with deleted rows, so that most of its pages are free.
  private func emptied(_ pragmas: [PersistentStoreDescription.Pragma] = []) throws -> TestStack {
    let stack = try TestStack(pragmas: pragmas)
    let context = stack.context()
    try context.performAndWait { () throws in
      let rows = (0..<400).map { Quake.row("q\($0)", place: String(repeating: "x", count: 900)) }
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows))
      let all = FetchRequest(
        entityName: "Quake", predicate: try FetchPredicate(format: "code != %@", arguments: ["q0"]))
      try context.execute(BatchDeleteRequest(fetchRequest: all))
    }
    try stack.coordinator.checkpoint()
    return stack
  }

  private func bytes(_ stack: TestStack) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: stack.path)[.size] as? Int)
  }

  private func free(_ stack: TestStack) throws -> Int {
    try #require(try stack.coordinator.pragma("freelist_count").flatMap { Int($0) })
  }

  @Test("Vacuum frees some pages, then all free ones, then rewrites the file", arguments: ["wal", "delete"])
  func modes(journal: String) throws {
    let stack = try emptied([.init("journal_mode", journal)])
    let (before, free) = (try bytes(stack), try free(stack))
    #expect(free > 50)
    let some = try stack.coordinator.vacuum(.incremental(pages: 7))
    #expect(some.freePages == free - 7 && some.pages == some.pagesBefore - 7 && some.isFileShortened)
    #expect(try bytes(stack) == before - 7 * 4096)
    let all = try stack.coordinator.vacuum(.incremental(pages: nil))
    #expect(all.pagesBefore == some.pages && all.freePages == 0)
    #expect(try bytes(stack) == all.pages * 4096 && all.pages < 20)
    let whole = try stack.coordinator.vacuum()
    #expect(whole.freePages == 0 && whole.pages <= all.pages)
    #expect(try stack.coordinator.pragma("auto_vacuum") == "2")
    let context = stack.context()
    try context.performAndWait { () throws in
      #expect(try context.fetch(FetchRequest(entityName: "Quake")).map { $0[Quake.code] } == ["q0"])
      try Quake.insert("new", into: context)
      try context.save()
    }
    #expect(try stack.rows("SELECT Z_PK FROM ZQUAKE ORDER BY Z_PK") == ["1", "401"])
    #expect(try stack.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test("A pinned context keeps the file from getting shorter, and the result reports that")
  func heldUp() throws {
    let stack = try emptied()
    let reader = stack.context()
    try reader.performAndWait { () throws in
      try reader.setQueryGeneration(from: .current)
      #expect(try reader.count(for: FetchRequest(entityName: "Quake")) == 1)
      let result = try stack.coordinator.vacuum()
      #expect(!result.isFileShortened && result.freePages == 0 && result.pages < result.pagesBefore)
      #expect(try reader.count(for: FetchRequest(entityName: "Quake")) == 1)
    }
  }

  @Test("A store without incremental vacuum can only be vacuumed whole; fewer pages than one are refused")
  func refusals() throws {
    let stack = try emptied([.init("auto_vacuum", "none")])
    for mode in [VacuumMode.incremental(pages: nil), .incremental(pages: 0), .incremental(pages: -1)] {
      guard case .invalidVacuum(_, _, stack.path) = objectGraphError({ try stack.coordinator.vacuum(mode) }) else {
        throw TestFailure("\(mode)")
      }
    }
    #expect(try free(stack) > 50)
    #expect(try stack.coordinator.vacuum(.whole).freePages == 0)
    try stack.coordinator.close()
    var description = stack.description()
    description.isReadOnly = true
    description.manualVacuum = .whole
    try stack.coordinator.addPersistentStore(description)
    #expect(objectGraphError { try stack.coordinator.vacuum() } == .readOnlyStore(path: stack.path))
  }

  @Test("A store is vacuumed and analyzed when it is opened with these options, and not otherwise")
  func options() throws {
    let stack = try emptied()
    let before = try bytes(stack)
    func reopen(_ change: (inout PersistentStoreDescription) -> Void) throws {
      try stack.coordinator.close()
      var description = stack.description()
      change(&description)
      try stack.coordinator.addPersistentStore(description)
    }
    let statistics = "SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'"
    try reopen { _ in }
    #expect(try bytes(stack) == before)
    #expect(try stack.rows(statistics) == ["0"])
    try reopen { $0.manualVacuum = .incremental(pages: 10) }
    #expect(try bytes(stack) == before - 10 * 4096)
    try reopen {
      $0.manualVacuum = .whole
      $0.analyzesIndexes = true
    }
    #expect(try bytes(stack) < before / 4)
    #expect(try stack.rows("SELECT idx FROM sqlite_stat1 WHERE tbl = 'ZQUAKE'") == ["Z_Quake_UNIQUE_code"])
    try reopen { _ in }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["q0"])
  }
}
