// D13, D5: rows that new objects take over, and stored ones that replace new objects, one by one; every stack checks
// its store at the end.
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D13 D5 · no dangling keys after a takeover")
struct TakeoverIntegrityTests {
  /// Items and groups that are unique by code; a group's items and notes are deleted with it.
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

  /// Stores a new item, which takes over the row with its code.
  private func takeOver(_ code: String, in context: ManagedObjectContext) throws {
    try context.performAndWait { () throws in
      _ = try make("Item", code, in: context)
      try context.save()
    }
  }

  @Test(
    "A new object that takes over a changed row does not take over its changed references",
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

  @Test(
    "A cascade deletes a row that has changed its entity", .tags(.d13, .d5),
    arguments: MergePolicy.MergeType.allCases)
  func cascade(type: MergePolicy.MergeType) throws {
    let stack = try stack()
    let here = stack.context(MergePolicy(mergeType: type))
    try here.performAndWait { () throws in
      let (special, group) = (try make("Special", "taken", in: here), try make("Group", "group", in: here))
      try special.addObject(group, forKey: "groups")
      try here.save()
      try here.delete(group)
      try takeOver("taken", in: stack.context(.overwrite))
      try here.save()
      #expect(try stack.rows("SELECT ZCODE FROM ZITEM") == [])
      #expect(try stack.rows("SELECT ZCODE FROM ZGROUP") == [])
    }
  }

  @Test("References to a row that the same save takes over refer to the row's new object", .tags(.d13, .d5))
  func relatedInOneSave() throws {
    let stack = try stack()
    let context = stack.context(.overwrite)
    try context.performAndWait { () throws in
      let special = try make("Special", "former", in: context)
      try context.save()
      special["code"] = "taken"
      // Before and after the new object.
      let first = try make("Item", "first", in: context)
      let new = try make("Item", "taken", in: context)
      let last = try make("Item", "last", in: context)
      for child in [first, last] { try child.setObject(special, forKey: "parent") }
      try context.save()
      #expect(special.isDeleted)
      #expect(Set(try new.objects(forKey: "children")) == [first, last])
      for child in [first, last] { #expect(try child.object(forKey: "parent") === new) }
    }
  }
}

extension TakeoverIntegrityTests {
  @Test(
    "A new object that takes over a row does not refer to one whose row another object takes over", .tags(.d13, .d5))
  func partnersTakenOver() throws {
    let stack = try stack()
    let context = stack.context(.overwrite)
    try context.performAndWait { () throws in
      let (special, group) = (try make("Special", "taken", in: context), try make("Group", "group", in: context))
      try context.save()
      let (newItem, newGroup) = (try make("Item", "taken", in: context), try make("Group", "group", in: context))
      try newItem.setObject(group, forKey: "leads")
      try context.save()
      #expect(special.isDeleted && group.isDeleted)
      #expect(try newItem.object(forKey: "leads") == nil)
      #expect(try newGroup.object(forKey: "leader") == nil)
      #expect(try stack.rows("SELECT ZLEADS FROM ZITEM") == ["NULL"])
    }
  }

  @Test("After a save, the object of a row that has changed its entity is deleted", .tags(.d13, .d5))
  func formerObject() throws {
    let stack = try stack()
    let context = stack.context(.overwrite)
    try context.performAndWait { () throws in
      let special = try make("Special", "taken", in: context)
      try context.save()
      // Nothing holds the new object.
      try takeOver("taken", in: context)
      #expect(special.isDeleted && context.registeredObjects == [])
    }
  }

  @Test("A new object that takes over a changed object's row is in a list once", .tags(.d12, .d5), arguments: [0, 50])
  func changedRowInList(limit: Int) throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let former = try (0..<20).map { try make("Item", "\($0)", in: context) }
      try context.save()
      var request = FetchRequest(entityName: "Item", sortDescriptors: [FetchSortDescriptor("code")])
      request.fetchLimit = limit
      let list = try FollowedList("items", request, context)
      for item in former { item["note"] = "changed" }
      for index in 0..<20 { _ = try make("Item", "\(index)", in: context) }
      context.processPendingChanges()
      try context.save()
      try list.check("after the save")
      list.checkObjects("after the save")
    }
  }

  @Test("A list has no object of another entity that was stored instead of one of its own", .tags(.d12, .d5))
  func otherEntityInList() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let request = FetchRequest(entityName: "Special", sortDescriptors: [FetchSortDescriptor("code")])
      let list = try FollowedList("specials", request, context)
      let child = ManagedObjectContext(parent: context)
      try child.performAndWait { () throws in
        _ = try make("Special", "taken", in: child)
        try child.save()
      }
      try list.check("saved by the child")
      let item = try make("Item", "taken", in: context)
      try context.save()
      context.processPendingChanges()
      #expect(!item.isDeleted)
      #expect(list.controller.snapshot.objectIDs == [])
      try list.check("after the save")
      list.checkObjects("after the save")
    }
  }

  @Test(
    "A save reports the former object of a row that changed its entity as deleted, and lists drop it",
    .tags(.d12, .d5))
  func formerObjectInList() throws {
    let stack = try stack()
    let (context, other) = (stack.context(.overwrite), stack.context())
    other.automaticallyMergesChangesFromParent = true
    let lists = try [context, other].map { context in
      try context.performAndWait { () throws in
        let request = FetchRequest(entityName: "Item", sortDescriptors: [FetchSortDescriptor("code")])
        let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        return Carried(list)
      }
    }
    let deleted = Mutex<[String]>([])
    let observation = context.observe(.didSave) { news in
      deleted.withLock { $0 = news.deleted.map(\.entityName) }
    }
    defer { observation.cancel() }
    try context.performAndWait { () throws in
      _ = try make("Special", "taken", in: context)
      try context.save()
    }
    for list in lists { try list.value.managedObjectContext.performAndWait { try list.value.performFetch() } }
    try context.performAndWait { () throws in
      try takeOver("taken", in: context)
      #expect(deleted.withLock { $0 } == ["Special"])
    }
    for list in lists {
      list.value.managedObjectContext.performAndWait {
        list.value.managedObjectContext.processPendingChanges()
        #expect(list.value.snapshot.objectIDs.count == 1 && list.value.snapshot.objectIDs[0].entityName != "Special")
      }
    }
  }

  @Test(
    "A merge drops the deletion of a row that has changed its entity", .tags(.d13, .d5), arguments: [false, true])
  func merge(isFetchedBefore: Bool) throws {
    let stack = try stack()
    let (here, there) = (stack.context(), stack.context(.overwrite))
    try here.performAndWait { () throws in
      let special = try make("Special", "taken", in: here)
      try here.save()
      if !isFetchedBefore { try here.delete(special) }
      let news = Lock<ContextNotification?>(nil)
      let observation = there.observe(.didSave) { notification in news.withLock { $0 = notification } }
      try takeOver("taken", in: there)
      _ = consume observation
      let fetched = isFetchedBefore ? try here.fetch(FetchRequest(entityName: "Item")).map(\.self) : []
      if isFetchedBefore { try here.delete(special) }
      try here.mergeChanges(fromContextDidSave: try #require(news.withLock { $0 }))
      #expect(here.deletedObjects == [] && !here.hasChanges && special.isDeleted)
      let items = try here.fetch(FetchRequest(entityName: "Item"))
      #expect(items.count == 1 && (fetched.isEmpty || fetched[0] === items.first))
      try here.save()
      #expect(try stack.rows("SELECT ZCODE FROM ZITEM") == ["taken"])
    }
  }
}

extension TakeoverIntegrityTests {
  @Test(
    "A row that a merge shows under another entity is not related to objects moved away from it here",
    .tags(.d13, .d5, .b8))
  func movedAway() throws {
    let stack = try stack()
    let here = stack.context(.overwrite)
    try here.performAndWait { () throws in
      let (special, other) = (try make("Special", "taken", in: here), try make("Item", "other", in: here))
      let group = try make("Group", "group", in: here)
      try group.setObject(special, forKey: "leader")
      try other.setObject(special, forKey: "parent")
      try here.save()
      try group.setObject(other, forKey: "leader")
      try other.setObject(nil, forKey: "parent")
      var request = BatchInsertRequest(entityName: "Item", objects: [["code": "taken"]])
      request.resultType = .changes
      try here.mergeChanges(fromContextDidSave: try #require(here.execute(request).changes))
      let items = try here.fetch(FetchRequest(entityName: "Item"))
      let taker = try #require(items.first { $0["code"] == "taken" })
      #expect(try taker.object(forKey: "leads") == nil)
      #expect(try taker.objects(forKey: "children") == [])
      #expect(try group.object(forKey: "leader") === other)
      try here.save()
      #expect(try stack.rows("SELECT ZCODE, ZLEADS FROM ZITEM ORDER BY 1") == ["other|1", "taken|NULL"])
      #expect(try stack.rows("SELECT ZPARENT FROM ZITEM") == ["NULL", "NULL"])
    }
  }

  @Test(
    "A stored object's delete rules apply to objects added through a new one that it replaced", .tags(.d13, .d5),
    arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback], [false, true])
  func standIn(policy: MergePolicy, hasPairs: Bool) throws {
    let stack = try stack()
    let (here, there) = (stack.context(policy), stack.context(.overwrite))
    try here.performAndWait { () throws in
      let group = try make("Group", "taken", in: here)
      try here.save()
      let groupID = group.objectID
      // The deletion's rules have found that the group is empty.
      try there.performAndWait { () throws in
        try there.delete(try there.existingObject(with: groupID))
        there.processPendingChanges()
      }
      let new = try make("Group", "taken", in: here)
      if hasPairs {
        try new.addObject(try make("Item", "item", in: here), forKey: "items")
      } else {
        try new.addObject(try here.insertNewObject(forEntityName: "Note"), forKey: "notes")
      }
      try here.save()
      #expect(try group.objects(forKey: hasPairs ? "items" : "notes").count == 1)
      try there.performAndWait { () throws in try there.save() }
      for table in ["ZGROUP", "ZITEM", "ZNOTE"] { #expect(try stack.rows("SELECT * FROM \(table)") == []) }
    }
  }
  @Test("A stored object that replaces a new one has a new version, and its own context knows it", .tags(.d13, .d5))
  func standInVersion() throws {
    let stack = try stack { $0.tracksPersistentHistory = true }
    let context = stack.context(.mergeByPropertyStoreTrump)
    try context.performAndWait { () throws in
      let group = try make("Group", "taken", in: context)
      try context.save()
      try make("Group", "taken", in: context).addObject(
        try context.insertNewObject(forEntityName: "Note"), forKey: "notes")
      try context.save()
      #expect(try stack.rows("SELECT Z_OPT FROM ZGROUP") == ["2"])
      #expect(Set(try stack.history()[1].told) == ["insert Note/p1", "update Group/p1 notes"])
      // Nothing refers to this one.
      _ = try make("Group", "taken", in: context)
      try context.save()
      context.mergePolicy = .error
      group["note"] = "changed"
      try context.save()
      #expect(try stack.rows("SELECT Z_OPT FROM ZGROUP") == ["3"])
    }
  }
}
