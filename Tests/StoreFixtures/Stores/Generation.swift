// What distinguishes a store of a year from others: pages, header, metadata.
internal import CoreDataModel
internal import Foundation

/// A version of Core Data by year, according to its files.
///
/// The facts come from 24 real stores from 2009 to macOS 26.
package enum Generation: Int, Sendable, CaseIterable {
  case of2009 = 2009
  case of2013 = 2013
  case of2015 = 2015
  case of2017 = 2017
  case of2021 = 2021
  case of2024 = 2024
  case of2026 = 2026

  /// NSPersistenceFrameworkVersion.
  package var frameworkVersion: Int {
    switch self {
    case .of2009: 230
    case .of2013: 419
    case .of2015: 637
    case .of2017: 851
    case .of2021: 1_145
    case .of2024: 1_447
    case .of2026: 1_513
    }
  }

  package var pageSize: Int { self == .of2009 ? 2_048 : 4_096 }

  /// The format of rows.
  ///
  /// In the oldest stores, the numbers 0 and 1 have no short form.
  var schemaFormat: UInt8 { self == .of2009 ? 1 : 4 }

  /// SQLite's number: 1 is full, 2 is incremental.
  var autoVacuumLevel: Int { self == .of2009 ? 1 : 2 }

  package var autoVacuum: String { self == .of2009 ? "full" : "incremental" }

  var hasWriteAheadLog: Bool { frameworkVersion >= 519 }

  /// Stores have had a copy of their model since 2015.
  package var hasModelCache: Bool { frameworkVersion >= 637 }

  /// The metadata of a store of the entities.
  func metadata(of entities: [String], identifiers: [String], others: [String: PropertyList]) -> PropertyList {
    let hashes = Dictionary(uniqueKeysWithValues: entities.map { ($0, PropertyList.data(Generation.hash(of: $0))) })
    var metadata: [String: PropertyList] = [
      "NSStoreType": .string("SQLite"), "NSPersistenceFrameworkVersion": .integer(Int64(frameworkVersion)),
      "NSStoreModelVersionHashes": .dictionary(hashes), "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionIdentifiers": .array(identifiers.map { .string($0) }),
    ]
    let digest = Generation.hash(of: entities.joined())
    if frameworkVersion >= 241 { metadata["_NSAutoVacuumLevel"] = .string("2") }
    if frameworkVersion >= 977 {
      metadata["NSStoreModelVersionHashesDigest"] = .string((digest + digest.reversed()).base64EncodedString())
    }
    if frameworkVersion >= 1_344 { metadata["NSStoreModelVersionChecksumKey"] = .string(digest.base64EncodedString()) }
    if frameworkVersion >= 1_513 {
      metadata["NSPersistenceMaximumFrameworkVersion"] = metadata["NSPersistenceFrameworkVersion"]
    }
    return .dictionary(metadata.merging(others) { $1 })
  }

  /// Thirty-two bytes in place of a version hash, because it is not known how Core Data computes it.
  private static func hash(of text: String) -> Data {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    return Data(
      (0..<32).map { place in
        for byte in text.utf8 { state = (state ^ UInt64(byte) ^ UInt64(place)) &* 0x100_0000_01B3 }
        return UInt8(truncatingIfNeeded: state >> 32)
      })
  }
}
