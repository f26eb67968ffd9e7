// D5: validation that makes another object be read again during a save.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D5 · objects that are refreshed during validation", .tags(.d5))
struct RefreshInCheckTests {
  /// Its validation reads its owner's stored values.
  final class Careful: ManagedObject {
    override func validateForUpdate() throws {
      try super.validateForUpdate()
      if let owner = try object(forKey: "owner") { try managedObjectContext?.refresh(owner, mergeChanges: false) }
    }
  }

  /// Its validation reads its owner's stored values once.
  final class Curious: ManagedObject {
    private var hasLooked = false

    override func validateForUpdate() throws {
      try super.validateForUpdate()
      if hasLooked { return }
      hasLooked = true
      if let owner = try object(forKey: "owner") { try managedObjectContext?.refresh(owner, mergeChanges: false) }
    }
  }

  /// An object that sets a value whenever it is read.
  final class Waking: ManagedObject {
    override func awakeFromFetch() { self["name"] = "awake" }
  }

  /// Its validation reads the committed value of `owner`, and fails.
  final class Asking: ManagedObject {
    var ownerID: ManagedObjectID?

    override func validateForUpdate() throws {
      guard let ownerID, let context = managedObjectContext, context.registeredObject(for: ownerID) == nil
      else { return }
      _ = try context.object(with: ownerID)
      throw TestFailure("refused")
    }
  }

  @Test("A row has one object after a failed save whose validation asked for an object that a conflict removed")
  func askedFor() throws {
    let name = AttributeDescription("name", .string, isOptional: true)
    let stack = try TestStack(
      [
        EntityDescription(
          "Owner", attributes: [name],
          relationships: [RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true)]),
        EntityDescription(
          "Thing", attributes: [name], relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")]
        ),
      ], classes: ["Thing": Asking.self])
    let (context, other) = (stack.context(.rollback), stack.context())
    try context.performAndWait { () throws in
      let owner = try context.insertNewObject(forEntityName: "Owner")
      let thing = try #require(try context.insertNewObject(forEntityName: "Thing") as? Asking)
      try context.save()
      let ownerID = owner.objectID
      try other.performAndWait { () throws in
        try other.delete(other.object(with: ownerID))
        try other.save()
      }
      owner["name"] = "new"
      thing["name"] = "new"
      thing.ownerID = ownerID
      #expect(throws: (any Error).self) { try context.save() }
      #expect(context.registeredObject(for: ownerID) === owner)
      #expect(try context.object(with: ownerID) === owner && owner["name"] == "new")
      #expect(context.updatedObjects == [owner, thing])
      thing.ownerID = nil
      try context.save()
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZTHING") == ["new"])
    #expect(try stack.rows("SELECT ZNAME FROM ZOWNER") == [])
  }

  @Test("Values that an object sets when it is read again are validated too", arguments: [true, false])
  func awakened(ownerIsFirst: Bool) throws {
    let stack = try TestStack(
      [
        EntityDescription(
          "Owner",
          attributes: [
            .init("name", .string, isOptional: true, validationRules: [.length(minimum: nil, maximum: 3)])
          ], relationships: [RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true)]),
        EntityDescription(
          "Thing", attributes: [.init("name", .string, isOptional: true)],
          relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")]),
      ], classes: ["Thing": Curious.self, "Owner": Waking.self])
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try context.insertNewObject(forEntityName: "Owner")
      let thing = try context.insertNewObject(forEntityName: "Thing")
      try context.save()
      if ownerIsFirst { owner["name"] = "me" }
      try thing.setObject(owner, forKey: "owner")
      thing["name"] = "first"
      guard case .validation(let failures) = objectGraphError({ () throws(ObjectGraphError) in try context.save() })
      else {
        Issue.record("what was set is stored unchecked")
        return
      }
      #expect(failures.map(\.key) == ["name"] && failures.map(\.objectID) == [owner.objectID])
    }
  }

  @Test(
    "The object can be changed and saved afterwards, and the others keep their saved values",
    arguments: [true, false])
  func refreshed(ownerIsFirst: Bool) throws {
    let name = AttributeDescription("name", .string, isOptional: true)
    let stack = try TestStack(
      [
        EntityDescription(
          "Owner", attributes: [name],
          relationships: [RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true)]),
        EntityDescription(
          "Thing", attributes: [name], relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")]
        ),
      ], classes: ["Thing": Careful.self])
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try context.insertNewObject(forEntityName: "Owner")
      let thing = try context.insertNewObject(forEntityName: "Thing")
      try context.save()
      if ownerIsFirst { owner["name"] = "lost by the refresh" }
      try thing.setObject(owner, forKey: "owner")
      thing["name"] = "first"
      try context.save()
      #expect(!context.hasChanges && owner["name"] == .null)
      for (object, text) in [(owner, "owner"), (thing, "second")] {
        object["name"] = .string(text)
        #expect(context.updatedObjects == [object])
        try context.save()
      }
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZOWNER UNION ALL SELECT ZNAME FROM ZTHING") == ["owner", "second"])
  }
}
