// Migrates a store while it is opened: finds the source model, makes the plan, and runs it in one transaction.
internal import CoreDataModel
internal import SQLiteDriver
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Changes a store of another model so that it fits the model it is opened with.
struct StoreMigration {
  let description: PersistentStoreDescription
  let schema: StoreSchema
  let connection: Connection

  private var action: String { "migrating the store \(description.path)" }

  /// Migrates the store if it has another model with a known source model.
  ///
  /// Everything is one transaction: if it fails, or the process ends, the store is unchanged.
  ///
  /// - Parameters:
  ///   - differences: How the store differs from the model, for errors.
  ///   - check: Checks whether the store fits the model, before the commit.
  /// - Returns: What the check returns.
  /// - Throws: The errors of the check, ``ObjectGraphError/missingSourceModel(path:entities:)``,
  ///   ``ObjectGraphError/mappingNotInferred(_:)``,
  ///   ``ObjectGraphError/migration(entity:property:found:expected:path:)``, ``ObjectGraphError/store(_:during:)``.
  func run<T>(
    _ differences: [EntityDifference], check: () throws(ObjectGraphError) -> T
  ) throws(ObjectGraphError) -> T {
    try transaction { () throws(ObjectGraphError) in
      try migrate(differences)
      return try check()
    }
  }

  /// Runs the body in a transaction that may change tables.
  func transaction<T>(_ body: () throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    try during(action) { () throws(SQLiteError) in
      // Let tables be renamed without SQLite parsing views and triggers again.
      try connection.execute("PRAGMA legacy_alter_table = ON")
      try connection.begin(.immediate)
    }
    defer {
      connection.stopStatements(when: nil)
      // Ignore errors here, because the first error is reported.
      connection.rollback()
      try? connection.execute("PRAGMA legacy_alter_table = OFF")
    }
    guard let progress = description.migrationProgress else {
      let result = try body()
      try during(action) { () throws(SQLiteError) in try connection.commit() }
      return result
    }
    connection.stopStatements { progress.isCancelled }
    let result: T
    do throws(ObjectGraphError) {
      result = try body()
    } catch {
      throw progress.isCancelled ? .migrationCancelled(path: description.path) : error
    }
    connection.stopStatements(when: nil)
    // The work may be so small that no statement was stopped.
    if progress.isCancelled { throw .migrationCancelled(path: description.path) }
    try during(action) { () throws(SQLiteError) in try connection.commit() }
    return result
  }

  private func migrate(_ differences: [EntityDifference]) throws(ObjectGraphError) {
    let metadata = try during(action) { () throws(SQLiteError) in try StoredMetadata(connection) }
    // Another process may have migrated it since it was compared.
    if metadata.hasOwnVersionHashes && metadata.versionHashes == wantedMetadata.modelVersionHashes { return }
    try metadata.refuseLoss()
    let file = try SourceModelSearch(description: description, connection: connection, metadata: metadata)
      .sourceFile(differences)
    try migrate(file, metadata)
  }

  /// Migrates a store from a source model, inside an open transaction.
  func migrate(_ file: SourceFile, _ metadata: StoredMetadata) throws(ObjectGraphError) {
    let matching = ModelMatching(
      from: file.model, holding: file.held, to: schema.model, holding: schema.entities)
    try matching.refuseProblems()
    let plan = MigrationPlan(
      matching, file: file, schema: schema, pending: DeferredRemovals(metadata.entries),
      defers: description.defersLightweightMigration, countsRows: description.migrationProgress != nil)
    try plan.refuseLackOfRoom(
      connection, path: description.path, free: FreeSpace.bytes(at: description.path))
    description.migrationLog?.note(MigrationSummary(plan))
    try execute(plan, sourceDigest: metadata.digest)
    try write(metadata, plan.removals)
  }

  private func execute(_ plan: MigrationPlan, sourceDigest: String?) throws(ObjectGraphError) {
    try during(action) { () throws(SQLiteError) in
      try MigrationPlan.createFunctions(connection)
      if let progress = description.migrationProgress { try plan.count(connection, for: progress) }
      for sql in plan.statements { try connection.execute(sql) }
      try HistoryMigration(matching: plan.matching, file: plan.file)
        .run(connection, sourceDigest: sourceDigest, isTracked: description.tracksPersistentHistory)
    }
    for check in plan.checks {
      let count = try during(action) { () throws(SQLiteError) in try connection.scalar(check.sql) } ?? 0
      if count == 0 { continue }
      throw .migration(
        entity: check.entity, property: check.property, found: "\(count) \(check.found)", expected: check.expected,
        path: description.path)
    }
    for index in plan.uniqueIndexes {
      do throws(SQLiteError) {
        try connection.execute(index.sql)
      } catch {
        guard error.code == .constraint else { throw .store(error, during: action) }
        throw .migration(
          entity: index.entity, property: index.constraint.joined(separator: ", "),
          found: "objects with the same values", expected: "values that are unique: change or delete the others before",
          path: description.path)
      }
    }
  }

  // MARK: - Metadata

  private var wantedMetadata: StoreMetadata {
    StoreMetadata(model: schema.model, entities: schema.entities, autoVacuumLevel: nil)
  }

  /// Writes the new version hashes together with the other metadata, and the new copy of the model.
  private func write(_ metadata: StoredMetadata, _ removals: DeferredRemovals) throws(ObjectGraphError) {
    let own: [String: MetadataValue]
    let cache: Data?
    do {
      let list = try PropertyList(binary: [UInt8](wantedMetadata.encoded())).entries ?? [:]
      own = list.compactMapValues { MetadataValue($0) }
      cache = try description.sourceModelProvider?.modelCache(of: schema.model.model)
    } catch {
      throw .migration(
        entity: nil, property: nil, found: "a model that cannot be written (\(error))",
        expected: "a model of plain values", path: description.path)
    }
    try StoredMetadata.write(removals.noted(in: metadata.entries.merging(own) { _, new in new }), connection)
    try during(action) { () throws(SQLiteError) in
      try connection.execute(
        "CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB); DELETE FROM Z_MODELCACHE")
      guard let cache else { return }
      let insert = try connection.prepare("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", isPersistent: false)
      try insert.bind(data: cache, at: 1)
      try insert.run()
    }
  }
}

/// Finds the model that a store was created with.
struct SourceModelSearch {
  let description: PersistentStoreDescription
  let connection: Connection
  let metadata: StoredMetadata

  /// The store's file under the model that it was created with.
  ///
  /// Given models have priority over the provider's, unless only a comparison of tables can choose one.
  func sourceFile(_ differences: [EntityDifference]) throws(ObjectGraphError) -> SourceFile {
    if metadata.hasOwnVersionHashes {
      if let file = try onlyFit(description.sourceModels.filter(hasHashes)) { return file }
      if let file = try onlyFit(try found().filter(hasHashes)) { return file }
    } else {
      // Core Data's hashes cannot be computed here, and the model that the provider reads from the store is more
      // reliable than tables.
      if let file = try onlyFit(try found()) { return file }
      if let file = try onlyFit(description.sourceModels) { return file }
    }
    throw .missingSourceModel(path: description.path, entities: differences)
  }

  /// The file under the one model that fits it; `nil` if none does, or several different ones do.
  func onlyFit(_ models: [ManagedObjectModel]) throws(ObjectGraphError) -> SourceFile? {
    var fit: SourceFile?
    for model in models {
      guard let file = try file(CompiledModel(model)) else { continue }
      if metadata.hasOwnVersionHashes { return file }
      if let fit, fit.model.model != model { return nil }
      fit = file
    }
    return fit
  }

  /// Whether a model, or a configuration of it, has the hashes that this library wrote.
  private func hasHashes(of model: ManagedObjectModel) -> Bool {
    let hashes = model.entityVersionHashesByName
    return metadata.versionHashes.allSatisfy { hashes[$0.key] == $0.value }
  }

  /// The models that the provider finds.
  func found() throws(ObjectGraphError) -> [ManagedObjectModel] {
    guard let provider = description.sourceModelProvider else { return [] }
    let cache = try during("reading the model of \(description.path)") { () throws(SQLiteError) -> Data? in
      guard try StoreTables(connection).column("Z_CONTENT", of: "Z_MODELCACHE") != nil else { return nil }
      let statement = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1", isPersistent: false)
      defer { statement.reset() }
      return try statement.step() ? statement.bytes(0).flatMap { $0.isEmpty ? nil : Data($0) } : nil
    }
    do {
      return try provider.sourceModels(
        of: SourceStore(path: description.path, metadata: metadata.withIdentifier, modelCache: cache))
    } catch {
      throw .migration(
        entity: nil, property: nil, found: "no source model, since its provider failed (\(error))",
        expected: "the model that the store was made with", path: description.path)
    }
  }

  /// The file under a model; `nil` if the file does not have the model.
  private func file(_ model: CompiledModel) throws(ObjectGraphError) -> SourceFile? {
    try during("comparing the store \(description.path) with a source model") {
      () throws(SQLiteError) -> SourceFile? in
      let file = try SourceFile(connection, model: model, metadataNames: Set(metadata.versionHashes.keys))
      let names = Set(model.layouts.filter { file.numbers[$0.index] != 0 }.map(\.entity.name))
      let wanted =
        metadata.versionHashes.isEmpty ? Set(model.layouts.map(\.entity.name)) : Set(metadata.versionHashes.keys)
      guard names == wanted else { return nil }
      let compatibility = StoreCompatibility(
        model: model, held: file.held, names: file.names, numbers: file.numbers, file: file.tables, indexes: [],
        isReadOnly: true)
      guard try compatibility.differences(StoreSchema(model: model, entities: file.held), connection).isEmpty else {
        return nil
      }
      if metadata.hasOwnVersionHashes { return file }
      // A column that the model does not have belongs to another version.
      for table in model.tables where file.held.contains(table.root) {
        guard let name = file.names.tables[table.name] else { continue }
        let known = Set((file.names.columns[table.name] ?? [:]).values).union(StoreTables.systemColumns)
        if !(file.tables.columns[name] ?? []).allSatisfy({ known.contains($0.name) }) { return nil }
      }
      return file
    }
  }
}

extension StoredMetadata {
  /// The digest of the store's version hashes.
  var digest: String? { entries[StoreMetadata.CodingKeys.modelVersionHashesDigest.rawValue]?.string }
}
