// Creates the file of a new store: the pragmas that only work on an empty file, its tables, its metadata.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension StoreOpening {
  /// Sets pragmas that only work on an empty file: first the page size, then incremental vacuum, as in Core Data.
  func shape(_ connection: Connection) throws(ObjectGraphError) {
    let wanted = PersistentStoreDescription.shapingPragmas.compactMap { name in
      description.pragmas.last { $0.name == name } ?? (name == "auto_vacuum" ? .init(name, "incremental") : nil)
    }
    do throws(ObjectGraphError) {
      for pragma in wanted { try description.set(pragma, of: connection) }
    } catch {
      // An existing file without tables already has a page size and a vacuum mode. Rewriting it applies ours.
      guard try shapeAnew(connection, wanted) else { throw error }
      for pragma in wanted { try description.set(pragma, of: connection) }
    }
  }

  /// Rewrites a file that has pages but no tables; false for one without pages.
  private func shapeAnew(
    _ connection: Connection, _ wanted: [PersistentStoreDescription.Pragma]
  ) throws(ObjectGraphError) -> Bool {
    try during("shaping the store \(description.path)") { () throws(SQLiteError) in
      if try connection.scalar("PRAGMA page_count") ?? 0 == 0 { return false }
      _ = try connection.setPragma("journal_mode", to: "delete")
      for pragma in wanted { _ = try connection.setPragma(pragma.name, to: pragma.value) }
      try connection.execute("VACUUM")
      return true
    }
  }

  /// Creates the layout in one transaction.
  func create(_ connection: Connection, _ schema: StoreSchema) throws(ObjectGraphError) {
    if description.isReadOnly {
      throw .incompatibleStore(path: description.path, differences: ["the file is empty and may not be written"])
    }
    let action = "making the store \(description.path)"
    let level = try during(action) { () throws(SQLiteError) in try connection.pragma("auto_vacuum") }
    let plist = try metadata(schema.entities, autoVacuumLevel: level == "0" ? nil : level)
    try during(action) { () throws(SQLiteError) in
      try connection.begin(.immediate)
      do throws(SQLiteError) {
        // Another process may have created it since it was found empty.
        if try connection.scalar("SELECT count(*) FROM sqlite_master") ?? 0 > 0 { return connection.rollback() }
        for sql in schema.statements { try connection.execute(sql) }
        let insert = try connection.prepare("INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)")
        try insert.bind(text: UUID().uuidString, at: 1)
        try insert.bind(data: plist, at: 2)
        try insert.run()
        try connection.commit()
      } catch {
        connection.rollback()
        throw error
      }
    }
  }

  private func metadata(
    _ entities: StoreEntities, autoVacuumLevel: String?
  ) throws(ObjectGraphError) -> Data {
    do {
      return try StoreMetadata(model: model, entities: entities, autoVacuumLevel: autoVacuumLevel).encoded()
    } catch {
      throw .incompatibleStore(path: description.path, differences: ["its metadata cannot be encoded: \(error)"])
    }
  }
}
