// Whether a closed store matches its model: its layout, the storage class of every value, and the bookkeeping needed to
// open it again. The values are checked elsewhere (``StoredContents``).
internal import ObjectGraph
internal import CoreDataModel
internal import SQLiteDriver

/// Compares a store with a new, in-memory store of the same model.
struct StoreCheck {
  let model: ManagedObjectModel
  /// The names of the entities with rows that the scenario stores, and of those they are linked to.
  let stored: Set<String>
  /// The model that the store was made with, if it has been migrated.
  var former: ManagedObjectModel?
  /// Whether the migration may have left columns of that model in the file.
  var mayWait = false

  /// Checks the store over a connection.
  ///
  /// Its rows are read twice and not kept.
  ///
  /// - Returns: The indexes of the model's tables, as descriptions, without those of history.
  /// - Throws: ``VerificationError`` for the first problem, or SQLite's error if the store cannot be read.
  func check(_ connection: Connection) throws -> [String] {
    let reference = try Connection(path: ":memory:")
    try model.makeEmptyLayout(over: reference)
    let tables = try StoreLayout(reading: reference).tables
    var found = try StoreLayout(reading: connection)
    // Each engine and cell decides whether it keeps history. If it does, the tables must be Core Data's.
    if found.table(named: "ATRANSACTION") != nil { try model.addHistoryLayout(over: reference) }
    if let former {
      found = found.migrated(to: try StoreLayout(reading: reference), leaving: mayWait ? try layout(of: former) : nil)
    }
    if let difference = try found.difference(from: StoreLayout(reading: reference)) {
      throw VerificationError.wrongLayout(difference)
    }
    let entities = model.storedEntities
    // Skip history's tables: their columns keep values of other rows, of any class.
    for table in tables {
      let own = entities.filter { $0.tableName == table.name }
      let names = own.flatMap { zip($0.columnNames, $0.attributes.map(\.name)) }
      let misfiled = try connection.misfiledValue(
        in: table, entityName: own.count == 1 ? own[0].name : nil,
        attributeNames: Dictionary(names, uniquingKeysWith: { first, _ in first }))
      if let misfiled { throw VerificationError.misfiledValue(misfiled) }
    }
    let bookkeeping = BookkeepingCheck(
      connection: connection, reference: reference, model: model, stored: stored)
    if let fault = try bookkeeping.firstFault() { throw VerificationError.wrongBookkeeping(fault) }
    try reference.close()
    return found.indexes.filter { index in tables.contains { $0.name == index.table } }.map { "\($0.name): \($0)" }
  }

  /// The layout of a new store of a model.
  private func layout(of model: ManagedObjectModel) throws -> StoreLayout {
    let store = try Connection(path: ":memory:")
    try model.makeEmptyLayout(over: store)
    let layout = try StoreLayout(reading: store)
    try store.close()
    return layout
  }
}
