// Imports the feed with each batch-insert style and with a loop that makes objects.
import CoreDataModel
import Foundation
import ObjectGraph

final class Quake: ManagedObject {
  static let code = AttributeKey<String>("code")
  static let magnitude = AttributeKey<Double>("magnitude")
  static let place = AttributeKey<String>("place")
  static let time = AttributeKey<Date>("time")
  static let validated = AttributeKey<Bool>("validated")

  func take(_ properties: QuakeFeed.Properties) {
    self[Quake.code] = properties.code
    self[Quake.magnitude] = properties.mag
    self[Quake.place] = properties.place
    self[Quake.time] = properties.time
  }
}

/// A way to store a portion of the feed.
struct QuakeImport: Sendable {
  let name: String
  /// How many quakes it gets at a time.
  let pieceSize: Int
  private let run: @Sendable (ArraySlice<QuakeFeed.Properties>, ManagedObjectContext) throws -> ChangedObjectIDs?

  /// One dictionary per quake.
  static let dictionaries = QuakeImport(name: "dictionaries", pieceSize: 2_000) { quakes, context in
    let rows: [[String: AttributeValue]] = quakes.map {
      ["code": .string($0.code), "magnitude": .real($0.mag), "place": .string($0.place), "time": .date($0.time)]
    }
    return try execute(BatchInsertRequest(entityName: "Quake", objects: rows), in: context)
  }

  /// One dictionary that is filled again for each quake.
  static let dictionaryHandler = QuakeImport(name: "dictionary handler", pieceSize: 2_000) { quakes, context in
    var rest = quakes.makeIterator()
    let request = BatchInsertRequest(
      entityName: "Quake",
      dictionaryHandler: { row in
        guard let quake = rest.next() else { return true }
        row["code"] = .string(quake.code)
        row["magnitude"] = .real(quake.mag)
        row["place"] = .string(quake.place)
        row["time"] = .date(quake.time)
        return false
      })
    return try execute(request, in: context)
  }

  /// One object that is filled again for each quake.
  static let objectHandler = QuakeImport(name: "object handler", pieceSize: 2_000) { quakes, context in
    var rest = quakes.makeIterator()
    let request = BatchInsertRequest(
      entityName: "Quake",
      managedObjectHandler: { object in
        guard let properties = rest.next(), let quake = object as? Quake else { return true }
        quake.take(properties)
        return false
      })
    return try execute(request, in: context)
  }

  /// An object for each quake, saved together; the view merges a save automatically.
  static let newObjects = QuakeImport(name: "new objects", pieceSize: .max) { quakes, context in
    for properties in quakes { try Quake(context: context).take(properties) }
    try context.save()
    return nil
  }

  /// What the request inserted and overwrote, in a form that can be merged: Deviations.md, "result types".
  private static func execute(_ request: BatchInsertRequest, in context: ManagedObjectContext) throws
    -> ChangedObjectIDs?
  {
    var request = request
    // Core Data: .objectIDs, and the caller chooses the key under which they are merged
    request.resultType = .changes
    return try context.execute(request).changes
  }

  /// Stores the quakes in portions in a background context, and waits until the view has merged each portion.
  @MainActor func store(_ quakes: [QuakeFeed.Properties], in container: PersistentContainer) async throws {
    let context = container.newBackgroundContext()
    context.mergePolicy = .mergeByPropertyObjectTrump  // overwrites quakes that are already stored
    let merges = container.viewContext.notifications(.didMerge)
    var rest = quakes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieceSize)
      rest = rest.dropFirst(piece.count)
      if let changes = try await context.perform({ try run(piece, context) }) {
        try container.viewContext.mergeChanges(fromContextDidSave: changes)
      }
      _ = try await next(merges)
    }
  }
}
