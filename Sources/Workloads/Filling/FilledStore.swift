// A store that has its rows before anything is measured: what updates and deletes start from, whatever the engine.
package import ObjectGraph
package import SQLiteDriver
package import Scenarios

/// A store filled by plain SQLite.
///
/// Its connection stays open until the engine has one of its own: the last to close would take the WAL with it, and
/// the engine would pay for a new one. Only where a connection wants the file for itself is it closed at once.
struct FilledStore {
  private let connection: Connection
  private let isExclusive: Bool

  /// Makes the store in Core Data's layout and inserts every row in one transaction.
  init(_ setup: StoreSetup, entity: EntityDescription, rows: ColumnarRows) throws {
    try setup.createStore()
    connection = try setup.connect()
    try RowInsertion(into: entity, policy: setup.mergePolicy, connection: connection).insert(rows)
    if try connection.checkpoint(.truncate).isBusy { throw SampleError.checkpointIncomplete }
    isExclusive = setup.pragmas.contains { $0.name == "locking_mode" && $0.value == "exclusive" }
    if isExclusive { try connection.close() }
  }

  /// Called when the engine has the store open.
  func close() throws {
    if !isExclusive { try connection.close() }
  }
}

extension StoreSetup {
  /// The store as ObjectGraph opens it.
  package var storeDescription: PersistentStoreDescription {
    var description = PersistentStoreDescription(path: path)
    description.pragmas = pragmas.map { PersistentStoreDescription.Pragma($0.name, $0.value) }
    return description
  }

  /// Makes an empty store in Core Data's layout, closed again: from here on it is a SQLite file like any other.
  package func createStore() throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(storeDescription)
    try coordinator.close()
  }

  /// The pragmas that count for a connection to a store that is there.
  package var connectionPragmas: [StorePragma] {
    pragmas.filter { $0.name != "page_size" && $0.name != "auto_vacuum" }
  }

  /// A connection of plain SQLite to the store, which is there.
  package func connect() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    for pragma in connectionPragmas { _ = try connection.setPragma(pragma.name, to: pragma.value) }
    return connection
  }
}
