// What users see of an open store.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An open store of a coordinator.
///
/// It names the store in ``FetchRequest/affectedStores``, in ``ManagedObjectContext/assign(_:to:)`` and wherever else one
/// of several is meant. A store that is closed and opened again is another one.
///
/// ```swift
/// let archive = try coordinator.addPersistentStore(PersistentStoreDescription(path: "archive.sqlite"))
/// var request = FetchRequest<Quake>(entityName: "Quake")
/// request.affectedStores = [archive]
/// ```
public struct PersistentStore: Sendable, Hashable, CustomStringConvertible {
  let identity: StoreIdentity

  /// The store's UUID, as object IDs and history tokens spell it.
  public var identifier: String { identity.uuid }
  /// The store's file, as its description named it.
  public var path: String { identity.path }
  /// The configuration it was opened with; nil when it holds all entities.
  public var configurationName: String? { identity.configurationName }
  /// Whether it was opened to be read only.
  public var isReadOnly: Bool { identity.isReadOnly }

  public var description: String { path }

  public static func == (left: PersistentStore, right: PersistentStore) -> Bool { left.identity === right.identity }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
