// Reads an SQLite store: knows its entities' tables, and has connections to read with.
internal import CoreDataModel
internal import SQLiteDriver

/// Reads the rows of an SQLite store: everything committed at the time of a read, or one generation.
final class SQLiteReader: Sendable {
  private enum Connections {
    /// Each read sees what is committed at that moment.
    case pool(ReaderPool)
    /// All reads see the same.
    case pinned(PinnedConnection)
  }

  let identity: StoreIdentity
  /// How predicates become SQL.
  let schema: LayoutSchema
  let log: SQLTrace?
  private let entityNumbers: [Int]
  /// The entities' indexes in the model, by the store's numbers.
  let entityIndexes: [Int: Int]
  /// How to read one row by its key, by the entity's index in the model.
  let keyedRows: [KeyedRowQuery]
  /// How to read rows of a table by their keys, by the root entity's index in the model.
  let keyedTables: [Int: KeyedTableQuery]
  private let connections: Connections

  init(
    _ pool: ReaderPool, of identity: StoreIdentity, _ model: CompiledModel, entityNumbers numbers: [Int],
    log: SQLTrace?
  ) {
    connections = .pool(pool)
    self.identity = identity
    self.log = log
    schema = LayoutSchema(model: model, store: identity, entityNumbers: numbers)
    entityNumbers = numbers
    let indexes = Dictionary(zip(numbers, numbers.indices).filter { $0.0 > 0 }) { first, _ in first }
    entityIndexes = indexes
    keyedRows = model.layouts.map {
      KeyedRowQuery($0, entityNumber: numbers[$0.index], entityIndexes: indexes)
    }
    keyedTables = Dictionary(
      model.tables.map { table in
        let family = model.layouts[model.layouts[table.root].family]
        let query = KeyedTableQuery(Array(family), entityNumbers: numbers, entityIndexes: indexes)
        return (table.root, query)
      }
    ) { first, _ in first }
  }

  /// Creates a reader of the same store that sees what the connection's transaction sees.
  init(_ reader: SQLiteReader, pinnedTo connection: PinnedConnection) {
    connections = .pinned(connection)
    identity = reader.identity
    log = reader.log
    schema = reader.schema
    entityNumbers = reader.entityNumbers
    entityIndexes = reader.entityIndexes
    keyedRows = reader.keyedRows
    keyedTables = reader.keyedTables
  }

  /// The store's number of an entity.
  func entityNumber(of layout: EntityLayout) -> Int { entityNumbers[layout.index] }

  /// Runs the body with a reading connection.
  func read<T>(_ body: (StoreReader) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T {
    switch connections {
    case .pool(let pool): try pool.withReader(body)
    case .pinned(let connection): try connection.withReader(body)
    }
  }
}
