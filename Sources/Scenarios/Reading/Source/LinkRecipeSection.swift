// Relationships with random destinations: how many there are, how often each is used, and whether that is possible.
import BatchmarkEngine
import CoreDataModel

/// Reads the destinations of an entity's rows if they are drawn, not counted.
struct LinkRecipeSection: NodeReading {
  let diagnostics: Diagnostics
  let relationship: RelationshipDescription
  let inverse: RelationshipDescription?

  /// The distributions of destinations.
  static let shapes = [DistributionShape.uniform, .zipf].map(\.rawValue)

  /// Reads the links to one entity into the profile.
  func read(
    _ section: Section, to entry: YAMLNode.Entry, into entity: inout DataProfile.Entity,
    in reading: inout ProfileReading
  ) {
    var link = LinkRecipe(name: relationship.name, destination: entry.key)
    if let problem = problem(of: entity) {
      return diagnose(entry.keyPlace, found: problem.found, expected: problem.expected)
    }
    if let node = section["nulls"], let part = amount(node, in: 0...mostRows) {
      link.nulls = part
      if part.count(of: entity.rows) > entity.rows {
        diagnose(
          node.place, found: "\(part.count(of: entity.rows)) rows that lead nowhere", expected: "at most \(entity.rows)"
        )
      }
    }
    if let node = section["destinations"] {
      if relationship.isToMany {
        if let bounds = bounds(node, in: 0...mostRows, example: "[0, 5]") { link.destinations = bounds }
      } else {
        diagnose(
          node.place, found: "the key 'destinations' of the to-one relationship \(shown(relationship.name))",
          expected: "nulls: and the share of rows that lead nowhere, or no such key")
      }
    }
    let zipf =
      section["distribution"].flatMap { word($0, among: LinkRecipeSection.shapes) } == DistributionShape.zipf.rawValue
    if zipf { link.distribution = .zipf(exponent: section["exponent"].flatMap { exponent($0) } ?? 1) }
    if let node = section["exponent"], !zipf {
      diagnose(node.place, found: "the key 'exponent' without a Zipf distribution", expected: "distribution: zipf")
    }
    entity.links.append(link)
    reading.linkPlaces.append((link, entity.name, entry.keyPlace))
  }

  /// Why destinations cannot be drawn; counts of pairs offer more.
  private func problem(of entity: DataProfile.Entity) -> (found: String, expected: String)? {
    let name = shown(relationship.name)
    if entity.links.contains(where: { $0.name == relationship.name })
      || entity.relationships.contains(where: { $0.name == relationship.name })
    {
      return ("a second entity that \(name) leads to", "per_row: and per_destination: for each of them")
    }
    if relationship.isToMany, let inverse, !inverse.isToMany {
      return (
        "the to-many relationship \(name), whose inverse \(shown(inverse.name)) is to-one",
        "the relationship \(shown(inverse.name)) of \(relationship.destinationEntityName), which describes both ends"
      )
    }
    guard relationship.destinationEntityName == entity.name else { return nil }
    if let inverse, !inverse.isToMany || !inverse.isOptional {
      return (
        "the relationship \(name) to rows of its own entity, with an inverse that is to-one or required",
        "per_row: and per_destination:, or an inverse that is to-many and optional"
      )
    }
    if !relationship.isOptional, !relationship.isToMany {
      return ("the required relationship \(name) to rows of its own entity", "optional: true, since trees have roots")
    }
    return nil
  }

  /// Checks links against their destination rows.
  static func check(
    _ link: LinkRecipe, of entity: String, at place: SourceLocation, in reading: ProfileReading,
    diagnostics: Diagnostics
  ) {
    guard
      let relationship = reading.model.relationships(of: entity).first(where: { $0.name == link.name })
    else { return }
    let inverse = relationship.inverseName.flatMap { name in
      reading.model[relationship.destinationEntityName]?.relationship(named: name)
    }
    LinkRecipeSection(diagnostics: diagnostics, relationship: relationship, inverse: inverse)
      .check(link, of: entity, in: reading, at: place)
  }

  private func check(_ link: LinkRecipe, of entity: String, in reading: ProfileReading, at place: SourceLocation) {
    let rows = reading.rows(of: entity)
    let destinations = reading.rows(of: link.destination)
    guard rows - link.nulls.count(of: rows) > 0 else { return }
    // Entities of one hierarchy share a relationship and its destination rows.
    let linked = inverse?.isToMany == false ? linkedRows(to: link.destination, upTo: entity, in: reading) : 0
    let name = link.destination
    if destinations == 0 {
      diagnose(
        place, found: "no rows of \(name)", expected: "rows that \(shown(link.name)) can lead to: \(name): {rows: 100}")
    } else if linked > destinations {
      diagnose(
        place, found: "\(linked) rows that lead to \(destinations) of \(name), each of which can be led to once",
        expected: "at least as many rows of \(name), or nulls: \(linked - destinations)")
    } else if link.destinations.upperBound > destinations {
      diagnose(
        place, found: "up to \(link.destinations.upperBound) destinations among \(destinations) rows of \(name)",
        expected: "at most \(destinations)")
    }
  }

  /// How many rows are linked to an entity by the relationship: those of counted links, and those that are drawn for
  /// the entities up to `last`.
  private func linkedRows(to destination: String, upTo last: String, in reading: ProfileReading) -> Int {
    let sharing = reading.profile.entities.filter { reading.model.relationships(of: $0.name).contains(relationship) }
    let counted = sharing.flatMap(\.relationships).filter {
      $0.name == relationship.name && $0.destination == destination
    }
    let before = sharing.firstIndex { $0.name == last }.map { sharing[...$0] } ?? []
    return counted.reduce(0) { $0 + $1.perRow.count }
      + before.reduce(0) { total, entity in
        total
          + entity.links.filter { $0.name == relationship.name && $0.destination == destination }
          .reduce(0) { $0 + $1.linked(of: entity.rows) }
      }
  }
}
