// Checks a model: names, inheritance, and mistakes that involve several properties.

/// Checks a model and continues after a mistake, so that it reports all of them at once.
package struct ModelCheck {
  /// The entities as they were passed in, including duplicates.
  package let given: [EntityDescription]
  /// The entities with valid inheritance.
  package let hierarchy: EntityHierarchy
  /// The super-entity that each entity names, by entity name; of duplicates, the first counts.
  private let superentityNames: [String: String?]
  package private(set) var problems: [ModelProblem] = []

  package init(_ given: [EntityDescription], _ hierarchy: EntityHierarchy) {
    self.given = given
    self.hierarchy = hierarchy
    superentityNames = Dictionary(given.map { ($0.name, $0.superentityName) }, uniquingKeysWith: { first, _ in first })
  }

  package mutating func run(keepsUnknownDerivations: Bool) {
    var names: [String: String] = [:]
    for entity in given {
      checkName(entity.name, of: entity)
      if let other = names.updateValue(entity.name, forKey: entity.name.uppercased()) {
        note(
          found: "the entities \(other) and \(entity.name)",
          expected: "names that differ in more than case, which SQL ignores")
      }
      checkPosition(of: entity)
      checkNames(of: entity)
      for attribute in entity.attributes { check(attribute, of: entity) }
    }
    for index in hierarchy.entities.indices {
      let entity = hierarchy.entities[index]
      checkInheritance(of: index)
      for relationship in entity.relationships {
        checkCounts(of: relationship, of: entity)
        checkInverse(of: relationship, of: index)
      }
      checkConstraints(of: index)
      checkFetchIndexes(of: index)
      if !keepsUnknownDerivations { checkDerivations(of: index) }
    }
  }

  /// Checks that every configuration has entities, and only existing ones.
  package mutating func check(_ configurations: [String: [String]]) {
    for (name, entityNames) in configurations.sorted(by: { $0.key < $1.key }) {
      let position = "the configuration \(name.debugDescription)"
      if name.isEmpty { note(found: position, expected: "a name") }
      if entityNames.isEmpty { note(found: "\(position) without entities", expected: "one at least") }
      for entityName in entityNames where !isGiven(entityName) {
        note(
          found: "\(position) with the entity \(entityName.debugDescription)",
          expected: "names of the model's entities: \(given.map(\.name).sorted().joined(separator: ", "))")
      }
    }
  }

  /// Checks that every template has a name, and an entity of the model.
  package mutating func check(_ templates: [String: FetchRequestTemplate]) {
    for (name, template) in templates.sorted(by: { $0.key < $1.key }) {
      if name.isEmpty { note(found: "a fetch request template without a name", expected: "a name") }
      if !isGiven(template.entityName) {
        note(
          found: "the fetch request template \(name.debugDescription) of the entity "
            + template.entityName.debugDescription,
          expected: "an entity of the model: \(given.map(\.name).sorted().joined(separator: ", "))")
      }
    }
  }

  package mutating func note(
    _ entity: EntityDescription? = nil, _ part: ModelProblem.Part? = nil, found: String, expected: String
  ) {
    problems.append(ModelProblem(entityName: entity?.name, part: part, found: found, expected: expected))
  }

  /// Names become unquoted SQL identifiers, as in Core Data.
  package static func isValid(_ name: String) -> Bool {
    name.first.map { $0.isASCII && $0.isLetter } ?? false
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  mutating func checkName(_ name: String, of entity: EntityDescription, _ part: ModelProblem.Part? = nil) {
    if !ModelCheck.isValid(name) {
      note(
        entity, part, found: "the name \(name.debugDescription)",
        expected: "ASCII letters, digits and underscores, a letter first")
    }
  }

  func isGiven(_ name: String) -> Bool { superentityNames.index(forKey: name) != nil }

  /// Reports why the entity does not fit into the hierarchy.
  private mutating func checkPosition(of entity: EntityDescription) {
    var chain = [entity.name]
    var known: Set<String> = []
    var superentityName = entity.superentityName
    while let name = superentityName {
      guard let next = superentityNames[name] else {
        // An unknown super-entity further up is reported for the entity that names it.
        if chain.count == 1 { note(entity, found: "the super-entity \(name)", expected: "an entity of the model") }
        return
      }
      chain.append(name)
      if name == entity.name {
        return note(
          entity, found: "inheritance in a circle: \(chain.joined(separator: " from "))",
          expected: "super-entities that lead to a root")
      }
      if chain.count > EntityHierarchy.mostLevels + 1 {
        return note(
          entity, found: "more than \(EntityHierarchy.mostLevels) levels of super-entities",
          expected: "at most \(EntityHierarchy.mostLevels)")
      }
      // A cycle further up is reported for the entities in it.
      guard known.insert(name).inserted else { return }
      superentityName = next
    }
  }

  /// Checks that the names of the entity's own properties are valid and unique.
  private mutating func checkNames(of entity: EntityDescription) {
    var names: Set<String> = []
    let parts =
      entity.attributes.map { ($0.name, ModelProblem.Part.attribute($0.name)) }
      + entity.relationships.map { ($0.name, .relationship($0.name)) }
    for (name, part) in parts {
      checkName(name, of: entity, part)
      if !names.insert(name).inserted { note(entity, part, found: "the name again", expected: "each property once") }
    }
  }

  /// Checks that the entity redeclares no inherited property and has something to store.
  private mutating func checkInheritance(of index: Int) {
    let entity = hierarchy.entities[index]
    let parts =
      entity.attributes.map { ($0.name, ModelProblem.Part.attribute($0.name)) }
      + entity.relationships.map { ($0.name, .relationship($0.name)) }
    for ancestor in hierarchy.lineage(of: index).dropFirst() {
      let other = hierarchy.entities[ancestor]
      for (name, part) in parts where other.attribute(named: name) != nil || other.relationship(named: name) != nil {
        note(
          entity, part, found: "a property that is inherited from \(other.name)",
          expected: "inherited properties not to be declared again")
      }
    }
    let count = hierarchy.attributes(of: index).count + hierarchy.relationships(of: index).count
    if !entity.isAbstract, count == 0 {
      note(entity, found: "neither attribute nor relationship", expected: "at least one")
    }
  }
}
