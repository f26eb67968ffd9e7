// The public view of an open store.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An open store of a coordinator.
///
/// Use it in ``FetchRequest/affectedStores``, in ``ManagedObjectContext/assign(_:to:)`` and wherever else you select
/// one of several stores. A store that is closed and opened again is a different value.
///
/// ```swift
/// let archive = try coordinator.addPersistentStore(PersistentStoreDescription(path: "archive.sqlite"))
/// var request = FetchRequest<Quake>(entityName: "Quake")
/// request.affectedStores = [archive]
/// ```
public struct PersistentStore: Sendable, Hashable, CustomStringConvertible {
  let identity: StoreIdentity

  /// The store's UUID, as it appears in object IDs and history tokens.
  public var identifier: String { identity.uuid }
  /// The store's file, as in its description.
  public var path: String { identity.path }
  /// The configuration that it was opened with; `nil` if it has all entities.
  public var configurationName: String? { identity.configurationName }
  /// Whether it was opened read-only.
  public var isReadOnly: Bool { identity.isReadOnly }

  public var description: String { path }

  public static func == (left: PersistentStore, right: PersistentStore) -> Bool { left.identity === right.identity }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
