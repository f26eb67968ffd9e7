// What can be wrong with attributes, relationships, uniqueness constraints and fetch indexes.

extension ModelCheck {
  mutating func check(_ attribute: AttributeDescription, of entity: EntityDescription) {
    let place = "attribute \(attribute.name): "
    let value = attribute.defaultValue.conformed(to: attribute.type)
    if let mismatch = attribute.defaultValue.mismatch(with: attribute.type) {
      note(place + "default: \(mismatch)", of: entity)
    }
    for rule in attribute.validationRules {
      do throws(InvalidRule) {
        if let value, let breach = try CompiledRule(rule, for: attribute.type).breach(by: value) {
          note(place + "default: found \(breach.found); expected \(breach.expected)", of: entity)
        }
      } catch {
        note(place + error.reason, of: entity)
      }
    }
  }

  // MARK: - Relationships

  mutating func check(_ relationship: RelationshipDescription, of index: Int) {
    let entity = hierarchy.entities[index]
    for problem in countProblems(of: relationship) + [inverseProblem(of: relationship, of: index)].compactMap(\.self) {
      note("relationship \(relationship.name): \(problem)", of: entity)
    }
  }

  private func countProblems(of relationship: RelationshipDescription) -> [String] {
    let (minimum, maximum) = (relationship.minimumCount, relationship.maximumCount)
    var problems: [String] = []
    if relationship.isToMany {
      if minimum < 0 || maximum < 0 {
        problems.append("found counts from \(minimum) to \(maximum); expected none below 0, where 0 is no maximum")
      } else if maximum > 0, minimum > maximum {
        problems.append("the minimum count \(minimum) is above the maximum count \(maximum)")
      }
    } else {
      if relationship.isOrdered { problems.append("it is ordered; only a to-many relationship can be") }
      if !(0...1).contains(minimum) || maximum != 1 {
        problems.append("found counts from \(minimum) to \(maximum); a to-one relationship has 0 or 1 to 1")
      }
    }
    return problems
  }

  /// What is wrong with where the relationship leads, and with what leads back.
  private func inverseProblem(of relationship: RelationshipDescription, of index: Int) -> String? {
    let entity = hierarchy.entities[index]
    let name = relationship.destinationEntityName
    guard given.contains(where: { $0.name == name }) else {
      return "its destination \(name) is no entity of the model"
    }
    // A destination without a place in the inheritance is its own mistake.
    guard let destination = hierarchy.index(of: name) else { return nil }
    guard let inverseName = relationship.inverseName else {
      return relationship.isToMany
        ? "it has no inverse; a to-many relationship needs one, because the other end stores it" : nil
    }
    guard let (declarer, inverse) = hierarchy.relationship(named: inverseName, of: destination) else {
      return "its inverse \(inverseName) is no relationship of \(name)"
    }
    if declarer != destination {
      let owner = hierarchy.entities[declarer].name
      return "its inverse \(inverseName) is inherited by \(name) from \(owner); expected the destination \(owner), or "
        + "an inverse that \(name) declares itself"
    }
    if inverse.inverseName != relationship.name {
      return "its inverse \(name).\(inverseName) has \(inverse.inverseName.map { "the inverse \($0)" } ?? "no inverse")"
        + "; expected the inverse \(relationship.name)"
    }
    if inverse.destinationEntityName != entity.name {
      return "its inverse \(name).\(inverseName) leads to \(inverse.destinationEntityName); expected \(entity.name)"
    }
    return nil
  }

  // MARK: - Constraints and indexes

  mutating func checkConstraints(of index: Int) {
    let entity = hierarchy.entities[index]
    for constraint in entity.uniquenessConstraints {
      if constraint.isEmpty { note("a uniqueness constraint names no attribute", of: entity) }
      if Set(constraint).count < constraint.count {
        note("uniqueness constraint \(constraint) names an attribute twice", of: entity)
      }
      for name in constraint {
        if let problem = storageProblem(of: name, in: index, allowsToOne: false) {
          note("uniqueness constraint \(constraint) names \(name), which is \(problem)", of: entity)
        }
      }
    }
    if Set(entity.uniquenessConstraints).count < entity.uniquenessConstraints.count {
      note("a uniqueness constraint is given twice", of: entity)
    }
  }

  mutating func checkFetchIndexes(of index: Int) {
    let entity = hierarchy.entities[index]
    var names: Set<String> = []
    for fetchIndex in entity.fetchIndexes {
      let place = "fetch index \(fetchIndex.name): "
      if let complaint = ModelCheck.complaint(aboutName: fetchIndex.name) {
        note("fetch index \(fetchIndex.name.debugDescription): \(complaint)", of: entity)
      }
      if !names.insert(fetchIndex.name).inserted { note(place + "the entity has it twice", of: entity) }
      let properties = fetchIndex.elements.map(\.propertyName)
      if properties.isEmpty { note(place + "it names no property", of: entity) }
      if Set(properties).count < properties.count { note(place + "it names a property twice", of: entity) }
      for name in properties {
        if let problem = storageProblem(of: name, in: index, allowsToOne: true) {
          note(place + "it names \(name), which is \(problem)", of: entity)
        }
      }
    }
  }

  /// Why an index cannot have a column of the property, own or inherited.
  private func storageProblem(of name: String, in index: Int, allowsToOne: Bool) -> String? {
    if let attribute = hierarchy.attributes(of: index).first(where: { $0.name == name }) {
      return attribute.isTransient ? "transient and has no column" : nil
    }
    guard let (_, relationship) = hierarchy.relationship(named: name, of: index) else {
      return allowsToOne ? "no property" : "no attribute"
    }
    if relationship.isToMany { return "a to-many relationship and has no column" }
    return allowsToOne ? nil : "a relationship; expected attributes"
  }
}
