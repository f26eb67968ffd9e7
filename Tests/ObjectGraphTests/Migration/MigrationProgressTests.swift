// D11: the progress of a migration, its cancellation, and the space that it needs.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

@testable import ObjectGraph

@Suite("D11 · progress and cancellation of a migration", .tags(.d11))
struct MigrationProgressTests {
  private static let rows = 12_000

  /// A store of many rows, and the model without one of their attributes.
  private func store() throws -> (folder: CopiedStore, source: ManagedObjectModel, destination: ManagedObjectModel) {
    let folder = try CopiedStore()
    var entities: [EntityDescription] = [.quake()]
    let source = try ManagedObjectModel(entities: entities)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: source)
    try coordinator.addPersistentStore(PersistentStoreDescription(path: folder.path))
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait { () throws in
      _ = try context.execute(
        BatchInsertRequest(
          entityName: "Quake", objects: (0..<Self.rows).map { Quake.row("q\($0)", Double($0)) }))
    }
    try coordinator.checkpoint(.truncate)
    try coordinator.close()
    entities[0].attributes.remove(at: 2)
    return (folder, source, try ManagedObjectModel(entities: entities))
  }

  private func open(
    _ folder: CopiedStore, _ source: ManagedObjectModel, _ destination: ManagedObjectModel,
    _ progress: MigrationProgress?
  ) throws {
    var description = PersistentStoreDescription(path: folder.path)
    description.sourceModels = [source]
    description.migrationProgress = progress
    let coordinator = PersistentStoreCoordinator(managedObjectModel: destination)
    try coordinator.addPersistentStore(description)
    try coordinator.close()
  }

  @Test("The fraction increases with the copied rows, to the end")
  func fractions() throws {
    let (folder, source, destination) = try store()
    let fractions = Lock<[Double]>([])
    let progress = MigrationProgress { progress in fractions.withLock { $0.append(progress.fractionCompleted) } }
    #expect(progress.fractionCompleted == 0 && !progress.isFinished)
    try open(folder, source, destination, progress)
    let found = fractions.withLock { $0 }
    #expect(found.sorted() == found && found.last == 1 && found.count > 20)
    #expect(found.contains { $0 > 0.4 && $0 < 0.6 })
    #expect(progress.completedUnitCount <= Int64(Self.rows) && progress.totalUnitCount == Int64(Self.rows))
    #expect(progress.completedUnitCount > Int64(Self.rows) - 256 && progress.isFinished && !progress.isCancelled)
    // A store that needs no migration is done at once.
    let other = MigrationProgress()
    try open(folder, source, destination, other)
    #expect(other.isFinished && other.fractionCompleted == 1 && other.totalUnitCount == 0)
  }

  @Test("A migration cancelled before it begins, or at any report, leaves the old store and no other file")
  func cancellation() throws {
    let (folder, source, destination) = try store()
    let before = try folder.files()
    let reports = Lock(0)
    /// Migrates until this many reports have come, and returns the error of opening the store.
    func migrate(cancelledAt last: Int) -> ObjectGraphError? {
      reports.withLock { $0 = 0 }
      let progress = MigrationProgress { progress in
        let count = reports.withLock {
          $0 += 1; return $0
        }
        if count == last { progress.cancel() }
      }
      if last == 0 { progress.cancel() }
      let error = objectGraphError { try open(folder, source, destination, progress) }
      #expect(progress.isCancelled && !progress.isFinished || error == nil)
      return error
    }
    var last = 0
    while let error = migrate(cancelledAt: last) {
      #expect(error == .migrationCancelled(path: folder.path) && error.code == 134120)
      #expect(reports.withLock { $0 } == last)
      #expect(try folder.files() == before)
      try #require(last < 1_000)
      last += 1
    }
    // The last report says that all is done, which is too late to cancel.
    #expect(last > 20 && reports.withLock { $0 } == last)
    try open(folder, destination, destination, nil)
    #expect(try PlainSQL(folder.path).count("SELECT count(*) FROM ZQUAKE") == Self.rows)
  }

  @Test("A change that costs nothing can be cancelled too")
  func lightCancellation() throws {
    let store = try UserStore()
    let progress = MigrationProgress()
    progress.cancel()
    let error = objectGraphError { _ = try store.open(UserVersions.manager()) { $0.migrationProgress = progress } }
    #expect(error == .migrationCancelled(path: store.path))
    #expect(try store.version() == 1)
  }

  @Test("Completed stages stay when a later one is cancelled, and the next opening continues")
  func stages() throws {
    let store = try UserStore()
    let fractions = Lock<[Double]>([])
    let progress = MigrationProgress { progress in fractions.withLock { $0.append(progress.fractionCompleted) } }
    let stopping = try UserVersions.manager(willMigrate: { container in
      try UserVersions.linkPets(container)
      progress.cancel()
    })
    let error = objectGraphError { _ = try store.open(stopping) { $0.migrationProgress = progress } }
    #expect(error == .migrationCancelled(path: store.path))
    #expect(try store.version() == 2 && store.rows("SELECT count(*) FROM ZPET") == ["0"])
    let rest = MigrationProgress { progress in fractions.withLock { $0.append(progress.fractionCompleted) } }
    let coordinator = try store.open(UserVersions.manager()) { $0.migrationProgress = rest }
    defer { try? coordinator.close() }
    #expect(rest.fractionCompleted == 1 && rest.isFinished)
    #expect(fractions.withLock { $0.sorted() == $0 && $0.last == 1 })
    try store.check(coordinator, 4)
  }

  @Test("Without room for the copy the store is refused before anything is written")
  func room() throws {
    let (folder, source, destination) = try store()
    let connection = try Connection(path: folder.path, access: .readOnly)
    let models = (CompiledModel(source), CompiledModel(destination))
    let file = try ObjectGraph.SourceFile(connection, model: models.0, metadataNames: ["Quake"])
    let plan = MigrationPlan(
      ModelMatching(from: models.0, to: models.1), file: file, schema: StoreSchema(model: models.1))
    let bytes = try plan.estimatedBytes(of: "ZQUAKE", connection)
    let actual = try #require(connection.fileBytes)
    #expect(bytes < actual && bytes > actual / 3)
    for free in [bytes, nil] { try plan.refuseLackOfRoom(connection, path: folder.path, free: free) }
    let error = objectGraphError { try plan.refuseLackOfRoom(connection, path: folder.path, free: bytes - 1) }
    guard case .migration(nil, nil, let found, let expected, _) = error else {
      throw TestFailure("\(String(describing: error))")
    }
    #expect(found.contains("\(bytes - 1)") && expected.contains("\(bytes)") && expected.contains("ZQUAKE"))
    // In place, no space is needed.
    let light = MigrationPlan(
      ModelMatching(from: models.0, to: models.0), file: file, schema: StoreSchema(model: models.0))
    try light.refuseLackOfRoom(connection, path: folder.path, free: 0)
    #expect(try #require(FreeSpace.bytes(at: folder.path)) > 0 && FreeSpace.bytes(at: "/nowhere/at/all") == nil)
    try connection.close()
  }
}
