// The sessions of an engine: an open store for inserts, changes, fetches or a migration.

/// An open store, used from one thread: its work, then the observer's merge if there is one, checkpoint, close.
public protocol StoreSession: AnyObject {
  /// Moves the whole WAL into the database file.
  func checkpoint() throws
  /// The value of a pragma on the writing connection, so that the report can show the settings in effect; `nil` if it
  /// is unavailable. Cells without values for `journal_mode` and `synchronous` are not ranked with cells that have
  /// them.
  func pragma(_ name: String) throws -> String?
  /// The engine's notes on the run, in whole clauses, for the report.
  var notes: [String] { get }
  /// Closes every connection.
  func close() throws
}

extension StoreSession {
  public func pragma(_ name: String) throws -> String? { nil }

  public var notes: [String] { [] }
}

/// A session with work that others may observe.
public protocol ObservedSession: StoreSession {
  /// The observer of stored rows; `nil` if the cell has none.
  var observer: (any SessionObserver)? { get }
}

extension ObservedSession {
  public var observer: (any SessionObserver)? { nil }
}

/// A session that stores rows.
///
/// ```swift
/// final class SQLSession: InsertSession {
///   let connection: Connection
///   init(_ setup: StoreSetup) throws { (_, connection) = (try setup.createStore(), try setup.connect()) }
///   func insert(_ rows: SourceRows) throws { try connection.transaction { /* every row of every table */  } }
///   func checkpoint() throws { _ = try connection.checkpoint(.truncate) }
///   func close() throws { try connection.close() }
/// }
/// ```
public protocol InsertSession: ObservedSession {
  /// Receives the rows for ``insert(_:)`` before anything is measured. The default does nothing.
  ///
  /// It is for sessions that pass rows to another process. The harness detects a session that stores them here.
  func prepare(_ rows: SourceRows) throws
  /// Stores every row of every table and returns when all are committed; it is called again if a scenario repeats.
  ///
  /// There is one table, unless the strategy declares that it stores several entities.
  func insert(_ rows: SourceRows) throws
}

extension InsertSession {
  public func prepare(_ rows: SourceRows) throws {}
}

/// A session that updates or deletes rows.
public protocol ChangeSession: ObservedSession {
  /// Receives the condition for ``change(where:)`` before anything is measured. The default does nothing.
  ///
  /// It is for sessions that pass it to another process. The harness detects a session that changes rows here.
  func prepare(where condition: RowCondition?) throws
  /// Changes or removes the rows that match the condition (all rows without one) and those affected by a delete rule.
  /// Returns when the changes are committed.
  ///
  /// An update increments each row's version (`Z_OPT`). A deletion increments the version of every row it unlinks.
  func change(where condition: RowCondition?) throws
}

extension ChangeSession {
  public func prepare(where condition: RowCondition?) throws {}
}

/// A session that reads rows.
public protocol FetchSession: StoreSession {
  /// Receives the query for ``fetch(_:into:)`` before anything is measured. The default does nothing.
  ///
  /// It is for sessions that pass it to another process. The harness detects a session that reads rows here.
  func prepare(_ query: FetchQuery) throws
  /// Reads the rows of the query, in its order, and adds each to `rows`, with all of its values if the strategy reads
  /// values.
  ///
  /// Values are counted and hashed as they are added, as part of the measured time, so a session can only add what it
  /// has read. If the query has a path, add every row on it with the row it was reached from
  /// (``FetchedRows/add(_:reachedFrom:)``). If it has a grouping, add every group as a hash of its value and then of
  /// each aggregate. Only strategies that declare these abilities get such queries.
  func fetch(_ query: FetchQuery, into rows: inout FetchedRows) throws
}

extension FetchSession {
  public func prepare(_ query: FetchQuery) throws {}
}

/// A session that migrates a store to another version of its model.
///
/// The store exists with its rows, and no connection has it open. Opening it is part of the work, as in a new version
/// of an app.
public protocol MigrationSession: StoreSession {
  /// Opens the store and gives it the tables, columns, indexes and metadata of the new version. Returns when this is
  /// committed and the store is open.
  ///
  /// Rows keep their keys and versions (`Z_PK`, `Z_OPT`). Columns may be in another order than in a new store, and may have
  /// an SQL default. If the cell's ``ParameterKey/removal`` is deferred, columns that the version does not have may remain.
  func migrate() throws
}
