// The model of the random graphs: one relationship of each kind, with the rule that keeps both ends consistent.
import CoreDataModel

/// What the plain model, the steps and the comparison know about the entities.
enum GraphSchema {
  /// A relationship that is a key in its object's own row.
  struct ToOne: Hashable {
    let source: String
    let name: String
    let destination: String
    let inverse: String
    var inverseIsToMany = true
    var inverseIsOrdered = false
  }

  /// A many-to-many relationship, seen from one of its ends.
  struct ManyToMany: Hashable {
    /// The name of the plain model's pairs, which is the same for both ends.
    let pairs: String
    let source: String
    let name: String
    let destination: String
    let inverse: String
    /// Whether the objects of the source come first in the pairs.
    let isFirst: Bool

    var isReflexive: Bool { source == destination && name == inverse }
  }

  static let toOnes = [
    ToOne(source: "Item", name: "group", destination: "Group", inverse: "items"),
    ToOne(source: "Item", name: "parent", destination: "Item", inverse: "children"),
    ToOne(source: "Item", name: "partner", destination: "Item", inverse: "partner", inverseIsToMany: false),
    ToOne(source: "Item", name: "leads", destination: "Group", inverse: "leader", inverseIsToMany: false),
    ToOne(source: "Group", name: "leader", destination: "Item", inverse: "leads", inverseIsToMany: false),
    ToOne(source: "Page", name: "book", destination: "Book", inverse: "pages", inverseIsOrdered: true),
  ]

  static let manyToManys = [
    ManyToMany(pairs: "tags", source: "Item", name: "tags", destination: "Tag", inverse: "items", isFirst: true),
    ManyToMany(pairs: "tags", source: "Tag", name: "items", destination: "Item", inverse: "tags", isFirst: false),
    ManyToMany(
      pairs: "friends", source: "Item", name: "friends", destination: "Item", inverse: "friends", isFirst: true),
  ]

  /// The entities; super-entities come first.
  static let entityNames = ["Group", "Item", "SpecialItem", "Tag", "Book", "Page"]

  /// The entity whose table has the rows.
  static func root(_ entity: String) -> String { entity == "SpecialItem" ? "Item" : entity }

  static func toOnes(of entity: String) -> [ToOne] { toOnes.filter { $0.source == root(entity) } }

  static func toOne(_ name: String, of entity: String) -> ToOne? { toOnes(of: entity).first { $0.name == name } }

  /// The to-one relationships to objects of the entity that have a to-many inverse.
  static func oneToManys(of entity: String) -> [ToOne] {
    toOnes.filter { $0.destination == root(entity) && $0.inverseIsToMany }
  }

  static func manyToManys(of entity: String) -> [ManyToMany] { manyToManys.filter { $0.source == root(entity) } }

  static func attributes(of entity: String) -> [String] {
    ["name", "value"] + (entity == "SpecialItem" ? ["bonus"] : [])
  }

  /// Longer names cannot be saved.
  static let longestName = 8

  static var entities: [EntityDescription] {
    let attributes = [
      AttributeDescription("id", .int64),
      AttributeDescription(
        "name", .string, validationRules: [.length(minimum: nil, maximum: longestName)]),
      AttributeDescription("value", .int32, isOptional: true),
    ]
    return entityNames.map { name in
      if name == "SpecialItem" {
        return EntityDescription(
          name, superentity: "Item", attributes: [AttributeDescription("bonus", .int32, isOptional: true)])
      }
      return EntityDescription(
        name, attributes: attributes, relationships: relationships(of: name), uniquenessConstraints: [["id"]])
    }
  }

  private static func relationships(of entity: String) -> [RelationshipDescription] {
    toOnes(of: entity).map { RelationshipDescription($0.name, to: $0.destination, inverse: $0.inverse) }
      + oneToManys(of: entity).map {
        RelationshipDescription(
          $0.inverse, to: $0.source, inverse: $0.name, isToMany: true, isOrdered: $0.inverseIsOrdered,
          deleteRule: $0.inverseIsOrdered ? .cascade : .nullify)
      }
      + manyToManys(of: entity).map {
        RelationshipDescription($0.name, to: $0.destination, inverse: $0.inverse, isToMany: true)
      }
  }
}
