// What a batch delete does to related rows: it applies the model's delete rules without objects.
import CoreDataModel
import ObjectGraph

/// Deletes and counts the items' attachments too: Deviations.md, "cascaded rows in the result of a batch delete".
@MainActor func cascade() async throws -> String {
  let context = try await attachedItems(.cascade).newBackgroundContext()
  let left = try await context.perform {
    try expect(try deleteItems(in: context), is: 8, "rows deleted")
    return try context.count("Attachment")
  }
  try expect(left, is: 0, "attachments left")
  return "cascade"
}

/// Attachments stay but belong to no item.
@MainActor func nullify() async throws -> String {
  let context = try await attachedItems(.nullify).newBackgroundContext()
  let orphans = try await context.perform {
    try expect(try deleteItems(in: context), is: 4, "rows deleted")
    return try context.count(
      for: FetchRequest(entityName: "Attachment", predicate: try FetchPredicate(format: "item == nil")))
  }
  try expect(orphans, is: 4, "attachments without an item")
  return "nullify"
}

/// If an attachment requires its item, the whole request fails and deletes nothing.
@MainActor func refuseForARequiredInverse() async throws -> String {
  let context = try await attachedItems(.nullify, requiresItem: true).newBackgroundContext()
  let left = try await context.perform {
    let error = try refusal(of: "the deletion") { _ = try deleteItems(in: context) }
    guard case .deletionRefused(.requiredInverse("item"), "Item", "attachments", _, _) = error else { throw error }
    return try context.count("Item")
  }
  try expect(left, is: 4, "items left")
  return "refused for a required inverse"
}

/// Four items, each with an attachment.
@MainActor private func attachedItems(_ rule: DeleteRule, requiresItem: Bool = false) async throws
  -> PersistentContainer
{
  let container = try await itemContainer(4, model: itemModel(attachments: rule, requiresItem: requiresItem))
  try await container.performBackgroundTask { context in
    for item in try context.fetch(FetchRequest<Item>(entityName: "Item")) {
      let attachment = try Attachment(context: context)
      attachment.item = item
    }
    try context.save()
  }
  return container
}

private func deleteItems(in context: ManagedObjectContext) throws -> Int? {
  var request = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Item"))
  request.resultType = .count
  return try context.execute(request).count
}
