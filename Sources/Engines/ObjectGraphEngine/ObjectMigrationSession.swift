// A store that is opened with another version of its model: the migration is inferred and done in place as the store is added.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// A session that opens a store with another version of its model.
final class ObjectMigrationSession: MigrationSession {
  private let coordinator: PersistentStoreCoordinator
  private let store: PersistentStoreDescription
  private let log = MigrationLog()

  /// Makes the coordinator of the new version; nothing is opened.
  init(_ setup: StoreSetup, _ cell: Cell, _ version: ModelVersion) {
    coordinator = PersistentStoreCoordinator(managedObjectModel: version.model)
    var store = setup.storeDescription
    store.sourceModels = [setup.model]
    store.defersLightweightMigration = cell[.removal] == .deferred
    store.migrationLog = log
    self.store = store
  }

  func migrate() throws { try coordinator.addPersistentStore(store) }

  /// Whether tables were copied.
  var notes: [String] {
    guard let summary = log.summary else { return [] }
    let copied = summary.tables.filter(\.isCopied).map(\.name)
    return [copied.isEmpty ? "no table was copied" : "copied: \(copied.sorted().joined(separator: ", "))"]
  }

  func checkpoint() throws { if isOpen { try coordinator.checkpoint() } }

  func pragma(_ name: String) throws -> String? { try coordinator.pragma(name) }

  func close() throws { try coordinator.close() }

  private var isOpen: Bool { !coordinator.persistentStores.isEmpty }
}
