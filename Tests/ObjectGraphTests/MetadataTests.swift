// D2, D9: a store's own metadata, and metadata that an application keeps in it.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D2 D9 · a store's metadata", .tags(.d2, .d9))
struct MetadataTests {
  private static let values: [String: MetadataValue] = [
    "name": "Quakes", "count": 9_007_199_254_740_993, "share": 0.25, "isFull": true,
    "date": .date(Date(timeIntervalSinceReferenceDate: -1.5)), "data": .data(Data([0, 255])),
    "list": ["a", 1, ["b": false]],
  ]

  private func store(_ stack: TestStack) throws -> PersistentStore {
    try #require(stack.coordinator.persistentStores.first)
  }

  /// The entries that are not the store's own, as in the file.
  private func stored(_ path: String) throws -> [String: MetadataValue] {
    try PersistentStoreCoordinator.metadataForPersistentStore(at: path).filter { !$0.key.contains("NS") }
  }

  @Test("A new store has its type, its identifier and the hashes of its entities, open or closed")
  func new() throws {
    let stack = try TestStack()
    let store = try store(stack)
    let metadata = try stack.coordinator.metadata(for: store)
    #expect(metadata["NSStoreType"] == "SQLite" && metadata["NSStoreUUID"] == .string(store.identifier))
    #expect(metadata["NSPersistenceFrameworkVersion"] == 1344, "the generation whose layout is followed")
    guard case .dictionary(let hashes) = metadata["NSStoreModelVersionHashes"] else { throw TestFailure("no hashes") }
    #expect(hashes.keys.sorted() == ["Quake"])
    #expect(try PersistentStoreCoordinator.metadataForPersistentStore(at: stack.path) == metadata)
    try stack.coordinator.close()
    #expect(try PersistentStoreCoordinator.metadataForPersistentStore(at: stack.path) == metadata)
  }

  @Test("Metadata is readable at once after it is set, stored with the next save, and replaced as a whole")
  func set() throws {
    let stack = try TestStack.tracked()
    let context = stack.context()
    let store = try store(stack)
    let new = try stack.coordinator.metadata(for: store)
    try stack.coordinator.setMetadata(Self.values, for: store)
    #expect(try stack.coordinator.metadata(for: store) == new.merging(Self.values) { first, _ in first })
    #expect(try stored(stack.path) == [:])
    try context.performAndWait { () throws in
      try Quake.insert("a", into: context)
      try context.save()
    }
    #expect(try stored(stack.path) == Self.values)
    #expect(try stack.history().count == 1)
    var changed = try stack.coordinator.metadata(for: store)
    changed["name"] = nil
    changed["share"] = 0.5
    try stack.coordinator.setMetadata(changed, for: store)
    // A save without any other change also stores it.
    try context.performAndWait { () throws in try context.save() }
    #expect(try stored(stack.path) == changed.filter { !$0.key.contains("NS") })
    #expect(try stack.history().count == 1, "metadata is no change of an object")
    try stack.coordinator.setMetadata(nil, for: store)
    try context.performAndWait { () throws in try context.save() }
    #expect(try PersistentStoreCoordinator.metadataForPersistentStore(at: stack.path) == new)
    // The store opens as before, and a save writes nothing more.
    let before = try stack.rows("PRAGMA data_version")
    try context.performAndWait { () throws in try context.save() }
    #expect(try stack.rows("PRAGMA data_version") == before)
    try stack.coordinator.close()
    try stack.coordinator.addPersistentStore(stack.description())
  }

  @Test("A failed save leaves the metadata to the next one; a child's save does not store it")
  func failedSave() throws {
    let stack = try TestStack()
    let context = stack.context()
    let store = try store(stack)
    try context.performAndWait { () throws in
      try Quake.insert("a", into: context)
      try context.save()
      let double = try Quake.insert("a", into: context)
      try stack.coordinator.setMetadata(["step": 2], for: store)
      #expect(objectGraphError { try context.save() } != nil)
      #expect(try stored(stack.path) == [:])
      #expect(try stack.coordinator.metadata(for: store)["step"] == 2)
      double[Quake.code] = "b"
    }
    let child = ManagedObjectContext(.privateQueue, parent: context)
    try child.performAndWait { () throws in try child.save() }
    #expect(try stored(stack.path) == [:])
    try context.performAndWait { () throws in try context.save() }
    #expect(try stored(stack.path) == ["step": 2])
  }
}

extension MetadataTests {
  @Test("Each of several stores has its own metadata, stored by a save even without rows for it")
  func severalStores() throws {
    let files = try SeveralStores(2)
    let context = files.context()
    try files.coordinator.setMetadata(["number": 0], for: files.stores[0])
    try files.coordinator.setMetadata(["number": 1], for: files.stores[1])
    try context.performAndWait { () throws in
      try context.make("Book", ["code": "a"])
      try context.save()
      #expect(try stored(files.path(0)) == ["number": 0])
      #expect(try stored(files.path(1)) == ["number": 1])
      try files.coordinator.setMetadata(["number": 2], for: files.stores[1])
      try context.save()
    }
    #expect(try stored(files.path(0)) == ["number": 0])
    #expect(try stored(files.path(1)) == ["number": 2])
    #expect(try files.codes(0) == ["a"])
  }

  @Test("The store's own entries cannot be set, nor values that would be lost, nor those of a read-only store")
  func refusals() throws {
    let stack = try TestStack()
    let store = try store(stack)
    func refused(_ metadata: [String: MetadataValue]) throws -> String {
      let error = objectGraphError { try stack.coordinator.setMetadata(metadata, for: store) }
      guard case .metadata(let key, _, _) = error else { throw TestFailure("\(String(describing: error))") }
      return key
    }
    #expect(try refused(["NSStoreUUID": "x", "a": 1]) == "NSStoreUUID")
    #expect(try refused(["NSStoreNews": true]) == "NSStoreNews")
    #expect(try refused(["_NSAutoVacuumLevel": "0"]) == "_NSAutoVacuumLevel")
    #expect(try stack.coordinator.metadata(for: store)["a"] == nil)
    var nested = MetadataValue.integer(1)
    for level in 1...5_000 {
      nested = level % 2 == 0 ? .array([nested]) : .dictionary(["inner": nested])
      if level == 256 { try stack.coordinator.setMetadata(["nested": nested], for: store) }
    }
    #expect(try refused(["nested": nested]) == "nested")
    // Take it apart level by level, because Swift frees a nested value recursively.
    while case .array(let elements) = nested, case .dictionary(let entries) = elements[0] {
      nested = entries["inner"] ?? .integer(0)
    }
    try stack.execute("UPDATE Z_METADATA SET Z_PLIST = '<plist><dict/></plist>'")
    #expect(try refused(["a": 1]) == "Z_PLIST")
    try stack.execute("UPDATE Z_METADATA SET Z_PLIST = NULL")
    try stack.coordinator.setMetadata(["a": 1], for: store)
    let context = stack.context()
    try context.performAndWait { () throws in try context.save() }
    #expect(try stored(stack.path) == ["a": 1])
    try stack.coordinator.close()
    #expect(objectGraphError { _ = try stack.coordinator.metadata(for: store) } == .noStore)
    var description = stack.description()
    description.isReadOnly = true
    let read = try stack.coordinator.addPersistentStore(description)
    #expect(try stack.coordinator.metadata(for: read)["a"] == 1)
    #expect(
      objectGraphError { try stack.coordinator.setMetadata(["a": 2], for: read) } == .readOnlyStore(path: stack.path))
  }

  @Test("Reading the metadata of a missing file, or of one that is not a store, is an error")
  func wrongFiles() throws {
    let stack = try TestStack()
    let plain = stack.directory.appending(path: "plain.sqlite").path
    try Connection(path: plain).execute("CREATE TABLE t (x)")
    guard
      case .incompatibleStore(plain, _) = objectGraphError({
        _ = try PersistentStoreCoordinator.metadataForPersistentStore(at: plain)
      })
    else { throw TestFailure("a file without metadata") }
    let missing = stack.directory.path + "/missing.sqlite"
    let error = storeError { () throws(ObjectGraphError) in
      _ = try PersistentStoreCoordinator.metadataForPersistentStore(at: missing)
    }
    #expect(error?.code == .cantOpen)
    #expect(!FileManager.default.fileExists(atPath: missing))
  }
}
