// Runs the stages of a migration, each in a transaction, starting from the store's present version.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A staged migration of a store that is being opened.
struct StagedMigration {
  let manager: StagedMigrationManager
  let description: PersistentStoreDescription
  let schema: StoreSchema
  let connection: Connection

  private var path: String { description.path }

  /// Migrates the store from version to version until it has the model.
  ///
  /// - Throws: ``ObjectGraphError/invalidStages(stage:found:expected:path:)``,
  ///   ``ObjectGraphError/backwardMigration(stage:path:)``,
  ///   ``ObjectGraphError/stageFailed(stage:part:reason:because:path:)``, ``ObjectGraphError/store(_:during:)``.
  func run() throws(ObjectGraphError) {
    let (versions, target) = try manager.versions(to: schema.model.model, path: path)
    let whole = StoreMigration(description: description, schema: schema, connection: connection)
    var isDone = false
    var start: Int?
    while !isDone {
      isDone = try whole.transaction { () throws(ObjectGraphError) in
        let metadata = try during("reading the metadata of \(path)") { () throws(SQLiteError) in
          try StoredMetadata(connection)
        }
        try metadata.refuseLoss()
        // Find it each time, because another process may migrate the store between two versions.
        let (position, file) = try position(in: versions, metadata)
        if position == target { return true }
        if position > target {
          throw .backwardMigration(stage: versions[position].stage, path: path)
        }
        if start == nil { start = position }
        description.migrationProgress?.begin(step: position - (start ?? 0), of: target - (start ?? 0))
        try migrate(file, to: versions[position + 1], metadata)
        return position + 1 == target
      }
    }
  }

  // MARK: - Where the store is

  private func position(
    in versions: [StagedMigrationManager.Version], _ metadata: StoredMetadata
  ) throws(ObjectGraphError) -> (position: Int, file: SourceFile) {
    let search = SourceModelSearch(description: description, connection: connection, metadata: metadata)
    if metadata.hasOwnVersionHashes {
      if let position = versions.firstIndex(where: { hashes(of: $0.model) == metadata.versionHashes }),
        let file = try search.onlyFit([versions[position].model])
      {
        return (position, file)
      }
    } else {
      var file = try search.onlyFit(try search.found())
      if file == nil { file = try search.onlyFit(versions.map(\.model)) }
      // Core Data's hashes cannot be computed here, but the hashes of the store's model can.
      if let file,
        let position = versions.firstIndex(where: {
          $0.hashes == file.model.model.entityVersionHashesByName
        })
      {
        return (position, file)
      }
    }
    throw .invalidStages(
      stage: nil, found: "a store of \(StagedMigrationManager.name(metadata.versionHashes)), which is in no stage",
      expected: "a store of one of the \(versions.count) versions, or a stage that begins with its version", path: path)
  }

  /// The hashes of a model's entities in a store with the description's configuration.
  private func hashes(of model: ManagedObjectModel) -> [String: Data] {
    let compiled = CompiledModel(model)
    guard let held = try? StoreEntities(configuration: description.configuration, of: compiled) else { return [:] }
    return Dictionary(
      compiled.layouts.filter { held.contains($0.index) }.map { ($0.entity.name, $0.entity.versionHash) }
    ) { first, _ in first }
  }

  // MARK: - From one version to the next

  private func migrate(
    _ source: SourceFile, to version: StagedMigrationManager.Version, _ metadata: StoredMetadata
  ) throws(ObjectGraphError) {
    let custom = version.custom
    var file = source
    if let handler = custom?.willMigrateHandler {
      try run(handler, of: .willMigrateHandler, source.model, in: version.stage)
      // Read the file again, because the handler may have changed it.
      file = try reading(source.model, metadata)
    }
    let model = CompiledModel(version.model)
    do throws(ObjectGraphError) {
      let entities = try StoreEntities(configuration: description.configuration, of: model)
      try StoreMigration(
        description: description, schema: StoreSchema(model: model, entities: entities), connection: connection
      ).migrate(
        file,
        try during("reading the metadata of \(path)") { () throws(SQLiteError) in
          try StoredMetadata(connection)
        })
    } catch {
      throw .stageFailed(
        stage: version.stage, part: .lightweightMigration, reason: "\(error)", because: error, path: path)
    }
    if let handler = custom?.didMigrateHandler {
      try run(handler, of: .didMigrateHandler, model, in: version.stage)
    }
  }

  private func reading(_ model: CompiledModel, _ metadata: StoredMetadata) throws(ObjectGraphError) -> SourceFile {
    try during("reading the tables of \(path)") { () throws(SQLiteError) in
      try SourceFile(connection, model: model, metadataNames: Set(metadata.versionHashes.keys))
    }
  }

  // MARK: - Handlers

  /// Runs code of the app with a container whose store is part of the open transaction.
  private func run(
    _ handler: CustomMigrationStage.Handler, of part: MigrationStage.Part, _ model: CompiledModel, in stage: String
  ) throws(ObjectGraphError) {
    do {
      connection.nestsTransactions = true
      defer { connection.nestsTransactions = false }
      try withContainer(model, handler)
    } catch {
      let cause = error as? ObjectGraphError
      throw .stageFailed(stage: stage, part: part, reason: "\(error)", because: cause, path: path)
    }
    if connection.isInTransaction { return }
    throw .stageFailed(
      stage: stage, part: part, reason: "SQLite rolled the transaction back, as it does when the disk is full",
      because: nil, path: path)
  }

  private func withContainer(_ model: CompiledModel, _ handler: CustomMigrationStage.Handler) throws {
    var description = description
    description.stagedMigrationManager = nil
    description.postsRemoteChanges = false
    let shared = SharedConnection(connection)
    // Safe by proof: its connection is only used inside SharedConnection.use until the store is closed below.
    nonisolated(unsafe) let opened = try StoreOpening(description, model: model).open(in: connection)
    let store = SQLiteStore(description, model: model, opened, shared: shared)
    let container = PersistentContainer(PersistentStoreCoordinator(model, over: store), [description])
    do {
      try handler(container)
    } catch {
      // Report the handler's error.
      try? container.persistentStoreCoordinator.close()
      throw error
    }
    try container.persistentStoreCoordinator.close()
    // Ignore tables that the file only has for entities of other stores.
    for table in try connection.texts("SELECT name FROM sqlite_temp_master WHERE type = 'table'") {
      try connection.execute("DROP TABLE temp.\(table.quotedForSQL)")
    }
  }
}
