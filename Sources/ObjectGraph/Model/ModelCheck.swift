// All that can be wrong with a model: its names, its inheritance, and what no single property shows.

/// The check of a model, which goes on after a mistake so that all are said at once.
struct ModelCheck {
  /// The entities as they were given, repeated ones among them.
  let given: [EntityDescription]
  /// Those of them whose inheritance holds.
  let hierarchy: EntityHierarchy
  var problems: [String] = []

  init(_ given: [EntityDescription], _ hierarchy: EntityHierarchy) {
    self.given = given
    self.hierarchy = hierarchy
  }

  mutating func run() {
    if given.isEmpty { problems.append("the model has no entity; expected at least one") }
    var names: [String: String] = [:]
    for entity in given {
      if let complaint = ModelCheck.complaint(aboutName: entity.name) {
        problems.append("entity \(entity.name.debugDescription): \(complaint)")
      }
      if let other = names.updateValue(entity.name, forKey: entity.name.uppercased()) {
        problems.append(
          other == entity.name
            ? "the model has the entity \(other) twice"
            : "entities \(other) and \(entity.name) differ in case alone, which SQL ignores; rename one")
      }
      note(inheritanceProblem(of: entity), of: entity)
      checkNames(of: entity)
      for attribute in entity.attributes { check(attribute, of: entity) }
    }
    for index in hierarchy.entities.indices {
      let entity = hierarchy.entities[index]
      checkInheritance(of: index)
      for relationship in entity.relationships { check(relationship, of: index) }
      checkConstraints(of: index)
      checkFetchIndexes(of: index)
    }
  }

  /// Names become SQL identifiers unquoted, as Core Data's do: letters, digits and underscores, a letter first.
  static func complaint(aboutName name: String) -> String? {
    let isValid =
      name.first.map { $0.isASCII && $0.isLetter } ?? false
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return isValid ? nil : "a name is ASCII letters, digits and underscores, a letter first"
  }

  mutating func note(_ problem: String?, of entity: EntityDescription) {
    if let problem { problems.append("entity \(entity.name): \(problem)") }
  }

  /// Why the entity has no place in the inheritance.
  private func inheritanceProblem(of entity: EntityDescription) -> String? {
    var chain = [entity.name]
    var current = entity
    while let name = current.superentityName {
      guard let next = given.first(where: { $0.name == name }) else {
        return current.name == entity.name ? "its super-entity \(name) is no entity of the model" : nil
      }
      chain.append(name)
      if name == entity.name { return "it inherits from itself: \(chain.joined(separator: " from "))" }
      // A circle further up is the mistake of those in it.
      if chain.dropLast().contains(name) { return nil }
      current = next
    }
    return nil
  }

  /// The names of the entity's own properties: valid, and each there once.
  private mutating func checkNames(of entity: EntityDescription) {
    var names: Set<String> = []
    let properties =
      entity.attributes.map { ("attribute", $0.name) } + entity.relationships.map { ("relationship", $0.name) }
    for (kind, name) in properties {
      if let complaint = ModelCheck.complaint(aboutName: name) {
        note("\(kind) \(name.debugDescription): \(complaint)", of: entity)
      }
      if !names.insert(name).inserted { note("\(kind) \(name): the entity has the property twice", of: entity) }
    }
  }

  /// What the entity inherits may not be declared again, and there must be something to store.
  private mutating func checkInheritance(of index: Int) {
    let entity = hierarchy.entities[index]
    let ancestors = hierarchy.lineage(of: index).dropFirst()
    for ancestor in ancestors {
      let other = hierarchy.entities[ancestor]
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name)
      where other.attribute(named: name) != nil || other.relationship(named: name) != nil {
        note("property \(name): it is inherited from \(other.name) and may not be declared again", of: entity)
      }
    }
    let count = hierarchy.attributes(of: index).count + hierarchy.relationships(of: index).count
    if !entity.isAbstract, count == 0 {
      note("it has neither attribute nor relationship; expected at least one", of: entity)
    }
  }
}
