// The row of Z_METADATA: reading it, and writing what an application adds to it.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A store's own metadata: its identifier and a property list, as the last program wrote them.
struct StoredMetadata {
  /// The store's UUID; empty where the store has none.
  let identifier: String
  /// The entries of the property list; none where there is no list, or none that can be read.
  let entries: [String: MetadataValue]
  /// Whether the entries are all there is, so that nothing is lost when they are written.
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

  /// The version hashes of the entities that the store was made with; empty where the store has none.
  var versionHashes: [String: Data] { entries.versionHashes }

  /// Whether the hashes are this library's, which it can work out again.
  var hasOwnVersionHashes: Bool { entries.hasOwnVersionHashes }

  /// Whether the store writes the entry itself, as Core Data does: an application's keys are others.
  static func isReserved(_ key: String) -> Bool {
    ["NSStore", "NSPersist", "_NS", "_ObjectGraph"].contains { key.hasPrefix($0) }
  }

  /// Refuses to write over what cannot be read.
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

  /// The store's own entries with an application's.
  func replacing(_ own: [String: MetadataValue]) -> [String: MetadataValue] {
    entries.filter { StoredMetadata.isReserved($0.key) }.merging(own) { stored, _ in stored }
  }
}

extension [String: MetadataValue] {
  /// The version hashes of the entities that a store with this metadata was made with; empty where it has none.
  var versionHashes: [String: Data] {
    (self[StoreMetadata.CodingKeys.modelVersionHashes.rawValue]?.entries ?? [:]).compactMapValues(\.data)
  }

  /// Whether the hashes are this library's, which it can work out again.
  var hasOwnVersionHashes: Bool {
    self[StoreMetadata.CodingKeys.modelVersionHashesDigest.rawValue]?.string
      == StoreMetadata.digest(of: versionHashes)
  }
}

extension StoreWriter {
  /// Writes an application's entries in place of those that are stored.
  ///
  /// - Throws: ``ObjectGraphError/metadata(key:found:expected:)`` where that would lose what others wrote,
  ///   ``ObjectGraphError/store(_:during:)``.
  func writeMetadata(_ own: [String: MetadataValue]) throws(ObjectGraphError) {
    let stored = try during("reading the metadata") { () throws(SQLiteError) in try StoredMetadata(connection) }
    try stored.refuseLoss()
    try StoredMetadata.write(stored.replacing(own), connection)
  }
}
