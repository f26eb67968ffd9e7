// The models of random programs: every kind of relationship, with random delete rules, uniqueness and requirements.
import CoreDataModel

/// A model of items in groups, with chapters, tags and relationships among items, with rules from a seed.
struct ProgramModel: CustomStringConvertible {
  /// Whether items and groups are unique by code.
  let isUnique: Bool
  /// The required relationships, as `Entity.relationship`.
  let required: Set<String>
  let rules: [String: DeleteRule]
  let hasOrderedTags: Bool
  let tracksHistory: Bool

  /// No save accepts larger values.
  static let mostValue: Int64 = 1_000_000

  private static let requirable = ["Item.group", "Chapter.group", "Group.leader"]
  private static let names = [
    "Item.group", "Item.parent", "Item.children", "Item.partner", "Item.leads", "Item.friends", "Item.tags",
    "Tag.items",
    "Group.items", "Group.leader", "Group.chapters", "Chapter.group",
  ]

  /// Relationships that leave no dangling links if nothing is done on deletion: their objects have the key, or pairs
  /// do.
  private static let harmless = [
    "Item.group", "Item.parent", "Chapter.group", "Item.friends", "Item.tags", "Tag.items",
  ]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    isUnique = random.chance(2)
    required = Set(Self.requirable.filter { _ in random.chance(3) })
    hasOrderedTags = random.chance(2)
    var rules: [String: DeleteRule] = [:]
    for name in Self.names {
      let drawn = random.pick([DeleteRule.nullify, .nullify, .nullify, .cascade, .cascade, .deny])
      rules[name] = drawn
    }
    for name in Self.harmless where random.chance(8) { rules[name] = .noAction }
    self.rules = rules
    // Draw this last, so that the seeds of older programs give the same programs.
    tracksHistory = random.chance(3)
  }

  var description: String {
    let strict = rules.filter { $0.value != .nullify }.map { "\($0.key) \($0.value.rawValue)" }.sorted()
    return "unique \(isUnique), required \(required.sorted()), rules \(strict), ordered tags \(hasOrderedTags), "
      + "history \(tracksHistory)"
  }

  func rule(_ entity: String, _ name: String) -> DeleteRule { rules["\(entity).\(name)"] ?? .nullify }

  var entities: [EntityDescription] {
    func relationship(
      _ entity: String, _ name: String, to destination: String, inverse: String, isToMany: Bool = false,
      isOrdered: Bool = false
    ) -> RelationshipDescription {
      RelationshipDescription(
        name, to: destination, inverse: inverse, isToMany: isToMany, isOrdered: isOrdered,
        isOptional: !required.contains("\(entity).\(name)"), deleteRule: rule(entity, name))
    }
    let attributes = [
      AttributeDescription("code", .string, isOptional: true),
      AttributeDescription(
        "value", .int64, isOptional: true,
        validationRules: [.range(minimum: nil, maximum: .integer(ProgramModel.mostValue))]),
      AttributeDescription("note", .string, isOptional: true),
    ]
    return [
      EntityDescription(
        "Item", attributes: attributes,
        relationships: [
          relationship("Item", "group", to: "Group", inverse: "items"),
          relationship("Item", "parent", to: "Item", inverse: "children"),
          relationship("Item", "children", to: "Item", inverse: "parent", isToMany: true),
          relationship("Item", "partner", to: "Item", inverse: "partner"),
          relationship("Item", "leads", to: "Group", inverse: "leader"),
          relationship("Item", "friends", to: "Item", inverse: "friends", isToMany: true),
          relationship("Item", "tags", to: "Tag", inverse: "items", isToMany: true, isOrdered: hasOrderedTags),
        ], uniquenessConstraints: isUnique ? [["code"]] : []),
      EntityDescription(
        "Special", superentity: "Item", attributes: [AttributeDescription("bonus", .int64, isOptional: true)]),
      EntityDescription(
        "Group", attributes: attributes,
        relationships: [
          relationship("Group", "items", to: "Item", inverse: "group", isToMany: true),
          relationship("Group", "leader", to: "Item", inverse: "leads"),
          relationship("Group", "chapters", to: "Chapter", inverse: "group", isToMany: true, isOrdered: true),
        ], uniquenessConstraints: isUnique ? [["code"]] : []),
      EntityDescription(
        "Chapter", attributes: attributes,
        relationships: [relationship("Chapter", "group", to: "Group", inverse: "chapters")]),
      EntityDescription(
        "Tag", attributes: attributes,
        relationships: [relationship("Tag", "items", to: "Item", inverse: "tags", isToMany: true)]),
    ]
  }
}
