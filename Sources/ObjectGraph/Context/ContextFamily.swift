// Shared by a context and all of its descendants: temporary IDs, and the permanent ones that replaced them.
internal import CoreDataModel
internal import Support
internal import Synchronization

/// A context that works on a coordinator, with all contexts that descend from it.
///
/// An object has the same temporary ID in all of them, and each learns of the permanent ID.
final class ContextFamily: Sendable {
  /// Takes the place of a store in temporary IDs.
  let temporaryIdentity: StoreIdentity
  /// The whole family except its root.
  let descendants = ContextFollowers()
  private let lastKey = Atomic<Int64>(0)
  /// How often permanent IDs were reported.
  private let reported = Atomic<Int>(0)
  private let permanentIDs = Lock<[Int64: ManagedObjectID]>([:])
  /// The stores that new objects were assigned to, by temporary keys; for other objects, the entity decides.
  private let stores = Lock<[Int64: StoreIdentity]>([:])

  init(_ model: CompiledModel) {
    temporaryIdentity = StoreIdentity(uuid: "", entityNames: model.layouts.map(\.entity.name))
  }

  /// The stores that new objects were assigned to, by temporary keys.
  var assignedStores: [Int64: StoreIdentity] { stores.withLock { $0 } }

  /// The store that a new object was assigned to.
  func assignedStore(_ temporaryKey: Int64) -> StoreIdentity? { stores.withLock { $0[temporaryKey] } }

  /// Assigns a new object to a store.
  func assign(_ temporaryKey: Int64, to store: StoreIdentity) { stores.withLock { $0[temporaryKey] = store } }

  /// Call this once the objects are saved, or will never be.
  func forgetStores(of objects: [ManagedObject]) {
    stores.withLock { stores in
      if !stores.isEmpty { for object in objects { stores[object.objectID.key] = nil } }
    }
  }

  /// Call this once the objects have permanent IDs, which contain their stores.
  func forgetStores(ofKeys keys: [Int64]) {
    stores.withLock { stores in
      if !stores.isEmpty { for key in keys { stores[key] = nil } }
    }
  }

  /// A temporary key that is unused in this family.
  func nextKey() -> Int64 { -lastKey.wrappingAdd(1, ordering: .relaxed).newValue }

  /// How often permanent IDs were reported: while it stays the same, there are no new ones.
  var generation: Int { reported.load(ordering: .acquiring) }

  /// Reports the permanent IDs of objects that children or observers know, and those obtained before a save.
  func report(_ objectIDs: [Int64: ManagedObjectID]) {
    if objectIDs.isEmpty { return }
    permanentIDs.withLock { $0.merge(objectIDs) { _, new in new } }
    reported.wrappingAdd(1, ordering: .releasing)
    for context in descendants.all { context.learnPermanentIDs() }
  }

  /// The object's current ID.
  func settled(_ objectID: ManagedObjectID) -> ManagedObjectID {
    // Another family counts its temporary keys from the same start.
    guard objectID.isTemporaryID, objectID.store === temporaryIdentity, generation > 0 else { return objectID }
    return permanentIDs.withLock { $0[objectID.key] } ?? objectID
  }
}

/// Contexts that follow each other's saves (those of a coordinator or the children of a context), or that are notified
/// of permanent IDs.
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
      // Ignore objects that cannot be read now; they are read when their faults are filled.
      context.perform(later: { try? context.mergeChanges(fromContextDidSave: notification) })
    }
  }
}
