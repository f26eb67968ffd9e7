// Checks attributes, relationships, uniqueness constraints and fetch indexes.

extension ModelCheck {
  package mutating func check(_ attribute: AttributeDescription, of entity: EntityDescription) {
    let part = ModelProblem.Part.attribute(attribute.name)
    let (value, type) = (attribute.defaultValue, attribute.type)
    if value.conformed(to: type) == nil {
      note(entity, part, found: "a default that is \(value.typeName)", expected: type.expectation)
    }
    for rule in attribute.validationRules {
      if let problem = rule.problem(for: type) {
        note(entity, part, found: problem.found, expected: problem.expected)
      } else if let breach = rule.breach(by: value, type: type) {
        note(entity, part, found: "the default \(breach.found)", expected: breach.expected)
      }
    }
  }

  // MARK: - Relationships

  package mutating func checkCounts(of relationship: RelationshipDescription, of entity: EntityDescription) {
    let part = ModelProblem.Part.relationship(relationship.name)
    let (minimum, maximum) = (relationship.minimumCount, relationship.maximumCount)
    let found = "counts from \(minimum) to \(maximum)"
    if relationship.isToMany {
      if minimum < 0 || maximum < 0 {
        note(entity, part, found: found, expected: "none below 0, where a maximum of 0 is no limit")
      } else if maximum > 0, minimum > maximum {
        note(entity, part, found: found, expected: "a minimum that is not above the maximum")
      }
    } else {
      if relationship.isOrdered {
        note(entity, part, found: "an ordered to-one relationship", expected: "order in a to-many relationship only")
      }
      if !(0...1).contains(minimum) || maximum != 1 {
        note(entity, part, found: found, expected: "0 or 1 to 1 in a to-one relationship")
      }
    }
  }

  /// Reports mistakes in the relationship's destination and inverse.
  mutating func checkInverse(of relationship: RelationshipDescription, of index: Int) {
    let entity = hierarchy.entities[index]
    let part = ModelProblem.Part.relationship(relationship.name)
    let name = relationship.destinationEntityName
    guard isGiven(name) else {
      return note(entity, part, found: "the destination \(name)", expected: "an entity of the model")
    }
    // A destination outside the valid hierarchy is reported as a mistake of its own.
    guard let destination = hierarchy.index(of: name) else { return }
    guard let inverseName = relationship.inverseName else {
      if relationship.isToMany {
        note(
          entity, part, found: "no inverse",
          expected: "one, because a to-many relationship is stored by what leads back")
      }
      return
    }
    guard let (declarer, inverse) = hierarchy.relationship(named: inverseName, of: destination) else {
      return note(entity, part, found: "the inverse \(inverseName)", expected: "a relationship of \(name)")
    }
    let found = "the inverse \(name).\(inverseName)"
    if declarer != destination {
      let owner = hierarchy.entities[declarer].name
      note(
        entity, part, found: "\(found), which \(name) inherits from \(owner)",
        expected: "the destination \(owner), or an inverse that \(name) declares itself")
    } else if inverse.inverseName != relationship.name {
      let back = inverse.inverseName.map { "the inverse \($0)" } ?? "no inverse"
      note(entity, part, found: "\(found), which has \(back)", expected: "one whose inverse is \(relationship.name)")
    } else if inverse.destinationEntityName != entity.name {
      note(
        entity, part, found: "\(found), which leads to \(inverse.destinationEntityName)",
        expected: "one that leads to \(entity.name)")
    }
  }

  // MARK: - Constraints and indexes

  mutating func checkConstraints(of index: Int) {
    let entity = hierarchy.entities[index]
    var constraints: Set<[String]> = []
    for constraint in entity.uniquenessConstraints {
      let part = ModelProblem.Part.uniquenessConstraint(constraint)
      checkElements(constraint, of: index, part, allowsToOne: false)
      if !constraints.insert(constraint).inserted {
        note(entity, part, found: "the constraint again", expected: "each constraint once")
      }
    }
  }

  mutating func checkFetchIndexes(of index: Int) {
    let entity = hierarchy.entities[index]
    var names: Set<String> = []
    for fetchIndex in entity.fetchIndexes {
      let part = ModelProblem.Part.fetchIndex(fetchIndex.name)
      checkName(fetchIndex.name, of: entity, part)
      checkElements(fetchIndex.elements.map(\.propertyName), of: index, part, allowsToOne: true)
      if !names.insert(fetchIndex.name).inserted {
        note(entity, part, found: "the name again", expected: "each fetch index once")
      }
    }
  }

  /// Checks that each property, own or inherited, has a column that can be indexed.
  private mutating func checkElements(
    _ names: [String], of index: Int, _ part: ModelProblem.Part, allowsToOne: Bool
  ) {
    let entity = hierarchy.entities[index]
    let expected = allowsToOne ? "stored attributes and to-one relationships" : "stored attributes"
    if names.isEmpty { note(entity, part, found: "no property", expected: expected) }
    if Set(names).count < names.count { note(entity, part, found: "a property twice", expected: "each once") }
    for name in names {
      if let attribute = hierarchy.attributes(of: index).first(where: { $0.name == name }) {
        if attribute.isTransient { note(entity, part, found: "the transient attribute \(name)", expected: expected) }
      } else if let (_, relationship) = hierarchy.relationship(named: name, of: index) {
        if relationship.isToMany {
          note(entity, part, found: "the to-many relationship \(name)", expected: expected)
        } else if !allowsToOne {
          note(entity, part, found: "the relationship \(name)", expected: expected)
        }
      } else {
        note(entity, part, found: "\(name), which is no property", expected: expected)
      }
    }
  }
}
