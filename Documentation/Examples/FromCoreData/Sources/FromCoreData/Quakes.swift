// The session's sample: decodes an earthquake feed, imports it, imports it again, validates it and cleans it up.
import CoreDataModel
import Foundation
import ObjectGraph

private let feedSize = 6_000

/// All styles store the same rows.
@MainActor func importInEveryStyle() async throws -> String {
  let quakes = try QuakeFeed.quakes(in: QuakeFeed.json(feedSize))
  for style in [
    QuakeImport.dictionaries, QuakeImport.dictionaryHandler, QuakeImport.objectHandler, QuakeImport.newObjects,
  ] {
    let container = try quakeContainer()
    try await style.store(quakes, in: container)
    let view = container.viewContext
    try expect(try view.count("Quake"), is: feedSize, "quakes by \(style.name)")
    let strong = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude > 6.8)
    let places = Set(try view.fetch(strong).map { $0[Quake.place] })
    try expect(places, is: ["Nevada"], "places of strong quakes by \(style.name)")
    try expect(try view.count(for: strong), is: feedSize / 70, "strong quakes by \(style.name)")
  }
  return "\(feedSize) quakes in 4 styles"
}

/// Imports the feed again with higher magnitudes: codes are unique, so quakes are overwritten, and the view shows this.
@MainActor func importRevisions() async throws -> String {
  let revised = try QuakeFeed.quakes(in: QuakeFeed.json(feedSize, revision: 1))
  for style in [QuakeImport.objectHandler, QuakeImport.newObjects] {
    let container = try await importedQuakes()
    let view = container.viewContext
    let request = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.code == "us46")
    let quake = try view.fetch(request).first
    try expect(quake?[Quake.magnitude], is: 4.6, "the magnitude at first")
    try await style.store(revised, in: container)
    try expect(quake?[Quake.magnitude], is: 5.6, "the magnitude that the view shows, by \(style.name)")
    try expect(try view.count("Quake"), is: feedSize, "quakes after an upsert by \(style.name)")
  }
  return "upserted by code"
}

/// One request updates all quakes that people felt.
@MainActor func validateQuakes() async throws -> String {
  let container = try await importedQuakes()
  let validated = try await container.performBackgroundTask { context in
    var request = BatchUpdateRequest(
      entityName: "Quake", propertiesToUpdate: ["validated": true], predicate: Quake.magnitude > 2.5)
    request.resultType = .count  // Core Data: .updatedObjectsCountResultType
    return try context.execute(request).count ?? 0
  }
  let stored = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.validated == true)
  try expect(try container.viewContext.count(for: stored), is: validated, "quakes that are stored as validated")
  try expect(validated, is: (0..<feedSize).filter { $0 % 70 > 25 }.count, "quakes validated")
  return "\(validated) validated"
}

/// As many requests as needed, each a short transaction.
@MainActor func deleteOldQuakes() async throws -> String {
  let container = try await importedQuakes()
  let deleted = try await container.performBackgroundTask { context in
    var old = FetchRequest(entityName: "Quake", predicate: Quake.time < day(100))
    old.fetchLimit = 1_000
    var request = BatchDeleteRequest(fetchRequest: old)
    request.resultType = .count
    var deleted: [Int] = []
    while let count = try context.execute(request).count, count > 0 { deleted.append(count) }
    return deleted
  }
  try expect(deleted, is: [1_000, 1_000, 400], "old quakes deleted")
  return "\(deleted.reduce(0, +)) old ones deleted"
}

/// A container with the feed; its view context merges what others save.
@MainActor private func importedQuakes() async throws -> PersistentContainer {
  let container = try quakeContainer()
  try await QuakeImport.objectHandler.store(try QuakeFeed.quakes(in: QuakeFeed.json(feedSize)), in: container)
  return container
}

@MainActor private func quakeContainer() throws -> PersistentContainer {
  let quake = EntityDescription(
    "Quake",
    attributes: [
      AttributeDescription("code", .string), AttributeDescription("magnitude", .double),
      AttributeDescription("place", .string), AttributeDescription("time", .date),
      AttributeDescription("validated", .boolean, defaultValue: false),
    ],
    uniquenessConstraints: [["code"]])
  let container = try loadContainer(ManagedObjectModel(entities: [quake]), classes: ["Quake": Quake.self])
  container.viewContext.automaticallyMergesChangesFromParent = true
  return container
}
