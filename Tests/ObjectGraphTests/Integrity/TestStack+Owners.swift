// Owners with things and a badge: the model of conflicts that once broke rules.
import CoreDataModel
import ObjectGraph
import ObjectGraphFixtures

extension TestStack {
  /// Owners that are unique by name, with things that refer to them, and one badge each.
  static func owners(_ rule: DeleteRule, isRequired: Bool = false) throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Owner",
        attributes: [AttributeDescription("name", .string), AttributeDescription("note", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true, deleteRule: rule),
          RelationshipDescription("badge", to: "Badge", inverse: "owner"),
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        "Thing", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things", isOptional: !isRequired)]),
      EntityDescription(
        "Badge", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("owner", to: "Owner", inverse: "badge")]),
    ])
  }
}

extension ManagedObjectContext {
  /// A new object with that name.
  func make(_ entity: String, _ name: String) throws -> ManagedObject {
    let object = try insertNewObject(forEntityName: entity)
    object["name"] = .string(name)
    return object
  }
}
