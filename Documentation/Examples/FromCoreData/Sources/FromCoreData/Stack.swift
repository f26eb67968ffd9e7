// A stack built by hand, without a container: coordinator, store, main-queue context and a private child context.
import ObjectGraph

/// The child's save passes its changes to the parent; the parent's save stores them.
@MainActor func saveAChild() async throws -> String {
  let coordinator = try PersistentStoreCoordinator(managedObjectModel: dogModel(), classes: ["Dog": Dog.self])
  // Core Data: addPersistentStore(ofType:configurationName:at:options:)
  try coordinator.addPersistentStore(PersistentStoreDescription(path: newPath()))
  // Core Data: NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType), then persistentStoreCoordinator = …
  let main = ManagedObjectContext(.mainQueue, coordinator: coordinator)
  let child = ManagedObjectContext(.privateQueue, parent: main)  // Core Data: then parent = main

  let dogID = try await child.perform {
    let dog = try Dog(context: child)
    dog.name = "Rex"
    try child.save()
    try main.performAndWait {
      try expect(main.insertedObjects.count, is: 1, "new objects of the parent before its save")
      try main.save()
    }
    // Core Data: temporary until the child reads it again; Deviations.md, "a child's object after its parents were saved"
    return dog.objectID
  }
  try expect(dogID.isTemporaryID, is: false, "whether the child's object has a temporary ID")
  try expect(main.hasChanges, is: false, "whether the parent has changes")

  let other = ManagedObjectContext(coordinator: coordinator)
  let name = try await other.perform { try (other.existingObject(with: dogID) as? Dog)?.name }
  try expect(name, is: "Rex", "the name in the store")
  try coordinator.close()
  return "child saved, then its parent from within the child's block"
}
