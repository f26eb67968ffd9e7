// The store of a setup: made in Core Data's layout, and opened as plain SQLite.
public import CoreDataModel
internal import Foundation
package import ObjectGraph
public import SQLiteDriver

extension StoreSetup {
  /// The entity whose rows are stored, the first of several.
  public var entityName: String { entityNames.first ?? "" }

  /// The entities whose rows are stored, as the store keeps them, in the order of their numbers.
  public var storedEntities: [StoredEntity] { model.storedEntities.filter { entityNames.contains($0.name) } }

  /// The entity of that name.
  public var entity: EntityDescription {
    get throws(EngineError) {
      guard let entity = model[entityName] else { throw .unknownEntity(entityName) }
      return entity
    }
  }

  /// The store as ObjectGraph opens it.
  package var storeDescription: PersistentStoreDescription {
    var description = PersistentStoreDescription(path: path)
    description.pragmas = pragmas.map { PersistentStoreDescription.Pragma($0.name, $0.value) }
    return description
  }

  /// Makes an empty store in Core Data's layout, closed again: from here on it is a SQLite file like any other.
  ///
  /// ```swift
  /// try setup.createStore()
  /// let connection = try setup.connect()
  /// try connection.execute(StoreSetup.firstWrite)
  /// ```
  public func createStore() throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(storeDescription)
    try coordinator.close()
  }

  /// Removes a store with what SQLite keeps beside it.
  package static func removeStore(at path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  /// The pragmas that count for a connection to a store that is there.
  public var connectionPragmas: [StorePragma] {
    pragmas.filter { $0.name != "page_size" && $0.name != "auto_vacuum" }
  }

  /// A connection of plain SQLite to the store, which is there.
  public func connect() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    for pragma in connectionPragmas { _ = try connection.setPragma(pragma.name, to: pragma.value) }
    return connection
  }

  /// SQL of a first write that leaves the store as it was: for sessions that insert into a store that they made, so that
  /// the insert does not pay for what a connection does on its first write.
  ///
  /// The first sync of a connection's WAL syncs the folder as well (`UNIXFILE_DIRSYNC` in SQLite's os_unix.c), whether the
  /// file is new or not. A value that does not change writes no page, so this one changes and changes back.
  public static let firstWrite = """
    BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX - 1; COMMIT
    """
}
