// The model of the stores in fault tests.
internal import CoreDataModel
internal import ObjectGraph

/// A plain entity; each step stores many of its rows.
enum Item {
  static let name = "Item"
  static let number = AttributeKey<Int64>("number")
  static let text = AttributeKey<String>("text")
}

/// An entity with unique values.
enum Entry {
  static let name = "Entry"
  static let code = AttributeKey<String>("code")
  static let number = AttributeKey<Int64>("number")
  static let text = AttributeKey<String>("text")
  static let folder = ToOneKey<ManagedObject>("folder")
  static let tags = ToManyKey<ManagedObject>("tags")
}

/// The owner of entries; they are deleted with it.
enum Folder {
  static let name = "Folder"
  static let title = AttributeKey<String>("title")
  static let entries = ToManyKey<ManagedObject>("entries")
}

/// Entries have many of these, and these belong to many entries.
enum Tag {
  static let name = "Tag"
  static let word = AttributeKey<String>("word")
}

extension ManagedObjectModel {
  static func faultLoop() throws -> ManagedObjectModel {
    let entry = EntityDescription(
      Entry.name,
      attributes: [
        AttributeDescription("code", .string), AttributeDescription("number", .int64, defaultValue: 0),
        AttributeDescription("text", .string, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("folder", to: Folder.name, inverse: "entries"),
        RelationshipDescription("tags", to: Tag.name, inverse: "entries", isToMany: true),
      ],
      uniquenessConstraints: [["code"]])
    let folder = EntityDescription(
      Folder.name, attributes: [AttributeDescription("title", .string)],
      relationships: [
        RelationshipDescription(
          "entries", to: Entry.name, inverse: "folder", isToMany: true, isOrdered: true, deleteRule: .cascade)
      ])
    let tag = EntityDescription(
      Tag.name, attributes: [AttributeDescription("word", .string)],
      relationships: [RelationshipDescription("entries", to: Entry.name, inverse: "tags", isToMany: true)],
      uniquenessConstraints: [["word"]])
    let item = EntityDescription(
      Item.name,
      attributes: [
        AttributeDescription("number", .int64), AttributeDescription("text", .string, isOptional: true),
      ])
    return try ManagedObjectModel(entities: [entry, folder, item, tag])
  }
}

extension ManagedObjectContext {
  @discardableResult
  func makeItem(_ number: Int64, text: String? = nil) throws -> ManagedObject {
    let item = try insertNewObject(forEntityName: Item.name)
    item[Item.number] = number
    item[Item.text] = text
    return item
  }

  @discardableResult
  func makeEntry(_ code: String, in folder: ManagedObject? = nil, tags: [ManagedObject] = []) throws -> ManagedObject {
    let entry = try insertNewObject(forEntityName: Entry.name)
    entry[Entry.code] = code
    entry[Entry.folder] = folder
    entry[Entry.tags] = tags
    return entry
  }

  @discardableResult
  func makeFolder(_ title: String) throws -> ManagedObject {
    let folder = try insertNewObject(forEntityName: Folder.name)
    folder[Folder.title] = title
    return folder
  }

  @discardableResult
  func makeTag(_ word: String) throws -> ManagedObject {
    let tag = try insertNewObject(forEntityName: Tag.name)
    tag[Tag.word] = word
    return tag
  }

  /// Every stored object of the entity, by key.
  func all(_ name: String) throws -> [ManagedObject] { Array(try fetch(FetchRequest(entityName: name))) }
}
