// Inserting many rows in three styles, and merging the inserted rows.
import CoreDataModel
import Foundation
import ObjectGraph

/// One dictionary per row.
///
/// Values are `AttributeValue`s, most of them literals: Deviations.md, "values".
@MainActor func insertDictionaries() async throws -> String {
  let context = try await itemContainer(0).newBackgroundContext()
  return try await context.perform {
    var request = BatchInsertRequest(  // Core Data: NSBatchInsertRequest(entityName:objects:)
      entityName: "Item",
      objects: [
        ["title": "Milk", "createdAt": .date(day(1)), "priority": 2],
        ["title": "Bread", "createdAt": .date(day(2))],
      ])
    request.resultType = .count
    try expect(try context.execute(request).count, is: 2, "dictionaries inserted")
    return "2 dictionaries"
  }
}

/// One row in memory at a time: the handler fills it, and returns true when there are no more.
@MainActor func insertByDictionaryHandler() async throws -> String {
  let context = try await itemContainer(0).newBackgroundContext()
  return try await context.perform {
    var number = 0
    // Core Data: NSBatchInsertRequest(entityName:dictionaryHandler:), whose handler gets an NSMutableDictionary
    let request = BatchInsertRequest(
      entityName: "Item",
      dictionaryHandler: { row in
        if number == 1_000 { return true }
        row["title"] = .string("Item \(number)")
        row["createdAt"] = .date(day(number))
        number += 1
        return false
      })
    try context.execute(request)
    try expect(try context.count("Item"), is: 1_000, "rows of the dictionary handler")
    return "1000 rows by a dictionary handler"
  }
}

/// The same with an object of the entity's class, which is reused for each row: no boxes, no dictionary.
@MainActor func insertByObjectHandler() async throws -> String {
  let context = try await itemContainer(0).newBackgroundContext()
  return try await context.perform {
    var number = 0
    // Core Data: NSBatchInsertRequest(entityName:managedObjectHandler:)
    let request = BatchInsertRequest(
      entityName: "Errand",
      managedObjectHandler: { object in
        guard let errand = object as? Errand, number < 1_000 else { return true }
        errand.title = "Errand \(number)"
        errand.createdAt = day(number)
        number += 1
        return false
      })
    try context.execute(request)
    try expect(try context.count("Errand"), is: 1_000, "rows of the object handler")
    return "1000 by an object handler"
  }
}

/// The new rows' object IDs, merged into every context that shows items.
@MainActor func insertAndMerge() async throws -> String {
  let container = try await itemContainer(0)
  let (view, editor) = (container.viewContext, container.newBackgroundContext())
  let inserted = try await container.performBackgroundTask { context in
    var request = BatchInsertRequest(entityName: "Item", objects: [["title": "Milk", "createdAt": .date(day(1))]])
    request.resultType = .objectIDs
    return try context.execute(request).objectIDs ?? []
  }
  // Core Data: NotificationCenter and NSManagedObjectContext.didMergeChangesObjectIDsNotification
  let merges = [view, editor].map { $0.notifications(.didMerge) }
  // Core Data: mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: inserted], into: …)
  try ManagedObjectContext.mergeChanges(
    fromRemoteContextSave: ChangedObjectIDs(inserted: inserted), into: [view, editor])
  for merge in merges { try expect(try await next(merge).inserted, is: inserted, "what a context was told") }
  let item = try view.existingObject(with: inserted[0]) as? Item
  try expect(item?.title, is: "Milk", "the title in the view context")
  return "\(inserted.count) row in 2 contexts"
}
