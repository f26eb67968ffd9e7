// The workloads that migrate: in place and by copying, in stages, deferred, and finishing deferred ones.
internal import CoreDataModel
internal import ObjectGraph

/// The model versions of a workload's migration.
struct MigrationWork: Sendable {
  /// The changes to the first version, each on top of the previous ones.
  let changes: [@Sendable (inout [EntityDescription]) -> Void]
  /// Code that runs between the last two versions.
  var willMigrate: CustomMigrationStage.Handler?
  var defers = false
  /// Whether the stores are already migrated when the work begins.
  var isDone = false

  /// Every version, beginning with the oldest.
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

  /// Removes an attribute, and turns a to-one relationship into a many-to-many one.
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

  /// Turns the texts of entries into notes.
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
