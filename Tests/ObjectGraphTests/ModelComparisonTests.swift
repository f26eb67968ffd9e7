// D2: a store of another model cannot be opened for writing, and the error says which entities differ and how.
import CoreDataFiles
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("D2 · a store's model", .tags(.d2))
struct ModelComparisonTests {
  /// A model of quakes with a sub-entity and a station.
  private static let entities = [
    EntityDescription.quake(), EntityDescription("Aftershock", superentity: "Quake"),
    EntityDescription(
      "Station", attributes: [.init("name", .string), .init("height", .int64, isOptional: true)],
      relationships: [.init("network", to: "Network", inverse: "stations")]),
    EntityDescription(
      "Network", relationships: [.init("stations", to: "Station", inverse: "network", isToMany: true)]),
  ]

  /// A change to the model that a store was made with.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The entity that the change affects.
    let entity: String
    /// The entity that differs in tables, columns and constraints; nil if they do not show the change.
    let visibleEntity: String?
    let apply: @Sendable (inout [EntityDescription]) -> Void

    init(
      _ name: String, _ entity: String, visible: String?,
      _ apply: @escaping @Sendable (inout [EntityDescription]) -> Void
    ) {
      testDescription = name
      self.entity = entity
      visibleEntity = visible
      self.apply = apply
    }
  }

  static let changes: [Change] = [
    .init("fewer attributes", "Station", visible: "Station") { $0[2].attributes.removeLast() },
    .init("another optionality", "Station", visible: nil) { $0[2].attributes[1].isOptional = false },
    .init("a type with the same column", "Station", visible: nil) { $0[2].attributes[1].type = .int16 },
    .init("another type", "Quake", visible: "Quake") { $0[0].attributes[1].type = .string },
    .init("no constraint", "Quake", visible: "Quake") { $0[0].uniquenessConstraints = [] },
    .init("another constraint", "Quake", visible: "Quake") { $0[0].uniquenessConstraints = [["code", "place"]] },
    .init("an attribute more", "Aftershock", visible: "Aftershock") {
      $0[1].attributes.append(.init("after", .int64, isOptional: true))
    },
    .init("an entity less", "Aftershock", visible: "Aftershock") { $0.remove(at: 1) },
    .init("an entity more", "Volcano", visible: "Volcano") {
      $0.append(EntityDescription("Volcano", attributes: [.init("name", .string)]))
    },
    .init("a required relationship", "Station", visible: nil) { $0[2].relationships[0].isOptional = false },
    // The order is a column of the table at the other end.
    .init("an ordered relationship", "Network", visible: "Station") { $0[3].relationships[0].isOrdered = true },
    .init("an abstract entity", "Quake", visible: nil) { $0[0].isAbstract = true },
    .init("a modifier of an entity", "Aftershock", visible: nil) { $0[1].versionHashModifier = "2" },
    .init("a modifier of an attribute", "Station", visible: nil) { $0[2].attributes[1].versionHashModifier = "2" },
    .init("a modifier of a relationship", "Network", visible: nil) { $0[3].relationships[0].versionHashModifier = "2" },
    .init("a transient attribute", "Station", visible: "Station") { $0[2].attributes[1].isTransient = true },
  ]

  private func coordinator(_ entities: [EntityDescription]) throws -> PersistentStoreCoordinator {
    PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: entities))
  }

  /// The entities that prevent opening the store for writing; none if it can be opened.
  private func differences(
    _ entities: [EntityDescription], _ stack: TestStack, ignoresModelVersion: Bool = false
  ) throws -> [EntityDifference] {
    let coordinator = try coordinator(entities)
    var description = stack.description()
    description.ignoresModelVersion = ignoresModelVersion
    do throws(ObjectGraphError) {
      try coordinator.addPersistentStore(description)
    } catch {
      guard case .incompatibleModel(stack.path, let entities) = error else { throw error }
      #expect(error.code == 134100 && error.description.contains("read-only"))
      return entities
    }
    try coordinator.close()
    return []
  }

  @Test("Every change of the model is found in a store of this library, which stays as it is", arguments: changes)
  func ownStores(change: Change) throws {
    let stack = try TestStack(Self.entities)
    try stack.coordinator.close()
    let before = try Data(contentsOf: URL(filePath: stack.path))
    var changed = Self.entities
    change.apply(&changed)
    #expect(try differences(changed, stack).map(\.entity) == [change.entity])
    #expect(try Data(contentsOf: URL(filePath: stack.path)) == before)
    #expect(try differences(Self.entities, stack) == [])
  }

  @Test("With versions ignored, differences that tables do not show do not count; the hashes stay", arguments: changes)
  func ignoredVersions(change: Change) throws {
    let stack = try TestStack(Self.entities)
    try stack.coordinator.close()
    let before = try PersistentStoreCoordinator.metadataForPersistentStore(at: stack.path)
    var changed = Self.entities
    change.apply(&changed)
    let found = try differences(changed, stack, ignoresModelVersion: true).map(\.entity)
    #expect(found == (change.visibleEntity.map { [$0] } ?? []))
    #expect(try PersistentStoreCoordinator.metadataForPersistentStore(at: stack.path) == before)
    #expect(try differences(changed, stack).map(\.entity) == [change.entity])
  }

  @Test("The metadata shows, without opening the store, which model made it", arguments: changes)
  func metadata(change: Change) throws {
    let stack = try TestStack(Self.entities)
    let model = stack.coordinator.managedObjectModel
    try stack.coordinator.close()
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: stack.path)
    #expect(try model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    var changed = Self.entities
    change.apply(&changed)
    let other = try ManagedObjectModel(entities: changed)
    #expect(try !other.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    let hashes = (model.entityVersionHashesByName, other.entityVersionHashesByName)
    #expect(hashes.0[change.entity] != hashes.1[change.entity])
    // With foreign hashes, this library only knows which entities there are.
    try stack.setForeignHashes()
    let foreign = try PersistentStoreCoordinator.metadataForPersistentStore(at: stack.path)
    #expect(
      try other.isConfiguration(withName: nil, compatibleWithStoreMetadata: foreign)
        == (changed.map(\.name) == Self.entities.map(\.name)))
  }
}

extension ModelComparisonTests {
  @Test("An addition to a super-entity transforms the entities that inherit from it, too", .tags(.d11))
  func inherited() throws {
    var changed = Self.entities
    changed[0].attributes.append(.init("felt", .int32, isOptional: true))
    let models = try [Self.entities, changed].map { try ManagedObjectModel(entities: $0) }
    let mapping = try MappingModel(inferringFrom: models[0], to: models[1])
    #expect(
      Set(mapping.entityMappings.filter { $0.mappingType == .transform }.map(\.destinationEntityName))
        == ["Quake", "Aftershock"])
  }

  @Test("Version hashes stay those of earlier versions of the library, so that their stores keep their model")
  func knownHashes() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Quake", attributes: [.init("code", .string), .init("magnitude", .double, isOptional: true)],
        relationships: [.init("region", to: "Region", inverse: "quakes")], uniquenessConstraints: [["code"]]),
      EntityDescription(
        "Aftershock", superentity: "Quake", attributes: [.init("delay", .int32, isOptional: true)]),
      EntityDescription(
        "Region", relationships: [.init("quakes", to: "Quake", inverse: "region", isToMany: true, isOrdered: true)]),
    ])
    #expect(
      model.entityVersionHashesByName.mapValues { $0.base64EncodedString() } == [
        "Quake": "LjLrTjpgRUxURHYQPwE9vWeu8g6XGpDKP+aeNV3hRDs=",
        "Aftershock": "+jUUoTmIKq9eK/BlO9M+hBMLYwdXb7H1cRsbK48edLI=",
        "Region": "Cy/aVnTWyGGGgHnKes0MYhNtHm+WjZVXn1AGG2MPpAg=",
      ])
  }

  @Test(
    "The metadata of a configuration's store matches that configuration, and has the model's version identifiers")
  func configurations() throws {
    let model = try ManagedObjectModel(
      entities: Self.entities, configurations: ["Quakes": ["Quake"], "Stations": ["Station", "Network"]],
      versionIdentifiers: ["2", "1"])
    let folder = try TestStack()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    var description = PersistentStoreDescription(path: folder.directory.appending(path: "quakes.sqlite").path)
    description.configuration = "Quakes"
    try coordinator.addPersistentStore(description)
    try coordinator.close()
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: description.path)
    #expect(metadata["NSStoreModelVersionIdentifiers"] == ["1", "2"])
    #expect(try model.isConfiguration(withName: "Quakes", compatibleWithStoreMetadata: metadata))
    #expect(try !model.isConfiguration(withName: "Stations", compatibleWithStoreMetadata: metadata))
    #expect(try !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(throws: ObjectGraphError.unknownConfiguration(found: "Quake", expected: ["Quakes", "Stations"])) {
      try model.isConfiguration(withName: "Quake", compatibleWithStoreMetadata: metadata)
    }
  }

  @Test("Found and expected parts are reported as far as tables show them")
  func messages() throws {
    let stack = try TestStack(Self.entities)
    try stack.coordinator.close()
    var changed = Self.entities
    changed[0].uniquenessConstraints = []
    changed[0].attributes[1].type = .string
    changed[2].attributes[1] = .init("depth", .int64, isOptional: true)
    changed.remove(at: 1)
    #expect(
      try differences(changed, stack).map(\.description) == [
        "Aftershock: found an entity of the store; expected none of the name, as in the model",
        "Quake: found the column ZMAGNITUDE FLOAT, the uniqueness constraint Z_Quake_UNIQUE_code; expected "
          + "ZMAGNITUDE VARCHAR",
        "Station: found the column ZHEIGHT INTEGER; expected the column ZDEPTH",
      ])
    changed = Self.entities
    changed[2].attributes[1].isOptional = false
    let hidden = try #require(try differences(changed, stack).first)
    #expect(hidden.found.hasPrefix("the version hash ") && hidden.expected.contains("optional"))
  }

  @Test("Differences that change nothing stored do not prevent opening")
  func harmless() throws {
    let stack = try TestStack(Self.entities)
    try stack.coordinator.close()
    var changed = Self.entities
    changed.reverse()
    changed[3].attributes.reverse()
    changed[1].attributes[0].defaultValue = "unknown"
    changed[1].fetchIndexes = [FetchIndexDescription("byName", on: ["name"])]
    changed[0].relationships[0].deleteRule = .cascade
    #expect(try differences(changed, stack) == [])
  }
}

extension ModelComparisonTests {
  @Test("A model that gains or loses transient attributes opens the store as before")
  func transientAttributes() throws {
    let stack = try TestStack(Self.entities)
    let (path, metadata) = (stack.path, try stack.coordinator.metadata(for: stack.coordinator.persistentStores[0]))
    try stack.coordinator.close()
    var changed = Self.entities
    changed[2].attributes.append(.init("badge", .string, isOptional: true, isTransient: true))
    changed[2].attributes.append(.init("visits", .int64, defaultValue: 1, isTransient: true))
    let coordinator = try coordinator(changed)
    let store = try coordinator.addPersistentStore(stack.description())
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      let station = try context.insertNewObject(forEntityName: "Station")
      station["name"] = "s"
      station["badge"] = "new"
      try context.save()
      #expect(station["badge"] == "new" && station["visits"] == 1 && !station.hasChanges)
      try context.refresh(station, mergeChanges: false)
      #expect(station["badge"] == .null && station["name"] == "s")
    }
    #expect(try coordinator.metadata(for: store) == metadata)
    try coordinator.close()
    #expect(try PersistentStoreCoordinator.metadataForPersistentStore(at: path) == metadata)
    #expect(try differences(Self.entities, stack) == [])
  }

  @Test("A store of another model is read if it has everything that the model needs")
  func readOnly() throws {
    let stack = try TestStack(Self.entities)
    let context = stack.context()
    try context.performAndWait { () throws in
      let station = try context.insertNewObject(forEntityName: "Station")
      try station.setValue("s", forKey: "name")
      try context.save()
    }
    try stack.coordinator.close()
    var changed = Self.entities
    changed[2].attributes.removeLast()
    changed[0].uniquenessConstraints = []
    var description = stack.description()
    description.isReadOnly = true
    let reading = try coordinator(changed)
    try reading.addPersistentStore(description)
    #expect(try reading.viewedNames("Station") == ["s"])
    changed[2].attributes.append(.init("depth", .int64))
    let lacking = try coordinator(changed)
    #expect(
      objectGraphError { try lacking.addPersistentStore(description) }
        == .incompatibleStore(path: stack.path, differences: ["ZSTATION has no column ZDEPTH"]))
  }

  @Test(
    "Without hashes, or with another library's, tables, columns and constraints are compared",
    arguments: [
      "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = x'00'", nil as String?,
    ])
  func structure(sql: String?) throws {
    let stack = try TestStack(Self.entities)
    try stack.coordinator.close()
    if let sql { try stack.execute(sql) } else { try stack.setForeignHashes() }
    #expect(try differences(Self.entities, stack) == [])
    for change in Self.changes {
      var changed = Self.entities
      change.apply(&changed)
      let found = try differences(changed, stack).map(\.entity)
      #expect(found == (change.visibleEntity.map { [$0] } ?? []), "\(change.testDescription)")
    }
    #expect(try differences(Self.entities, stack) == [])
  }

  @Test(
    "A store of Core Data's opens for writing with its own model, but not with fewer attributes",
    arguments: SampleStore.all.filter { ![.journal, .notes].contains($0.shape) })
  func coreDataStores(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    let model = try RecoveredModel(storeAt: copy.path).model
    let description = PersistentStoreDescription(path: copy.path)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(description)
    try coordinator.close()
    try #require(!model.entities.isEmpty)
    for (index, entity) in model.entities.enumerated() {
      var entities = model.entities
      let constrained = Set(
        entity.uniquenessConstraints.joined() + entity.fetchIndexes.flatMap { $0.elements.map(\.propertyName) })
      guard
        let last = entity.attributes.lastIndex(where: { !$0.isTransient && !constrained.contains($0.name) }),
        entity.attributes.count + entity.relationships.count > 1
      else { continue }
      entities[index].attributes.remove(at: last)
      let other = try self.coordinator(entities)
      guard case .incompatibleModel(_, let differing) = objectGraphError({ try other.addPersistentStore(description) })
      else { throw TestFailure("\(entity.name) was not refused") }
      // The column is reported for the entity that the table is named after.
      #expect(differing.count == 1)
    }
  }
}

extension PersistentStoreCoordinator {
  /// The names of an entity's objects, as a context sees them.
  fileprivate func viewedNames(_ entity: String) throws -> [String] {
    let context = ManagedObjectContext(.privateQueue, coordinator: self)
    return try context.performAndWait { () throws in
      try context.fetch(FetchRequest(entityName: entity)).map { $0["name"].text }
    }
  }
}

extension TestStack {
  /// Gives the store hashes that this library did not write, like those of Core Data.
  fileprivate func setForeignHashes() throws {
    var metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: path)
    guard case .dictionary(let hashes) = metadata["NSStoreModelVersionHashes"] else { throw TestFailure("no hashes") }
    metadata["NSStoreModelVersionHashes"] = .dictionary(hashes.mapValues { _ in .data(Data(repeating: 7, count: 32)) })
    metadata["NSStoreUUID"] = nil
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let plist = try encoder.encode(metadata)
    let connection = try Connection(path: path, access: .readWrite)
    let update = try connection.prepare("UPDATE Z_METADATA SET Z_PLIST = ?")
    try plist.withUnsafeBytes { try update.bind(blob: $0, at: 1) }
    try update.run()
    try connection.close()
  }
}
