// D3, D4: faults with some of their values, and keys that a class computes.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("D3 D4 · partial faults and accessors", .tags(.d3, .d4))
struct PartialFaultTests {
  /// Three quakes and a blast of one region, read by a context with recorded SELECTs.
  private func world(
    _ body: (TestStack, ManagedObjectContext, _ selects: () -> [String]) throws -> Void
  ) throws {
    let selects = Lock<[String]>([])
    var event = EntityDescription.quake()
    event.relationships = [RelationshipDescription("region", to: "Region", inverse: "quakes")]
    event.attributes.append(AttributeDescription("note", .string, isOptional: true, isTransient: true))
    let stack = try TestStack([
      event,
      EntityDescription(
        "Blast", superentity: "Quake", attributes: [AttributeDescription("charge", .int64, isOptional: true)]),
      EntityDescription(
        "Region", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("quakes", to: "Quake", inverse: "region", isToMany: true)]),
    ]) { description in
      description.sqlTrace = SQLTrace { line in
        if line.contains("sql: SELECT") { selects.withLock { $0.append(line) } }
      }
    }
    let writer = stack.context()
    try writer.performAndWait { () throws in
      let region = try writer.insertNewObject(forEntityName: "Region")
      region["name"] = "North"
      for (number, code) in ["a", "b", "c"].enumerated() {
        let quake = try Quake.insert(code, Double(number), into: writer)
        quake[Quake.place] = "place \(code)"
        try quake.setObject(region, forKey: "region")
      }
      let blast = try writer.insertNewObject(forEntityName: "Blast")
      blast["code"] = "d"
      blast["time"] = .date(.init(timeIntervalSinceReferenceDate: 0))
      blast["charge"] = 7
      try writer.save()
    }
    let context = stack.context()
    try context.performAndWait { () throws in
      _ = try context.count(for: FetchRequest(entityName: "Quake"))
      selects.withLock { $0 = [] }
      try body(stack, context) {
        selects.withLock { selects in
          defer { selects = [] }
          return selects
        }
      }
    }
  }

  private func request(_ properties: [FetchedProperty]) -> FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
    request.propertiesToFetch = properties
    return request
  }

  @Test("Only requested properties are read, and the rest of a row on first use")
  func read() throws {
    try world { _, context, selects in
      let found = try context.fetch(request(["magnitude", "region"]))
      let quakes = Array(found)
      let first = selects()
      #expect(first.count == 1 && first[0].contains("ZMAGNITUDE") && first[0].contains("ZREGION"))
      #expect(first[0].contains("ZCODE") && !first[0].contains("ZPLACE") && !first[0].contains("ZCHARGE"))
      #expect(
        quakes.map { $0[Quake.magnitude] } == [0, 1, 2, nil] && quakes.map { $0["code"] } == ["a", "b", "c", "d"])
      #expect(try quakes[1].value(forKey: "magnitude") == 1.0 && quakes[1].value(for: Quake.magnitude) == 1)
      let region = try #require(try quakes[0].object(forKey: "region"))
      #expect(region.isFault && quakes.allSatisfy(\.isFault) && selects().isEmpty)
      #expect(try quakes[3].object(forKey: "region") == nil && quakes[2].object(forKey: "region") === region)
      #expect(selects().isEmpty)
      #expect(quakes[1][Quake.place] == "place b" && !quakes[1].isFault && selects().count == 1)
      // The rows of the faults next to it were read with it.
      #expect(quakes[3]["charge"] == 7 && selects().isEmpty)
      // A fetch of whole rows fills the remaining ones.
      _ = try context.fetch(FetchRequest(entityName: "Quake"))
      #expect(quakes.allSatisfy { !$0.isFault } && selects().count == 1)
      #expect(quakes[0][Quake.place] == "place a" && selects().isEmpty)
    }
  }

  @Test("A change fills the object first, and unsaved objects are ordered among partial ones")
  func change() throws {
    try world { stack, context, selects in
      let quakes = Array(try context.fetch(request(["magnitude"])))
      quakes[0][Quake.magnitude] = 9
      #expect(!quakes[0].isFault && quakes[0][Quake.place] == "place a")
      try Quake.insert("aa", 5, into: context)
      _ = selects()
      let again = try context.fetch(request(["magnitude"]))
      #expect(again.map { $0[Quake.magnitude] } == [9, 5, 1, 2, nil] && again[0] === quakes[0])
      #expect(selects().count == 1)
      try context.save()
      #expect(
        try stack.rows("SELECT ZCODE, ZMAGNITUDE, ZPLACE FROM ZQUAKE ORDER BY ZCODE LIMIT 2")
          == ["a|9.0|place a", "aa|5.0|NULL"])
    }
  }

  @Test("Refreshes and merges drop the values; properties changed since the fetch are read again")
  func refreshed() throws {
    try world { stack, context, selects in
      context.stalenessInterval = 0
      let found = try context.fetch(request(["magnitude"]))
      let quake = found[0]
      #expect(quake[Quake.magnitude] == 0)
      let other = stack.context()
      let objectIDs = found.objectIDs
      try other.performAndWait { () throws in
        for objectID in objectIDs.prefix(2) { try other.existingObject(with: objectID)[Quake.magnitude] = 8 }
        try other.save()
      }
      #expect(quake[Quake.magnitude] == 0, "not merged yet")
      try context.mergeChanges(fromContextDidSave: ChangedObjectIDs(updated: Array(objectIDs.prefix(2))))
      #expect(quake[Quake.magnitude] == 8 && found[1][Quake.magnitude] == 8)
      try context.refreshAllObjects()
      let partial = try context.fetch(request(["magnitude"]))[0]
      #expect(partial.isFault && partial[Quake.magnitude] == 8)
      try context.refresh(partial, mergeChanges: false)
      try stack.execute("UPDATE ZQUAKE SET ZMAGNITUDE = 3")
      #expect(partial[Quake.magnitude] == 3)
    }
  }
}

extension PartialFaultTests {
  @Test("Faults that the context already has are not treated as whole", arguments: [0, 2])
  func faultsBefore(batchSize: Int) throws {
    try world { _, context, selects in
      let objectIDs = try context.fetchObjectIDs(FetchRequest(entityName: "Quake"))
      let quakes = try objectIDs.map { try context.object(with: $0) }
      var asked = request(["magnitude"])
      asked.fetchBatchSize = batchSize
      #expect(Array(try context.fetch(asked)) == quakes)
      _ = selects()
      #expect(quakes.allSatisfy(\.isFault) && quakes[1][Quake.magnitude] == 1 && selects().isEmpty)
      #expect(quakes.map { $0[Quake.place] } == ["place a", "place b", "place c", nil] && selects().count == 1)
    }
  }

  @Test("With batches each batch reads its properties; children and prefetches read whole rows")
  func batches() throws {
    try world { _, context, selects in
      var batched = request(["magnitude"])
      batched.fetchBatchSize = 2
      let found = try context.fetch(batched)
      #expect(found[2][Quake.magnitude] == 2 && found[2].isFault)
      let read = selects()
      #expect(read.count == 2 && !read[1].contains("ZPLACE") && read[1].contains("ZMAGNITUDE"))
      let child = ManagedObjectContext(parent: context)
      let asked = request(["magnitude"])
      try child.performAndWait { () throws in #expect(try child.fetch(asked)[1][Quake.place] == "place b") }
      var prefetched = asked
      prefetched.relationshipKeyPathsForPrefetching = ["region"]
      context.reset()
      _ = selects()
      let quakes = Array(try context.fetch(prefetched))
      #expect(quakes[0][Quake.place] == "place a" && selects().count == 2)
    }
  }

  @Test(
    "Keys that rows do not have are refused by name",
    arguments: ["nothing", "region.name", "note", "charge", "objectID"])
  func refused(name: String) throws {
    try world { _, context, _ in
      let error = #expect(throws: ObjectGraphError.self) { try context.fetch(request([.property(name)])) }
      #expect(error?.description.contains("'\(name)' in the propertiesToFetch of a fetch of objects") == true)
      let count = FetchedProperty.expression(ExpressionDescription("rows", .count))
      #expect(throws: ObjectGraphError.self) { try context.fetchObjectIDs(request([count])) }
    }
  }

  /// A quake that computes two keys: a new one, and its place in capitals.
  final class TitledQuake: ManagedObject {
    override func accessorValue(forKey key: String) -> AttributeValue? {
      guard case .string(let place)? = try? primitiveValue(forKey: "place") else { return nil }
      switch key {
      case "title": return .string("Quake near \(place)")
      case "place": return .string(place.uppercased())
      default: return nil
      }
    }
  }

  @Test("A class answers for its own keys and instead of an attribute, in memory and not in a store")
  func accessors() throws {
    let stack = try TestStack()
    try stack.coordinator.close()
    let coordinator = try PersistentStoreCoordinator(
      managedObjectModel: stack.coordinator.managedObjectModel, classes: ["Quake": TitledQuake.self])
    try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      let quake = try Quake.insert("a", 1, into: context)
      quake[Quake.place] = "Reno"
      #expect(try quake.value(forKey: "title") == "Quake near Reno" && quake.value(forKey: "place") == "RENO")
      #expect(try quake.primitiveValue(forKey: "place") == "Reno" && quake.value(forKey: "magnitude") == 1.0)
      #expect(quake[Quake.place] == "Reno" && quake["place"] == "Reno")
      #expect(throws: ObjectGraphError.self) { try quake.value(forKey: "titel") }
      #expect(throws: ObjectGraphError.self) { try quake.primitiveValue(forKey: "title") }
      #expect(try FetchPredicate(format: "title ENDSWITH 'Reno' AND place == 'Reno'").evaluate(with: quake))
      let other = try Quake.insert("b", 2, into: context)
      other[Quake.place] = "Elko"
      #expect(try [FetchSortDescriptor("title")].sorted([quake, other]) == [other, quake])
      try context.save()
      #expect(try stack.rows("SELECT ZPLACE FROM ZQUAKE ORDER BY ZCODE") == ["Reno", "Elko"])
      let stored = FetchRequest(entityName: "Quake", predicate: try FetchPredicate(format: "place == 'Reno'"))
      #expect(try context.fetch(stored).map(\.self) == [quake])
      let unknown = FetchRequest(entityName: "Quake", predicate: try FetchPredicate(format: "title == 'x'"))
      #expect(throws: ObjectGraphError.self) { try context.count(for: unknown) }
    }
    try coordinator.close()
  }
}
