// The store that the processes share: entries in groups; each group is written, changed and deleted as a whole.
internal import Foundation
internal import CoreDataModel
internal import ObjectGraph

/// An entry's attributes.
enum Entry {
  static let name = "Entry"
  /// The transaction that inserted the entry together with its group.
  static let group = AttributeKey<Int64>("group")
  /// The size of the group.
  static let size = AttributeKey<Int64>("size")
  /// The transaction that last wrote the group.
  static let generation = AttributeKey<Int64>("generation")
  /// Unique, and scattered over its index.
  static let code = AttributeKey<String>("code")
  static let text = AttributeKey<String>("text")
}

extension PersistentStoreCoordinator {
  /// Opens or makes the store, with history.
  static func entries(at path: String, watched: Bool = false) throws -> PersistentStoreCoordinator {
    let entity = EntityDescription(
      Entry.name,
      attributes: [
        AttributeDescription("group", .int64), AttributeDescription("size", .int64),
        AttributeDescription("generation", .int64), AttributeDescription("code", .string),
        AttributeDescription("text", .string, isOptional: true),
      ],
      uniquenessConstraints: [["code"]])
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [entity]))
    var description = PersistentStoreDescription(path: path)
    description.tracksPersistentHistory = true
    description.postsRemoteChanges = watched
    description.remoteChangeInterval = 0.005
    description.busyTimeout = 60_000
    // Pages are written to the log before their transaction is committed, and the log is often moved into the file.
    // Data that a killed process passed to the system is not lost, so do not wait for the disk.
    description.pragmas = [
      .init("cache_size", "20"), .init("wal_autocheckpoint", "100"), .init("synchronous", "off"),
    ]
    try coordinator.addPersistentStore(description)
    return coordinator
  }
}
