// Matches the entities and properties of a destination model with those of a source model.
internal import CoreDataModel

/// Two models, matched entity by entity and property by property.
struct ModelMatching {
  /// The source names of an entity's properties, by their names in the destination, including inherited properties.
  struct Properties {
    var attributes: [String: String] = [:]
    var relationships: [String: String] = [:]
  }

  let source: CompiledModel
  let destination: CompiledModel
  /// The source entity of each destination entity, by index; `nil` if it is added.
  let sources: [Int?]
  /// The destination entity of each source entity, by index; `nil` if it is removed.
  let destinations: [Int?]
  /// By the index of the destination entity; empty for an added entity.
  let properties: [Properties]

  /// Matches whole models, or the entities that a store has of them.
  init(
    from source: CompiledModel, holding heldSource: StoreEntities = .all, to destination: CompiledModel,
    holding heldDestination: StoreEntities = .all
  ) {
    self.source = source
    self.destination = destination
    let matched = ModelMatching.matches(
      destination.layouts.filter { heldDestination.contains($0.index) }.map { Name($0.entity) },
      source.layouts.filter { heldSource.contains($0.index) }.map { Name($0.entity) })
    let sources = destination.layouts.map { layout in
      matched[layout.entity.name].flatMap(source.model.hierarchy.index(of:))
    }
    var destinations = [Int?](repeating: nil, count: source.layouts.count)
    for (index, source) in sources.enumerated() { if let source { destinations[source] = index } }
    self.sources = sources
    self.destinations = destinations
    properties = sources.enumerated().map { index, origin in
      guard let origin else { return Properties() }
      return Properties(
        attributes: matches(
          destination.storedAttributes(of: index).map { Name($0.name, $0.renamingIdentifier) },
          source.storedAttributes(of: origin).map { Name($0.name, $0.renamingIdentifier) }),
        relationships: matches(
          destination.model.hierarchy.relationships(of: index).map { Name($0.name, $0.renamingIdentifier) },
          source.model.hierarchy.relationships(of: origin).map { Name($0.name, $0.renamingIdentifier) }))
    }
    func matches(_ names: [Name], _ origins: [Name]) -> [String: String] { ModelMatching.matches(names, origins) }
  }

  /// A name with its renaming identifier, which by default is the name itself.
  struct Name {
    let name: String
    let identifier: String?
    var canonical: String { identifier ?? name }

    init(_ name: String, _ identifier: String?) {
      self.name = name
      self.identifier = identifier
    }

    init(_ entity: EntityDescription) { self.init(entity.name, entity.renamingIdentifier) }
  }

  /// The source name of each destination name that has one.
  ///
  /// A renaming identifier has priority over a name, which may now belong to a new property, because the model's author
  /// has set the identifier on purpose. Each source name is used once.
  private static func matches(_ names: [Name], _ origins: [Name]) -> [String: String] {
    let rules: [(Name, Name) -> Bool] = [
      { $0.identifier != nil && $0.identifier == $1.identifier && $0.name == $1.name },
      { $0.identifier != nil && $0.identifier == $1.identifier },
      { $0.identifier != nil && $0.identifier == $1.canonical },
      { $0.name == $1.name && $0.canonical == $1.canonical },
      { $0.identifier == $1.name },
      { $0.name == $1.name },
      { $0.name == $1.canonical },
    ]
    var matched: [String: String] = [:]
    var taken: Set<String> = []
    for rule in rules {
      for name in names where matched[name.name] == nil {
        guard let origin = origins.first(where: { !taken.contains($0.name) && rule(name, $0) }) else { continue }
        matched[name.name] = origin.name
        taken.insert(origin.name)
      }
    }
    return matched
  }

  // MARK: - Lookups

  /// The source attribute of a destination entity's attribute.
  func attribute(_ name: String, of index: Int) -> AttributeDescription? {
    guard let origin = sources[index], let sourceName = properties[index].attributes[name] else { return nil }
    return source.storedAttributes(of: origin).first { $0.name == sourceName }
  }

  /// The source relationship of a destination entity's relationship, and the entity that declares it.
  func relationship(
    _ name: String, of index: Int
  ) -> (declarer: Int, relationship: RelationshipDescription)? {
    guard let origin = sources[index], let sourceName = properties[index].relationships[name] else { return nil }
    return source.model.hierarchy.relationship(named: sourceName, of: origin)
  }

  /// The destination entities with objects in the source, among an entity and its descendants.
  func populated(_ index: Int) -> [Int] {
    destination.model.hierarchy.family(of: index).filter { entity in
      sources[entity].map { !source.layouts[$0].entity.isAbstract } ?? false
    }
  }
}

extension CompiledModel {
  /// The attributes of an entity that have a column, by name, including inherited ones.
  func storedAttributes(of index: Int) -> [AttributeDescription] {
    model.hierarchy.attributes(of: index).filter { !$0.isTransient }
  }

  /// The entity that declares a property of the given entity.
  func declarer(of property: String, of index: Int) -> Int? {
    var current: Int? = index
    while let entity = current {
      let description = layouts[entity].entity
      if description.attribute(named: property) != nil || description.relationship(named: property) != nil {
        return entity
      }
      current = model.hierarchy.parents[entity]
    }
    return nil
  }

  func table(of index: Int) -> EntityTable? {
    let root = layouts[index].rootIndex
    return tables.first { $0.root == root }
  }
}
