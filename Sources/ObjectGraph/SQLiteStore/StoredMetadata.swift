// The row of Z_METADATA: reads it, and writes an application's entries.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A store's own metadata: its identifier and a property list, as the last program wrote them.
struct StoredMetadata {
  /// The store's UUID; empty if the store has none.
  let identifier: String
  /// The entries of the property list; empty if there is no list, or it cannot be read.
  let entries: [String: MetadataValue]
  /// Whether the entries are complete, so that writing them loses nothing.
  let isWhole: Bool

  static let identifierKey = "NSStoreUUID"

  init(_ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1", isPersistent: false)
    defer { statement.reset() }
    let isThere = try statement.step()
    identifier = isThere ? statement.string(0) ?? "" : ""
    guard isThere, let bytes = statement.bytes(1).map({ Array($0) }), !bytes.isEmpty else {
      entries = [:]
      isWhole = isThere
      return
    }
    let found = (try? PropertyList(binary: bytes))?.entries
    entries = (found ?? [:]).compactMapValues { MetadataValue($0) }
    isWhole = entries.count == found?.count
  }

  /// The entries with the identifier, as in Core Data's metadata.
  var withIdentifier: [String: MetadataValue] {
    identifier.isEmpty
      ? entries : entries.merging([StoredMetadata.identifierKey: .string(identifier)]) { _, own in own }
  }

  /// The version hashes of the entities that the store was created with; empty if the store has none.
  var versionHashes: [String: Data] { entries.versionHashes }

  /// Whether this library wrote the hashes, so that it can compute them again.
  var hasOwnVersionHashes: Bool { entries.hasOwnVersionHashes }

  /// Whether the entry belongs to the store itself, as in Core Data, and not to an application.
  static func isReserved(_ key: String) -> Bool {
    ["NSStore", "NSPersist", "_NS", "_ObjectGraph"].contains { key.hasPrefix($0) }
  }

  /// Refuses to overwrite what cannot be read.
  func refuseLoss() throws(ObjectGraphError) {
    if isWhole { return }
    throw .metadata(
      key: "Z_PLIST", found: "no row, or content that cannot be read as a whole and would be lost",
      expected: "a row with a binary property list of plain values, or an empty one")
  }

  /// Rewrites all entries.
  static func write(
    _ entries: [String: MetadataValue], _ connection: Connection
  ) throws(ObjectGraphError) {
    let content: Data
    do {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      content = try encoder.encode(entries)
    } catch {
      throw .metadata(key: "Z_PLIST", found: "values that cannot be encoded (\(error))", expected: "a property list")
    }
    try during("writing the metadata") { () throws(SQLiteError) in
      let update = try connection.prepare("UPDATE Z_METADATA SET Z_PLIST = ?", isPersistent: false)
      try update.bind(data: content, at: 1)
      try update.run()
    }
  }

  /// The store's own entries together with an application's.
  func replacing(_ own: [String: MetadataValue]) -> [String: MetadataValue] {
    entries.filter { StoredMetadata.isReserved($0.key) }.merging(own) { stored, _ in stored }
  }
}

extension [String: MetadataValue] {
  /// The version hashes of the entities that a store with this metadata was created with; empty if it has none.
  var versionHashes: [String: Data] {
    (self[StoreMetadata.CodingKeys.modelVersionHashes.rawValue]?.entries ?? [:]).compactMapValues(\.data)
  }

  /// Whether this library wrote the hashes, so that it can compute them again.
  var hasOwnVersionHashes: Bool {
    self[StoreMetadata.CodingKeys.modelVersionHashesDigest.rawValue]?.string
      == StoreMetadata.digest(of: versionHashes)
  }
}

extension StoreWriter {
  /// Replaces an application's stored entries.
  ///
  /// - Throws: ``ObjectGraphError/metadata(key:found:expected:)`` if that would lose what others wrote,
  ///   ``ObjectGraphError/store(_:during:)``.
  func writeMetadata(_ own: [String: MetadataValue]) throws(ObjectGraphError) {
    let stored = try during("reading the metadata") { () throws(SQLiteError) in try StoredMetadata(connection) }
    try stored.refuseLoss()
    try StoredMetadata.write(stored.replacing(own), connection)
  }
}
