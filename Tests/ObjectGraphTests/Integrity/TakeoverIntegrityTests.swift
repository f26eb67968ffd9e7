// D13, D5: rows that new objects take over, and stored ones that stand for new objects, each by itself; every stack checks
// its store in the end.
import CoreDataModel
import ObjectGraph
import Synchronization
import Testing

@Suite("D13 D5 · no key to nothing after a takeover")
struct TakeoverIntegrityTests {
  /// Items and groups that are unique by code; a group's items and notes go with it.
  private func stack(_ configure: (inout PersistentStoreDescription) -> Void = { _ in }) throws -> TestStack {
    let attributes = [
      AttributeDescription("code", .string, isOptional: true), AttributeDescription("note", .string, isOptional: true),
    ]
    return try TestStack(
      [
        EntityDescription(
          "Item", attributes: attributes,
          relationships: [
            RelationshipDescription("parent", to: "Item", inverse: "children"),
            RelationshipDescription("children", to: "Item", inverse: "parent", isToMany: true),
            RelationshipDescription("leads", to: "Group", inverse: "leader"),
            RelationshipDescription("groups", to: "Group", inverse: "items", isToMany: true),
          ], uniquenessConstraints: [["code"]]),
        EntityDescription("Special", superentity: "Item"),
        EntityDescription(
          "Group", attributes: attributes,
          relationships: [
            RelationshipDescription("leader", to: "Item", inverse: "leads"),
            RelationshipDescription("items", to: "Item", inverse: "groups", isToMany: true, deleteRule: .cascade),
            RelationshipDescription("notes", to: "Note", inverse: "group", isToMany: true, deleteRule: .cascade),
          ], uniquenessConstraints: [["code"]]),
        EntityDescription("Note", relationships: [RelationshipDescription("group", to: "Group", inverse: "notes")]),
      ], configure: configure)
  }

  private func make(_ entity: String, _ code: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let object = try context.insertNewObject(forEntityName: entity)
    object["code"] = .string(code)
    return object
  }

  /// Stores a new item, which takes the row with its code over.
  private func takeOver(_ code: String, in context: ManagedObjectContext) throws {
    try context.performAndWait { () throws in
      _ = try make("Item", code, in: context)
      try context.save()
    }
  }

  @Test(
    "A new object that takes a changed row over leads nowhere that the row's former object was set to",
    .tags(.d13, .d5),
    arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func changedRow(policy: MergePolicy) throws {
    let stack = try stack()
    let context = stack.context(policy)
    try context.performAndWait { () throws in
      let former = try make("Item", "former", in: context)
      try context.save()
      let new = try make("Item", "taken", in: context)
      former["code"] = "taken"
      try former.setObject(new, forKey: "parent")
      try context.save()
      #expect(try new.object(forKey: "parent") == nil)
      #expect(try new.objects(forKey: "children") == [])
      #expect(try stack.rows("SELECT ZCODE, ZPARENT FROM ZITEM") == ["taken|NULL"])
    }
  }
}
