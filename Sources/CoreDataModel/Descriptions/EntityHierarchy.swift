// The inheritance between entities, and the numbers that follow from it.

/// Entities in the order of their numbers, with the inheritance between them.
///
/// An entity is followed by its sub-entities, so that all of its descendants form one range.
package struct EntityHierarchy: Sendable, Hashable {
  package let entities: [EntityDescription]
  /// The super-entity of each entity; `nil` for a root.
  package let parents: [Int?]
  /// Where the range of each entity and its descendants ends.
  package let ends: [Int]
  private let places: [String: Int]

  /// The most levels of super-entities above an entity; recursive code can follow that many on the stack.
  package static let mostLevels = 256

  /// Orders the entities: roots by name, ignoring case, each followed by its sub-entities in the same order (Core
  /// Data's order of `Z_ENT`).
  ///
  /// It omits duplicates and entities with super-entities that are unknown, form a cycle, or are more than
  /// ``mostLevels``: the check of the model reports them.
  package init(_ unordered: [EntityDescription]) {
    var names: Set<String> = []
    let sorted = unordered.filter { names.insert($0.name).inserted }
      .sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    let children = Dictionary(grouping: sorted) { $0.superentityName }
    var entities: [EntityDescription] = []
    var parents: [Int?] = []
    var ends: [Int] = []
    func append(childrenOf name: String?, parent: Int?, level: Int) {
      guard level <= EntityHierarchy.mostLevels else { return }
      for entity in children[name] ?? [] {
        let index = entities.count
        entities.append(entity)
        parents.append(parent)
        ends.append(index + 1)
        append(childrenOf: entity.name, parent: index, level: level + 1)
        ends[index] = entities.count
      }
    }
    append(childrenOf: nil, parent: nil, level: 0)
    places = Dictionary(uniqueKeysWithValues: entities.indices.map { (entities[$0].name, $0) })
    self.entities = entities
    numbers = entities.indices.map { $0 + 1 }
    self.parents = parents
    self.ends = ends
  }

  /// The numbers of the entities in a new store, by index.
  package let numbers: [Int]

  package func index(of name: String) -> Int? { places[name] }

  /// The entity and its super-entities, the root last.
  func lineage(of index: Int) -> [Int] {
    var lineage = [index]
    while let parent = parents[lineage[lineage.count - 1]] { lineage.append(parent) }
    return lineage
  }

  package func root(of index: Int) -> Int { lineage(of: index).last ?? index }

  /// The entity and all of its descendants.
  package func family(of index: Int) -> Range<Int> { index..<ends[index] }

  package func hasSubentities(_ index: Int) -> Bool { ends[index] > index + 1 }

  /// The entity's attributes by name, including inherited ones.
  package func attributes(of index: Int) -> [AttributeDescription] {
    lineage(of: index).flatMap { entities[$0].attributes }.sorted { $0.name < $1.name }
  }

  /// The entity's relationships by name, including inherited ones.
  package func relationships(of index: Int) -> [RelationshipDescription] {
    lineage(of: index).flatMap { entities[$0].relationships }.sorted { $0.name < $1.name }
  }

  /// The relationship with this name, and the entity that declares it: this one or a super-entity.
  package func relationship(named name: String, of index: Int) -> (
    declarer: Int, relationship: RelationshipDescription
  )? {
    for ancestor in lineage(of: index) {
      if let relationship = entities[ancestor].relationship(named: name) { return (ancestor, relationship) }
    }
    return nil
  }
}
