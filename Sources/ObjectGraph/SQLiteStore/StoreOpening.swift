// Opens a store: sets pragmas in the order that SQLite needs, and checks that the file fits the model or migrates it.
internal import CoreDataModel
package import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Opens or creates the file of a store.
struct StoreOpening {
  let description: PersistentStoreDescription
  let model: CompiledModel

  /// An open store.
  struct Opened {
    let connection: Connection
    let uuid: String
    let entityNumbers: [Int]
    /// Whether the store has history tables.
    let hasHistory: Bool
    /// The entities for which it is opened.
    let entities: StoreEntities
    /// The statements that every connection runs first.
    let preparation: [String]
    /// The version of the model with which the store was opened, for connections that stay open.
    let version: StoreVersion
  }

  init(_ description: PersistentStoreDescription, model: CompiledModel) {
    self.description = description
    self.model = model
  }

  /// The identifier of a store, read without changing it; `nil` if it is unknown.
  static func identifier(of description: PersistentStoreDescription) -> String? {
    let access = description.readingAccess
    guard let connection = try? Connection(path: description.path, access: access) else { return nil }
    return (try? connection.texts("SELECT Z_UUID FROM Z_METADATA"))?.first
  }

  func open() throws(ObjectGraphError) -> Opened {
    let schema = StoreSchema(
      model: model, entities: try StoreEntities(configuration: description.configuration, of: model))
    let action = "opening the store \(description.path)"
    let connection = try during(action) { () throws(SQLiteError) in
      try Connection(
        path: description.path, access: description.isReadOnly ? description.readingAccess : .readWriteCreate,
        busyTimeout: description.busyTimeout)
    }
    description.sqlTrace?.follow(connection)
    do {
      let isNew = try during(action) { () throws(SQLiteError) in
        try connection.scalar("SELECT count(*) FROM sqlite_master") == 0
      }
      if !description.isReadOnly {
        // Check before pragmas change the file: it may belong to another program.
        if isNew { try shape(connection) } else { try requireStore(try tables(connection)) }
        try during(action) { () throws(SQLiteError) in try connection.leaveDerivedAttributesToSaves() }
      }
      try description.configure(connection)
      if isNew { try create(connection, schema) }
      let opened = try withHistory(try checkOrMigrate(connection, schema))
      try during(action) { () throws(SQLiteError) in
        for sql in opened.preparation { try connection.execute(sql) }
      }
      if !description.isReadOnly { try maintain(connection) }
      description.migrationProgress?.finish()
      // Ignore schema changes so far, which come from opening the store.
      connection.schemaReloads = 0
      return opened
    } catch {
      // Report the first error; an error of closing adds nothing.
      try? connection.close()
      throw error
    }
  }

  /// Maintains the file as the description requests, once it is known to be a store of the model.
  private func maintain(_ connection: Connection) throws(ObjectGraphError) {
    if let mode = description.manualVacuum { _ = try connection.vacuum(mode) }
    if description.analyzesIndexes {
      try during("analyzing the store \(description.path)") { () throws(SQLiteError) in
        try connection.execute("ANALYZE")
      }
    }
  }

  /// The store as it is, or after its migration to the model.
  private func checkOrMigrate(_ connection: Connection, _ schema: StoreSchema) throws(ObjectGraphError) -> Opened {
    do throws(ObjectGraphError) {
      return try check(connection, schema)
    } catch {
      guard case .incompatibleModel(_, let differences) = error, description.migrates else { throw error }
      if let manager = description.stagedMigrationManager {
        try StagedMigration(manager: manager, description: description, schema: schema, connection: connection).run()
        return try check(connection, schema)
      }
      return try StoreMigration(description: description, schema: schema, connection: connection)
        .run(differences) { () throws(ObjectGraphError) in try check(connection, schema) }
    }
  }

  /// Opens the store inside the open transaction of a connection that already has it open.
  ///
  /// - Throws: The same errors as ``open()``, including for a store of another model, which is not migrated here.
  func open(in connection: Connection) throws(ObjectGraphError) -> Opened {
    let schema = StoreSchema(
      model: model, entities: try StoreEntities(configuration: description.configuration, of: model))
    let opened = try withHistory(try check(connection, schema))
    try during("opening the store \(description.path)") { () throws(SQLiteError) in
      for sql in opened.preparation { try connection.execute(sql) }
    }
    connection.schemaReloads = 0
    return opened
  }

  private func tables(_ connection: Connection) throws(ObjectGraphError) -> StoreTables {
    try during("reading the store \(description.path)") { () throws(SQLiteError) in try StoreTables(connection) }
  }

  private func requireStore(_ file: StoreTables) throws(ObjectGraphError) {
    if !file.isStore { throw .incompatibleStore(path: description.path, differences: [StoreTables.noStore]) }
  }

  /// Reads the store's identity and entity numbers, and compares its tables with the model.
  private func check(_ connection: Connection, _ schema: StoreSchema) throws(ObjectGraphError) -> Opened {
    let file = try tables(connection)
    try requireStore(file)
    return try during("reading the store \(description.path)") {
      () throws(SQLiteError) -> Result<Opened, ObjectGraphError> in
      let hierarchy = model.model.hierarchy
      let entities = try FileEntities(connection)
      let metadata = try StoredMetadata(connection)
      let numbers = entities.numbers(of: hierarchy, metadataNames: Set(metadata.versionHashes.keys)).enumerated()
        .map { schema.entities.contains($0.offset) ? $0.element : 0 }
      let names = StoreNameMapping(model, numbers: numbers, entities: entities, file: file)
      // A read-only store may lack unique indexes, and may have another model.
      let indexes =
        description.isReadOnly ? [] : try connection.texts("SELECT name FROM sqlite_master WHERE type = 'index'")
      if !description.isReadOnly {
        let comparison = ModelComparison(
          model: model, schema: schema, file: file, entities: entities, metadata: metadata, indexes: indexes,
          ignoresHashes: description.ignoresModelVersion)
        let differing = comparison.differences
        if !differing.isEmpty {
          return .failure(.incompatibleModel(path: description.path, entities: differing))
        }
      }
      let fit = StoreCompatibility(
        model: model, held: schema.entities, names: names, numbers: numbers, file: file, indexes: indexes,
        isReadOnly: description.isReadOnly)
      let differences = try fit.differences(schema, connection)
      if !differences.isEmpty {
        return .failure(.incompatibleStore(path: description.path, differences: differences))
      }
      let hasHistory = file.contains("ACHANGE") && file.contains("ATRANSACTION")
      let views = StoreCompatibilityViews(model: model, entities: schema.entities, names: names, file: file)
      var preparation = (description.isImmutable ? PersistentStoreDescription.caution : []) + schema.standIns
      if description.isReadOnly { preparation += views.statements + (hasHistory ? views.historyStatements : []) }
      return .success(
        Opened(
          connection: connection, uuid: metadata.identifier,
          entityNumbers: numbers, hasHistory: hasHistory, entities: schema.entities, preparation: preparation,
          version: StoreVersion(path: description.path, hashes: metadata.versionHashes)))
    }.get()
  }

  /// Creates history tables if history is requested, and empties them if it no longer is.
  private func withHistory(_ opened: Opened) throws(ObjectGraphError) -> Opened {
    if description.isReadOnly { return opened }
    return try during("preparing the history of \(description.path)") { () throws(SQLiteError) in
      if description.tracksPersistentHistory {
        try HistorySchema(model).make(in: opened.connection)
      } else if opened.hasHistory {
        try HistorySchema.forget(in: opened.connection)
      }
      return Opened(
        connection: opened.connection, uuid: opened.uuid, entityNumbers: opened.entityNumbers,
        hasHistory: opened.hasHistory || description.tracksPersistentHistory, entities: opened.entities,
        preparation: opened.preparation, version: opened.version)
    }
  }
}

extension Connection {
  /// The first column of every row, as text.
  package func texts(_ sql: String) throws(SQLiteError) -> [String] {
    let statement = try prepare(sql, isPersistent: false)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.string(0) ?? "") }
    return texts
  }
}
