// A container's contexts: the view context, background contexts, and objects made in one and read in another.
import ObjectGraph

/// The code that makes a background context sets it up from outside its queue: Deviations.md, "settings of a context".
@MainActor func setUpContexts() async throws -> String {
  let container = try await dogContainer(1)
  let view = container.viewContext  // belongs to the main actor: Deviations.md, "viewContext"
  view.automaticallyMergesChangesFromParent = true
  let dog = try view.existingObject(with: view.fetchObjectIDs(FetchRequest(entityName: "Dog"))[0]) as? Dog
  try expect(dog?.name, is: "Dog 0", "the name at first")

  let context = container.newBackgroundContext()
  context.name = "import"
  context.transactionAuthor = "feed"
  context.mergePolicy = .mergeByPropertyObjectTrump  // Core Data: NSMergePolicy.mergeByPropertyObjectTrump
  let merges = view.notifications(.didMerge)
  try await context.perform {
    for dog in try context.fetch(FetchRequest<Dog>(entityName: "Dog")) { dog.name = "Rex" }
    try context.save()
  }
  _ = try await next(merges)
  try expect(dog?.name, is: "Rex", "the name once merged")

  let count = try await container.performBackgroundTask { try $0.count("Dog") }
  try expect(count, is: 1, "dogs")
  return "the view merged what '\(context.name ?? "")' saved"
}

/// Objects stay in their context; object IDs can be passed anywhere.
@MainActor func readElsewhere() async throws -> String {
  let container = try await dogContainer()
  let dogID = try await container.performBackgroundTask { context in
    let dog = try Dog(context: context)  // Deviations.md, "Dog(context:)"
    dog.name = "Rex"
    dog.age = 4
    try context.save()
    return dog.objectID
  }
  // Core Data: the same
  let dog = try container.viewContext.existingObject(with: dogID) as? Dog
  try expect(dog?.name, is: "Rex", "the name in the view context")
  return "\(dog?.name ?? ""), \(dog?.age ?? 0) years old"
}
