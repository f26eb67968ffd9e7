// Whether a model fits a store by the store's metadata, without opening it.
public import CoreDataModel

extension ManagedObjectModel {
  /// Whether a store with the metadata was made with this model, or with a configuration of it.
  ///
  /// Version hashes decide where this library wrote them. Those of Core Data cannot be worked out here: then the names of the
  /// entities are compared, and opening the store compares its tables too.
  ///
  /// ```swift
  /// let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: "quakes.sqlite")
  /// if try !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
  ///   print("the store is one of another version")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: A configuration; nil for the whole model.
  ///   - metadata: That of a store.
  /// - Returns: Whether the model's entities are those of the store.
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
