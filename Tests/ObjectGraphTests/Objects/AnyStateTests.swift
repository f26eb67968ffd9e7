// D4, D5, D13: in any state of an object, no call on it ends the process, and no store breaks a rule because of it.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D4 D13 · objects in every state")
struct AnyStateTests {
  /// The state of an object.
  enum State: CaseIterable {
    case new, stored, fault, changed, markedForDeletion, deleted, deletedNew, rolledBack, reset, resetNew
    case deletedByOthers, missing
  }

  /// What another object is to the context.
  enum Other: CaseIterable {
    case itself, new, stored, markedForDeletion, deleted, reset, ofOtherEntity, ofOtherContext, ofOtherModel
  }

  @Test("No call on an object ends the process or breaks a rule", .tags(.d4, .d13), arguments: State.allCases)
  func calls(state: State) throws {
    let stack = try Library.stack()
    for (name, call) in ObjectCalls.all {
      try attempt("\(name), \(state)", in: stack) { context in
        let object = try artist(state, in: context, stack)
        try call(object, context)
      }
    }
  }

  @Test(
    "No call with another object ends the process or breaks a rule", .tags(.d4, .d13), arguments: State.allCases)
  func pairs(state: State) throws {
    let stack = try Library.stack()
    let foreign = try Foreign()
    for (name, call) in ObjectCalls.ofTwo {
      for kind in Other.allCases {
        try attempt("\(name), \(state), \(kind)", in: stack) { context in
          let object = try artist(state, in: context, stack)
          try call(object, try partner(kind, of: object, in: context, stack, foreign), context)
        }
      }
    }
  }

  /// Makes an attempt in a new context, which is saved, or else rolled back and saved.
  private func attempt(
    _ what: String, in stack: TestStack, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    let context = stack.context()
    try context.performAndWait { () throws in
      do {
        try body(context)
        context.processPendingChanges()
        try context.save()
      } catch is ObjectGraphError {
        context.rollback()
      } catch is FetchPredicateError {
        context.rollback()
      }
      try context.save()
      #expect(!context.hasChanges, "\(what)")
    }
  }

  /// An object of a larger model, in a stack of its own.
  private final class Foreign {
    let stack: TestStack
    let context: ManagedObjectContext
    let object: Carried<ManagedObject>

    init() throws {
      let more = (0..<12).map {
        EntityDescription("Aaa\($0)", attributes: [AttributeDescription("a", .string, isOptional: true)])
      }
      stack = try TestStack(
        more + [EntityDescription("Zebra", attributes: [AttributeDescription("name", .string, isOptional: true)])])
      let context = stack.context()
      self.context = context
      object = try context.performAndWait { () throws -> Carried<ManagedObject> in
        let object = Carried(try context.insertNewObject(forEntityName: "Zebra"))
        try context.save()
        return object
      }
    }
  }
}

extension AnyStateTests {
  /// An artist with an album, a manager and a friend, in this state.
  private func artist(
    _ state: State, in context: ManagedObjectContext, _ stack: TestStack
  ) throws -> ManagedObject {
    let artist = try Library.make("Artist", "Artist", in: context)
    let album = try Library.make("Album", "Album", in: context)
    try artist.addObject(album, forKey: "albums")
    try artist.setObject(try Library.make("Manager", "Manager", in: context), forKey: "manager")
    try artist.addObject(try Library.make("Artist", "Friend", in: context), forKey: "friends")
    if ![State.new, .deletedNew, .rolledBack, .resetNew].contains(state) { try context.save() }
    switch state {
    case .new, .stored: break
    case .fault: try context.refresh(artist, mergeChanges: false)
    case .changed:
      artist["name"] = "Changed"
      try artist.removeObject(album, forKey: "albums")
      try artist.setObject(nil, forKey: "manager")
    case .markedForDeletion, .deletedNew: try context.delete(artist)
    case .deleted:
      try context.delete(artist)
      try context.save()
    case .rolledBack: context.rollback()
    case .reset, .resetNew: context.reset()
    case .deletedByOthers: try deleteElsewhere(artist, context, stack)
    case .missing:
      try context.refresh(artist, mergeChanges: false)
      try deleteElsewhere(artist, nil, stack)
    }
    return artist
  }

  /// Deletes the object in another context, whose save is merged into the given one.
  private func deleteElsewhere(
    _ object: ManagedObject, _ context: ManagedObjectContext?, _ stack: TestStack
  ) throws {
    let objectID = object.objectID
    let other = stack.context()
    try other.performAndWait { () throws in
      try other.delete(try other.existingObject(with: objectID))
      try other.save()
    }
    guard let context else { return }
    try context.mergeChanges(fromContextDidSave: ChangedObjectIDs(deleted: [objectID]))
  }

  private func partner(
    _ kind: Other, of object: ManagedObject, in context: ManagedObjectContext, _ stack: TestStack,
    _ foreign: Foreign
  ) throws -> ManagedObject {
    switch kind {
    case .itself: return object
    case .new: return try Library.make("Artist", "New", in: context)
    case .stored: return try artist(.stored, in: context, stack)
    case .markedForDeletion: return try artist(.markedForDeletion, in: context, stack)
    case .deleted: return try artist(.deleted, in: context, stack)
    case .reset: return try artist(.reset, in: context, stack)
    case .ofOtherEntity: return try Library.make("Label", "Label", in: context)
    case .ofOtherContext:
      let other = stack.context()
      let artist = try other.performAndWait { () throws -> Carried<ManagedObject> in
        let artist = Carried(try Library.make("Artist", "Other", in: other))
        try other.save()
        return artist
      }
      return artist.value
    case .ofOtherModel: return foreign.object.value
    }
  }
}

/// Calls on an object, and on the context about it.
private enum ObjectCalls {
  typealias Call = @Sendable (ManagedObject, ManagedObjectContext) throws -> Void
  typealias CallOfTwo = @Sendable (ManagedObject, ManagedObject, ManagedObjectContext) throws -> Void

  private static let keys = ["name", "albums", "manager", "label", "friends", "nothing", ""]
  private static let values: [AttributeValue] = [.null, "text", 5, true, 1.5, .real(.nan), .binary(Data())]

  static var all: [(String, Call)] { reading + writing + ofContext }

  private static let reading: [(String, Call)] = [
    (
      "state",
      { object, _ in
        _ = (object.isInserted, object.isUpdated, object.isDeleted, object.hasChanges, object.isFault)
        _ = (object.hasPersistentChangedValues, object.managedObjectContext, object.entity, object.objectID)
        _ = (object.changedValues(), object.committedValues(forKeys: keys), object.changedRelationships)
        for key in keys { _ = (object[key], object.hasFault(forRelationshipNamed: key)) }
      }
    ),
    ("values", { object, _ in for key in keys { _ = try? object.value(forKey: key) } }),
    ("primitive values", { object, _ in for key in keys { _ = try? object.primitiveValue(forKey: key) } }),
    (
      "objects",
      { object, _ in
        for key in keys {
          _ = try? object.object(forKey: key)
          _ = try? object.objects(forKey: key)
          _ = try? object.objectIDs(forRelationshipNamed: key)
        }
      }
    ),
    (
      "typed keys",
      { object, _ in
        _ = (object[AttributeKey<Double>("name")], object[AttributeKey<String>("albums")])
        _ = (object[ToOneKey<ManagedObject>("albums")], object[ToManyKey<ManagedObject>("manager")])
        _ = (object[ToOneKey<ManagedObject>("manager")], object[ToManyKey<ManagedObject>("friends")])
      }
    ),
    (
      "validation",
      { object, _ in
        for value in values { for key in keys { try? object.validateValue(value, forKey: key) } }
        try? object.validateValues()
        try? object.validateForInsert()
        try? object.validateForUpdate()
        try? object.validateForDelete()
      }
    ),
    (
      "predicates",
      { object, context in
        for format in [
          "name = 'x'", "manager.name = NULL", "ANY albums.title = 'x'", "friends.@count > 0", "SELF = %@",
        ] {
          let arguments: [any PredicateArgument] = format.contains("%") ? [object] : []
          let predicate = try FetchPredicate(format: format, arguments: arguments)
          _ = try? predicate.evaluate(with: object)
          _ = try context.count(for: FetchRequest(entityName: "Artist", predicate: predicate))
        }
      }
    ),
  ]

  private static let writing: [(String, Call)] = [
    ("subscripts", { object, _ in for key in keys { for value in values { object[key] = value } } }),
    ("name", { object, _ in object["name"] = "again" }),
    ("setValue", { object, _ in for key in keys { for value in values { try? object.setValue(value, forKey: key) } } }),
    (
      "primitives",
      { object, _ in
        for key in keys { for value in values { try? object.setPrimitiveValue(value, forKey: key) } }
        object["name"] = "again"
      }
    ),
    (
      "typed",
      { object, _ in
        object[AttributeKey<Double>("name")] = 1
        object[ToOneKey<ManagedObject>("manager")] = nil
        object[ToManyKey<ManagedObject>("friends")] = []
        object[ToManyKey<ManagedObject>("nothing")] = []
      }
    ),
    (
      "emptied",
      { object, _ in
        try object.setObject(nil, forKey: "manager")
        try object.setObjects([], forKey: "albums")
        try object.setObjects([], forKey: "friends")
      }
    ),
  ]

  private static let ofContext: [(String, Call)] = [
    ("delete", { object, context in try context.delete(object) }),
    (
      "delete twice",
      { object, context in
        try context.delete(object)
        try context.delete(object)
      }
    ),
    (
      "delete after a change",
      { object, context in
        object["name"] = "again"
        try context.delete(object)
      }
    ),
    (
      "change after a deletion",
      { object, context in
        try context.delete(object)
        object["name"] = "again"
        try? object.setObject(nil, forKey: "manager")
      }
    ),
    ("refresh", { object, context in try context.refresh(object, mergeChanges: false) }),
    ("refresh with changes", { object, context in try context.refresh(object, mergeChanges: true) }),
    ("refresh all", { _, context in try context.refreshAllObjects() }),
    (
      "rollback",
      { object, context in
        context.rollback()
        object["name"] = "again"
      }
    ),
    (
      "reset",
      { object, context in
        context.reset()
        object["name"] = "again"
      }
    ),
    ("permanent IDs", { object, context in try context.obtainPermanentIDs(for: [object, object]) }),
    (
      "IDs",
      { object, context in
        _ = context.registeredObject(for: object.objectID)
        _ = try? context.object(with: object.objectID)["name"]
        _ = try? context.existingObject(with: object.objectID)
        _ = context.persistentStoreCoordinator.persistentStore(for: object.objectID)
        _ = context.persistentStoreCoordinator.managedObjectID(
          forURIRepresentation: object.objectID.uriRepresentation())
      }
    ),
    (
      "assign",
      { object, context in
        for store in context.persistentStoreCoordinator.persistentStores { try context.assign(object, to: store) }
      }
    ),
    (
      "merge",
      { object, context in
        let objectIDs = [object.objectID]
        for changes in [
          ChangedObjectIDs(inserted: objectIDs), ChangedObjectIDs(updated: objectIDs),
          ChangedObjectIDs(deleted: objectIDs),
          ChangedObjectIDs(inserted: objectIDs, updated: objectIDs, deleted: objectIDs),
        ] {
          try context.mergeChanges(fromContextDidSave: changes)
          object["name"] = "again"
        }
      }
    ),
    (
      "batch delete",
      { object, context in
        try context.execute(BatchDeleteRequest(objectIDs: [object.objectID, object.objectID]))
      }
    ),
    (
      "list",
      { object, context in
        let controller = FetchedResultsController(
          fetchRequest: FetchRequest(entityName: "Artist", sortDescriptors: [FetchSortDescriptor("name")]),
          managedObjectContext: context)
        try controller.performFetch()
        _ = (controller.indexPath(for: object), controller.object(at: FetchedIndexPath(section: -1, item: .max)))
        object["name"] = "again"
        context.processPendingChanges()
        _ = controller.indexPath(for: object)
      }
    ),
    (
      "child",
      { object, context in
        let child = ManagedObjectContext(parent: context)
        let objectID = object.objectID
        try child.performAndWait { () throws in
          let mine = try child.object(with: objectID)
          mine["name"] = "child"
          try? mine.setObjects([], forKey: "friends")
          try child.save()
          try child.delete(mine)
          try child.save()
        }
      }
    ),
  ]

  static let ofTwo: [(String, CallOfTwo)] = [
    ("setObject", { object, other, _ in try object.setObject(other, forKey: "manager") }),
    ("label", { object, other, _ in try object.setObject(other, forKey: "label") }),
    ("wrong key", { object, other, _ in try object.setObject(other, forKey: "nothing") }),
    ("setObjects", { object, other, _ in try object.setObjects([other, other], forKey: "friends") }),
    ("addObject", { object, other, _ in try object.addObject(other, forKey: "friends") }),
    ("removeObject", { object, other, _ in try object.removeObject(other, forKey: "friends") }),
    ("album", { object, other, _ in try object.addObject(other, forKey: "albums") }),
    ("insertObject", { object, other, _ in try object.insertObject(other, forKey: "friends", at: .min) }),
    ("typed to-one", { object, other, _ in object[ToOneKey<ManagedObject>("label")] = other }),
    ("typed to-many", { object, other, _ in object[ToManyKey<ManagedObject>("friends")] = [other] }),
    (
      "delete both",
      { object, other, context in
        try? object.addObject(other, forKey: "friends")
        try? context.delete(other)
        try context.delete(object)
      }
    ),
    (
      "the other's calls",
      { object, other, context in
        try? context.refresh(other, mergeChanges: false)
        try? context.refresh(other, mergeChanges: true)
        try? context.obtainPermanentIDs(for: [other])
        _ = context.registeredObject(for: other.objectID)
        _ = try? context.object(with: other.objectID)
        _ = try? context.existingObject(with: other.objectID)
        _ = try? context.execute(BatchDeleteRequest(objectIDs: [object.objectID, other.objectID]))
      }
    ),
    (
      "predicates",
      { object, other, context in
        for format in ["SELF = %@", "SELF IN %@", "manager = %@", "ANY friends = %@", "friends CONTAINS %@"] {
          let argument: any PredicateArgument = format.contains("IN %@") ? [object, other] : other
          let predicate = try FetchPredicate(format: format, arguments: [argument])
          _ = try? predicate.evaluate(with: object)
          _ = try? context.count(for: FetchRequest(entityName: "Artist", predicate: predicate))
        }
      }
    ),
    (
      "merge",
      { object, other, context in
        let objectIDs = [object.objectID, other.objectID]
        try context.mergeChanges(
          fromContextDidSave: ChangedObjectIDs(inserted: objectIDs, updated: objectIDs, deleted: objectIDs))
      }
    ),
  ]
}
