// The plain model of a graph: records in a dictionary, pairs in a set, without any use of the library.
import CoreDataModel

/// An object: its values, and the destinations of its to-one relationships by the IDs of the model.
struct GraphRecord: Equatable {
  let entity: String
  var values: [String: AttributeValue]
  var links: [String: Int] = [:]
}

/// Two objects of a many-to-many relationship.
struct GraphPair: Hashable, Comparable {
  let name: String
  let first: Int
  let second: Int

  init(_ relationship: GraphSchema.ManyToMany, _ source: Int, _ destination: Int) {
    name = relationship.pairs
    let turned = relationship.isReflexive ? source > destination : !relationship.isFirst
    (first, second) = turned ? (destination, source) : (source, destination)
  }

  init(name: String, first: Int, second: Int) {
    self.name = name
    self.first = first
    self.second = second
  }

  static func < (left: GraphPair, right: GraphPair) -> Bool {
    (left.name, left.first, left.second) < (right.name, right.first, right.second)
  }
}

/// A whole graph.
struct GraphState: Equatable {
  var records: [Int: GraphRecord] = [:]
  var pairs: Set<GraphPair> = []
  /// The pages of each book, in order.
  var pages: [Int: [Int]] = [:]

  func ids(of roots: String...) -> [Int] {
    records.filter { roots.contains(GraphSchema.root($0.value.entity)) }.keys.sorted()
  }

  /// The objects at the other end of a to-many relationship, whose rows have its key.
  func sources(of id: Int, _ toOne: GraphSchema.ToOne) -> [Int] {
    if toOne.inverseIsOrdered { return pages[id] ?? [] }
    return records.filter { $0.value.links[toOne.name] == id && GraphSchema.root($0.value.entity) == toOne.source }.keys
      .sorted()
  }

  func members(of id: Int, _ relationship: GraphSchema.ManyToMany) -> [Int] {
    pairs.filter { $0.name == relationship.pairs }.compactMap { pair in
      if relationship.isReflexive {
        return pair.first == id ? pair.second : pair.second == id ? pair.first : nil
      }
      let (own, other) = relationship.isFirst ? (pair.first, pair.second) : (pair.second, pair.first)
      return own == id ? other : nil
    }.sorted()
  }

  /// The objects of all to-many relationships, in ascending order unless the relationship has its own order.
  func toMany() -> [GraphMark: [Int]] {
    var members: [GraphMark: [Int]] = [:]
    for id in records.keys.sorted() {
      guard let record = records[id] else { continue }
      for toOne in GraphSchema.toOnes(of: record.entity) where toOne.inverseIsToMany && !toOne.inverseIsOrdered {
        guard let target = record.links[toOne.name] else { continue }
        members[GraphMark(id: target, property: toOne.inverse), default: []].append(id)
      }
    }
    for (book, pages) in pages { members[GraphMark(id: book, property: "pages")] = pages }
    for relationship in GraphSchema.manyToManys {
      for pair in pairs where pair.name == relationship.pairs {
        let (own, other) = relationship.isFirst ? (pair.first, pair.second) : (pair.second, pair.first)
        members[GraphMark(id: own, property: relationship.name), default: []].append(other)
        guard relationship.isReflexive, own != other else { continue }
        members[GraphMark(id: other, property: relationship.name), default: []].append(own)
      }
    }
    return members
  }

  /// Removes references to missing records: pairs, and positions of pages.
  mutating func dropDead() {
    pairs = pairs.filter { records[$0.first] != nil && records[$0.second] != nil }
    for book in pages.keys.sorted() {
      if records[book] == nil { pages[book] = nil } else { pages[book]?.removeAll { records[$0] == nil } }
    }
  }
}
