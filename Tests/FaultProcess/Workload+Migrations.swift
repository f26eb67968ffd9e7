// The workloads that migrate: in place and by copies, in stages, deferred, and what is then finished.
internal import CoreDataModel
internal import ObjectGraph

/// The versions of a model that a workload's stores are migrated through.
struct MigrationWork: Sendable {
  /// Changes of the first version, each on top of the ones before.
  let changes: [@Sendable (inout [EntityDescription]) -> Void]
  /// Code between the last version but one and the last.
  var willMigrate: CustomMigrationStage.Handler?
  var defers = false
  /// Whether the stores are migrated when the work begins.
  var isDone = false

  /// Every version, the oldest first.
  func models() throws -> [ManagedObjectModel] {
    var entities = try ManagedObjectModel.faultLoop().entities
    var models = [try ManagedObjectModel(entities: entities)]
    for change in changes {
      change(&entities)
      models.append(try ManagedObjectModel(entities: entities))
    }
    return models
  }

  func configure(_ description: inout PersistentStoreDescription, _ models: [ManagedObjectModel]) throws {
    description.defersLightweightMigration = defers
    guard let willMigrate else { return description.sourceModels = Array(models.dropLast()) }
    let last = models.count - 1
    description.stagedMigrationManager = try StagedMigrationManager([
      .lightweight(LightweightMigrationStage(Array(models[..<last]))),
      .custom(
        CustomMigrationStage(migratingFrom: models[last - 1], to: models[last], willMigrate: willMigrate)),
    ])
  }
}

extension Workload {
  static let migrations = [
    Workload(name: "migration in place", fill: stock, migration: MigrationWork(changes: [grow])),
    Workload(name: "migration by copies", fill: stock, migration: MigrationWork(changes: [shrink])),
    Workload(
      name: "migration, rollback journal", hasLog: false, fill: stock, migration: MigrationWork(changes: [shrink])),
    Workload(
      name: "deferred migration", fill: stock, migration: MigrationWork(changes: [shrink], defers: true)),
    Workload(
      name: "staged migration", unit: .versions, fill: stock,
      migration: MigrationWork(changes: [addNotes, shrink], willMigrate: moveTexts)),
    Workload(
      name: "end of a deferred migration", fill: stock,
      migration: MigrationWork(changes: [removeText], defers: true, isDone: true),
      attempt: { try $0.coordinator.finishDeferredLightweightMigration() }),
  ]

  /// Attributes, an entity that renumbers all others, and an index.
  @Sendable private static func grow(_ entities: inout [EntityDescription]) {
    entities[0].attributes.append(.init("stars", .int16, defaultValue: 3))
    entities[2].attributes.append(.init("mood", .string, isOptional: true))
    entities[2].fetchIndexes = [.init("byNumber", on: ["number"])]
    entities.append(EntityDescription("Archive", attributes: [.init("name", .string)]))
  }

  /// Without an attribute, and a to-one relationship that becomes many-to-many.
  @Sendable private static func shrink(_ entities: inout [EntityDescription]) {
    removeText(&entities)
    entities[0].relationships[0].isToMany = true
    entities[0].relationships[0].maximumCount = 0
    entities.append(EntityDescription("Archive", attributes: [.init("name", .string)]))
  }

  @Sendable private static func removeText(_ entities: inout [EntityDescription]) {
    entities[0].attributes.removeLast()
  }

  @Sendable private static func addNotes(_ entities: inout [EntityDescription]) {
    entities[0].relationships.append(.init("note", to: "Note", inverse: "entry"))
    entities.append(
      EntityDescription(
        "Note", attributes: [.init("text", .string)], relationships: [.init("entry", to: "Entry", inverse: "note")]))
  }

  /// Texts of entries become notes.
  @Sendable private static func moveTexts(_ container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    context.transactionAuthor = "stage"
    try context.performAndWait { () throws in
      for entry in try context.all("Entry") {
        guard case .string(let text) = try entry.value(forKey: "text") else { continue }
        let note = try context.insertNewObject(forEntityName: "Note")
        try note.setValue(.string(text), forKey: "text")
        try note.setObject(entry, forKey: "entry")
      }
      try context.save()
    }
  }
}
