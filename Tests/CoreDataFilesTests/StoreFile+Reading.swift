// Reading whole stores, for tests of files.
import CoreDataFiles
import CoreDataModel
import Foundation
import ObjectGraph

extension StoreFile {
  /// Runs the body in the store's own context.
  func read<T: Sendable>(_ body: (ManagedObjectContext) throws -> T) throws -> T {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    return try context.performAndWait { () throws in try body(context) }
  }

  /// The number of own objects of each entity.
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

/// What is wrong with the file, if that made the body fail.
func fileError(_ body: () throws -> Void) -> CoreDataFileError? {
  do { try body() } catch { return error as? CoreDataFileError }
  return nil
}
