// Provides the model of a store if the description does not have it.
public import CoreDataModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Finds the model that a store was created with, and writes the store's own copy of a model.
///
/// CoreDataFiles has `StoredModelProvider`, which reads the copy that Core Data keeps in its stores. Your own provider
/// can search wherever the versions of your model are.
///
/// ```swift
/// struct ShippedModels: SourceModelProvider {
///   let versions: [ManagedObjectModel]
///
///   func sourceModels(of store: SourceStore) throws -> [ManagedObjectModel] {
///     versions.filter { Set($0.entities.map(\.name)) == store.entityNames }
///   }
/// }
/// ```
public protocol SourceModelProvider: Sendable, Hashable {
  /// The models that the store may have been created with.
  ///
  /// - Parameter store: The store's metadata.
  /// - Returns: The models. Each is compared with the store's version hashes and tables, and exactly one must fit.
  /// - Throws: Why they cannot be found. The store is then not opened.
  func sourceModels(of store: SourceStore) throws -> [ManagedObjectModel]

  /// The content of `Z_MODELCACHE` after a migration.
  ///
  /// - Parameter model: The store's new model.
  /// - Returns: The bytes; `nil`, which is the default, for no copy.
  /// - Throws: Why it cannot be created. The store is then unchanged and not opened.
  func modelCache(of model: ManagedObjectModel) throws -> Data?
}

extension SourceModelProvider {
  /// No copy of the model.
  public func modelCache(of model: ManagedObjectModel) throws -> Data? { nil }
}

/// A store with an unknown model.
///
/// ```swift
/// func sourceModels(of store: SourceStore) throws -> [ManagedObjectModel] {
///   store.metadata["NSStoreModelVersionIdentifiers"] == ["1"] ? [firstModel] : []
/// }
/// ```
public struct SourceStore: Sendable, Hashable {
  /// The store's file.
  public let path: String
  /// The store's metadata.
  public let metadata: [String: MetadataValue]
  /// The content of `Z_MODELCACHE`; `nil` if the store has no copy of its model.
  public let modelCache: Data?

  /// The names of the entities that the store was created with, by its version hashes.
  public var entityNames: Set<String> { Set(metadata.versionHashes.keys) }
}

/// Wraps a provider so that it, and a description that has one, can be compared.
struct AnySourceModelProvider: Sendable, Hashable {
  let base: any SourceModelProvider

  static func == (one: AnySourceModelProvider, other: AnySourceModelProvider) -> Bool {
    AnyHashable(one.base) == AnyHashable(other.base)
  }

  func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}
