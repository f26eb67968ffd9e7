// B11, D1: rows that overwrite rows of another entity in their hierarchy, by saves and by batches.
import Foundation
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization
import Testing

@Suite("B11 · upserts across the entities of a table")
struct SharedTableUpsertTests {
  /// Vehicles are unique by plate; cars and boats have their own columns and relationships.
  private func stack() throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Vehicle", attributes: [AttributeDescription("plate", .string)],
        relationships: [RelationshipDescription("owner", to: "Owner", inverse: "vehicles")],
        uniquenessConstraints: [["plate"]]),
      EntityDescription(
        "Car", superentity: "Vehicle", attributes: [AttributeDescription("doors", .int32, isOptional: true)],
        relationships: [
          RelationshipDescription("garage", to: "Garage", inverse: "cars"),
          RelationshipDescription("clubs", to: "Club", inverse: "cars", isToMany: true),
          RelationshipDescription("wheels", to: "Wheel", inverse: "car", isToMany: true),
        ]),
      EntityDescription(
        "Boat", superentity: "Vehicle", attributes: [AttributeDescription("sails", .int32, isOptional: true)]),
      EntityDescription(
        "Owner", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("vehicles", to: "Vehicle", inverse: "owner", isToMany: true),
          RelationshipDescription("favourite", to: "Vehicle", inverse: nil),
          RelationshipDescription("firstCar", to: "Car", inverse: nil),
        ]),
      EntityDescription(
        "Garage", relationships: [RelationshipDescription("cars", to: "Car", inverse: "garage", isToMany: true)]),
      EntityDescription(
        "Club", relationships: [RelationshipDescription("cars", to: "Car", inverse: "clubs", isToMany: true)]),
      EntityDescription("Wheel", relationships: [RelationshipDescription("car", to: "Car", inverse: "wheels")]),
    ])
  }

  /// A car with an owner, a garage, a club and a wheel.
  private func fill(_ context: ManagedObjectContext) throws -> ManagedObject {
    let car = try context.insertNewObject(forEntityName: "Car")
    car["plate"] = "X"
    car["doors"] = 4
    let owner = try Library.make("Owner", "O", in: context)
    try car.setObject(owner, forKey: "owner")
    try owner.setObject(car, forKey: "favourite")
    try car.setObject(try context.insertNewObject(forEntityName: "Garage"), forKey: "garage")
    try car.addObject(try context.insertNewObject(forEntityName: "Club"), forKey: "clubs")
    try car.addObject(try context.insertNewObject(forEntityName: "Wheel"), forKey: "wheels")
    try context.save()
    return car
  }

  private func number(_ entity: String, _ stack: TestStack) throws -> String {
    try stack.rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")[0]
  }

  private func clubPairs(_ stack: TestStack) throws -> String {
    let club = try stack.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    #expect(club.count == 1)
    return try stack.rows("SELECT count(*) FROM \(club[0])")[0]
  }

  private func expectBoat(_ stack: TestStack, version: Int, keepsOwner: Bool) throws {
    let boat = try number("Boat", stack)
    #expect(
      try stack.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZDOORS, ZGARAGE, ZSAILS, ZOWNER FROM ZVEHICLE")
        == ["1|\(boat)|\(version)|NULL|NULL|2|\(keepsOwner ? "1" : "NULL")"])
    #expect(try stack.rows("SELECT ZCAR FROM ZWHEEL") == ["NULL"])
    #expect(try clubPairs(stack) == "0")
    // References that may have a boat as their destination do, and store its entity.
    let column = try stack.rows(
      "SELECT name FROM pragma_table_info('ZOWNER') WHERE name GLOB 'Z[0-9]*_FAVOURITE'")[0]
    #expect(try stack.rows("SELECT ZFAVOURITE, \(column) FROM ZOWNER") == ["1|\(boat)"])
  }

  @Test("A batch insert turns the stored row into one of the new entity, and it is read as such", .tags(.b11))
  func batch() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let car = try fill(context)
      var request = BatchInsertRequest(entityName: "Boat", objects: [["plate": "X", "sails": 2]])
      request.resultType = .objectIDs
      guard case .objectIDs(let objectIDs) = try context.execute(request) else { throw TestFailure("no IDs") }
      #expect(objectIDs.map { "\($0)".suffix(8) } == ["/Boat/p1"])
      context.reset()
      #expect(throws: ObjectGraphError.missingObject(car.objectID)) { () throws in
        _ = try context.existingObject(with: car.objectID)
      }
      let boat = try #require(try context.fetch(FetchRequest(entityName: "Vehicle")).first)
      #expect(boat.objectID == objectIDs[0] && boat["sails"] == 2)
      #expect(try Library.find("Owner", "O", in: context).object(forKey: "favourite") === boat)
      #expect(try context.count(for: FetchRequest(entityName: "Car")) == 0)
      boat["sails"] = 3
      try context.save()
      boat["sails"] = 2
      try context.save()
    }
    try expectBoat(stack, version: 4, keepsOwner: true)
  }

  @Test("A context that holds the old object finds the row as one of its new entity", .tags(.b11, .d4))
  func heldObject() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let car = try fill(context)
      try context.execute(BatchInsertRequest(entityName: "Boat", objects: [["plate": "X", "sails": 2]]))
      let found = try #require(try context.fetch(FetchRequest(entityName: "Vehicle")).first)
      #expect(found !== car && found.entity.name == "Boat" && found["sails"] == 2)
      #expect(car.entity.name == "Car" && car["doors"] == 4, "it keeps what it has read")
    }
  }
}

extension SharedTableUpsertTests {
  @Test("With supplied keys only, a row that changes its entity is still written whole", .tags(.b11))
  func suppliedKeys() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      _ = try fill(context)
      var request = BatchInsertRequest(entityName: "Boat", objects: [["plate": "X", "sails": 2], ["plate": "X"]])
      request.updatesSuppliedKeysOnly = true
      try context.execute(request)
    }
    try expectBoat(stack, version: 3, keepsOwner: true)
  }

  @Test("A save changes the entity too, and the object has the row's key and version", .tags(.b11, .d5))
  func save() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let car = try fill(context)
      let boat = try context.insertNewObject(forEntityName: "Boat")
      boat["plate"] = "X"
      boat["sails"] = 2
      try context.save()
      #expect("\(boat.objectID)".hasSuffix("/Boat/p1"))
      #expect(car.isDeleted)
      boat["sails"] = 3
      try context.save()
      boat["sails"] = 2
      try context.save()
    }
    try expectBoat(stack, version: 4, keepsOwner: false)
  }

  @Test("Under the other policies the stored row stays unchanged", .tags(.b11))
  func storeTrump() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyStoreTrump)
    try context.performAndWait { () throws in
      _ = try fill(context)
      try context.execute(BatchInsertRequest(entityName: "Boat", objects: [["plate": "X", "sails": 2]]))
    }
    let car = try number("Car", stack)
    #expect(try stack.rows("SELECT Z_ENT, Z_OPT, ZDOORS, ZSAILS FROM ZVEHICLE") == ["\(car)|1|4|NULL"])
  }
}

extension SharedTableUpsertTests {
  private func make(_ entity: String, plate: String, in context: ManagedObjectContext) throws -> ManagedObject {
    let vehicle = try context.insertNewObject(forEntityName: entity)
    vehicle["plate"] = .string(plate)
    return vehicle
  }

  @Test(
    "A stored boat that replaces a new car is in no relationship that only cars can have", .tags(.b11, .d5),
    arguments: [MergePolicy.MergeType.storeTrump, .rollback])
  func standIn(type: MergePolicy.MergeType) throws {
    let stack = try stack()
    let context = stack.context(MergePolicy(mergeType: type))
    try context.performAndWait { () throws in
      let boat = try make("Boat", plate: "X", in: context)
      try context.save()
      let car = try make("Car", plate: "X", in: context)
      let (wheel, club) = (
        try context.insertNewObject(forEntityName: "Wheel"), try context.insertNewObject(forEntityName: "Club")
      )
      let owner = try Library.make("Owner", "O", in: context)
      try wheel.setObject(car, forKey: "car")
      try car.addObject(club, forKey: "clubs")
      for key in ["favourite", "firstCar"] { try owner.setObject(car, forKey: key) }
      try context.save()
      #expect(try wheel.object(forKey: "car") == nil && club.objects(forKey: "cars") == [])
      #expect(try owner.object(forKey: "favourite") === boat && owner.object(forKey: "firstCar") == nil)
    }
    #expect(try stack.rows("SELECT ZCAR FROM ZWHEEL") == ["NULL"])
    #expect(try clubPairs(stack) == "0")
    #expect(try stack.rows("SELECT ZFAVOURITE, ZFIRSTCAR FROM ZOWNER") == ["1|NULL"])
  }

  @Test(
    "Pairs that a save adds to a car whose row becomes a boat are not stored", .tags(.b11, .d5),
    arguments: [MergePolicy.MergeType.objectTrump, .overwrite])
  func pairsOfOthers(type: MergePolicy.MergeType) throws {
    let stack = try stack()
    let context = stack.context(MergePolicy(mergeType: type))
    try context.performAndWait { () throws in
      let car = try fill(context)
      let club = try context.insertNewObject(forEntityName: "Club")
      try car.addObject(club, forKey: "clubs")
      _ = try make("Boat", plate: "X", in: context)
      try context.save()
      #expect(try club.objects(forKey: "cars") == [])
    }
    #expect(try clubPairs(stack) == "0")
  }

  @Test("A new car whose row a new boat takes in the same save loses its clubs and wheels", .tags(.b11, .d5))
  func takenInOneSave() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let car = try make("Car", plate: "X", in: context)
      let (wheel, club) = (
        try context.insertNewObject(forEntityName: "Wheel"), try context.insertNewObject(forEntityName: "Club")
      )
      try wheel.setObject(car, forKey: "car")
      try car.addObject(club, forKey: "clubs")
      _ = try make("Boat", plate: "X", in: context)
      try context.save()
      #expect(try wheel.object(forKey: "car") == nil && club.objects(forKey: "cars") == [])
    }
    #expect(try stack.rows("SELECT ZCAR, Z_OPT FROM ZWHEEL") == ["NULL|1"])
    #expect(try clubPairs(stack) == "0")
  }
}

extension SharedTableUpsertTests {
  @Test(
    "A wheel of a car whose row becomes a boat loses its car, and is reported as updated", .tags(.b11, .d5, .d4),
    arguments: [false, true])
  func emptiedKey(isBatch: Bool) throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let car = try fill(context)
      let wheel = try #require(try car.objects(forKey: "wheels").first)
      let updated = Lock<[ManagedObjectID]>([])
      let observation = context.observe(.didSave) { news in updated.withLock { $0 = news.updated } }
      if isBatch {
        var request = BatchInsertRequest(entityName: "Boat", objects: [["plate": "X"]])
        request.resultType = .changes
        let changes = try #require(context.execute(request).changes)
        updated.withLock { $0 = changes.updated }
        try context.mergeChanges(fromContextDidSave: changes)
      } else {
        _ = try make("Boat", plate: "X", in: context)
        try context.save()
      }
      observation.cancel()
      #expect(updated.withLock { $0 }.contains(wheel.objectID))
      #expect(try wheel.object(forKey: "car") == nil && !wheel.hasChanges)
      context.mergePolicy = .error
      try wheel.setObject(try make("Car", plate: "Y", in: context), forKey: "car")
      try context.save()
    }
    #expect(try stack.rows("SELECT ZCAR IS NULL, Z_OPT FROM ZWHEEL") == ["0|3"])
  }

  @Test("A wheel changed by the save that turns its car into a boat has the row's version", .tags(.b11, .d5))
  func emptiedAndChanged() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let car = try fill(context)
      let wheel = try context.insertNewObject(forEntityName: "Wheel")
      try context.save()
      try wheel.setObject(car, forKey: "car")
      _ = try make("Boat", plate: "X", in: context)
      try context.save()
      #expect(try wheel.object(forKey: "car") == nil)
      context.mergePolicy = .error
      try wheel.setObject(try make("Car", plate: "Y", in: context), forKey: "car")
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try stack.rows("SELECT ZCAR IS NULL FROM ZWHEEL ORDER BY Z_PK") == ["1", "0"])
  }
}
