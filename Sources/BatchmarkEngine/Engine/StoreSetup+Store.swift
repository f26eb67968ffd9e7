// The store of a setup: creating it in Core Data's layout, and opening it as plain SQLite.
public import CoreDataModel
internal import Foundation
package import ObjectGraph
public import SQLiteDriver

extension StoreSetup {
  /// The entity of the stored rows, the first one of several.
  public var entityName: String { entityNames.first ?? "" }

  /// The entities of the stored rows as the store keeps them, in the order of their numbers.
  public var storedEntities: [StoredEntity] { model.storedEntities.filter { entityNames.contains($0.name) } }

  /// The entity with this name.
  public var entity: EntityDescription {
    get throws(EngineError) {
      guard let entity = model[entityName] else { throw .unknownEntity(entityName) }
      return entity
    }
  }

  /// The store's description for ObjectGraph.
  package var storeDescription: PersistentStoreDescription {
    var description = PersistentStoreDescription(path: path)
    description.pragmas = pragmas.map { PersistentStoreDescription.Pragma($0.name, $0.value) }
    return description
  }

  /// Creates an empty store in Core Data's layout and closes it.
  ///
  /// Afterwards it is an ordinary SQLite file.
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

  /// Removes a store and SQLite's files next to it.
  package static func removeStore(at path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  /// The pragmas for a connection to an existing store.
  public var connectionPragmas: [StorePragma] {
    pragmas.filter { $0.name != "page_size" && $0.name != "auto_vacuum" }
  }

  /// A plain SQLite connection to the existing store.
  public func connect() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    for pragma in connectionPragmas { _ = try connection.setPragma(pragma.name, to: pragma.value) }
    return connection
  }

  /// SQL for a first write that leaves the store unchanged.
  ///
  /// Sessions that insert into a store they created run it, so that the insert does not include the cost of a
  /// connection's first write.
  ///
  /// The first sync of a connection's WAL syncs the folder as well (`UNIXFILE_DIRSYNC` in SQLite's os_unix.c), whether
  /// the file is new or not. A value that stays the same writes no page, so this one changes and changes back.
  public static let firstWrite = """
    BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX - 1; COMMIT
    """
}
