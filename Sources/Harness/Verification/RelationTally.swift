// What leads from row to row, added up whatever the order of rows: of a source, and of a store that is read back.
internal import BatchmarkEngine
internal import ObjectGraph
internal import Scenarios

/// Adds up the pairs of one entity's relationship.
struct RelationTally {
  /// One pair of related rows, with what orders it at either end.
  struct Pair {
    var source: RowHash
    var destination: RowHash
    /// Among the objects of the source, and of the destination, counted from 0; 0 where that end has no order.
    var position = 0
    var inversePosition = 0
  }

  private let name: String
  private var pairs: ContentHash
  private var destinations: Set<RowHash> = []
  private var count = 0

  init(entityName: String, relationship: String) {
    name = "\(entityName).\(relationship)"
    pairs = ContentHash(entityName: name)
  }

  mutating func add(_ pair: Pair) {
    var row = pair.source
    row.add(pair.destination)
    row.add(Int64(pair.position))
    row.add(Int64(pair.inversePosition))
    pairs.add(row)
    destinations.insert(pair.destination)
    count += 1
  }

  /// Rows are told apart by their values alone: two that have the same may stand for each other.
  var links: StoredLinks {
    var objects = ContentHash(entityName: name)
    for destination in destinations { objects.add(destination) }
    return StoredLinks(
      relationship: name, linkedRows: count, hash: pairs.description, objects: destinations.count,
      objectsHash: objects.description)
  }
}
