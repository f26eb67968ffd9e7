// What a store's file says of itself in Z_METADATA.
internal import CoreDataModel
package import SQLiteDriver

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The metadata of a store.
///
/// ```swift
/// print("written by version \(file.metadata.frameworkVersion ?? 0), \(file.metadata.entityHashes.count) entities")
/// let hasQuakes = file.metadata.entityHashes["Quake"] != nil
/// ```
public struct StoreFileMetadata: Sendable, Hashable, Codable {
  /// The store's UUID, as object IDs spell it.
  public var identifier: String
  /// The version of the framework that wrote the store last; nil where the store does not say.
  public var frameworkVersion: Int?
  /// The version hashes of the model's entities by name; empty where the store does not say.
  public var entityHashes: [String: Data]

  /// Reads the metadata; if its property list is of another kind, entries are missing as in a store without one.
  package init(_ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1", isPersistent: false)
    let isThere = try statement.step()
    identifier = isThere ? statement.string(0) ?? "" : ""
    let bytes = isThere ? statement.bytes(1).map { Array($0) } : nil
    // It may hold any other keys, an application's own among them.
    let plist = bytes.flatMap { try? PropertyList(binary: $0) }
    frameworkVersion = plist?["NSPersistenceFrameworkVersion"]?.integer.map { Int($0) }
    entityHashes = (plist?["NSStoreModelVersionHashes"]?.entries ?? [:]).compactMapValues(\.data)
  }
}
