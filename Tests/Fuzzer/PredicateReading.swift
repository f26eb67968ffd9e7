// A predicate format that anyone could have typed: parsed, printed, compiled, and evaluated by a store and by its
// objects.
import CoreDataModel
import ObjectGraph

/// A store with a few rows, and their objects.
struct PredicateReading {
  static let shared = try? PredicateReading()

  private let context: ManagedObjectContext

  private init() throws {
    let quake = EntityDescription(
      "Quake",
      attributes: [
        AttributeDescription("place", .string, isOptional: true),
        AttributeDescription("magnitude", .double, isOptional: true),
        AttributeDescription("felt", .int64, isOptional: true),
        AttributeDescription("time", .date, isOptional: true),
      ])
    let container = PersistentContainer(
      managedObjectModel: try ManagedObjectModel(entities: [quake]),
      store: PersistentStoreDescription(path: folder + "/predicates.sqlite"))
    try container.loadPersistentStores()
    let context = container.newBackgroundContext()
    self.context = context
    try context.performAndWait {
      for (place, magnitude) in [("Alaska", 2.5), ("Þingvellir", -1), ("", 0)] {
        let object = try context.insertNewObject(forEntityName: "Quake")
        try object.setValue(.string(place), forKey: "place")
        try object.setValue(.real(magnitude), forKey: "magnitude")
      }
      try context.save()
    }
  }

  func read(_ format: String) {
    guard let predicate = try? FetchPredicate(format: format, arguments: []) else { return }
    _ = predicate.description
    context.performAndWait {
      var request = FetchRequest<ManagedObject>(entityName: "Quake")
      if let objects = try? context.fetch(request) {
        for object in objects { _ = try? predicate.evaluate(with: object) }
      }
      request.predicate = predicate
      _ = try? context.fetch(request)
    }
  }
}
