// One relationship of an entity.
import CoreDataModel

/// Reads one relationship of an entity.
struct RelationshipSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the relationship; where it leads is seen when all entities are known.
  func read(_ node: YAMLNode, named name: String, at place: SourceLocation) -> RelationshipReading? {
    guard let section = section(node, .relationship) else { return nil }
    let destination = required("to", in: section, example: "to: Page")
    let inverse = required("inverse", in: section, example: "inverse: book, or inverse: null for none")
    guard let destination, let inverse else { return nil }
    var relationship = RelationshipDescription(
      name, to: "", inverse: nil, isToMany: section["many"].map { isTrue($0) } ?? false)
    relationship.isOrdered = section["ordered"].map { isTrue($0) } ?? false
    if let node = section["optional"] { relationship.isOptional = isTrue(node) }
    if let node = section["min"], let count = count(node, of: .lengths) { relationship.minimumCount = count }
    if let node = section["max"], let count = count(node, of: .lengths) { relationship.maximumCount = count }
    if let rule = section["delete"].flatMap({ choice($0, of: DeleteRule.self) }) { relationship.deleteRule = rule }
    return RelationshipReading(
      description: relationship, place: place, destination: destination,
      inverse: inverse.text == "" || !inverse.isNothing ? inverse : nil)
  }
}
