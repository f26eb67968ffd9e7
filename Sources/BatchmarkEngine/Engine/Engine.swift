// What an engine is: something that stores a scenario's rows in a SQLite file, by one or more strategies.

/// A persistence engine under measurement.
///
/// Built-in ones and a user's own are alike to the harness: it knows their strategies by role and parameters, and none
/// by its name.
///
/// Every engine leaves a SQLite file in Core Data's layout (`EntityDescription.tableName`,
/// `AttributeDescription.columnName`, `Z_OPT`), because the harness reads the file back itself: an engine cannot
/// vouch for its own rows. How it meets a taken unique value is the setup's merge policy; a null of the source is an
/// absent value, for which the attribute's default is stored.
///
/// ```swift
/// struct PlainEngine: Engine {
///   let name = "plain"
///   let strategies = [
///     Strategy("insert", summary: "plain SQL", .insert { setup, _ in try MySession(setup) })
///   ]
/// }
/// ```
public protocol Engine: Sendable {
  /// The word scenarios know it by.
  var name: String { get }
  /// What it offers; an operation that none of them has is one that scenarios cannot ask of the engine.
  var strategies: [Strategy] { get }
}

extension Engine {
  /// The strategy of that name for an operation; nil where the engine offers none.
  ///
  /// ```swift
  /// let canFetch = engine.strategies.contains { $0.operation == .fetch }
  /// let insert = engine.strategy(named: "insert")
  /// ```
  public func strategy(named name: String, for operation: Operation.Kind = .insert) -> Strategy? {
    strategies.first { $0.name == name && $0.operation == operation }
  }

  /// The strategy that a cell names.
  public func strategy(of cell: Cell) -> Strategy? { strategy(named: cell.strategy, for: cell.operation) }
}
