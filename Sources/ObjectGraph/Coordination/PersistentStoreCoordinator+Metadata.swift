// The metadata of stores: a store's own entries, and an application's.
internal import SQLiteDriver

extension PersistentStoreCoordinator {
  /// The metadata of a store: its own entries, such as `NSStoreUUID`, `NSStoreType` and `NSStoreModelVersionHashes`,
  /// and the application's.
  ///
  /// ```swift
  /// let metadata = try coordinator.metadata(for: store)
  /// if case .date(let date) = metadata["importedAt"] { print("imported \(date)") }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``.
  public func metadata(for store: PersistentStore) throws(ObjectGraphError) -> [String: MetadataValue] {
    try self.store(store).metadata()
  }

  /// Replaces an application's entries in the metadata of a store.
  ///
  /// The next save of a context without a parent writes them in its transaction, even if the context has no other
  /// changes. ``metadata(for:)`` returns them at once.
  ///
  /// ```swift
  /// var metadata = try coordinator.metadata(for: store)
  /// metadata["importedAt"] = .date(Date())
  /// try coordinator.setMetadata(metadata, for: store)
  /// try context.save()  // stores it, with or without other changes
  /// ```
  ///
  /// - Parameters:
  ///   - metadata: The entries; `nil` for none. The store always keeps its own entries.
  ///   - store: An open store of this coordinator.
  /// - Throws: ``ObjectGraphError/metadata(key:found:expected:)`` for a changed value of one of the store's own
  ///   entries, ``ObjectGraphError/readOnlyStore(path:)``, ``ObjectGraphError/wrongStore(found:expected:)``,
  ///   ``ObjectGraphError/store(_:during:)``.
  public func setMetadata(
    _ metadata: [String: MetadataValue]?, for store: PersistentStore
  ) throws(ObjectGraphError) {
    try self.store(store).setMetadata(metadata ?? [:])
  }

  /// The metadata of a store that need not be open, as with ``metadata(for:)``.
  ///
  /// The store is only read, and may have been created with any model, which its version hashes show.
  ///
  /// ```swift
  /// let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: "quakes.sqlite")
  /// if case .string(let uuid) = metadata["NSStoreUUID"] { print(uuid) }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/incompatibleStore(path:differences:)`` for a file that is not a store,
  ///   ``ObjectGraphError/store(_:during:)`` for a file that cannot be read.
  public static func metadataForPersistentStore(
    at path: String
  ) throws(ObjectGraphError) -> [String: MetadataValue] {
    let found = try during("reading the metadata of \(path)") { () throws(SQLiteError) -> StoredMetadata? in
      let connection = try Connection(path: path, access: .readOnly)
      guard try StoreTables(connection).isStore else { return nil }
      return try StoredMetadata(connection)
    }
    guard let found else {
      throw .incompatibleStore(path: path, differences: [StoreTables.noStore])
    }
    return found.withIdentifier
  }

  /// Writes pending metadata of stores, for a save that has nothing else to store.
  func saveMetadata() throws(ObjectGraphError) {
    for store in openStores where store.hasPendingMetadata { try store.saveMetadata() }
  }
}
