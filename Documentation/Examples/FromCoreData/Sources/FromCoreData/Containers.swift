// The stores that the idioms begin with, each in its own file in a temporary folder.
import CoreDataModel
import Foundation
import ObjectGraph

/// The folder for all files of the program; it is removed at the end.
let folder = FileManager.default.temporaryDirectory.appending(path: "FromCoreData-\(UUID().uuidString)")

func newPath() -> String { folder.appending(path: UUID().uuidString + ".sqlite").path }

/// Days are numbers, so that nothing depends on the clock.
func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 86_400) }

/// A container with one new store, or with the described stores.
@MainActor func loadContainer(
  _ model: ManagedObjectModel, classes: [String: ManagedObject.Type],
  stores: [PersistentStoreDescription] = [PersistentStoreDescription(path: newPath())]
) throws -> PersistentContainer {
  let container = try PersistentContainer(managedObjectModel: model, stores: stores, classes: classes)
  try container.loadPersistentStores()  // Core Data: loadPersistentStores { description, error in … }
  opened.append(container.persistentStoreCoordinator)
  return container
}

@MainActor private var opened: [PersistentStoreCoordinator] = []

/// Closes the loaded stores, so that no file is in use when the folder is removed.
@MainActor func closeStores() throws {
  for coordinator in opened { try coordinator.close() }
  opened = []
}

/// A container with one item for each day from day 0 on; every fourth is an errand.
@MainActor func itemContainer(_ count: Int, model: ManagedObjectModel? = nil) async throws -> PersistentContainer {
  let container = try loadContainer(model ?? itemModel(), classes: itemClasses)
  try await container.performBackgroundTask { context in
    for number in 0..<count {
      let item = number % 4 == 3 ? try Errand(context: context) : try Item(context: context)
      item.title = "Item \(number)"
      item.createdAt = day(number)
    }
    try context.save()
  }
  return container
}

/// A container with dogs; each dog's age is its number.
@MainActor func dogContainer(_ count: Int = 0) async throws -> PersistentContainer {
  let container = try loadContainer(dogModel(), classes: ["Dog": Dog.self])
  try await container.performBackgroundTask { context in
    for number in 0..<count {
      let dog = try Dog(context: context)
      dog.name = "Dog \(number)"
      dog.age = number
    }
    try context.save()
  }
  return container
}

extension ManagedObjectContext {
  /// How many objects of the entity are stored.
  func count(_ entityName: String) throws -> Int { try count(for: FetchRequest(entityName: entityName)) }
}
