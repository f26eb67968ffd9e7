// A store that has its rows before anything is measured: what updates and deletes start from, whatever the engine.
package import ObjectGraph
package import SQLiteDriver
internal import Scenarios

/// A store filled by plain SQLite.
///
/// Its connection stays open until the engine has one of its own: the last to close would take the WAL with it, and
/// the engine would pay for a new one. Only where a connection wants the file for itself is it closed at once.
struct FilledStore {
  private let connection: Connection
  private let isExclusive: Bool

  /// Makes the store in Core Data's layout and inserts every row in one transaction.
  init(_ setup: StoreSetup, entity: EntityDescription, rows: ColumnarRows) throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: setup.model)
    try coordinator.addPersistentStore(setup.storeDescription)
    try coordinator.close()
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

  /// A connection of plain SQLite to the store, which is there, with the pragmas that count for a connection.
  package func connect() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    for pragma in pragmas where pragma.name != "page_size" && pragma.name != "auto_vacuum" {
      _ = try connection.setPragma(pragma.name, to: pragma.value)
    }
    return connection
  }
}
