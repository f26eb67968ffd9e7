// A store's metadata: reads stored and pending entries, and writes pending ones.
internal import SQLiteDriver
internal import Support
internal import Synchronization

extension SQLiteStore {
  /// The stored metadata, with the application's entries as they will be after the next save.
  func metadata() throws(ObjectGraphError) -> [String: MetadataValue] {
    let stored = try storedMetadata()
    guard let pending = pendingMetadata.withLock({ $0 }) else { return stored.withIdentifier }
    return stored.withIdentifier.filter { StoredMetadata.isReserved($0.key) }.merging(pending) { own, _ in own }
  }

  /// Keeps an application's entries for the next save.
  func setMetadata(_ metadata: [String: MetadataValue]) throws(ObjectGraphError) {
    if isReadOnly { throw .readOnlyStore(path: path) }
    let stored = try storedMetadata()
    try stored.refuseLoss()
    let current = stored.withIdentifier
    for (key, value) in metadata.sorted(by: { $0.key < $1.key })
    where StoredMetadata.isReserved(key) && current[key] != value {
      throw .metadata(
        key: key, found: "\(value)",
        expected: current[key].map { "what the store says itself, \($0)" } ?? "no such entry, which is the store's own")
    }
    if let (key, _) = metadata.first(where: \.value.isNestedTooDeep) {
      throw .metadata(
        key: key, found: "arrays and dictionaries nested more than \(MetadataValue.mostLevels) deep",
        expected: "at most \(MetadataValue.mostLevels) levels")
    }
    let own = metadata.filter { !StoredMetadata.isReserved($0.key) }
    pendingMetadata.withLock { $0 = own }
  }

  private func storedMetadata() throws(ObjectGraphError) -> StoredMetadata {
    try reader.read { (reader) throws(ObjectGraphError) in
      try during("reading the metadata of \(path)") { () throws(SQLiteError) in try StoredMetadata(reader.connection) }
    }
  }

  var hasPendingMetadata: Bool { pendingMetadata.withLock { $0 != nil } }

  /// Writes the pending metadata in its own transaction.
  func saveMetadata() throws(ObjectGraphError) {
    try write { (writer) throws(ObjectGraphError) in
      guard let pending = pendingMetadata.withLock({ $0 }) else { return }
      try writer.transaction("saving the metadata") { () throws(ObjectGraphError) in try writer.writeMetadata(pending) }
      metadataWasSaved(pending)
    }
  }

  /// Clears the metadata that was written, unless it was set again in the meantime.
  func metadataWasSaved(_ written: [String: MetadataValue]) {
    pendingMetadata.withLock { if $0 == written { $0 = nil } }
  }
}
