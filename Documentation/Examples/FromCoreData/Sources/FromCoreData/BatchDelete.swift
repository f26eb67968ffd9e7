// Deleting many rows: with requests that bypass all contexts, and object by object.
import Foundation
import ObjectGraph

/// An async `perform` returns the count.
@MainActor func deleteByDate() async throws -> String {
  let context = try await itemContainer(20).newBackgroundContext()
  let deleted = try await context.perform {
    // Core Data: NSFetchRequest<NSFetchRequestResult>(entityName:), with a predicate NSPredicate(format:)
    let old = FetchRequest(
      entityName: "Item", predicate: try FetchPredicate(format: "createdAt < %@", day(12)))
    var request = BatchDeleteRequest(fetchRequest: old)  // Core Data: NSBatchDeleteRequest(fetchRequest:)
    request.resultType = .count  // Core Data: .resultTypeCount
    // Core Data: (try context.execute(request) as? NSBatchDeleteResult)?.result as? Int ?? 0
    return try context.execute(request).count ?? 0
  }
  try expect(deleted, is: 12, "items before the day 12")
  return "\(deleted) deleted"
}

/// All IDs are of one entity; the result is a status, which is the default.
@MainActor func deleteByObjectIDs() async throws -> String {
  let container = try await itemContainer(8)
  let left = try await container.performBackgroundTask { context in
    // Core Data: fetch(_:) of a request with the result type .managedObjectIDResultType
    let errands = try context.fetchObjectIDs(FetchRequest(entityName: "Errand"))
    // Core Data: NSBatchDeleteRequest(objectIDs:)
    let result = try context.execute(BatchDeleteRequest(objectIDs: errands))
    try expect(result, is: .statusOnly(true), "the status")  // Core Data: .resultTypeStatusOnly
    return try context.count("Item")
  }
  try expect(left, is: 6, "items left")
  return "\(left) of 8 left"
}

/// Without a predicate, the request deletes every row.
@MainActor func deleteEveryRow() async throws -> String {
  let context = try await itemContainer(8).newBackgroundContext()
  let left = try await context.perform {
    try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Item")))
    return try context.count("Item")
  }
  try expect(left, is: 0, "items left")
  return "none left"
}

/// The predicate of a batch delete can follow a to-one relationship.
@MainActor func deleteAlongAKeyPath() async throws -> String {
  let context = try await listedItems().newBackgroundContext()
  return try await context.perform {
    let done = FetchRequest(entityName: "Item", predicate: try FetchPredicate(format: "list.name == %@", "Done"))
    try context.execute(BatchDeleteRequest(fetchRequest: done))
    try expect(try context.count("Item"), is: 6, "items left")
    return "those of one list"
  }
}

/// It can also count the objects of a to-many relationship.
@MainActor func deleteByACount() async throws -> String {
  let context = try await listedItems().newBackgroundContext()
  return try await context.perform {
    let bare = FetchRequest(entityName: "Item", predicate: try FetchPredicate(format: "attachments.@count == 0"))
    var request = BatchDeleteRequest(fetchRequest: bare)
    request.resultType = .count
    try expect(try context.execute(request).count, is: 6, "items without attachments")
    return "those without attachments"
  }
}

/// A fetch limit bounds each request and therefore the write-ahead log.
@MainActor func deleteInPieces() async throws -> String {
  let context = try await itemContainer(25).newBackgroundContext()
  let deleted = try await context.perform {
    var piece = FetchRequest(entityName: "Item")
    piece.fetchLimit = 10
    var request = BatchDeleteRequest(fetchRequest: piece)
    request.resultType = .count
    var deleted: [Int] = []
    while let count = try context.execute(request).count, count > 0 { deleted.append(count) }
    return deleted
  }
  try expect(deleted, is: [10, 10, 5], "items deleted in pieces")
  return "in pieces of \(deleted)"
}

/// Deletes objects that were fetched without values: each reads its row first, and delete rules, callbacks and
/// notifications are those of any save.
@MainActor func deleteObjects() async throws -> String {
  let container = try await itemContainer(20)
  let left = try await container.performBackgroundTask { context in
    var request = FetchRequest<Item>(entityName: "Item", predicate: Item.createdAt < day(12))
    request.includesPropertyValues = false
    for item in try context.fetch(request) { try context.delete(item) }
    try context.save()
    return try context.count("Item")
  }
  try expect(left, is: 8, "items left")
  return "\(left) of 20 left"
}

/// Eight items, two of them in the list of done items, and two others with an attachment.
@MainActor private func listedItems() async throws -> PersistentContainer {
  let container = try await itemContainer(8)
  try await container.performBackgroundTask { context in
    let done = try List(context: context)
    done.name = "Done"
    let items = Array(
      try context.fetch(FetchRequest<Item>(entityName: "Item", sortDescriptors: [.init(Item.createdAt)])))
    for item in items.prefix(2) { item.list = done }
    for item in items.suffix(2) { item.attachments = [try Attachment(context: context)] }
    try context.save()
  }
  return container
}
