// A store that has its rows before anything is measured: what updates and deletes start from, whatever the engine.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver
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
    try setup.createStore()
    connection = try setup.connect()
    try RowInsertion(into: StoredEntity(entity), policy: setup.mergePolicy, connection: connection).insert(rows)
    if try connection.checkpoint(.truncate).isBusy { throw SampleError.checkpointIncomplete }
    isExclusive = setup.pragmas.contains { $0.name == "locking_mode" && $0.value == "exclusive" }
    if isExclusive { try connection.close() }
  }

  /// Called when the engine has the store open.
  func close() throws {
    if !isExclusive { try connection.close() }
  }
}
