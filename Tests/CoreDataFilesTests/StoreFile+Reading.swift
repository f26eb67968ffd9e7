// Reading whole stores, as the tests of files ask for them.
import CoreDataFiles
import CoreDataModel
import Foundation
import ObjectGraph

extension StoreFile {
  /// Runs the body in a context of the store's own.
  func read<T: Sendable>(_ body: (ManagedObjectContext) throws -> T) throws -> T {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    return try context.performAndWait { () throws in try body(context) }
  }

  /// How many objects each entity has of its own.
  func counts() throws -> [String: Int] {
    try read { context in
      var counts: [String: Int] = [:]
      for entity in recoveredModel.model.entities {
        var request = FetchRequest(entityName: entity.name)
        request.includesSubentities = false
        counts[entity.name] = try context.count(for: request)
      }
      return counts
    }
  }
}

/// What is wrong with the file, when that is why the body failed.
func fileError(_ body: () throws -> Void) -> CoreDataFileError? {
  do { try body() } catch { return error as? CoreDataFileError }
  return nil
}
