// The rules of inference, and every violation of them by two models.
internal import CoreDataModel

extension ModelMatching {
  func refuseProblems() throws(ObjectGraphError) {
    let problems = self.problems
    if !problems.isEmpty { throw .mappingNotInferred(problems) }
  }

  /// The changes that cannot be inferred, in the order of the destination's entities.
  var problems: [MappingProblem] {
    ambiguousEntities + mergedHierarchies
      + destination.layouts.flatMap { layout -> [MappingProblem] in
        guard sources[layout.index] != nil else { return [] }
        let own = layout.entity
        return ambiguous(own.attributes.map { ($0.name, $0.renamingIdentifier) }, of: layout)
          + ambiguous(own.relationships.map { ($0.name, $0.renamingIdentifier) }, of: layout)
          // Report a problem of an inherited property for its declaring entity, unless the source has no such entity.
          + destination.storedAttributes(of: layout.index).flatMap { problems($0, of: layout) }
          + destination.model.hierarchy.relationships(of: layout.index).flatMap { problems($0, of: layout) }
      }
      .reduce(into: []) { problems, problem in if !problems.contains(problem) { problems.append(problem) } }
  }

  private func problem(
    _ layout: EntityLayout, _ property: String?, _ found: String, _ rule: String
  ) -> MappingProblem {
    let declarer = property.flatMap { destination.declarer(of: $0, of: layout.index) } ?? layout.index
    return MappingProblem(
      entity: destination.layouts[declarer].entity.name, property: property, found: found, rule: rule)
  }

  // MARK: - Names

  private static let uniqueIdentifiers =
    "a renaming identifier names one source at most: give each its own, or leave it out"

  private var ambiguousEntities: [MappingProblem] {
    repeated(destination.layouts.map { ($0.entity.name, $0.entity.renamingIdentifier) }).map { name, identifier in
      MappingProblem(
        entity: name, property: nil, found: "the renaming identifier '\(identifier)', which another entity has too",
        rule: ModelMatching.uniqueIdentifiers)
    }
  }

  private func ambiguous(_ names: [(String, String?)], of layout: EntityLayout) -> [MappingProblem] {
    repeated(names).map { name, identifier in
      problem(
        layout, name, "the renaming identifier '\(identifier)', which another property has too",
        ModelMatching.uniqueIdentifiers)
    }
  }

  /// The names whose renaming identifier an earlier name already has.
  private func repeated(_ names: [(String, String?)]) -> [(name: String, identifier: String)] {
    var known: Set<String> = []
    return names.compactMap { name, identifier in
      identifier.flatMap { known.insert($0).inserted ? nil : (name, $0) }
    }
  }

  // MARK: - Hierarchies

  private var mergedHierarchies: [MappingProblem] {
    destination.tables.flatMap { table -> [MappingProblem] in
      var first: (entity: Int, root: Int)?
      var problems: [MappingProblem] = []
      for entity in destination.model.hierarchy.family(of: table.root) {
        guard let origin = sources[entity] else { continue }
        let root = source.layouts[origin].rootIndex
        guard let known = first else {
          first = (origin, root)
          continue
        }
        if known.root == root { continue }
        let name = source.layouts[known.entity].entity.name
        problems.append(
          problem(
            destination.layouts[entity], nil,
            "the hierarchy of \(destination.layouts[table.root].entity.name), which \(name) is in too",
            "two hierarchies never become one: entities that had no common super-entity get none. Add a new entity and "
              + "move the objects in code of your own"))
      }
      return problems
    }
  }

  // MARK: - Attributes

  private func problems(_ attribute: AttributeDescription, of layout: EntityLayout) -> [MappingProblem] {
    let origin = self.attribute(attribute.name, of: layout.index)
    if let origin, origin.type != attribute.type {
      return [
        problem(
          layout, attribute.name, "the type \(origin.type.rawValue) in the source and \(attribute.type.rawValue) now",
          "an attribute keeps its type: add an attribute of the new type, and convert the values in code of your own")
      ]
    }
    let isRequiredAnew = !attribute.isOptional && origin?.isOptional ?? true
    guard isRequiredAnew, attribute.derivationExpression == nil, attribute.defaultValue.isStoredAsNull,
      !populated(layout.index).isEmpty
    else { return [] }
    return [
      problem(
        layout, attribute.name,
        origin == nil ? "a required attribute that is new, without a default" : "no default where it becomes required",
        "objects that have no value get the default: give it one, or make it optional")
    ]
  }

  // MARK: - Relationships

  private func problems(_ relationship: RelationshipDescription, of layout: EntityLayout) -> [MappingProblem] {
    guard let origin = self.relationship(relationship.name, of: layout.index)?.relationship,
      let target = destination.model.hierarchy.index(of: relationship.destinationEntityName),
      let oldTarget = source.model.hierarchy.index(of: origin.destinationEntityName)
    else { return [] }
    if origin.isToMany && !relationship.isToMany {
      return [
        problem(
          layout, relationship.name, "a to-many relationship in the source and a to-one relationship now",
          "a to-one relationship can become to-many, not the other way: which object would stay is for code of your own"
        )
      ]
    }
    // The old destination must still be the destination, or a sub-entity of the new one.
    guard let mapped = destinations[oldTarget], destination.model.hierarchy.family(of: target).contains(mapped) else {
      return [
        problem(
          layout, relationship.name,
          "the destination \(origin.destinationEntityName) in the source and \(relationship.destinationEntityName) now",
          "a relationship keeps its destination: add a relationship to the new one, and link the objects in code of your own"
        )
      ]
    }
    guard let inverse = relationship.inverseName, let oldInverse = origin.inverseName else {
      return inverseProblem(relationship, of: layout, hadInverse: origin.inverseName != nil)
    }
    let found = self.relationship(inverse, of: mapped)?.relationship.name
    if found == oldInverse { return [] }
    return [
      problem(
        layout, relationship.name,
        "the inverse \(origin.destinationEntityName).\(oldInverse) in the source and "
          + "\(relationship.destinationEntityName).\(inverse) now",
        "a relationship keeps its inverse: give \(inverse) the renaming identifier '\(oldInverse)' if it is the same")
    ]
  }

  /// The problem of a to-one relationship without an inverse, which has its keys on only one side.
  private func inverseProblem(
    _ relationship: RelationshipDescription, of layout: EntityLayout, hadInverse: Bool
  ) -> [MappingProblem] {
    guard !hadInverse, let inverse = relationship.inverseName,
      let target = destination.model.hierarchy.index(of: relationship.destinationEntityName),
      destination.model.hierarchy.relationship(named: inverse, of: target)?.relationship.isToMany == false
    else { return [] }
    return [
      problem(
        layout, relationship.name, "no inverse in the source and the to-one relationship \(inverse) now",
        "several objects may lead to one: make \(inverse) to-many, or link the objects in code of your own")
    ]
  }
}
