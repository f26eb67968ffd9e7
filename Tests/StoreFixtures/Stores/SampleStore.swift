// The stores for tests: those that the tests write, and those that Core Data wrote, if they exist.
package import CoreDataModel
internal import Foundation

/// A store for tests, with facts that are known without reading it.
package struct SampleStore: Sendable, CustomStringConvertible {
  /// Stores with the same model, for tests that check all of them.
  package enum Shape: Sendable {
    case recipes, shelf, authors, garden, sightings, cars, journal, library, users, catalog, notes
  }

  /// How a store records history.
  package enum History: Sendable, Hashable {
    case none
    /// Transactions contain their texts, like in 2017.
    case old
    case new
  }

  /// An entity and the number of its own rows.
  package struct Entity: Sendable, Hashable {
    package let name: String
    package let rows: Int
  }

  /// The file's name.
  package let name: String
  package let shape: Shape
  package let frameworkVersion: Int
  package let uuid: String
  /// In the order of their numbers.
  package let entities: [Entity]
  package var history = History.none
  /// Transactions, inserts, updates and deletes in history.
  package var changes = [0, 0, 0, 0]
  /// The model in its own copy, if it is transcribed here.
  package var model: [EntityDescription]?
  package var configurations: [String: [String]] = [:]
  /// The remarks on the model when its copy is read.
  package var remarks: [String] = []
  /// The anomalies that an inspection finds.
  package var anomalies: [String] = []
  package var hasModelCache = true
  package var autoVacuum = "incremental"
  /// Whether tables, indexes and numbers are like in a new store of today: not in old stores, and not after a
  /// migration.
  package var isFresh = true
  /// The store's content; nil for a file next to the package.
  var own: OwnStore?

  package var isOwn: Bool { own != nil }

  package var description: String { name }

  package var rows: Int { entities.reduce(0) { $0 + $1.rows } }

  /// The number of an entity's own rows.
  package func rows(of entity: String) -> Int { entities.first { $0.name == entity }?.rows ?? 0 }

  package var totalChanges: Int { changes.dropFirst().reduce(0, +) }

  /// Whether the store has no rows, so that tests of its rows show nothing.
  package var isEmpty: Bool { rows == 0 }
}

extension SampleStore {
  /// Whether the stores that Core Data wrote are next to the package.
  package static var haveShared: Bool { !sharedStores.isEmpty }

  /// All of them, beginning with own ones.
  package static let all = ownStores + sharedStores

  /// The stores of one shape.
  package static func all(_ shape: Shape) -> [SampleStore] { all.filter { $0.shape == shape } }

  /// The store of a shape that the tests write.
  package static func own(_ shape: Shape) -> SampleStore { ownStores.first { $0.shape == shape } ?? library }

  static let ownStores = [recipes, shelf, authors, garden, sightings, cars, journal, library, users, catalog]

  /// The path of the file.
  ///
  /// Own files are written when the first one is requested.
  package var path: String {
    get throws {
      own == nil
        ? SampleStore.sharedDirectory.appending(path: name).path : try SampleStore.ownDirectory.get() + "/" + name
    }
  }

  private static let ownDirectory = Result { try writeOwnStores() }

  private static func writeOwnStores() throws -> String {
    let folder = try FixtureFolder.path("stores")
    for store in ownStores {
      let path = folder + "/" + store.name
      try store.own?.write(to: path)
      // No one changes them; a test that needs to makes a copy.
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    }
    return folder
  }
}
