// The sessions of an engine: an open store that inserts, one that changes, one that fetches, one that migrates.

/// An open store, used from one thread: its work, then the observer's merge where there is one, checkpoint, close.
public protocol StoreSession: AnyObject {
  /// Moves the whole WAL into the database file.
  func checkpoint() throws
  /// What the writing connection answers for a pragma, so that the report says what was in force; nil when it
  /// cannot be asked. Cells that do not answer `journal_mode` and `synchronous` are not ranked with those that do.
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

/// A session whose work others may observe.
public protocol ObservedSession: StoreSession {
  /// The observer of what the session stores; nil if the cell has none.
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
  /// Gets the rows that ``insert(_:)`` will be called with, before anything is measured; does nothing without one.
  ///
  /// For sessions that hand rows to another process. One that stores them here is found out.
  func prepare(_ rows: SourceRows) throws
  /// Stores every row of every table and returns when all are committed; called again where a scenario repeats.
  ///
  /// There is one table, unless the strategy says that it stores several entities.
  func insert(_ rows: SourceRows) throws
}

extension InsertSession {
  public func prepare(_ rows: SourceRows) throws {}
}

/// A session that updates or deletes rows.
public protocol ChangeSession: ObservedSession {
  /// Gets the condition that ``change(where:)`` will be called with, before anything is measured; does nothing without one.
  ///
  /// For sessions that hand it to another process. One that changes rows here is found out.
  func prepare(where condition: RowCondition?) throws
  /// Changes or removes the rows that meet the condition, all of them without one, and no others but those that a delete
  /// rule names; returns when that is committed.
  ///
  /// An update raises the version (`Z_OPT`) of each row by one, and so does a deletion that of each row that it takes out
  /// of a relationship.
  func change(where condition: RowCondition?) throws
}

extension ChangeSession {
  public func prepare(where condition: RowCondition?) throws {}
}

/// A session that reads rows.
public protocol FetchSession: StoreSession {
  /// Gets the query that ``fetch(_:into:)`` will be called with, before anything is measured; does nothing without one.
  ///
  /// For sessions that hand it to another process. One that reads rows here is found out.
  func prepare(_ query: FetchQuery) throws
  /// Reads the rows of the query, in its order, and adds each to `rows`, with all of its values if the strategy reads
  /// values.
  ///
  /// Values are counted and hashed as they are added, as part of the measured time, so a session can only add what it has
  /// read. If the query has a path, add every row on it with the row that it was reached from
  /// (``FetchedRows/add(_:reachedFrom:)``). If it has a grouping, add every group: the hash of its value, then that of
  /// each aggregate. Only strategies that declare these abilities get such queries.
  func fetch(_ query: FetchQuery, into rows: inout FetchedRows) throws
}

extension FetchSession {
  public func prepare(_ query: FetchQuery) throws {}
}

/// A session that changes a store so that it fits another version of its model.
///
/// The store is there with its rows, and no connection has it open: opening it is part of the work, as it is for an app that
/// comes with a new version.
public protocol MigrationSession: StoreSession {
  /// Opens the store, gives it the tables, columns, indexes and metadata of the new version, and returns when that is
  /// committed and the store is open.
  ///
  /// Rows keep their keys and versions (`Z_PK`, `Z_OPT`). Columns may be in another order than in a new store, and may have
  /// an SQL default. If the cell's ``ParameterKey/removal`` is deferred, columns that the version does not have may remain.
  func migrate() throws
}
