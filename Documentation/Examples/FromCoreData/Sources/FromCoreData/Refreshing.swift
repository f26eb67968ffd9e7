// How the view sees what the background stored: by refreshing its objects, or by merging.
import ObjectGraph

/// The view's object keeps its values until it is refreshed.
@MainActor func refreshAfterASave() async throws -> String {
  let (container, dog) = try await shownDog()
  try await container.performBackgroundTask { try growUp(in: $0) }
  try expect(dog.age, is: 0, "the age before the refresh")
  try container.viewContext.refresh(dog, mergeChanges: true)  // Core Data: refresh(_:mergeChanges:)
  try expect(dog.age, is: 7, "the age after the refresh")
  return "by a refresh"
}

/// With automatic merging, the view receives each save some time later.
@MainActor func mergeASave() async throws -> String {
  let (container, dog) = try await shownDog()
  let merges = container.viewContext.notifications(.didMerge)
  container.viewContext.automaticallyMergesChangesFromParent = true
  try await container.performBackgroundTask { try growUp(in: $0) }
  _ = try await next(merges)
  try expect(dog.age, is: 7, "the age once merged")
  return "by merging"
}

/// A batch request bypasses all contexts; a refresh reads what it may have changed: Deviations.md, "the row cache
/// after a batch request".
@MainActor func refreshAllAfterAnUpdate() async throws -> String {
  let (container, dog) = try await shownDog()
  try await container.performBackgroundTask {
    try $0.execute(BatchUpdateRequest(entityName: "Dog", propertiesToUpdate: ["age": 9]))
  }
  try expect(dog.age, is: 0, "the age before the refresh")
  try container.viewContext.refreshAllObjects()  // Core Data: refreshAllObjects()
  try expect(dog.age, is: 9, "the age after the refresh")
  return "\(dog.name ?? "") is \(dog.age)"
}

/// The deleted object leaves the view context; a view that still shows it can read its values.
@MainActor func mergeADeletion() async throws -> String {
  let (container, dog) = try await shownDog()
  let view = container.viewContext
  let deleted = try await container.performBackgroundTask { context in
    var request = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Dog"))
    request.resultType = .objectIDs  // Core Data: .resultTypeObjectIDs
    return try context.execute(request).objectIDs ?? []
  }
  try expect(deleted, is: [dog.objectID], "object IDs of the deleted rows")
  // Core Data: mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: …)
  try ManagedObjectContext.mergeChanges(
    fromRemoteContextSave: ChangedObjectIDs(deleted: deleted), into: [view])
  try expect(dog.managedObjectContext == nil, is: true, "whether the object has left the view context")
  try expect(dog.name, is: "Dog 0", "the name it keeps")
  try expect(try view.count("Dog"), is: 0, "dogs in the view context")
  return "\(deleted.count) object has left"
}

/// A container with one dog, which its view context has read.
@MainActor private func shownDog() async throws -> (PersistentContainer, Dog) {
  let container = try await dogContainer(1)
  guard let dog = try container.viewContext.fetch(FetchRequest<Dog>(entityName: "Dog")).first else {
    throw Unexpected(description: "the view: found no dog, expected one")
  }
  try expect(dog.age, is: 0, "the age at first")
  return (container, dog)
}

private func growUp(in context: ManagedObjectContext) throws {
  for dog in try context.fetch(FetchRequest<Dog>(entityName: "Dog")) { dog.age = 7 }
  try context.save()
}
