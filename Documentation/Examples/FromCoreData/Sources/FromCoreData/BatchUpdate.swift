// Updating many rows with one request, and requests that are refused.
import CoreDataModel
import Foundation
import ObjectGraph

/// The view's objects keep their values until the change is merged by its object IDs.
@MainActor func updateAndMerge() async throws -> String {
  let container = try await itemContainer(8)
  let view = container.viewContext
  let errands = Array(try view.fetch(FetchRequest<Errand>(entityName: "Errand")))

  let updated = try await container.performBackgroundTask { context in
    // Core Data: NSBatchUpdateRequest(entityName:), whose properties and predicate are set afterwards
    var request = BatchUpdateRequest(
      entityName: "Item", propertiesToUpdate: ["priority": 5], predicate: Item.createdAt >= day(2))
    request.includesSubentities = true  // the default
    request.resultType = .objectIDs  // Core Data: .updatedObjectIDsResultType
    return try context.execute(request).objectIDs ?? []
  }
  try expect(updated.count, is: 6, "rows updated")
  try expect(errands.map(\.priority), is: [0, 0], "priorities of errands that the view shows")

  // Core Data: mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: updated], into: …)
  try ManagedObjectContext.mergeChanges(
    fromRemoteContextSave: ChangedObjectIDs(updated: updated), into: [view])
  try expect(errands.map(\.priority), is: [5, 5], "priorities of the errands once merged")
  return "\(updated.count) updated, errands among them"
}

/// Core Data ends the program with an exception; here each request throws and changes nothing: Deviations.md, "a batch
/// update with a wrong key or value" and "relationships in the predicate of a batch update".
@MainActor func refuseWrongUpdates() async throws -> String {
  let context = try await itemContainer(1).newBackgroundContext()
  return try await context.perform {
    func error(_ what: String, of values: [String: AttributeValue], where format: String = "TRUEPREDICATE") throws
      -> ObjectGraphError
    {
      let predicate = try FetchPredicate(format: format)
      return try refusal(of: what) {
        try context.execute(BatchUpdateRequest(entityName: "Item", propertiesToUpdate: values, predicate: predicate))
      }
    }
    let misspelt = try error("a misspelt property", of: ["titel": "Milk"])
    guard case .unknownAttribute("Item", "titel", _, _) = misspelt else { throw misspelt }
    let wrongType = try error("a wrong type", of: ["priority": "high"])
    guard case .wrongType("Item", "priority", _, _, _) = wrongType else { throw wrongType }
    let relationship = try error("a relationship", of: ["list": .null])
    guard case .relationshipInBatch("Item", "list", _) = relationship else { throw relationship }
    let joined = try error("a joined key path", of: ["priority": 1], where: "list.name == 'Done'")
    guard case .invalidBatch("Item", _, _) = joined else { throw joined }
    return "a misspelt property, a wrong type, a relationship, a joined key path"
  }
}
