// D11: stores that Core Data wrote are migrated to a changed model, and between the versions of two shipped models.
import CoreDataFiles
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("D11 · Core Data's stores that are migrated", .tags(.d11))
struct MigrationSharedStoreTests {
  private static let models = SampleStore.sharedDirectory.deletingLastPathComponent().appending(path: "models")
  static let haveModels = FileManager.default.fileExists(atPath: models.path)

  private static func model(_ folder: String, _ version: String) throws -> ManagedObjectModel {
    let path = models.appending(path: "\(folder).xcdatamodeld/\(version).xcdatamodel").path
    return try RecoveredModel(modelFileAt: path).model
  }

  @Test(
    "An additional attribute in each entity keeps objects, versions, columns and their order",
    arguments: SampleStore.all)
  func attributes(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    let old = try StoreFile(path: copy.path)
    let source = old.recoveredModel.model
    let before = try MigrationContent.read(old.coordinator)
    try old.close()
    let columns = try columnNames(copy.path)
    var entities = source.entities
    for index in entities.indices {
      entities[index].attributes.append(.init("added\(entities[index].name)", .string, isOptional: true))
    }
    let destination = try ManagedObjectModel(entities: entities)
    var description = PersistentStoreDescription(path: copy.path)
    description.sourceModelProvider = StoredModelProvider()
    description.sourceModels = [source]
    let coordinator = PersistentStoreCoordinator(managedObjectModel: destination)
    try coordinator.addPersistentStore(description)
    let mapping = try MappingModel(inferringFrom: source, to: destination)
    let expected = MigrationContent.migrated(before, mapping, to: destination)
    let found = try MigrationContent.read(coordinator)
    #expect(found.count == expected.count)
    for (key, object) in expected where found[key] != object {
      Issue.record("\(key): expected \(object), found \(found[key].map { "\($0)" } ?? "none")")
      break
    }
    try coordinator.close()
    // The old columns come first.
    let after = try columnNames(copy.path)
    for entity in source.entities where entity.superentityName == nil {
      let (old, new) = (columns[entity.tableName] ?? [], after[entity.tableName] ?? [])
      func stem(_ name: String) -> String { name.replacing(/^Z[0-9]+_/, with: "Zn_") }
      #expect(new.prefix(old.count).map(stem) == old.map(stem) && new.count > old.count)
    }
    let connection = try Connection(path: copy.path, access: .readOnly)
    #expect(try connection.integrityCheck() == [])
    let cache = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
    #expect(try cache.step())
    let copied = try RecoveredModel(modelCache: cache.bytes(0).map { Data($0) } ?? Data(), path: copy.path)
    #expect(copied.model.entityVersionHashesByName == destination.entityVersionHashesByName)
    #expect(copied.remarks == [])
    #expect(try !cache.step())
    try connection.close()
    // The next version only needs the store's copy of the model.
    entities[0].attributes.append(.init("addedLater", .string, isOptional: true))
    var later = PersistentStoreDescription(path: copy.path)
    later.sourceModelProvider = StoredModelProvider()
    let next = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: entities))
    try next.addPersistentStore(later)
    try next.close()
    entities[0].attributes.removeLast()
    let back = PersistentStoreCoordinator(managedObjectModel: destination)
    try back.addPersistentStore(later)
    try back.close()
    // Now it is a store of the new model.
    let again = PersistentStoreCoordinator(managedObjectModel: destination)
    try again.addPersistentStore(PersistentStoreDescription(path: copy.path))
    try again.close()
  }

  private func columnNames(_ path: String) throws -> [String: [String]] {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    let statement = try connection.prepare(
      "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY c.cid"
    )
    var names: [String: [String]] = [:]
    while try statement.step() { names[statement.string(0) ?? "", default: []].append(statement.string(1) ?? "") }
    return names
  }

  @Test(
    "Through the three versions of SampleModel3, twelve users keep keys, versions and values",
    .enabled(if: haveModels, "../shared/data/models is missing"))
  func sampleModel3() throws {
    let store = try #require(SampleStore.all.first { $0.name == "SampleModel3_V1.sqlite" })
    let copy = try CopiedStore(store)
    let users = "SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZUSER ORDER BY Z_PK"
    let before = try PlainSQL(copy.path).rows(users)
    #expect(before.count == 12)
    let versions = try ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"].map { try Self.model("SampleModel3", $0) }
    var description = PersistentStoreDescription(path: copy.path)
    description.sourceModelProvider = StoredModelProvider(
      modelFiles: [Self.models.appending(path: "SampleModel3.xcdatamodeld").path])
    for (version, model) in versions.enumerated() {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(description)
      #expect(try coordinator.integrity().isSound)
      try coordinator.checkpoint(.truncate)
      try coordinator.close()
      // Pet comes before User, so users have another number.
      let expected = version == 0 ? before : before.map { $0.replacing(/^([0-9]+)\|1\|/) { "\($0.1)|2|" } }
      #expect(try PlainSQL(copy.path).rows(users) == expected)
      let names = try columnNames(copy.path)
      let columns = [
        ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZPETNAME"], ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZPETNAME", "ZPET"],
        ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZPET"],
      ]
      #expect(names["ZUSER"] == columns[version] && (names["ZPET"] != nil) == (version > 0))
      if version > 0 { #expect(try PlainSQL(copy.path).rows("SELECT count(*), count(ZPET) FROM ZUSER") == ["12|0"]) }
    }
  }

  @Test(
    "A stage links the twelve pets of SampleModel3, whose names were an attribute of users",
    .enabled(if: haveModels, "../shared/data/models is missing"), arguments: [false, true])
  func stagedSampleModel3(defers: Bool) throws {
    let store = try #require(SampleStore.all.first { $0.name == "SampleModel3_V1.sqlite" })
    let copy = try CopiedStore(store)
    let before = try PlainSQL(copy.path).rows("SELECT Z_PK, ZNAME, ZPETNAME FROM ZUSER ORDER BY Z_PK")
    let versions = try ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"].map { try Self.model("SampleModel3", $0) }
    var description = PersistentStoreDescription(path: copy.path)
    description.defersLightweightMigration = defers
    description.stagedMigrationManager = try StagedMigrationManager([
      .lightweight(LightweightMigrationStage([versions[0], versions[1]])),
      .custom(
        CustomMigrationStage(migratingFrom: versions[1], to: versions[2], willMigrate: UserVersions.linkPets)),
    ])
    let coordinator = PersistentStoreCoordinator(managedObjectModel: versions[2])
    try coordinator.addPersistentStore(description)
    #expect(try coordinator.integrity().isSound)
    try coordinator.checkpoint(.truncate)
    if defers {
      #expect(try PlainSQL(copy.path).rows("SELECT Z_PK, ZNAME, ZPETNAME FROM ZUSER ORDER BY Z_PK") == before)
      try coordinator.finishDeferredLightweightMigration()
      try coordinator.checkpoint(.truncate)
    }
    try coordinator.close()
    let pets =
      "SELECT u.Z_PK, u.ZNAME, p.ZNAME FROM ZUSER u JOIN ZPET p ON p.Z_PK = u.ZPET AND p.ZOWNER = u.Z_PK ORDER BY 1"
    #expect(try PlainSQL(copy.path).rows(pets) == before && before.count == 12)
    #expect(try columnNames(copy.path)["ZUSER"] == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZPET"])
    #expect(try MigrationLayout.lines(of: copy.path) == MigrationLayout.fresh(versions[2]))
  }

  @Test("A store with Core Data's hashes has the only given model that fits its tables and columns")
  func givenModels() throws {
    let store = SampleStore.own(.users)
    let source = try RecoveredModel(storeAt: store.path).model
    var entities = source.entities
    entities[0].attributes.removeLast()
    let fewer = try ManagedObjectModel(entities: entities)
    entities = source.entities
    entities[0].attributes.append(.init("added", .string, isOptional: true))
    let more = try ManagedObjectModel(entities: entities)
    entities = source.entities
    for index in entities[0].attributes.indices { entities[0].attributes[index].isOptional.toggle() }
    let other = try ManagedObjectModel(entities: entities)
    func migrate(_ models: [ManagedObjectModel]) throws -> ObjectGraphError? {
      let copy = try CopiedStore(store)
      var description = PersistentStoreDescription(path: copy.path)
      description.sourceModels = models
      let coordinator = PersistentStoreCoordinator(managedObjectModel: more)
      defer { try? coordinator.close() }
      return objectGraphError { () throws(ObjectGraphError) in try coordinator.addPersistentStore(description) }
    }
    #expect(try migrate([fewer, source]) == nil)
    #expect(try migrate([source, source]) == nil)
    // Tables do not show which of the two it was made with.
    for models in [[source, other], [fewer]] {
      guard case .missingSourceModel = try migrate(models) else { throw TestFailure("a source model was guessed") }
    }
  }

  @Test(
    "BookMigration's second version is refused, with the relationship whose inverse is another",
    .enabled(if: haveModels, "../shared/data/models is missing"))
  func bookMigration() throws {
    let store = try #require(SampleStore.all.first { $0.name == "BookMigration-Model1.sqlite" })
    let copy = try CopiedStore(store)
    var description = PersistentStoreDescription(path: copy.path)
    description.sourceModels = [try Self.model("BookMigration", "Model1")]
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.model("BookMigration", "Model2"))
    guard
      case .mappingNotInferred(let problems) = objectGraphError({ () throws(ObjectGraphError) in
        try coordinator.addPersistentStore(description)
      })
    else { throw TestFailure("the store was not refused") }
    #expect(problems.map(\.entity) == ["User"] && problems.map(\.property) == ["books"])
    #expect(problems[0].found.contains("Book.user ") && problems[0].found.contains("Book.users "))
  }
}
