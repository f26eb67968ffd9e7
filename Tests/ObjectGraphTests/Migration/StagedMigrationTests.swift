// D11: code of the app does in stages what inference cannot do. Each stage is stored completely or not at all, and the
// next opening continues.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Support
import Synchronization
import Testing

/// Users whose pets were a name, then both a name and an object, then an object.
enum UserVersions {
  static func model(_ version: Int, _ change: (inout [EntityDescription]) -> Void = { _ in }) throws
    -> ManagedObjectModel
  {
    var user = EntityDescription("User", attributes: [.init("name", .string)], uniquenessConstraints: [["name"]])
    if version < 3 { user.attributes.append(.init("petName", .string, isOptional: true)) }
    if version > 1 { user.relationships = [.init("pet", to: "Pet", inverse: "owner")] }
    if version > 3 { user.attributes.append(.init("age", .int16, isOptional: true)) }
    let pet = EntityDescription(
      "Pet", attributes: [.init("name", .string)], relationships: [.init("owner", to: "User", inverse: "pet")])
    var entities = [user] + (version > 1 ? [pet] : [])
    change(&entities)
    return try ManagedObjectModel(entities: entities)
  }

  /// Gives each user with a pet's name the pet.
  @Sendable static func linkPets(_ container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      for user in try context.fetch(FetchRequest<ManagedObject>(entityName: "User")) {
        guard case .string(let name) = try user.value(forKey: "petName") else { continue }
        let pet = try context.insertNewObject(forEntityName: "Pet")
        try pet.setValue(.string(name), forKey: "name")
        try pet.setObject(user, forKey: "owner")
      }
      try context.save()
    }
  }

  /// From the first version to the fourth, with code between the second and the third.
  static func manager(
    willMigrate: CustomMigrationStage.Handler? = linkPets, didMigrate: CustomMigrationStage.Handler? = nil
  ) throws -> StagedMigrationManager {
    try StagedMigrationManager([
      .lightweight(LightweightMigrationStage([model(1), model(2)], label: "pets")),
      .custom(
        CustomMigrationStage(
          migratingFrom: model(2), to: model(3), label: "link", willMigrate: willMigrate, didMigrate: didMigrate)),
      .lightweight(LightweightMigrationStage([model(3), model(4)], label: "ages")),
    ])
  }
}

struct HandlerFailure: Error, CustomStringConvertible { let description = "the handler gave up" }

/// A store of the first version with five users; three have a pet.
final class UserStore {
  let folder: CopiedStore
  var path: String { folder.path }

  init(tracksHistory: Bool = true) throws {
    folder = try CopiedStore()
    var description = PersistentStoreDescription(path: folder.path)
    description.tracksPersistentHistory = tracksHistory
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try UserVersions.model(1))
    try coordinator.addPersistentStore(description)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    try context.performAndWait { () throws in
      for number in 1...5 {
        let user = try context.insertNewObject(forEntityName: "User")
        try user.setValue(.string("u\(number)"), forKey: "name")
        if number < 4 { try user.setValue(.string("p\(number)"), forKey: "petName") }
      }
      try context.save()
    }
    try coordinator.checkpoint(.truncate)
    try coordinator.close()
  }

  func open(
    _ manager: StagedMigrationManager?, as version: Int = 4,
    _ configure: (inout PersistentStoreDescription) -> Void = { _ in }
  ) throws -> PersistentStoreCoordinator {
    var description = PersistentStoreDescription(path: path)
    description.tracksPersistentHistory = true
    description.stagedMigrationManager = manager
    configure(&description)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try UserVersions.model(version))
    try coordinator.addPersistentStore(description)
    return coordinator
  }

  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  /// The only version whose hashes are in the store.
  func version() throws -> Int? {
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: path)
    return try (1...4).first {
      try UserVersions.model($0).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }

  func check(_ coordinator: PersistentStoreCoordinator, _ version: Int) throws {
    #expect(try coordinator.integrity().breaches == [])
    #expect(try MigrationLayout.lines(of: path) == MigrationLayout.fresh(UserVersions.model(version)))
    #expect(try self.version() == version)
    let connection = try Connection(path: path, access: .readOnly)
    #expect(try connection.integrityCheck() == [])
  }
}

@Suite("D11 · staged migration", .tags(.d11))
struct StagedMigrationTests {
  private static let pets =
    "SELECT u.ZNAME, p.ZNAME FROM ZUSER u JOIN ZPET p ON p.ZOWNER = u.Z_PK AND p.Z_PK = u.ZPET ORDER BY 1"

  @Test("A store passes all stages, and the code between two of them moves what inference cannot")
  func allStages() throws {
    let store = try UserStore()
    let seen = Lock<[String]>([])
    let manager = try UserVersions.manager(
      willMigrate: { container in
        let properties = container.persistentStoreCoordinator.managedObjectModel.attributes(of: "User").map(\.name)
        seen.withLock { $0.append("will \(properties.sorted())") }
        try UserVersions.linkPets(container)
      },
      didMigrate: { container in
        let context = container.newBackgroundContext()
        let pets = try context.performAndWait { () throws in
          try context.fetch(FetchRequest<ManagedObject>(entityName: "Pet")).map { pet in
            try
              "\(text(pet.value(forKey: "name")))-\(pet.object(forKey: "owner").map { try text($0.value(forKey: "name")) } ?? "")"
          }
        }
        seen.withLock { $0.append("did \(pets.sorted())") }
      })
    let coordinator = try store.open(manager)
    defer { try? coordinator.close() }
    #expect(seen.withLock { $0 } == [#"will ["name", "petName"]"#, #"did ["p1-u1", "p2-u2", "p3-u3"]"#])
    #expect(try store.rows(Self.pets) == ["u1|p1", "u2|p2", "u3|p3"])
    #expect(try store.rows("SELECT Z_PK, ZNAME FROM ZUSER ORDER BY 1") == (1...5).map { "\($0)|u\($0)" })
    // The code changed users once: their versions show it, and the history has it all.
    #expect(try store.rows("SELECT Z_OPT FROM ZUSER ORDER BY Z_PK") == ["2", "2", "2", "1", "1"])
    #expect(
      try store.rows(
        "SELECT ZCHANGETYPE, count(*) FROM ACHANGE c JOIN Z_PRIMARYKEY k ON k.Z_ENT = c.ZENTITY GROUP BY k.Z_NAME, 1 ORDER BY k.Z_NAME, 1"
      )
        == ["0|3", "0|5", "1|3"])
    try store.check(coordinator, 4)
    // It is a store of the model: nothing runs again.
    try coordinator.close()
    let again = try store.open(manager)
    try again.close()
    #expect(seen.withLock { $0.count } == 2)
  }

  @Test("A store that has completed some stages passes only the others", arguments: [2, 3])
  func laterVersions(version: Int) throws {
    let store = try UserStore()
    try store.open(UserVersions.manager(), as: version).close()
    #expect(try store.version() == version)
    #expect(try store.rows("SELECT count(*) FROM ZPET") == [version == 2 ? "0" : "3"])
    let coordinator = try store.open(UserVersions.manager())
    defer { try? coordinator.close() }
    #expect(try store.rows(Self.pets).count == 3)
    try store.check(coordinator, 4)
  }

  @Test("Stages with gaps between them are joined by a lightweight migration, and so are the last one and the model")
  func bridges() throws {
    let store = try UserStore()
    let manager = try StagedMigrationManager([
      .lightweight(LightweightMigrationStage([UserVersions.model(1)])),
      .custom(
        CustomMigrationStage(
          migratingFrom: UserVersions.model(2), to: UserVersions.model(3), willMigrate: UserVersions.linkPets)),
    ])
    let coordinator = try store.open(manager)
    defer { try? coordinator.close() }
    #expect(try store.rows(Self.pets).count == 3)
    try store.check(coordinator, 4)
  }

  @Test(
    "A handler that throws leaves the store at the stage before, whatever it has saved, and the next opening continues")
  func failingHandlers() throws {
    let store = try UserStore()
    let layout = try MigrationLayout.fresh(UserVersions.model(2))
    let fail: CustomMigrationStage.Handler = { container in
      if container.persistentStoreCoordinator.managedObjectModel.attributes(of: "User").contains(where: {
        $0.name == "petName"
      }) {
        try UserVersions.linkPets(container)
      }
      throw HandlerFailure()
    }
    for (will, did, part) in [
      (fail, nil, .willMigrateHandler), (UserVersions.linkPets, fail, .didMigrateHandler),
    ] as [(CustomMigrationStage.Handler, CustomMigrationStage.Handler?, MigrationStage.Part)] {
      let error = objectGraphError { _ = try store.open(UserVersions.manager(willMigrate: will, didMigrate: did)) }
      guard case .stageFailed("stage 2 of 3, 'link'", part, "the handler gave up", nil, store.path) = error else {
        throw TestFailure("\(String(describing: error))")
      }
      #expect(error?.code == 134110 && error?.description.contains("'link'") == true)
      #expect(try store.version() == 2)
      #expect(try MigrationLayout.lines(of: store.path) == layout)
      #expect(try store.rows("SELECT count(*) FROM ZPET UNION ALL SELECT sum(Z_OPT) FROM ZUSER") == ["0", "5"])
      #expect(try store.rows("SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Pet' AND Z_MAX = 0") == ["1"])
    }
    let coordinator = try store.open(UserVersions.manager())
    defer { try? coordinator.close() }
    #expect(try store.rows(Self.pets) == ["u1|p1", "u2|p2", "u3|p3"])
    #expect(try store.rows("SELECT min(Z_PK), max(Z_PK) FROM ZPET") == ["1|3"])
    try store.check(coordinator, 4)
  }

  @Test("A handler's save that fails changes nothing, and the error is the library's own")
  func failingSave() throws {
    let store = try UserStore()
    let manager = try UserVersions.manager(willMigrate: { container in
      try UserVersions.linkPets(container)
      let context = container.newBackgroundContext()
      try context.performAndWait { () throws in
        let user = try context.insertNewObject(forEntityName: "User")
        try user.setValue("u1", forKey: "name")
        // It is refused and undone: what was saved before stays.
        #expect(throws: ObjectGraphError.self) { try context.save() }
        context.rollback()
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Pet")) == 3)
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "User")) == 5)
        _ = try context.insertNewObject(forEntityName: "User")
        try context.save()
      }
    })
    let error = objectGraphError { _ = try store.open(manager) }
    guard case .stageFailed(_, .willMigrateHandler, _, .validation, _) = error else {
      throw TestFailure("\(String(describing: error))")
    }
    #expect(error?.code == 1570)
    #expect(try store.version() == 2 && store.rows("SELECT count(*) FROM ZPET") == ["0"])
  }
}

extension StagedMigrationTests {
  @Test("A handler can use every kind of request, and its store is closed when it returns")
  func requests() throws {
    let store = try UserStore()
    let kept = Lock<PersistentContainer?>(nil)
    let manager = try UserVersions.manager(willMigrate: { container in
      kept.withLock { $0 = container }
      let coordinator = container.persistentStoreCoordinator
      let token = try #require(try coordinator.currentPersistentHistoryToken())
      let context = container.newBackgroundContext()
      try context.performAndWait { () throws in
        // More rows than a single thread inserts, with a handler that reads at the same time.
        let number = Lock(0)
        let insert = BatchInsertRequest(
          entityName: "Pet",
          dictionaryHandler: { row in
            let next = number.withLock { number in
              number += 1
              return number
            }
            let count = try? context.count(for: FetchRequest<ManagedObject>(entityName: "User"))
            row["name"] = .string("pet \(next) of \(count ?? 0)")
            return next > 1_200
          })
        _ = try context.execute(insert)
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Pet")) == 1_200)
        let update = BatchUpdateRequest(entityName: "Pet", propertiesToUpdate: ["name": "same"])
        _ = try context.execute(update)
        var some = FetchRequest<ManagedObject>(entityName: "Pet")
        some.fetchLimit = 1_190
        _ = try context.execute(BatchDeleteRequest(fetchRequest: some))
        #expect(try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: token)).transactions.count == 3)
        #expect(try coordinator.integrity().isSound)
        #expect(throws: ObjectGraphError.self) { try context.setQueryGeneration(from: .current) }
        #expect(throws: ObjectGraphError.self) { try coordinator.vacuum() }
        let other = container.newBackgroundContext()
        #expect(
          try other.performAndWait { () throws in
            try other.count(for: FetchRequest<ManagedObject>(entityName: "Pet"))
          } == 10)
      }
    })
    let coordinator = try store.open(manager)
    defer { try? coordinator.close() }
    #expect(try store.rows("SELECT count(*), min(ZNAME), max(ZNAME) FROM ZPET") == ["10|same|same"])
    try store.check(coordinator, 4)
    let container = try #require(kept.withLock { $0 })
    let context = container.newBackgroundContext()
    #expect(
      objectGraphError {
        try context.performAndWait { () throws in
          _ = try context.fetch(FetchRequest<ManagedObject>(entityName: "User"))
        }
      } == .noStore)
  }

  @Test("A stage whose objects break the next model's rules is reported, and the store keeps the version before")
  func brokenRules() throws {
    let store = try UserStore()
    let third = try UserVersions.model(3) { $0[1].relationships[0].isOptional = false }
    let manager = try StagedMigrationManager([
      .lightweight(LightweightMigrationStage([UserVersions.model(1), UserVersions.model(2)])),
      .custom(
        CustomMigrationStage(
          migratingFrom: UserVersions.model(2), to: third,
          willMigrate: { container in
            let context = container.newBackgroundContext()
            try context.performAndWait { () throws in
              try context.insertNewObject(forEntityName: "Pet").setValue("stray", forKey: "name")
              try context.save()
            }
          })),
      .lightweight(LightweightMigrationStage([third, UserVersions.model(4)])),
    ])
    let error = objectGraphError { _ = try store.open(manager) }
    guard case .stageFailed("stage 2 of 3", .lightweightMigration, _, .migration("Pet", "owner", _, _, _), _) = error
    else { throw TestFailure("\(String(describing: error))") }
    #expect(try store.version() == 2 && store.rows("SELECT count(*) FROM ZPET") == ["0"])
  }

  @Test("Stages in a wrong order are refused before there is a store, and the stage is reported")
  func sequences() throws {
    let (first, second, third) = (try UserVersions.model(1), try UserVersions.model(2), try UserVersions.model(3))
    let other = try UserVersions.model(2) { $0[0].attributes[1].type = .int32 }
    let custom = { (from: ManagedObjectModel, to: ManagedObjectModel) in
      MigrationStage.custom(CustomMigrationStage(migratingFrom: from, to: to))
    }
    for (stages, stage, word) in [
      ([], nil, "no stages"),
      ([.lightweight(LightweightMigrationStage([]))], "stage 1 of 1", "no model"),
      ([custom(first, first)], "stage 1 of 1", "already"),
      ([custom(first, second), custom(second, third), custom(second, third)], "stage 3 of 3", "already"),
      (
        [custom(first, second), .lightweight(LightweightMigrationStage([first], label: "back"))],
        "stage 2 of 2, 'back'", "already"
      ),
      ([custom(first, other)], "stage 1 of 1", "User.petName"),
    ] as [([MigrationStage], String?, String)] {
      let error = objectGraphError { _ = try StagedMigrationManager(stages) }
      guard case .invalidStages(stage, let found, _, nil) = error else {
        throw TestFailure("\(String(describing: error))")
      }
      #expect(found.contains(word) && error?.code == 134110 && error?.description.contains(word) == true)
    }
  }

  @Test("A store in no stage, one of a later version, and stages that do not reach the model are refused")
  func otherVersions() throws {
    let store = try UserStore()
    let before = try store.folder.files()
    let late = try StagedMigrationManager([
      .lightweight(LightweightMigrationStage([UserVersions.model(2), UserVersions.model(3)]))
    ])
    var errors = [objectGraphError { _ = try store.open(late, as: 3) }]
    let far = try StagedMigrationManager([
      .lightweight(
        LightweightMigrationStage([
          UserVersions.model(1), UserVersions.model(2) { $0[1].attributes[0].isOptional = true },
        ]))
    ])
    errors.append(
      objectGraphError {
        var description = PersistentStoreDescription(path: store.path)
        description.stagedMigrationManager = far
        let model = try UserVersions.model(3) { $0[0].attributes[0].type = .int32 }
        try PersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(description)
      })
    #expect(try store.folder.files() == before)
    try store.open(UserVersions.manager()).close()
    let later = objectGraphError { _ = try store.open(UserVersions.manager(), as: 2) }
    guard case .backwardMigration(_, store.path) = later else { throw TestFailure("\(String(describing: later))") }
    #expect(later?.code == 134506 && later?.description.contains("later version") == true)
    for (error, word) in zip(errors, ["in no stage", "User.name"]) {
      guard case .invalidStages(_, let found, _, store.path) = error else {
        throw TestFailure("\(String(describing: error))")
      }
      #expect(found.contains(word), "\(found)")
    }
    #expect(try store.version() == 4)
  }

  @Test("A store of a configuration passes stages with its own entities, before and after the code")
  func configurations() throws {
    func model(_ attributes: [String], _ others: [String] = ["title"]) throws -> ManagedObjectModel {
      func entity(_ name: String, _ attributes: [String]) -> EntityDescription {
        EntityDescription(name, attributes: attributes.map { .init($0, .string, isOptional: true) })
      }
      return try ManagedObjectModel(
        entities: [entity("Map", others), entity("Note", attributes)], configurations: ["User": ["Note"]])
    }
    let versions = [try model(["text"]), try model(["text", "copy"]), try model(["copy"])]
    let folder = try CopiedStore()
    var description = PersistentStoreDescription(path: folder.path)
    description.configuration = "User"
    @Sendable func note(_ coordinator: PersistentStoreCoordinator, _ body: (ManagedObject) throws -> Void) throws {
      let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
      try context.performAndWait { () throws in
        let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
        try body(found.first ?? context.insertNewObject(forEntityName: "Note"))
        try context.save()
      }
    }
    let first = PersistentStoreCoordinator(managedObjectModel: versions[0])
    try first.addPersistentStore(description)
    try note(first) { try $0.setValue("t", forKey: "text") }
    try first.close()
    let copy: CustomMigrationStage.Handler = { container in
      try note(container.persistentStoreCoordinator) { try $0.setValue($0.value(forKey: "text"), forKey: "copy") }
      let context = container.newBackgroundContext()
      #expect(
        objectGraphError {
          try context.performAndWait { () throws in
            _ = try context.count(for: FetchRequest<ManagedObject>(entityName: "Map"))
          }
        } == .entityInNoStore("Map"))
    }
    description.stagedMigrationManager = try StagedMigrationManager([
      .lightweight(LightweightMigrationStage([versions[0]])),
      .custom(
        CustomMigrationStage(migratingFrom: versions[1], to: versions[2], willMigrate: copy, didMigrate: { _ in })),
    ])
    let second = PersistentStoreCoordinator(managedObjectModel: versions[2])
    try second.addPersistentStore(description)
    defer { try? second.close() }
    #expect(try MigrationContent.read(second, ["Note"]).mapValues(\.values) == ["Note/1": ["copy": "t"]])
  }
}
