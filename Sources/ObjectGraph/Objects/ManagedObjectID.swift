// An object's identity: the store, the entity and the key. The only part of an object that crosses queues.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Identifies an object anywhere: in any context, on any queue, in a file.
///
/// ```swift
/// let quakeID = quake.objectID
/// let view = await container.viewContext
/// let place = try await view.perform { try view.existingObject(with: quakeID)[Quake.place] }
/// ```
public struct ManagedObjectID: Sendable, Hashable {
  let store: StoreIdentity
  /// The index of the entity in the model.
  let entityIndex: Int32
  /// The row's `Z_PK`; negative for temporary IDs.
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

  /// The object's own entity, even if it was fetched as a super-entity.
  public var entityName: String { store.entityNames[Int(entityIndex)] }

  /// The store that contains the object; `nil` for a temporary ID.
  ///
  /// ```swift
  /// let path = quakeID.persistentStore?.path ?? "not saved yet"
  /// let isArchived = quakeID.persistentStore == archive
  /// ```
  public var persistentStore: PersistentStore? { isTemporaryID ? nil : PersistentStore(identity: store) }

  /// `x-coredata://<store UUID>/<Entity>/p<key>`, or `…/t<number>` for a temporary ID.
  ///
  /// ```swift
  /// let uri = quake.objectID.uriRepresentation()  // "x-coredata://<UUID>/Quake/p1" and the like
  /// let found = coordinator.managedObjectID(forURIRepresentation: uri) == quake.objectID
  /// ```
  public func uriRepresentation() -> String {
    let last = isTemporaryID ? "t\(key.magnitude)" : "p\(key)"
    return "x-coredata://\(isTemporaryID ? "" : store.uuid)/\(entityName)/\(last)"
  }

  /// Whether both identify the same row.
  ///
  /// IDs from two coordinators that have the same store open may be equal; temporary IDs from two contexts are not.
  public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
    left.key == right.key && left.entityIndex == right.entityIndex
      && (left.store === right.store || left.isSameRow(as: right))
  }

  /// Compares IDs whose stores may be the same store opened twice.
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
  /// The object ID for a URI; `nil` unless it is the ``ManagedObjectID/uriRepresentation()`` of an object in an open
  /// store.
  ///
  /// Whether the object exists is checked when it is read. Temporary IDs are never found.
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
      // Refuse any other way to write the number.
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
  /// This coordinator's ID of a row, for an ID from another coordinator or from before it opened the store again; the
  /// ID itself if it has no such store.
  func own(_ objectID: ManagedObjectID) -> ManagedObjectID {
    if objectID.isTemporaryID { return objectID }
    let stores = openStores
    if stores.contains(where: { $0.identity === objectID.store }) { return objectID }
    guard let store = stores.first(where: { $0.identity.isSameStore(as: objectID.store) })?.identity,
      let layout = compiledModel.layouts.first(where: { $0.entity.name == objectID.entityName }), store.holds(layout)
    else { return objectID }
    return ManagedObjectID(store: store, entityIndex: Int32(layout.index), key: objectID.key)
  }

  /// The changes with this coordinator's IDs of the rows.
  ///
  /// Rows that are in none of its stores are omitted: an ID from another model may have an entity index that does not
  /// exist here.
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
  /// The ID of a row of the same entity with this key in the store.
  func permanent(_ key: Int64, in store: StoreIdentity) -> ManagedObjectID {
    ManagedObjectID(store: store, entityIndex: entityIndex, key: key)
  }
}

/// The part of a store that its object IDs know.
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

  /// Whether both identify the same store, opened twice or by two coordinators.
  func isSameStore(as other: StoreIdentity) -> Bool { self === other || !uuid.isEmpty && uuid == other.uuid }
}

extension ObjectReference {
  init(_ objectID: ManagedObjectID) {
    self.init(key: objectID.key, entityIndex: objectID.entityIndex)
  }

  /// Whether both refer to the same object, ignoring its position in a relationship.
  func refers(to objectID: ManagedObjectID) -> Bool { key == objectID.key && entityIndex == objectID.entityIndex }
}
