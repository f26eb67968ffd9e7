// The keys of a model: entities, attributes and relationships.
import CoreDataModel

extension ScenarioKey {
  static let modelKeys = entityKeys + changedEntityKeys + attributeKeys + relationshipKeys

  private static let entityKeys = [
    ScenarioKey(
      "attributes", .mapping("attributes by name", .named(.keys(.attribute))), in: .entity,
      help: "the values that its rows have"),
    ScenarioKey(
      "relationships", .mapping("relationships by name", .named(.keys(.relationship))), in: .entity,
      help: "its relationships to other entities"),
    ScenarioKey(
      "unique", .list("lists of attributes", .list(.list(.text))), in: .entity,
      help: "uniqueness constraints, such as [[code]]"),
    ScenarioKey(
      "indexes", .mapping("lists of properties by name", .named(.list(.text))), in: .entity,
      help: "fetch indexes, such as {by_place: [place]}"),
    ScenarioKey("parent", .text("entity"), in: .entity, help: "the entity that it inherits from"),
    ScenarioKey("abstract", .flag, in: .entity, default: "false", help: "whether it has no rows of its own"),
  ]

  private static let changedEntityKeys = [
    ScenarioKey(
      "attributes", .mapping("attributes by name", .named(.keys(.attribute))), in: .changedEntity,
      help: "attributes that a version adds or changes"),
    ScenarioKey(
      "relationships", .mapping("relationships by name", .named(.keys(.relationship))), in: .changedEntity,
      help: "relationships that a version adds or changes"),
    ScenarioKey(
      "without", .list("properties", .list(.text)), in: .changedEntity,
      help: "attributes and relationships that a version removes"),
    ScenarioKey(
      "unique", .list("lists of attributes", .list(.list(.text))), in: .changedEntity,
      help: "uniqueness constraints of a version, in place of the model's"),
    ScenarioKey(
      "indexes", .mapping("lists of properties by name", .named(.list(.text))), in: .changedEntity,
      help: "fetch indexes of a version, in place of the model's"),
  ]

  private static let attributeKeys = [
    ScenarioKey(
      "type", .value(.words(AttributeType.allCases.map(\.rawValue))), in: .attribute, help: "the type of its values"),
    ScenarioKey("optional", .flag, in: .attribute, default: "false", help: "whether the value may be null"),
    ScenarioKey("default", .text("value of the type"), in: .attribute, help: "the value of a new object"),
    ScenarioKey("transient", .flag, in: .attribute, default: "false", help: "whether it is not stored"),
    ScenarioKey(
      "renamed_from", .text("attribute"), in: .attribute, help: "its name in the previous version"),
    ScenarioKey("min", .text("value of the type"), in: .attribute, help: "the smallest valid value"),
    ScenarioKey("max", .text("value of the type"), in: .attribute, help: "the largest valid value"),
    ScenarioKey("min_length", .value(.lengths), in: .attribute, help: "the length of the shortest valid value"),
    ScenarioKey("max_length", .value(.lengths), in: .attribute, help: "the length of the longest valid value"),
    ScenarioKey(
      "pattern", .text("regular expression"), in: .attribute, help: "a regular expression that valid text matches"),
  ]

  private static let relationshipKeys = [
    ScenarioKey("to", .text("entity"), in: .relationship, help: "the destination entity"),
    ScenarioKey(
      "inverse", .text("relationship, or null"), in: .relationship, help: "the inverse relationship"),
    ScenarioKey(
      "many", .flag, in: .relationship, default: "false", help: "whether it is to-many"),
    ScenarioKey("ordered", .flag, in: .relationship, default: "false", help: "whether the objects have an order"),
    ScenarioKey("optional", .flag, in: .relationship, default: "true", help: "whether it may be empty"),
    ScenarioKey("min", .value(.lengths), in: .relationship, help: "the smallest valid number of objects"),
    ScenarioKey("max", .value(.lengths), in: .relationship, help: "the largest valid number of objects"),
    ScenarioKey(
      "delete", .value(.words(DeleteRule.allCases.map(\.rawValue))), in: .relationship, default: "nullify",
      help: "what deleting an object does to its destinations"),
  ]
}

extension ValueDomain {
  /// Lengths of values and numbers of objects.
  static let lengths = number(0...1_000_000_000)
}
