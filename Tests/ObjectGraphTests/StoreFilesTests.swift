// C1, D9: the files of stores: checkpoints, copies of an open store, removing and replacing one.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D9 · checkpoints, copies, removal and replacement")
struct StoreFilesTests {
  private func insert(_ codes: [String], _ context: ManagedObjectContext) throws {
    try context.performAndWait { () throws in
      for code in codes { try Quake.insert(code, into: context) }
      try context.save()
    }
  }

  private func codes(_ path: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    let statement = try connection.prepare("SELECT ZCODE FROM ZQUAKE ORDER BY 1")
    var codes: [String] = []
    while try statement.step() { codes.append(statement.string(0) ?? "") }
    return codes
  }

  @Test("A checkpoint reports the pages it moved, and those that a reader held back", .tags(.d9))
  func checkpoint() throws {
    let stack = try TestStack()
    let context = stack.context()
    try insert(["a"], context)
    #expect(try stack.coordinator.checkpoint().isComplete)
    #expect(try FileManager.default.attributesOfItem(atPath: stack.path + "-wal")[.size] as? Int == 0)
    let reader = try Connection(path: stack.path, access: .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.scalar("SELECT count(*) FROM ZQUAKE")
    try insert(["b"], context)
    let held = try stack.coordinator.checkpoint(.passive)
    #expect(!held.isComplete && held.logFrames > 0)
    try reader.execute("COMMIT")
    #expect(try stack.coordinator.checkpoint(.passive).isComplete)
    try reader.close()
  }

  /// What happens to a store's file while the store is open.
  enum Fate: String, CaseIterable { case moved, removed, replaced }

  @Test(
    "A store whose file was moved, removed or replaced refuses to save", .tags(.d9), arguments: Fate.allCases)
  func filesTakenAway(_ fate: Fate) throws {
    let stack = try TestStack()
    let (context, later) = (stack.context(), stack.context())
    try insert(["a"], context)
    let (copy, moved) = (stack.path + ".copy", stack.path + ".moved")
    try stack.coordinator.backUpPersistentStore(to: copy)
    try FileManager.default.moveItem(atPath: stack.path, toPath: moved)
    if fate == .removed { try FileManager.default.removeItem(atPath: moved) }
    if fate == .replaced { try FileManager.default.moveItem(atPath: copy, toPath: stack.path) }
    guard case .store(let saving, _)? = objectGraphError({ try insert(["b"], context) }) else {
      Issue.record("the save went well")
      return
    }
    #expect(saving.extendedCode == .readOnlyMoved)
    #expect(context.performAndWait { context.insertedObjects.count } == 1)
    // A generation has its own connection, which is opened now.
    let error = objectGraphError {
      try later.performAndWait { () throws in
        try later.setQueryGeneration(from: .current)
        _ = try later.count(for: FetchRequest(entityName: "Quake"))
      }
    }
    guard case .store(let reading, _)? = error else {
      Issue.record("another file was read")
      return
    }
    #expect(reading.extendedCode == (fate == .replaced ? .readOnlyMoved : .cantOpen))
    if fate == .moved {
      try FileManager.default.moveItem(atPath: moved, toPath: stack.path)
      try context.performAndWait { () throws in try context.save() }
      #expect(try codes(stack.path) == ["a", "b"])
    }
  }

  @Test("A store is copied while it is in use; the copy opens and has everything saved", .tags(.d9))
  func backup() async throws {
    let stack = try TestStack()
    let context = stack.context()
    try insert((0..<500).map { "before \($0)" }, context)
    let copy = stack.directory.appending(path: "copy.sqlite").path
    let coordinator = stack.coordinator
    async let copying: Void = Task { try coordinator.backUpPersistentStore(to: copy) }.value
    for number in 0..<20 { try insert(["meanwhile \(number)"], context) }
    try await copying
    #expect(try codes(copy).count { $0.hasPrefix("before") } == 500)
    #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
    #expect(throws: ObjectGraphError.fileExists(path: copy)) { () throws in
      try coordinator.backUpPersistentStore(to: copy)
    }
    let other = PersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
    try other.addPersistentStore(PersistentStoreDescription(path: copy))
    try other.close()
    let nowhere = stack.directory.appending(path: "missing/copy.sqlite").path
    #expect(throws: ObjectGraphError.self) { () throws in try coordinator.backUpPersistentStore(to: nowhere) }
  }

  @Test("A store is removed with its log, but not while it is open", .tags(.d9))
  func destruction() throws {
    let stack = try TestStack()
    try insert(["a"], stack.context())
    let other = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    let inUse = ObjectGraphError.storeInUse(path: stack.path)
    #expect(throws: inUse) { () throws in try stack.coordinator.destroyPersistentStore(at: stack.path) }
    #expect(throws: inUse) { () throws in try other.destroyPersistentStore(at: stack.path) }
    #expect(try codes(stack.path) == ["a"])
    // A context may outlive the store that it has read.
    let pinned = stack.context()
    try pinned.performAndWait { () throws in
      try pinned.setQueryGeneration(from: .current)
      #expect(try pinned.count(for: FetchRequest(entityName: "Quake")) == 1)
    }
    try stack.coordinator.close()
    try other.destroyPersistentStore(at: stack.path)
    withExtendedLifetime(pinned) {}
    #expect(try FileManager.default.contentsOfDirectory(atPath: stack.directory.path) == [])
    try other.destroyPersistentStore(at: stack.path)
    try Data("no database at all, but long enough to be read as the header of one".utf8)
      .write(to: URL(fileURLWithPath: stack.path))
    #expect(
      storeError { () throws(ObjectGraphError) in try other.destroyPersistentStore(at: stack.path) }?.code
        == .notADatabase)
  }

  @Test("A store with a rollback journal is neither removed nor replaced while it is open", .tags(.d9))
  func rollbackJournal() throws {
    let stack = try TestStack(pragmas: [.init("journal_mode", "delete")])
    let new = try TestStack()
    try insert(["a"], stack.context())
    let other = PersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    // The same with another name of the file.
    let link = stack.directory.appending(path: "link.sqlite").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: stack.path)
    for path in [stack.path, link] {
      let inUse = ObjectGraphError.storeInUse(path: path)
      #expect(throws: inUse) { () throws in try other.destroyPersistentStore(at: path) }
      #expect(throws: inUse) { () throws in
        try other.replacePersistentStore(at: path, withPersistentStoreFrom: new.path)
      }
    }
    #expect(try codes(stack.path) == ["a"])
    try stack.coordinator.close()
    try other.destroyPersistentStore(at: stack.path)
    #expect(!FileManager.default.fileExists(atPath: stack.path))
  }

  @Test("A store replaces another, or nothing changes", .tags(.d9))
  func replacement() throws {
    let (old, new) = (try TestStack(), try TestStack())
    try insert(["old"], old.context())
    try insert(["new"], new.context())
    let coordinator = PersistentStoreCoordinator(managedObjectModel: old.coordinator.managedObjectModel)
    #expect(throws: ObjectGraphError.storeInUse(path: old.path)) { () throws in
      try coordinator.replacePersistentStore(at: old.path, withPersistentStoreFrom: new.path)
    }
    #expect(try codes(old.path) == ["old"])
    try old.coordinator.close()
    try coordinator.replacePersistentStore(at: old.path, withPersistentStoreFrom: new.path)
    #expect(try codes(old.path) == ["new"])
    #expect(throws: ObjectGraphError.self) { () throws in
      try coordinator.replacePersistentStore(at: old.path, withPersistentStoreFrom: old.path + ".missing")
    }
    #expect(try codes(old.path) == ["new"])
    #expect(try codes(new.path) == ["new"])
  }
}
