// D5, D6, C1: the two worked cases with feeds: changing fetched objects, and importing in the background.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import StoreFixtures
import Testing

@Suite("D5 C1 · the worked cases on feeds")
struct WorkedCaseTests {
  /// A quake that records its callbacks in a list for the tests of its stack.
  final class NotedQuake: ManagedObject {
    var calls: [String] = []
    override func willSave() { calls.append("willSave") }
    override func didSave() { calls.append("didSave") }
  }

  /// Everything that is observed of a save, in order.
  private final class Steps: SaveTracer {
    private let steps = Lock<[String]>([])
    var all: [String] { steps.withLock { $0 } }
    func note(_ step: String) { steps.withLock { $0.append(step) } }
    func began(_ stage: SaveStage) { note(stage.rawValue) }
    func ended(isStored: Bool) { note(isStored ? "stored" : "failed") }
  }

  @Test(
    "Quakes above 2.5 are fetched, changed and saved, with every step seen in order", .tags(.d5, .d3),
    arguments: SampleFeed.weeks.filter { $0.name != "week-2014-04.all_week.geojson" })
  func changing(feed: SampleFeed) throws {
    let stack = try TestStack()
    try stack.coordinator.close()
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": NotedQuake.self])
    try coordinator.addPersistentStore(stack.description())
    let rows = try feed.quakes()
    let strong = feed.strong
    let context = ManagedObjectContext(coordinator: coordinator)
    let steps = Steps()
    let observations = [ContextNotification.Name.willSave, .objectsDidChange, .didSave].map { name in
      context.observe(name) { news in steps.note("news of \(name), \(news.updated.count) changed") }
    }
    try context.performAndWait { () throws in
      try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows))
      let request = FetchRequest(entityName: "Quake", predicate: Quake.magnitude > 2.5)
      let quakes = try context.fetch(request).compactMap { $0 as? NotedQuake }
      #expect(quakes.count == strong && rows.count == feed.rows)
      for quake in quakes { quake[Quake.place] = "checked: " + (quake[Quake.place] ?? "") }
      #expect(context.updatedObjects.count == strong)
      try context.save(tracer: steps)
      #expect(!context.hasChanges && quakes.allSatisfy { $0.calls == ["willSave", "didSave"] })
    }
    #expect(
      steps.all == [
        "willSaveNotification", "news of willSave, \(strong) changed", "pendingChanges",
        "news of objectsDidChange, \(strong) changed", "willSaveCallbacks", "validation", "conflictsWithCache",
        "request", "keyReservation", "updates", "commit", "permanentIDs", "rowCache", "didSaveCallbacks",
        "didSaveNotification",
        "news of didSave, \(strong) changed", "stored",
      ])
    let stored = try stack.rows(
      "SELECT Z_OPT, count(*) FROM ZQUAKE GROUP BY Z_OPT, ZMAGNITUDE > 2.5, ZPLACE LIKE 'checked: %' ORDER BY 1")
    #expect(stored.last == "2|\(strong)" && stored.dropLast().allSatisfy { $0.hasPrefix("1|") })
    withExtendedLifetime(observations) {}
    try coordinator.close()
  }

  @Test(
    "A feed saved in the background appears in the view context automatically", .tags(.c1, .d6),
    arguments: SampleFeed.weeks.filter { !$0.name.hasPrefix("week-2018") })
  func importing(feed: SampleFeed) async throws {
    let stack = try TestStack()
    let container = PersistentContainer(
      managedObjectModel: stack.coordinator.managedObjectModel,
      store: PersistentStoreDescription(path: stack.path + "2"))
    try container.loadPersistentStores()
    let view = await container.viewContext
    let rows = try feed.quakes()
    let code = try #require(rows.first?["code"])
    try await container.performBackgroundTask { context in
      let old = try context.insertNewObject(forEntityName: "Quake")
      for (key, value) in rows[0] { old[key] = value }
      old[Quake.magnitude] = -1
      try context.save()
    }
    try await view.perform {
      view.automaticallyMergesChangesFromParent = true
      let shown = try view.fetch(FetchRequest(entityName: "Quake"))
      #expect(shown.count == 1 && shown.first?[Quake.magnitude] == -1)
    }
    var merges = view.notifications(.didMerge).makeAsyncIterator()
    try await container.performBackgroundTask { context in
      let old = try context.fetch(FetchRequest(entityName: "Quake")).first
      for row in rows {
        let quake = row["code"] == code ? try #require(old) : try context.insertNewObject(forEntityName: "Quake")
        for (key, value) in row { quake[key] = value }
      }
      try context.save()
    }
    let news = try #require(await merges.next())
    #expect(news.inserted.count == rows.count - 1 && news.updated.count == 1)
    try await view.perform {
      #expect(!view.hasChanges)
      let quakes = try view.fetch(FetchRequest(entityName: "Quake"))
      #expect(quakes.count == feed.rows && quakes.count == rows.count)
      #expect(try view.existingObject(with: news.updated[0])["magnitude"] == rows[0]["magnitude"])
      for objectID in news.inserted { #expect(try view.object(with: objectID)[Quake.code] != nil) }
    }
    try container.persistentStoreCoordinator.close()
  }
}

extension SampleFeed {
  /// The rows of a GeoJSON feed as quakes, read by Foundation.
  fileprivate func quakes() throws -> [[String: AttributeValue]] {
    struct Collection: Decodable {
      struct Feature: Decodable {
        struct Properties: Decodable {
          let mag: Double?
          let place: String?
          let time: Double
        }
        let id: String
        let properties: Properties
      }
      let features: [Feature]
    }
    let data = try Data(contentsOf: URL(filePath: path))
    return try JSONDecoder().decode(Collection.self, from: data).features.map { feature in
      var row: [String: AttributeValue] = [
        "code": .string(feature.id), "time": .date(Date(timeIntervalSince1970: feature.properties.time / 1_000)),
      ]
      if let magnitude = feature.properties.mag { row["magnitude"] = .real(magnitude) }
      if let place = feature.properties.place { row["place"] = .string(place) }
      return row
    }
  }
}
