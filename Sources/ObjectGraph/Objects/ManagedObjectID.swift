// An object's identity: the store, the entity and the key. The only part of an object that crosses queues.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Names an object wherever it is: in a context, in another one, in a file.
///
/// ```swift
/// let quakeID = quake.objectID
/// let view = await container.viewContext
/// let place = try await view.perform { try view.existingObject(with: quakeID)[Quake.place] }
/// ```
public struct ManagedObjectID: Sendable, Hashable {
  let store: StoreIdentity
  /// The entity's place in the model.
  let entityIndex: Int32
  /// The row's `Z_PK`; negative while temporary.
  let key: Int64

  /// Whether the object was never saved; saving gives it a permanent ID.
  ///
  /// ```swift
  /// let quake = try Quake(context: context)
  /// quake.objectID.isTemporaryID  // true
  /// try context.obtainPermanentIDs(for: [quake])
  /// quake.objectID.isTemporaryID  // false
  /// ```
  public var isTemporaryID: Bool { key < 0 }

  /// The object's own entity, also where it was fetched as one that it inherits from.
  public var entityName: String { store.entityNames[Int(entityIndex)] }

  /// The store that the object is in; nil while the ID is temporary.
  ///
  /// ```swift
  /// let path = quakeID.persistentStore?.path ?? "not saved yet"
  /// let isArchived = quakeID.persistentStore == archive
  /// ```
  public var persistentStore: PersistentStore? { isTemporaryID ? nil : PersistentStore(identity: store) }

  /// `x-coredata://<store UUID>/<Entity>/p<key>`, or `…/t<number>` while temporary.
  ///
  /// ```swift
  /// let uri = quake.objectID.uriRepresentation()  // "x-coredata://<UUID>/Quake/p1" and the like
  /// let found = coordinator.managedObjectID(forURIRepresentation: uri) == quake.objectID
  /// ```
  public func uriRepresentation() -> String {
    let last = isTemporaryID ? "t\(key.magnitude)" : "p\(key)"
    return "x-coredata://\(isTemporaryID ? "" : store.uuid)/\(entityName)/\(last)"
  }

  /// Whether both name the same row: IDs of two coordinators that have one store open may be equal, temporary ones of two
  /// contexts are not.
  public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
    left.key == right.key && left.entityIndex == right.entityIndex
      && (left.store === right.store || left.isSameRow(as: right))
  }

  /// The same for IDs whose stores are not known to be one.
  @inline(never)
  private func isSameRow(as other: ManagedObjectID) -> Bool {
    !isTemporaryID && store.isSameStore(as: other.store) && entityName == other.entityName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(entityIndex)
  }
}

extension PersistentStoreCoordinator {
  /// The object ID that the URI represents; nil for anything else than a ``ManagedObjectID/uriRepresentation()`` of an
  /// object of one of the open stores.
  ///
  /// Whether the object is there shows when it is read. A temporary ID is not found again.
  ///
  /// ```swift
  /// if let objectID = coordinator.managedObjectID(forURIRepresentation: quakeID.uriRepresentation()) {
  ///   let quake = try context.existingObject(with: objectID)
  /// }
  /// ```
  public func managedObjectID(forURIRepresentation uri: String) -> ManagedObjectID? {
    let scheme = "x-coredata://"
    guard uri.hasPrefix(scheme) else { return nil }
    let parts = uri.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].first == "p", let key = Int64(parts[2].dropFirst()), key > 0,
      // No other way to write the number.
      "p\(key)" == parts[2]
    else { return nil }
    guard let store = openStores.first(where: { $0.identity.uuid == parts[0] })?.identity,
      let layout = compiledModel.layouts.first(where: { $0.entity.name == parts[1] }),
      !layout.entity.isAbstract, store.holds(layout)
    else { return nil }
    return ManagedObjectID(store: store, entityIndex: Int32(layout.index), key: key)
  }
}

extension PersistentStoreCoordinator {
  /// The ID under which this coordinator knows the row, for one that another coordinator made, or this one before it opened
  /// the store again; the ID itself where it knows none.
  func own(_ objectID: ManagedObjectID) -> ManagedObjectID {
    if objectID.isTemporaryID { return objectID }
    let stores = openStores
    if stores.contains(where: { $0.identity === objectID.store }) { return objectID }
    guard let store = stores.first(where: { $0.identity.isSameStore(as: objectID.store) })?.identity,
      let layout = compiledModel.layouts.first(where: { $0.entity.name == objectID.entityName }), store.holds(layout)
    else { return objectID }
    return ManagedObjectID(store: store, entityIndex: Int32(layout.index), key: objectID.key)
  }

  /// The changes under the IDs that this coordinator has for the rows.
  ///
  /// What is in none of its stores is left out: an ID of another model may name an entity by a number that none has here.
  func own(_ changes: ChangedObjectIDs) -> ChangedObjectIDs {
    let stores = openStores.map(\.identity)
    return ChangedObjectIDs(
      inserted: changes.inserted.map(own), updated: changes.updated.map(own), deleted: changes.deleted.map(own)
    ).filter { objectID in objectID.isTemporaryID || stores.contains { $0 === objectID.store } }
  }
}

extension ManagedObjectID: CustomStringConvertible {
  public var description: String { uriRepresentation() }
}

extension ManagedObjectID {
  /// The identity of the same entity's row under a key of the store.
  func permanent(_ key: Int64, in store: StoreIdentity) -> ManagedObjectID {
    ManagedObjectID(store: store, entityIndex: entityIndex, key: key)
  }
}

/// What object IDs know of their store.
///
/// Temporary IDs belong to their context's own identity, so that those of two contexts never compare equal.
final class StoreIdentity: Sendable {
  let uuid: String
  let entityNames: [String]
  let path: String
  let configurationName: String?
  let isReadOnly: Bool
  let entities: StoreEntities

  init(
    uuid: String, entityNames: [String], path: String = "", configurationName: String? = nil, isReadOnly: Bool = false,
    entities: StoreEntities = .all
  ) {
    self.uuid = uuid
    self.entityNames = entityNames
    self.path = path
    self.configurationName = configurationName
    self.isReadOnly = isReadOnly
    self.entities = entities
  }

  func holds(_ layout: EntityLayout) -> Bool { entities.contains(layout.index) }

  /// Whether both are of one store, which two coordinators have open or one opened twice.
  func isSameStore(as other: StoreIdentity) -> Bool { self === other || !uuid.isEmpty && uuid == other.uuid }
}

extension ObjectReference {
  init(_ objectID: ManagedObjectID) {
    self.init(key: objectID.key, entityIndex: objectID.entityIndex)
  }

  /// Whether both name the same object, whatever its position in a relationship.
  func refers(to objectID: ManagedObjectID) -> Bool { key == objectID.key && entityIndex == objectID.entityIndex }
}
