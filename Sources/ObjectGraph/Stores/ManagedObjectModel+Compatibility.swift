// Compares a model with a store's metadata, without opening the store.
public import CoreDataModel

extension ManagedObjectModel {
  /// Whether a store with this metadata was created with this model or a configuration of it.
  ///
  /// If this library wrote the store, version hashes decide. Core Data's hashes cannot be computed here. For its
  /// stores, this compares the names of entities; opening the store also compares its tables.
  ///
  /// ```swift
  /// let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: "quakes.sqlite")
  /// if try !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
  ///   print("the store is one of another version")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: A configuration; `nil` for the whole model.
  ///   - metadata: The metadata of a store.
  /// - Returns: Whether the model and the store have the same entities.
  /// - Throws: ``ObjectGraphError/unknownConfiguration(found:expected:)``.
  public func isConfiguration(
    withName name: String?, compatibleWithStoreMetadata metadata: [String: MetadataValue]
  ) throws(ObjectGraphError) -> Bool {
    var entities = entities
    if let name {
      guard let configured = self.entities(forConfiguration: name) else {
        throw .unknownConfiguration(found: name, expected: configurations)
      }
      entities = configured
    }
    let stored = metadata.versionHashes
    guard Set(stored.keys) == Set(entities.map(\.name)) else { return false }
    return !metadata.hasOwnVersionHashes || entities.allSatisfy { stored[$0.name] == $0.versionHash }
  }
}
