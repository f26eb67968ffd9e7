// The property list in Z_METADATA, as far as an inspection reports it.
internal import CoreDataModel
internal import SQLiteDriver

/// Core Data's own entries in a store's metadata.
struct InspectedMetadata {
  let frameworkVersion: Int?
  let modelVersionIdentifiers: [String]
  /// The entities that have a version hash.
  let hashedEntities: [String]
  /// How many keys belong to the application.
  let applicationKeys: Int

  /// - Throws: ``MalformedContent`` if the bytes are not a property list.
  init(_ bytes: [UInt8]) throws(MalformedContent) {
    let list = try PropertyList(binary: bytes)
    guard let entries = list.entries else {
      throw MalformedContent(found: list.kind, expected: "a dictionary")
    }
    frameworkVersion = list["NSPersistenceFrameworkVersion"]?.integer.map { Int(clamping: $0) }
    modelVersionIdentifiers = (list["NSStoreModelVersionIdentifiers"]?.elements ?? []).compactMap(\.string).sorted()
    hashedEntities = (list["NSStoreModelVersionHashes"]?.entries ?? [:]).keys.sorted()
    applicationKeys = entries.keys.count { !InspectedMetadata.isReserved($0) }
  }

  /// Whether Core Data or ObjectGraph writes the entry itself.
  private static func isReserved(_ key: String) -> Bool {
    ["NSStore", "NSPersist", "_NS", "_ObjectGraph"].contains { key.hasPrefix($0) }
  }
}

/// The property list of a store, or why it cannot be read.
enum MetadataState {
  case read(InspectedMetadata)
  /// There is no row, or it contains null.
  case absent
  case unreadable(MalformedContent)

  init(of connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare(
      "SELECT Z_PLIST FROM Z_METADATA WHERE Z_PLIST NOT NULL", isPersistent: false)
    guard try statement.step(), let bytes = statement.bytes(0) else {
      self = .absent
      return
    }
    do throws(MalformedContent) {
      self = .read(try InspectedMetadata(Array(bytes)))
    } catch {
      self = .unreadable(error)
    }
  }

  var metadata: InspectedMetadata? { if case .read(let metadata) = self { metadata } else { nil } }
}
