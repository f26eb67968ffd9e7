// B11, D5: an object is related to one that the same save deletes, and no delete rule clears the key.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("B11 D5 · keys of objects that the same save deletes", .tags(.b11, .d5))
struct DeletedDestinationTests {
  /// Stations with a last quake but no inverse, and things whose owner does nothing for them.
  private func stack(isOptional: Bool = true) throws -> TestStack {
    try TestStack([
      .quake(),
      EntityDescription(
        "Station", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [RelationshipDescription("last", to: "Quake", inverse: nil, isOptional: isOptional)]),
      EntityDescription(
        "Owner",
        relationships: [
          RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true, deleteRule: .noAction)
        ]),
      EntityDescription(
        "Thing", relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")]),
    ])
  }

  @Test("The object is deleted, and a key to it is not stored", arguments: [true, false])
  func withoutInverse(isNew: Bool) throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", into: context)
      var station = try context.insertNewObject(forEntityName: "Station")
      try context.save()
      if isNew { station = try context.insertNewObject(forEntityName: "Station") }
      station["name"] = "here"
      try station.setObject(quake, forKey: "last")
      try context.delete(quake)
      try context.save()
      #expect(try quake.managedObjectContext == nil && !context.hasChanges && station.object(forKey: "last") == nil)
      #expect(try context.count(for: FetchRequest(entityName: "Quake")) == 0)
    }
    #expect(try stack.rows("SELECT COUNT(*) FROM ZQUAKE") == ["0"])
    #expect(try stack.rows("SELECT ZNAME, ZLAST FROM ZSTATION WHERE ZNAME = 'here'") == ["here|NULL"])
    #expect(try stack.coordinator.integrity().isSound)
  }

  @Test(
    "A key to the object is not stored, even with the rule noAction or if a child deletes", arguments: [true, false])
  func noAction(isChild: Bool) throws {
    let stack = try stack()
    let root = stack.context()
    let context = isChild ? ManagedObjectContext(.privateQueue, parent: root) : root
    try context.performAndWait { () throws in
      let owners = try (0..<2).map { _ in try context.insertNewObject(forEntityName: "Owner") }
      let thing = try context.insertNewObject(forEntityName: "Thing")
      try thing.setObject(owners[0], forKey: "owner")
      try context.save()
      try thing.setObject(owners[1], forKey: "owner")
      try context.delete(owners[1])
      try context.save()
    }
    if isChild { try root.performAndWait { try root.save() } }
    #expect(try stack.rows("SELECT COUNT(*) FROM ZOWNER") == ["1"])
    #expect(try stack.rows("SELECT ZOWNER FROM ZTHING") == ["NULL"])
  }

  @Test(
    "A merge policy that deletes an object keeps its key in others if the rule is noAction", .tags(.d13),
    arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func noActionOfPolicy(policy: MergePolicy) throws {
    let stack = try TestStack.owners(.noAction)
    let context = stack.context(policy)
    try context.performAndWait { () throws in
      let (taker, holder) = (try context.make("Owner", "taker"), try context.make("Owner", "holder"))
      try context.make("Thing", "thing").setObject(holder, forKey: "owner")
      try context.save()
      taker["name"] = "holder"
      try context.save()
      #expect(holder.isDeleted)
    }
    #expect(try stack.rows("SELECT ZNAME FROM ZOWNER") == ["holder"])
    #expect(try stack.coordinator.integrity().breaches.map(\.rule) == [.keyLeadsToRow])
  }

  @Test("A required relationship fails the save, and every change stays pending")
  func required() throws {
    let stack = try stack(isOptional: false)
    let context = stack.context()
    try context.performAndWait { () throws in
      let (first, second) = (try Quake.insert("a", into: context), try Quake.insert("b", into: context))
      let station = try context.insertNewObject(forEntityName: "Station")
      try station.setObject(first, forKey: "last")
      try context.save()
      try station.setObject(second, forKey: "last")
      try context.delete(second)
      #expect(throws: ObjectGraphError.self) { try context.save() }
      #expect(context.deletedObjects == [second] && context.updatedObjects == [station])
      try station.setObject(first, forKey: "last")
      try context.save()
    }
    #expect(try stack.rows("SELECT ZCODE FROM ZQUAKE") == ["a"])
  }
}
