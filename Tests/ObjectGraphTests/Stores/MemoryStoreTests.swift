// D2, D9: stores in memory behave like others and leave nothing.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import ObjectGraph

@Suite("D2 D9 · stores in memory", .tags(.d2, .d9))
struct MemoryStoreTests {
  private func coordinator(_ description: PersistentStoreDescription) throws -> PersistentStoreCoordinator {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [.quake()]))
    try coordinator.addPersistentStore(description)
    return coordinator
  }

  private func save(_ codes: [String], _ coordinator: PersistentStoreCoordinator) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      for code in codes { try Quake.insert(code, into: context) }
      try context.save()
    }
  }

  private func codes(_ coordinator: PersistentStoreCoordinator) throws -> [String?] {
    let context = ManagedObjectContext(coordinator: coordinator)
    return try context.performAndWait {
      try context.fetch(FetchRequest(entityName: "Quake")).map { $0[Quake.code] }
    }
  }

  @Test("Each store in memory is separate, and is removed with its last user")
  func gone() throws {
    var paths: [String] = []
    do {
      let (first, second) = (try coordinator(.inMemory()), try coordinator(.inMemory()))
      paths = (first.persistentStores + second.persistentStores).map(\.path)
      try save(["a", "b"], first)
      try save(["c"], second)
      #expect(try codes(first) == ["a", "b"] && codes(second) == ["c"])
      #expect(paths.allSatisfy { FileManager.default.fileExists(atPath: $0) } && Set(paths).count == 2)
      try first.close()
      try second.close()
    }
    for path in paths {
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(!FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path))
    }
  }

  @Test("One description means one store: for a second coordinator, and when it is opened again")
  func shared() throws {
    let description = try PersistentStoreDescription.inMemory()
    let (first, second) = (try coordinator(description), try coordinator(description))
    try save(["a"], first)
    #expect(try codes(second) == ["a"])
    try first.close()
    try save(["b"], second)
    try second.close()
    let again = try coordinator(description)
    #expect(try codes(again) == ["a", "b"])
    try again.close()
  }

  @Test("A store in memory keeps history, pins generations and refuses the same as a file")
  func abilities() throws {
    var description = try PersistentStoreDescription.inMemory()
    description.tracksPersistentHistory = true
    let coordinator = try coordinator(description)
    let pinned = ManagedObjectContext(coordinator: coordinator)
    try save(["a"], coordinator)
    try pinned.performAndWait { () throws in
      try pinned.setQueryGeneration(from: .current)
      #expect(try pinned.count(for: FetchRequest(entityName: "Quake")) == 1)
      try save(["b"], coordinator)
      #expect(try pinned.count(for: FetchRequest(entityName: "Quake")) == 1)
      try pinned.setQueryGeneration(from: nil)
      #expect(try pinned.count(for: FetchRequest(entityName: "Quake")) == 2)
    }
    #expect(throws: ObjectGraphError.self) { try save(["a"], coordinator) }
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      guard
        case .transactions(let transactions) = try context.execute(
          PersistentHistoryChangeRequest.fetchHistory(after: nil))
      else { throw TestFailure("no transactions") }
      #expect(transactions.count == 2)
    }
    try coordinator.close()
  }

  @Test("Leftovers of ended processes are removed, but nothing that is in use or belongs to others")
  func sweep() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: "objectgraph-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let left = place.appending(path: "objectgraph-private-ABCDEF")
    let other = place.appending(path: "another-memory-ABCDEF")
    for folder in [left, other] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: folder.appending(path: "store.sqlite"))
    }
    let used = try MemoryFolder(in: place.path)
    try Data("x".utf8).write(to: URL(filePath: used.file))
    let next = try MemoryFolder(in: place.path)
    #expect(!FileManager.default.fileExists(atPath: left.path) && FileManager.default.fileExists(atPath: other.path))
    #expect(FileManager.default.fileExists(atPath: used.file) && next.file != used.file)
    #expect(throws: (any Error).self) { try MemoryFolder(in: place.appending(path: "nowhere").path) }
    withExtendedLifetime((used, next)) {}
  }
}
