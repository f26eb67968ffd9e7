// A store that anyone could have written, read like the commands and the library do.
import CoreDataFiles
import CoreDataModel
import ObjectGraph

/// Opens the bytes as a store, reads every object of every entity, and inspects it.
func readStore(at path: String) {
  guard let file = try? StoreFile(path: path) else { return }
  let context = ManagedObjectContext(.privateQueue, coordinator: file.coordinator)
  context.performAndWait {
    for entity in file.recoveredModel.model.entities where !entity.isAbstract {
      guard let objects = try? context.fetch(FetchRequest(entityName: entity.name)) else { continue }
      for object in objects.prefix(100) {
        for relationship in file.recoveredModel.model.relationships(of: entity.name) {
          _ = try? object.objectIDs(forRelationshipNamed: relationship.name)
        }
      }
    }
  }
  try? file.close()
  _ = try? StoreInspection(of: path, withValues: true)
}
