// A small store with every kind of relationship, for tests that damage it.
import CoreDataModel
import ObjectGraph
import ObjectGraphFixtures

/// Owners with their parts and desks, ordered drawers, kits of tools, tags and notes.
enum Workshop {
  /// Entities in the order of their numbers: Desk 1, Drawer 2, Item 3, Part 4, Tool 5, Kit 6, Note 7, Owner 8, Tag 9.
  static let entities = [
    EntityDescription(
      "Desk",
      relationships: [
        RelationshipDescription("owner", to: "Owner", inverse: "desk"),
        RelationshipDescription(
          "drawers", to: "Drawer", inverse: "desk", isToMany: true, isOrdered: true, deleteRule: .cascade),
      ]),
    EntityDescription(
      "Drawer",
      relationships: [
        RelationshipDescription("desk", to: "Desk", inverse: "drawers"),
        RelationshipDescription("tool", to: "Tool", inverse: "drawers"),
      ]),
    EntityDescription(
      "Item", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("tags", to: "Tag", inverse: "items", isToMany: true),
        RelationshipDescription("notes", to: "Note", inverse: "item", isToMany: true),
      ]),
    EntityDescription(
      "Part", superentity: "Item",
      relationships: [RelationshipDescription("owner", to: "Owner", inverse: "parts", isOptional: false)]),
    EntityDescription(
      "Tool", superentity: "Item",
      relationships: [
        RelationshipDescription("drawers", to: "Drawer", inverse: "tool", isToMany: true),
        RelationshipDescription("kits", to: "Kit", inverse: "tools", isToMany: true),
      ]),
    EntityDescription(
      "Kit",
      relationships: [RelationshipDescription("tools", to: "Tool", inverse: "kits", isToMany: true, isOrdered: true)]),
    EntityDescription("Note", relationships: [RelationshipDescription("item", to: "Item", inverse: "notes")]),
    EntityDescription(
      "Owner",
      relationships: [
        RelationshipDescription("desk", to: "Desk", inverse: "owner"),
        RelationshipDescription("partner", to: "Owner", inverse: "partner"),
        RelationshipDescription("friends", to: "Owner", inverse: "friends", isToMany: true),
        RelationshipDescription("parts", to: "Part", inverse: "owner", isToMany: true, deleteRule: .cascade),
      ]),
    EntityDescription(
      "Tag", relationships: [RelationshipDescription("items", to: "Item", inverse: "tags", isToMany: true)]),
  ]

  /// Fills a store.
  ///
  /// There are three owners. The first two are partners, and all are friends of the first. Each of the first two has a
  /// desk, the first one with two drawers. Parts 1 and 2 belong to the first owner, 3 to the second, 4 and 5 to the
  /// third. Items 6 and 7 are tools, each in a drawer and together in a kit. Notes are on part 1 and tool 6, which have
  /// the tag.
  static func fill(_ coordinator: PersistentStoreCoordinator) throws {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait { () throws in
      /// Objects with the keys 1, 2, 3 and so on.
      func make(_ entity: String, _ count: Int) throws -> [ManagedObject] {
        try (0..<count).map { _ in
          let object = try context.insertNewObject(forEntityName: entity)
          try context.obtainPermanentIDs(for: [object])
          return object
        }
      }
      let owners = try make("Owner", 3)
      let desks = try make("Desk", 2)
      let drawers = try make("Drawer", 3)
      let parts = try make("Part", 5)
      let tools = try make("Tool", 2)
      let notes = try make("Note", 2)
      let (kit, tag) = (try make("Kit", 1)[0], try make("Tag", 1)[0])
      for (number, item) in (parts + tools).enumerated() { item["name"] = .string("item \(number + 1)") }

      func toOne(_ object: ManagedObject, _ name: String, _ value: ManagedObject) {
        object[ToOneKey<ManagedObject>(name)] = value
      }
      toOne(owners[0], "partner", owners[1])
      for (desk, owner) in zip(desks, owners) { toOne(desk, "owner", owner) }
      for (part, owner) in zip(parts, [0, 0, 1, 2, 2]) { toOne(part, "owner", owners[owner]) }
      for (drawer, tool) in zip(drawers, tools) { toOne(drawer, "tool", tool) }
      for (note, item) in zip(notes, [parts[0], tools[0]]) { toOne(note, "item", item) }
      owners[0][ToManyKey<ManagedObject>("friends")] = Array(owners[1...])
      tag[ToManyKey<ManagedObject>("items")] = [parts[0], tools[0]]
      for (drawer, desk) in zip(drawers, [0, 0, 1]) { toOne(drawer, "desk", desks[desk]) }
      for tool in tools { tool[ToManyKey<ManagedObject>("kits")] = [kit] }
      try context.save()
    }
  }

  /// A filled store in its own folder.
  static func stack(configure: (inout PersistentStoreDescription) -> Void = { _ in }) throws -> TestStack {
    let stack = try TestStack(entities, configure: configure)
    try fill(stack.coordinator)
    return stack
  }
}
