// The other process: it saves quakes in portions, changes some of them, and deletes some.
import CoreDataModel
import Foundation
import ObjectGraph

/// Imports generated quakes, 100 in each save; of every save, it later revises one quake and deletes another.
@MainActor func importQuakes(_ count: Int, into path: String) async throws {
  let container = try openQuakes(at: path)
  let places = ["Elko, Nevada", "Hilo, Hawaii", "Ridgecrest, California", "Nome, Alaska"]
  let context = container.newBackgroundContext()
  context.transactionAuthor = "import"
  for start in stride(from: 0, to: count, by: 100) {
    try await context.perform {
      for number in start..<min(start + 100, count) {
        let quake = try Quake(context: context)
        quake[Quake.code] = "nc\(number)"
        quake[Quake.magnitude] = 2 + Double(number * 7 % 50) / 10
        quake[Quake.place] = places[number % places.count]
        // Out of order, as in real feeds.
        quake[Quake.time] = Date(timeIntervalSinceReferenceDate: Double(number * 37 % count) * 60)
      }
      try context.save()
      if let revised = try quake("nc\(start + 8)", in: context) { revised[Quake.magnitude] = 6.1 }
      if let withdrawn = try quake("nc\(start + 47)", in: context) { try context.delete(withdrawn) }
      try context.save()
      context.reset()
    }
  }
  try container.persistentStoreCoordinator.close()
}

private func quake(_ code: String, in context: ManagedObjectContext) throws -> Quake? {
  try context.fetch(FetchRequest<Quake>(entityName: "Quake", predicate: Quake.code == code)).first
}
