// The entities and their classes, and a container for each idiom. For Core Data, Xcode's model editor makes these.
import CoreDataModel
import Foundation
import ObjectGraph

// Core Data: `class Item: NSManagedObject` with `@NSManaged var title: String?`. Here a typed key names the property,
// in predicates too, and the container gets the class: Deviations.md, "a class for an entity".
class Item: ManagedObject {
  static let title = AttributeKey<String>("title")
  static let createdAt = AttributeKey<Date>("createdAt")
  static let priority = AttributeKey<Int>("priority")
  static let attachments = ToManyKey<Attachment>("attachments")
  static let list = ToOneKey<List>("list")

  var title: String? {
    get { self[Item.title] }
    set { self[Item.title] = newValue }
  }
  var createdAt: Date? {
    get { self[Item.createdAt] }
    set { self[Item.createdAt] = newValue }
  }
  var priority: Int {
    get { self[Item.priority] ?? 0 }
    set { self[Item.priority] = newValue }
  }
  var attachments: [Attachment] {
    get { self[Item.attachments] }
    set { self[Item.attachments] = newValue }
  }
  var list: List? {
    get { self[Item.list] }
    set { self[Item.list] = newValue }
  }
}

/// An errand, which is an item.
final class Errand: Item {}

final class Attachment: ManagedObject {
  static let item = ToOneKey<Item>("item")
  var item: Item? {
    get { self[Attachment.item] }
    set { self[Attachment.item] = newValue }
  }
}

final class List: ManagedObject {
  static let name = AttributeKey<String>("name")
  var name: String? {
    get { self[List.name] }
    set { self[List.name] = newValue }
  }
}

final class Dog: ManagedObject {
  static let name = AttributeKey<String>("name")
  static let age = AttributeKey<Int>("age")
  var name: String? {
    get { self[Dog.name] }
    set { self[Dog.name] = newValue }
  }
  var age: Int {
    get { self[Dog.age] ?? 0 }
    set { self[Dog.age] = newValue }
  }
}

let itemClasses: [String: ManagedObject.Type] = [
  "Item": Item.self, "Errand": Errand.self, "Attachment": Attachment.self, "List": List.self,
]

func itemModel(attachments rule: DeleteRule = .cascade, requiresItem: Bool = false) throws -> ManagedObjectModel {
  try ManagedObjectModel(entities: [
    EntityDescription(
      "Item",
      attributes: [
        AttributeDescription("title", .string), AttributeDescription("createdAt", .date),
        AttributeDescription("priority", .int64, defaultValue: 0),
      ],
      relationships: [
        RelationshipDescription("attachments", to: "Attachment", inverse: "item", isToMany: true, deleteRule: rule),
        RelationshipDescription("list", to: "List", inverse: "items"),
      ]),
    EntityDescription("Errand", superentity: "Item"),
    EntityDescription(
      "Attachment",
      relationships: [RelationshipDescription("item", to: "Item", inverse: "attachments", isOptional: !requiresItem)]),
    EntityDescription(
      "List", attributes: [AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("items", to: "Item", inverse: "list", isToMany: true)]),
  ])
}

func dogModel() throws -> ManagedObjectModel {
  try ManagedObjectModel(entities: [
    EntityDescription(
      "Dog", attributes: [AttributeDescription("name", .string), AttributeDescription("age", .int64, defaultValue: 0)])
  ])
}
