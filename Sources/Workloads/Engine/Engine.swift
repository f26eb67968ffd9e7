// What an engine is: something that stores a scenario's rows in a SQLite file, by one or more strategies.
public import ObjectGraph
public import Scenarios

/// A persistence engine under measurement.
///
/// Built-in ones and a user's own are alike to the harness.
///
/// Every engine leaves a SQLite file in Core Data's layout (`EntityDescription.tableName`,
/// `AttributeDescription.columnName`, `Z_OPT`), because the harness reads the file back itself: an engine cannot
/// vouch for its own rows. Keys are counted in `Z_PRIMARYKEY`, and the layout stays as ``StoreSetup/createStore()`` made it.
/// What a phase stores is committed when the phase ends: another connection looks. How it meets a taken unique value is the setup's merge policy; a null of the source is an
/// absent value, for which the attribute's default is stored.
public protocol Engine: Sendable {
  /// The word scenarios know it by.
  var name: String { get }
  var strategies: [Strategy] { get }

  /// Opens the store, and makes everything the measured phase should not pay for: connections, statements.
  ///
  /// For an insert the store is not there yet, and its schema is made here; for an update, a delete or a fetch it is
  /// there, with the source's rows in it.
  func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession
}

/// One way an engine does an operation.
public struct Strategy: Sendable {
  public var name: String
  /// What it does with rows; strategies of different operations may share a name.
  public var operation: ScenarioOperation
  /// One line that says what it does.
  public var summary: String
  /// What a user of this strategy goes without, as short phrases ("no validation").
  public var givesUp: [String]
  /// Parameters by name.
  public var parameters: [String: Parameter]
  /// When it links rows as the setup says (``StoreSetup/links``); nil for never, which a scenario that links refuses.
  public var linking: Linking?
  /// What it makes of rows of several entities, some of which lead to others; nil for a strategy that stores rows of one.
  public var graph: Graph?

  /// What becomes of relationships between the rows of a store.
  public enum Graph: Sendable, Hashable {
    /// Rows are stored without them, one entity after the other.
    case rowsAlone
    /// Objects are related and then saved.
    case related
  }

  /// When a strategy gives rows their relationships.
  public enum Linking: Sendable, Hashable {
    /// With their values.
    case whileStoring
    /// When all of them are stored.
    case afterwards
  }

  public init(
    name: String, operation: ScenarioOperation = .insert, summary: String, givesUp: [String],
    parameters: [String: Parameter] = [:], linking: Linking? = nil, graph: Graph? = nil
  ) {
    self.name = name
    self.operation = operation
    self.summary = summary
    self.givesUp = givesUp
    self.parameters = parameters
    self.linking = linking
    self.graph = graph
  }
}

extension Strategy {
  /// The name of a strategy that does nothing in the phase that is measured, and stores the rows after it.
  ///
  /// Its time is what the harness itself takes; reports show it as a share of the other cells' times.
  public static let empty = "empty"
}

/// The store a session works on.
public struct StoreSetup: Sendable {
  /// Where the store is, or is created; its directory exists.
  public var path: String
  public var model: ManagedObjectModel
  /// The entities whose rows are stored, at least one.
  public var entityNames: [String]
  public var pragmas: [StorePragma]
  public var mergePolicy: MergePolicy
  /// What every row is to be linked to when it is ingested, and every object that a row names made; empty for rows that
  /// stand alone.
  public var links: [Link] = []
  /// Who wants to be told of the stages of the engine's work, so that a profile can tell where time goes; nil for nobody,
  /// which is asked once a request and not once a row.
  public var stages: StageRecorder?

  public init(
    path: String, model: ManagedObjectModel, entityName: String, pragmas: [StorePragma], mergePolicy: MergePolicy
  ) {
    self.path = path
    self.model = model
    entityNames = [entityName]
    self.pragmas = pragmas
    self.mergePolicy = mergePolicy
  }
}

/// An open store, used from one thread, in this order: ingest (once or more), change (once) or fetch (once), the
/// observer's merge where there is one, checkpoint, close.
public protocol EngineSession: AnyObject {
  /// Stores every row and returns when it is committed.
  ///
  /// Called when the cell's operation is an insert.
  func ingest(_ rows: ColumnarRows) throws
  /// Stores every row of several entities and returns when all are committed; called when the scenario's rows are those of a
  /// store, in place of the other.
  ///
  /// What is not said of a strategy (``Strategy/graph``) is not asked of its session.
  func ingest(_ source: SourceRows) throws
  /// Changes or removes the rows the condition holds for, and no others, and returns when it is committed.
  ///
  /// Called when the cell's operation is an update or a delete. An update raises the version (`Z_OPT`) of each row by
  /// one.
  func change(_ change: RowChange) throws
  /// Reads the rows the condition holds for, and every value of each where the strategy gives values.
  ///
  /// Called when the cell's operation is a fetch.
  func fetch(_ condition: RowCondition?) throws
  /// What ``fetch(_:)`` gave; asked for when nothing is measured any more.
  func fetched() throws -> FetchedRows
  /// Who is told of what the session stores; nil where the cell asks for nobody to be told.
  var observer: (any SessionObserver)? { get }
  /// Moves the whole WAL into the database file.
  func checkpoint() throws
  /// What the writing connection answers for a pragma, so that the report tells what was in force; nil when it
  /// cannot be asked.
  func pragma(_ name: String) throws -> String?
  /// What the engine wants told about how it went, in whole clauses: they stand in the report.
  var notes: [String] { get }
  /// Closes every connection.
  func close() throws
}

extension EngineSession {
  /// Stores the rows of a source that has them of one entity.
  public func ingest(_ source: SourceRows) throws {
    guard let rows = source.tables.first, source.tables.count == 1 else {
      throw SampleError.severalEntities(source.tables.map(\.entityName))
    }
    try ingest(rows)
  }

  /// Refuses: an engine whose strategies all insert is never asked.
  public func change(_ change: RowChange) throws { throw SampleError.unsupportedOperation(change.operation) }

  /// Refuses: an engine without a strategy that fetches is never asked.
  public func fetch(_ condition: RowCondition?) throws { throw SampleError.unsupportedOperation(.fetch) }

  public func fetched() throws -> FetchedRows { throw SampleError.unsupportedOperation(.fetch) }

  public func pragma(_ name: String) throws -> String? { nil }

  public var observer: (any SessionObserver)? { nil }

  public var notes: [String] { [] }
}

extension Engine {
  /// The strategy of that name for an operation.
  public func strategy(named name: String, for operation: ScenarioOperation = .insert) -> Strategy? {
    strategies.first { $0.name == name && $0.operation == operation }
  }

  /// The strategy that a cell names.
  public func strategy(of cell: Cell) -> Strategy? { strategy(named: cell.strategy, for: cell.operation) }

  /// What scenario files may say of this engine.
  public var schema: EngineSchema {
    EngineSchema(
      name: name,
      strategies: strategies.map {
        StrategySchema(
          name: $0.name, operation: $0.operation, parameters: $0.parameters, linksRows: $0.linking != nil,
          storesSeveralEntities: $0.graph != nil)
      })
  }
}
