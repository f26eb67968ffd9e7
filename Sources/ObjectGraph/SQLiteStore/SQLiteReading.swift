// What reading a SQLite store takes: how its entities lie in tables, and a connection to read with.
internal import CoreDataModel
internal import SQLiteDriver

/// Reads the rows of a SQLite store.
protocol SQLiteReading: StoreReading {
  /// How predicates become SQL.
  var schema: LayoutSchema { get }
  /// The entities' places in the model, by the store's numbers.
  var entityIndexes: [Int: Int] { get }
  /// How one row is read by its key, by the entity's place in the model.
  var keyedRows: [KeyedRowQuery] { get }
  /// How rows of a table are read by their keys, by the root entity's place in the model.
  var keyedTables: [Int: KeyedTableQuery] { get }
  var log: SQLTrace? { get }

  /// The store's own number of an entity.
  func entityNumber(of layout: EntityLayout) -> Int
  /// Runs the body with a reading connection.
  func read<T>(_ body: (StoreReader) throws(ObjectGraphError) -> T) throws(ObjectGraphError) -> T
}
