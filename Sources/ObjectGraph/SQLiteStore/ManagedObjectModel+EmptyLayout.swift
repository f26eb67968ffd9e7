// Creates the layout of a new store over any connection, for comparison with an existing store.
package import CoreDataModel
package import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ManagedObjectModel {
  /// Creates the tables, indexes and bookkeeping rows of a new store for the model.
  ///
  /// - Parameter connection: A connection to an empty database, for example in memory.
  /// - Throws: ``ObjectGraphError`` for a model that has no layout, or SQLite's error.
  package func makeEmptyLayout(over connection: Connection) throws {
    let model = CompiledModel(self)
    for sql in StoreSchema(model: model).statements { try connection.execute(sql) }
    let insert = try connection.prepare("INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)")
    try insert.bind(text: UUID().uuidString, at: 1)
    try insert.bind(data: StoreMetadata(model: model, autoVacuumLevel: nil).encoded(), at: 2)
    try insert.run()
  }

  /// Adds the tables of a store that has kept persistent history.
  ///
  /// - Throws: SQLite's error.
  package func addHistoryLayout(over connection: Connection) throws(SQLiteError) {
    try HistorySchema(CompiledModel(self)).make(in: connection)
    for entity in HistoryEntity.allCases {
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(entity.rawValue), '\(entity.name)', 0, 0)")
    }
  }
}
