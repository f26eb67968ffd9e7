// The stores to test with: those that the tests write themselves, and those that Core Data wrote where they are.
package import CoreDataModel
internal import Foundation

/// A store to test with, and what is known of it without reading it.
package struct SampleStore: Sendable, CustomStringConvertible {
  /// Stores of one model, which one test can ask the same questions.
  package enum Shape: Sendable {
    case recipes, shelf, authors, garden, sightings, cars, journal, library, users, catalog, notes
  }

  /// How a store keeps history.
  package enum History: Sendable, Hashable {
    case none
    /// Transactions that hold their texts themselves, as in 2017.
    case old
    case new
  }

  /// An entity and how many rows it has of its own.
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
  /// The model in its own copy, where it is written down here.
  package var model: [EntityDescription]?
  package var configurations: [String: [String]] = [:]
  /// What is said of the model when its copy is read.
  package var remarks: [String] = []
  /// What an inspection finds odd.
  package var anomalies: [String] = []
  package var hasModelCache = true
  package var autoVacuum = "incremental"
  /// Whether tables, indexes and numbers are as in a new store of today: not in old ones and not after a migration.
  package var isFresh = true
  /// The store's content; nil for a file that lies beside the package.
  var own: OwnStore?

  package var isOwn: Bool { own != nil }

  package var description: String { name }

  package var rows: Int { entities.reduce(0) { $0 + $1.rows } }

  /// The rows of an entity of its own.
  package func rows(of entity: String) -> Int { entities.first { $0.name == entity }?.rows ?? 0 }

  package var totalChanges: Int { changes.dropFirst().reduce(0, +) }

  /// Whether its join tables, orders and rows are nothing that a mistake could hide in.
  package var isEmpty: Bool { rows == 0 }
}

extension SampleStore {
  /// Whether the stores that Core Data wrote lie beside the package.
  package static var haveShared: Bool { !sharedStores.isEmpty }

  /// All of them, own ones first.
  package static let all = ownStores + sharedStores

  /// The stores of one shape.
  package static func all(_ shape: Shape) -> [SampleStore] { all.filter { $0.shape == shape } }

  /// The store that the tests write, of a shape.
  package static func own(_ shape: Shape) -> SampleStore { ownStores.first { $0.shape == shape } ?? library }

  static let ownStores = [recipes, shelf, authors, garden, sightings, cars, journal, library, users, catalog]

  /// Where the file is.
  ///
  /// Own ones are written when the first of them is asked for.
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
      // Nobody changes them: a test that has to makes a copy.
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    }
    return folder
  }
}
