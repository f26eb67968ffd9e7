// A store that is filled before anything is measured. Updates and deletes of every engine start from it.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// A store filled by plain SQLite.
///
/// Its connection stays open until the engine has opened the store: the last connection to close removes the WAL, and
/// the engine would have to make a new one. It is closed at once only if a connection needs the file exclusively.
struct FilledStore {
  private let connection: Connection
  private let isExclusive: Bool

  /// Makes the store in Core Data's layout and inserts every row in one transaction.
  ///
  /// - Parameters:
  ///   - setup: The store to make.
  ///   - entity: The entity of the rows, if there is only one.
  ///   - rows: The rows to insert; those of several entities come with their relationships.
  ///   - isFollowed: Whether the operation follows relationships, so that rows of one entity need them too.
  /// - Throws: SQLite's error for the store or the rows.
  init(_ setup: StoreSetup, entity: EntityDescription, rows: SourceRows, isFollowed: Bool) throws {
    try setup.createStore()
    connection = try setup.connect()
    if rows.tables.count > 1 || isFollowed {
      try FilledStore.insert(rows, setup, over: connection)
    } else {
      let trees = setup.treeColumn
      let insertion = try RowInsertion(
        into: StoredEntity(entity), policy: setup.mergePolicy, connection: connection,
        keyColumns: trees.map { [$0.key] } ?? [])
      for table in rows.tables {
        try insertion.insert(table, keys: trees == nil ? [] : [FilledStore.parentKeys(rows, of: table)])
      }
    }
    if try connection.checkpoint(.truncate).isBusy { throw SampleError.checkpointIncomplete }
    isExclusive = setup.pragmas.contains { $0.name == "locking_mode" && $0.value == "exclusive" }
    if isExclusive { try connection.close() }
  }

  /// Inserts the rows of one or several entities, with their relationships.
  private static func insert(_ rows: SourceRows, _ setup: StoreSetup, over connection: Connection) throws {
    let entities = setup.storedEntities
    let insertions = try entities.map { entity in
      try RowInsertion(
        into: entity, policy: setup.mergePolicy, connection: connection, keyColumns: RelatedKeys.columns(of: entity))
    }
    try connection.transaction {
      let keys = try RelatedKeys(rows, entities, over: connection)
      for (index, (insertion, table)) in zip(insertions, rows.tables).enumerated() {
        try insertion.add(table, keys: keys?.columns(ofTable: index) ?? [])
      }
      try keys?.insertJoins(over: connection)
    }
  }

  /// The key of each row's parent.
  ///
  /// The store was empty, so keys are row numbers.
  private static func parentKeys(_ rows: SourceRows, of table: ColumnarRows) -> [Int64?] {
    var keys = [Int64?](repeating: nil, count: table.count)
    for pair in rows.relationships.flatMap(\.pairs) { keys[pair.row] = Int64(pair.destinationRow) + 1 }
    return keys
  }

  /// Closes the connection.
  ///
  /// Call it when the engine has opened the store.
  func close() throws {
    if !isExclusive { try connection.close() }
  }
}
