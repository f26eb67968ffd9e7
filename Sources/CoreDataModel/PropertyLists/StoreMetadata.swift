// A store's metadata in Z_METADATA: its identifier, and a property list with the hashes of its entities.
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The keys of `Z_PLIST` that Core Data writes and this library knows.
package struct StoreMetadata: Codable, Hashable {
  var storeType = "SQLite"
  /// The version of Core Data that has the store's layout.
  package var frameworkVersion = 1344
  package var modelVersionHashes: [String: Data]
  var modelVersionHashesVersion = 3
  package var modelVersionIdentifiers = [""]
  package var autoVacuumLevel: String?
  /// 64 bytes computed from the hashes, in base 64.
  package var modelVersionHashesDigest: String
  /// 32 bytes computed from the hashes, in base 64.
  var modelVersionChecksum: String

  package enum CodingKeys: String, CodingKey {
    case storeType = "NSStoreType"
    case frameworkVersion = "NSPersistenceFrameworkVersion"
    case modelVersionHashes = "NSStoreModelVersionHashes"
    case modelVersionHashesVersion = "NSStoreModelVersionHashesVersion"
    case modelVersionIdentifiers = "NSStoreModelVersionIdentifiers"
    case autoVacuumLevel = "_NSAutoVacuumLevel"
    case modelVersionHashesDigest = "NSStoreModelVersionHashesDigest"
    case modelVersionChecksum = "NSStoreModelVersionChecksumKey"
  }

  package init(model: CompiledModel, entities: StoreEntities = .all, autoVacuumLevel: String?) {
    let layouts = model.layouts.filter { entities.contains($0.index) }
    modelVersionHashes = Dictionary(uniqueKeysWithValues: layouts.map { ($0.entity.name, $0.entity.versionHash) })
    if !model.model.versionIdentifiers.isEmpty { modelVersionIdentifiers = model.model.versionIdentifiers.sorted() }
    self.autoVacuumLevel = autoVacuumLevel
    modelVersionHashesDigest = StoreMetadata.digest(of: modelVersionHashes, lanes: 8)
    modelVersionChecksum = StoreMetadata.digest(of: modelVersionHashes, lanes: 4)
  }

  /// A digest of version hashes, in base 64.
  ///
  /// A digest with 8 lanes shows that this library wrote the hashes.
  package static func digest(of modelVersionHashes: [String: Data], lanes: UInt64 = 8) -> String {
    var hashes = Data()
    for (name, hash) in modelVersionHashes.sorted(by: { $0.key < $1.key }) { hashes += Data(name.utf8) + hash }
    return Data(fingerprintOf: hashes, lanes: lanes).base64EncodedString()
  }

  /// The metadata as a binary property list.
  package func encoded() throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(self)
  }
}

extension EntityDescription {
  /// 32 bytes that change whenever the stored shape of the entity changes.
  ///
  /// The shape consists of the entity's name, super-entity and abstractness; the name, optionality, type, destination,
  /// inverse and counts of each property; the uniqueness constraints; and all version hash modifiers.
  ///
  /// As in Core Data, transient attributes do not count: a model that gains or loses one opens its stores as before.
  ///
  /// The hashes serve the purpose of Core Data's but are not equal to them: Apple's function is not public. They are
  /// four FNV-1a hashes (Fowler, Noll, Vo) with different offsets over one description.
  package var versionHash: Data {
    var shape = attributes.filter { !$0.isTransient }.sorted { $0.name < $1.name }.map(\.shape)
    shape += relationships.sorted { $0.name < $1.name }.map(\.shape)
    if let superentityName { shape.append("superentity \(superentityName)") }
    if isAbstract { shape.append("abstract") }
    if let versionHashModifier { shape.append(modifier(versionHashModifier)) }
    let constraints = uniquenessConstraints.map { $0.joined(separator: "+") }.sorted()
    let text = ([name] + shape + constraints).joined(separator: "\n")
    return Data(fingerprintOf: Data(text.utf8), lanes: 4)
  }
}

extension Data {
  /// Concatenates 8-byte FNV-1a hashes (Fowler, Noll, Vo) with different offsets over the same bytes.
  fileprivate init(fingerprintOf content: Data, lanes: UInt64) {
    self.init()
    for lane in 0..<lanes {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (lane &* 0x9E37_79B9_7F4A_7C15)
      for byte in content { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      Swift.withUnsafeBytes(of: hash.bigEndian) { append(contentsOf: $0) }
    }
  }
}

/// A modifier in the description of a shape, without line breaks.
private func modifier(_ text: String) -> String { ":modifier \(text.debugDescription)" }

extension AttributeDescription {
  fileprivate var shape: String {
    "\(name):\(type.rawValue):\(isOptional)" + (versionHashModifier.map(modifier) ?? "")
  }
}

extension RelationshipDescription {
  fileprivate var shape: String {
    let cardinality = isToMany ? (isOrdered ? "ordered" : "many") : "one"
    return "\(name):\(destinationEntityName):\(inverseName ?? ""):\(cardinality):\(isOptional)"
      + ":\(minimumCount):\(maximumCount)" + (versionHashModifier.map(modifier) ?? "")
  }
}
