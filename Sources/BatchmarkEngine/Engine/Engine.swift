// The definition of an engine: something that stores a scenario's rows in a SQLite file with one or more strategies.

/// A persistence engine to measure.
///
/// The harness treats built-in engines and your own alike: it uses the roles and parameters of their strategies, and
/// never their names.
///
/// Every engine writes a SQLite file in Core Data's layout (`EntityDescription.tableName`,
/// `AttributeDescription.columnName`, `Z_OPT`), because the harness itself reads the file back to verify the rows. The
/// setup's merge policy determines how an engine resolves a conflict of unique values. A null in the source is a
/// missing value, for which the attribute's default is stored.
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
  /// The engine's name in scenarios.
  var name: String { get }
  /// The engine's strategies. Scenarios can use an operation only if a strategy supports it.
  var strategies: [Strategy] { get }
  /// The version and source ID of the SQLite library that the engine uses in a separate process. The default, `nil`, is
  /// for engines that use this process's library.
  ///
  /// Results are only compared with results of the same library.
  var sqliteOfProcess: String? { get }
}

extension Engine {
  public var sqliteOfProcess: String? { nil }

  /// The strategy with this name for an operation; `nil` if the engine has none.
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

/// Why an engine cannot work on a store.
///
/// ```swift
/// guard let entity = model["Quake"] else { throw EngineError.unknownEntity("Quake") }
/// let columns = entity.attributes.map(\.columnName)
/// ```
public enum EngineError: Error, Sendable, CustomStringConvertible {
  case unknownEntity(String)
  /// The model has no such relationship, or no such attribute at one of its ends.
  case unknownLink(Link)
  /// The model has no such path of relationships, or a relationship on it has destinations of several entities.
  case unknownPath(String)
  /// A path starts from more rows than one of the engine's statements can name.
  case tooManyRows(path: String, limit: Int)
  /// A migration without a version of the model.
  case noVersion
  /// A connection kept a checkpoint from completing.
  case checkpointIncomplete

  public var description: String {
    switch self {
    case .unknownEntity(let name): "the model has no entity '\(name)'; name one of its entities in the scenario"
    case .unknownLink(let link):
      "found no relationship '\(link.relationship)'; expected one to \(link.destinationEntityName), whose objects the attribute "
        + "'\(link.attribute)' names"
    case .unknownPath(let path):
      "the model has no path '\(path)' to entities with a table of their own; follow relationships of the fetched entity"
    case .tooManyRows(let path, let limit):
      "found more than \(limit) rows from which '\(path)' is followed, and the engine names each in one statement; expected at "
        + "most \(limit), by 'limit' or 'where', or another strategy"
    case .noVersion: "found no version of the model to migrate to; name one of the scenario's versions"
    case .checkpointIncomplete:
      "found frames in the WAL after the checkpoint; expected none: close the other connection that reads the store"
    }
  }
}
