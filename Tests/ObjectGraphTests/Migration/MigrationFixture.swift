// A store of a model with a bit of everything, for migrations to changed models and back.
import CoreDataModel
import Foundation
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

/// A store with inheritance, relationships of every kind, a constraint, an index, and history.
final class MigrationFixture {
  static let entities = [
    EntityDescription(
      "Animal",
      attributes: [
        .init("name", .string), .init("weight", .double, isOptional: true), .init("chip", .uuid, isOptional: true),
      ], relationships: [.init("owner", to: "Person", inverse: "pets")]),
    EntityDescription(
      "Cat", superentity: "Animal", attributes: [.init("lives", .int32, isOptional: true)]),
    EntityDescription(
      "Club", attributes: [.init("title", .string, isOptional: true)],
      relationships: [.init("members", to: "Person", inverse: "clubs", isToMany: true, isOrdered: true)]),
    EntityDescription(
      "Dog", superentity: "Animal",
      attributes: [
        .init("breed", .string, isOptional: true), .init("tricks", .int16, isOptional: true, defaultValue: 1),
      ]),
    EntityDescription(
      "House", attributes: [.init("number", .int64)],
      relationships: [.init("resident", to: "Person", inverse: "home")]),
    EntityDescription(
      "Person",
      attributes: [
        .init("age", .int16, isOptional: true), .init("born", .date, isOptional: true), .init("email", .string),
        .init("income", .decimal, isOptional: true), .init("photo", .binary, isOptional: true),
      ],
      relationships: [
        .init("clubs", to: "Club", inverse: "members", isToMany: true),
        .init("friends", to: "Person", inverse: "friends", isToMany: true),
        .init("home", to: "House", inverse: "resident"),
        .init("pets", to: "Animal", inverse: "owner", isToMany: true),
      ], uniquenessConstraints: [["email"]], fetchIndexes: [.init("byAge", on: ["age"])]),
  ]

  let folder: CopiedStore
  var path: String { folder.path }
  private(set) var coordinator: PersistentStoreCoordinator
  private(set) var model: ManagedObjectModel

  init() throws {
    folder = try CopiedStore()
    model = try ManagedObjectModel(entities: MigrationFixture.entities)
    coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(description)
    try fill()
  }

  deinit { try? coordinator.close() }

  var description: PersistentStoreDescription {
    var description = PersistentStoreDescription(path: path)
    description.tracksPersistentHistory = true
    return description
  }

  func close() throws { try coordinator.close() }

  /// Closes the store and opens it with another model.
  func migrate(
    _ entities: [EntityDescription], _ configure: (inout PersistentStoreDescription) -> Void = { _ in }
  ) throws {
    try coordinator.close()
    let (source, destination) = (model, try ManagedObjectModel(entities: entities))
    var description = description
    description.sourceModels = [source]
    configure(&description)
    coordinator = PersistentStoreCoordinator(managedObjectModel: destination)
    model = destination
    try coordinator.addPersistentStore(description)
  }

  /// Migrates, and compares objects, rules and layout with the expected ones.
  func migrateAndCheck(
    _ entities: [EntityDescription], hasFreshLayout: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: (inout PersistentStoreDescription) -> Void = { _ in }
  ) throws {
    let before = try MigrationContent.read(coordinator)
    let (source, identifier) = (model, try metadata()["NSStoreUUID"])
    let mapping = try MappingModel(inferringFrom: source, to: ManagedObjectModel(entities: entities))
    try migrate(entities, configure)
    let expected = MigrationContent.migrated(before, mapping, to: model)
    let found = try MigrationContent.read(coordinator)
    for key in Set(expected.keys).union(found.keys).sorted() where expected[key] != found[key] {
      Issue.record(
        "\(key): expected \(expected[key].map { "\($0)" } ?? "none"), found \(found[key].map { "\($0)" } ?? "none")",
        sourceLocation: sourceLocation)
    }
    #expect(try coordinator.integrity().breaches == [], sourceLocation: sourceLocation)
    if hasFreshLayout {
      #expect(try MigrationLayout.lines(of: path) == MigrationLayout.fresh(model), sourceLocation: sourceLocation)
    }
    #expect(try metadata()["NSStoreUUID"] == identifier, sourceLocation: sourceLocation)
    #expect(
      try model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata()), sourceLocation: sourceLocation)
    let connection = try Connection(path: path, access: .readOnly)
    #expect(try connection.integrityCheck() == [], sourceLocation: sourceLocation)
  }

  func metadata() throws -> [String: MetadataValue] {
    try PersistentStoreCoordinator.metadataForPersistentStore(at: path)
  }

  /// Every row as text, with columns joined by `|`, read without the library.
  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  private func fill() throws {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait { () throws in
      func insert(_ entity: String, _ values: [String: AttributeValue]) throws -> ManagedObject {
        let object = try context.insertNewObject(forEntityName: entity)
        for (key, value) in values { try object.setValue(value, forKey: key) }
        return object
      }
      var persons: [ManagedObject] = []
      for number in 1...4 {
        let values: [String: AttributeValue] = [
          "email": .string("p\(number)@x.org"), "age": number == 2 ? .null : .integer(Int64(number)),
          "born": .date(Date(timeIntervalSinceReferenceDate: Double(number) + 0.25)),
          "income": .decimal(Decimal(number) / 4), "photo": .binary(Data([UInt8(number), 0, 255])),
        ]
        persons.append(try insert("Person", values))
      }
      var animals: [ManagedObject] = []
      for number in 1...6 {
        let entity = ["Animal", "Cat", "Dog"][number % 3]
        let animal = try insert(entity, ["name": .string("a'\(number)")])
        if number < 4 { try animal.setValue(.real(Double(number) / 2), forKey: "weight") }
        if number == 1 { try animal.setValue(.uuid(UUID()), forKey: "chip") }
        if entity == "Cat" { try animal.setValue(.integer(9), forKey: "lives") }
        if number == 2 { try animal.setValue("hound", forKey: "breed") }
        animals.append(animal)
      }
      for (index, animal) in animals.enumerated() where index != 5 {
        try animal.setObject(persons[index % 3], forKey: "owner")
      }
      let clubs = try (1...2).map { try insert("Club", ["title": .string("c\($0)")]) }
      for person in persons.reversed() { try clubs[0].addObject(person, forKey: "members") }
      try clubs[1].addObject(persons[2], forKey: "members")
      for number in 1...3 {
        let house = try insert("House", ["number": .integer(Int64(number))])
        if number < 3 { try house.setObject(persons[number], forKey: "resident") }
      }
      try persons[0].addObject(persons[1], forKey: "friends")
      try persons[0].addObject(persons[2], forKey: "friends")
      try context.save()
      // Versions, gaps between keys, and history of every kind.
      try persons[1].setValue(.integer(50), forKey: "age")
      try animals[2].setValue("again", forKey: "name")
      try context.delete(persons[3])
      try context.save()
    }
  }
}
