// Several stores with one entity in one container, and requests that name some of them.
import CoreDataModel
import ObjectGraph

/// Fetches and batch requests use all stores that hold the entity, unless they name some.
@MainActor func chooseStores() async throws -> String {
  // Core Data: container.persistentStoreDescriptions = […, …]
  let container = try loadContainer(
    dogModel(), classes: ["Dog": Dog.self],
    stores: [PersistentStoreDescription(path: newPath()), PersistentStoreDescription(path: newPath())])
  let archive = container.persistentStoreCoordinator.persistentStores[1]

  return try await container.performBackgroundTask { context in
    for (name, isOld) in [("Rex", true), ("Bello", false)] {
      let dog = try Dog(context: context)
      dog.name = name
      if isOld { try context.assign(dog, to: archive) }  // others go to the first store that holds dogs
    }
    try context.save()

    var insert = BatchInsertRequest(entityName: "Dog", objects: [["name": "Hasso"]])
    insert.affectedStores = [archive]
    try context.execute(insert)

    var update = BatchUpdateRequest(entityName: "Dog", propertiesToUpdate: ["age": 12])
    update.affectedStores = [archive]
    try context.execute(update)
    try context.refreshAllObjects()  // Rex was made here, and batch requests bypass the context

    var fetch = FetchRequest<Dog>(entityName: "Dog", sortDescriptors: [FetchSortDescriptor(Dog.name)])
    try expect(try context.fetch(fetch).map(\.age), is: [0, 12, 12], "ages in both stores")
    fetch.affectedStores = [archive]
    try expect(try context.fetch(fetch).map(\.name), is: ["Hasso", "Rex"], "dogs of the archive")

    var delete = BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Dog"))
    delete.affectedStores = [archive]
    try context.execute(delete)
    try expect(try context.count("Dog"), is: 1, "dogs once the archive is empty")
    return "3 dogs in 2 stores, 2 of them in the archive"
  }
}
