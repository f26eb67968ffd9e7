// What a context shares with its children and theirs: temporary IDs, and the permanent ones that replaced them.
internal import CoreDataModel
internal import Support
internal import Synchronization

/// A context that works on a coordinator, with all contexts that descend from it.
///
/// An object has one temporary ID in all of them, and each learns of the permanent one.
final class ContextFamily: Sendable {
  /// What temporary IDs name instead of a store.
  let temporaryIdentity: StoreIdentity
  /// All of the family but its root.
  let descendants = ContextFollowers()
  private let lastKey = Atomic<Int64>(0)
  /// How often permanent IDs were reported.
  private let reported = Atomic<Int>(0)
  private let permanentIDs = Lock<[Int64: ManagedObjectID]>([:])
  /// The stores that new objects were assigned to, by their temporary keys; the entity decides for the others.
  private let stores = Lock<[Int64: StoreIdentity]>([:])

  init(_ model: CompiledModel) {
    temporaryIdentity = StoreIdentity(uuid: "", entityNames: model.layouts.map(\.entity.name))
  }

  /// The stores that new objects were given to, by their temporary keys.
  var assignedStores: [Int64: StoreIdentity] { stores.withLock { $0 } }

  /// The store that a new object was given to.
  func assignedStore(_ temporaryKey: Int64) -> StoreIdentity? { stores.withLock { $0[temporaryKey] } }

  /// Gives a new object to a store.
  func assign(_ temporaryKey: Int64, to store: StoreIdentity) { stores.withLock { $0[temporaryKey] = store } }

  /// The objects are saved, or will never be.
  func forgetStores(of objects: [ManagedObject]) {
    stores.withLock { stores in
      if !stores.isEmpty { for object in objects { stores[object.objectID.key] = nil } }
    }
  }

  /// The objects have permanent IDs, which name their stores.
  func forgetStores(ofKeys keys: [Int64]) {
    stores.withLock { stores in
      if !stores.isEmpty { for key in keys { stores[key] = nil } }
    }
  }

  /// A temporary key that none of the family has handed out yet.
  func nextKey() -> Int64 { -lastKey.wrappingAdd(1, ordering: .relaxed).newValue }

  /// How often permanent IDs were reported: while it is the same, there is nothing new.
  var generation: Int { reported.load(ordering: .acquiring) }

  /// Reports the permanent IDs of objects that children or observers know, and those obtained before a save.
  func report(_ objectIDs: [Int64: ManagedObjectID]) {
    if objectIDs.isEmpty { return }
    permanentIDs.withLock { $0.merge(objectIDs) { _, new in new } }
    reported.wrappingAdd(1, ordering: .releasing)
    for context in descendants.all { context.learnPermanentIDs() }
  }

  /// The ID an object has now.
  func settled(_ objectID: ManagedObjectID) -> ManagedObjectID {
    // Another family counts its temporary keys from the same beginning.
    guard objectID.isTemporaryID, objectID.store === temporaryIdentity, generation > 0 else { return objectID }
    return permanentIDs.withLock { $0[objectID.key] } ?? objectID
  }
}

/// Contexts that follow each other's saves, those of a coordinator or the children of a context, or that are
/// notified of permanent IDs.
final class ContextFollowers: Sendable {
  private struct Follower {
    weak var context: ManagedObjectContext?
  }

  private let followers = Lock<[Follower]>([])

  /// Whether any context follows saves.
  var isEmpty: Bool { followers.withLock { $0.isEmpty } }

  func contains(_ context: ManagedObjectContext) -> Bool {
    followers.withLock { $0.contains { $0.context === context } }
  }

  func follow(_ context: ManagedObjectContext, _ isWanted: Bool) {
    followers.withLock { followers in
      followers.removeAll { $0.context == nil || $0.context === context }
      if isWanted { followers.append(Follower(context: context)) }
    }
  }

  /// The followers that still exist.
  var all: [ManagedObjectContext] { followers.withLock { $0.compactMap(\.context) } }

  /// Makes every follower except the one that saved merge the save, each on its own queue.
  func merge(_ notification: ContextNotification, from saver: ManagedObjectContext) {
    for context in all where context !== saver {
      // An object that cannot be read now will be read when its fault is filled.
      context.perform(later: { try? context.mergeChanges(fromContextDidSave: notification) })
    }
  }
}
