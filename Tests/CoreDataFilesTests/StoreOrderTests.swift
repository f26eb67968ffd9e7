// A8, D10: the order of objects in relationships, which stores keep in columns of numbers with gaps.
internal import CoreDataModel
import CoreDataFiles
import MissionTags
import ObjectGraph
import StoreFixtures
import Testing

@Suite("A8 D10 · orders in stores", .tags(.a8, .d10))
struct StoreOrderTests {
  /// The keys of the destinations of an ordered relationship, by the key of the source.
  struct Order: Sendable, CustomTestStringConvertible {
    let shape: SampleStore.Shape
    let relationship: String
    let keys: [Int: [Int]]

    init(_ shape: SampleStore.Shape, _ relationship: String, _ keys: [Int: [Int]]) {
      (self.shape, self.relationship, self.keys) = (shape, relationship, keys)
    }

    var testDescription: String { "\(shape) \(relationship)" }
  }

  /// The order in the order columns, looked up by hand: neither the order of the rows nor that of the keys.
  static let orders = [
    Order(.garden, "Bed.crops", [1: [2, 3, 1], 2: [7, 8, 12, 5, 4], 3: []]),
    Order(.sightings, "Observer.favourites", [1: [5, 1, 2], 2: [2, 1], 4: []]),
    Order(.sightings, "Observer.sightings", [1: [8, 6, 4, 2], 2: [7, 5, 3, 1], 4: []]),
    Order(.sightings, "Species.fans", [1: [1, 2], 2: [2, 1], 3: [], 4: [], 5: [1]]),
    Order(.catalog, "Vendor.items", [1: [2, 5, 1], 2: [8, 3]]),
    Order(.catalog, "Item.tags", [1: [1], 2: [3, 1], 3: [], 5: [1, 2], 6: [], 8: [2], 9: []]),
    Order(.catalog, "Tag.items", [1: [2, 5, 1], 2: [8, 5], 3: [2]]),
  ]

  @Test(
    "Objects come in the order of their columns, at either end of a pair, before and after a migration",
    arguments: orders)
  func order(_ order: Order) throws {
    let names = order.relationship.split(separator: ".").map(String.init)
    let file = try StoreFile(path: SampleStore.own(order.shape).path)
    let found = try file.read { context in
      try context.fetch(FetchRequest(entityName: names[0])).map { object in
        (try key(object.objectID), try object.objectIDs(forRelationshipNamed: names[1]).map(key))
      }
    }
    #expect(Dictionary(uniqueKeysWithValues: found) == order.keys)
    #expect(file.recoveredModel.model[names[0]]?.relationship(named: names[1])?.isOrdered == true)
  }

  private func key(_ objectID: ManagedObjectID) throws -> Int {
    try #require(objectID.uriRepresentation().split(separator: "/p").last.flatMap { Int($0) })
  }
}
