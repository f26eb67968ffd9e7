// The model and its store, which both processes open.
import CoreDataModel
import Foundation
import ObjectGraph

final class Quake: ManagedObject {
  static let code = AttributeKey<String>("code")
  static let magnitude = AttributeKey<Double>("magnitude")
  static let place = AttributeKey<String>("place")
  static let time = AttributeKey<Date>("time")
}

/// Opens the store with history and with notifications of other processes' changes: a list that follows needs both.
@MainActor func openQuakes(at path: String) throws -> PersistentContainer {
  let model = try ManagedObjectModel(entities: [
    EntityDescription(
      "Quake",
      attributes: [
        AttributeDescription("code", .string, isOptional: false), AttributeDescription("magnitude", .double),
        AttributeDescription("place", .string), AttributeDescription("time", .date),
      ], uniquenessConstraints: [["code"]])
  ])
  var description = PersistentStoreDescription(path: path)
  description.tracksPersistentHistory = true
  description.postsRemoteChanges = true
  let container = try PersistentContainer(
    managedObjectModel: model, stores: [description], classes: ["Quake": Quake.self])
  try container.loadPersistentStores()
  return container
}

/// The strong quakes, newest first.
func strongQuakes() -> FetchRequest<Quake> {
  FetchRequest(
    entityName: "Quake", predicate: Quake.magnitude >= 4.5,
    sortDescriptors: [FetchSortDescriptor(Quake.time, ascending: false), FetchSortDescriptor(Quake.code)])
}
