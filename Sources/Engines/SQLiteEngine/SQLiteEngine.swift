// Plain SQLite, the reference every other strategy is measured against: what a person writes who wants nothing else.
internal import ObjectGraph
internal import SQLiteDriver
public import Scenarios
public import Workloads

/// The `sqlite` engine: one prepared statement, one transaction, one row a step; or the best that plain SQLite can do.
public struct SQLiteEngine: Engine {
  private static let insertMany = "insert-many"
  private static let updateMany = "update-many"
  private static let deleteMany = "delete-many"
  private static let select = "select"
  /// Does nothing in the phase that is measured, and stores the rows after it.
  private static let empty = "empty"

  public init() {}

  public var name: String { "sqlite" }

  /// How many rows a step of `insert-many` has where a cell says nothing; more make no difference that could be seen.
  private static let rowsAStep = Parameter.rows(standard: 50)

  /// A strategy for each operation, of the operation's own name but for fetches, and one statement for many rows where SQL
  /// has one.
  public var strategies: [Strategy] {
    let givesUp = ["no model", "no type checks", "no objects"]
    return [
      Strategy(
        name: ScenarioOperation.insert.rawValue, role: .reference,
        summary: "plain SQLite: one prepared statement, one transaction",
        givesUp: givesUp + ["no defaults", "SQL by hand"], linking: .whileStoring, graph: .rowsAlone),
      Strategy(
        name: SQLiteEngine.insertMany,
        summary: "plain SQLite: several rows a step of one prepared statement, one transaction",
        givesUp: givesUp + ["no defaults", "SQL by hand", "a row that is refused is not known"],
        parameters: ["rows_a_step": SQLiteEngine.rowsAStep], linking: .afterwards, graph: .rowsAlone),
      Strategy(
        name: SQLiteEngine.empty, role: .harnessCost,
        summary:
          "does nothing while the time is taken, and stores the rows when it closes: what the harness itself takes",
        givesUp: ["every answer but what the harness costs"], linking: .whileStoring, graph: .rowsAlone),
      Strategy(
        name: ScenarioOperation.update.rawValue, operation: .update, role: .reference,
        summary: "plain SQLite: the rows' keys, then one prepared UPDATE by key, a step a row",
        givesUp: givesUp + ["no conflict detection", "SQL by hand"], parameters: ["save_every": .rows]),
      Strategy(
        name: ScenarioOperation.delete.rawValue, operation: .delete, role: .reference,
        summary: "plain SQLite: the rows' keys and versions, then one prepared DELETE by both, a step a row",
        givesUp: givesUp + ["no delete rules", "SQL by hand"], parameters: ["save_every": .rows]),
      Strategy(
        name: SQLiteEngine.updateMany, operation: .update, summary: "plain SQLite: one UPDATE for all rows",
        givesUp: givesUp + ["no conflict detection", "SQL by hand"]),
      Strategy(
        name: SQLiteEngine.deleteMany, operation: .delete, summary: "plain SQLite: one DELETE for all rows",
        givesUp: givesUp + ["no conflict detection", "no delete rules", "SQL by hand"]),
      Strategy(
        name: SQLiteEngine.select, operation: .fetch, role: .reference,
        summary: "plain SQLite: one prepared SELECT, every column of every row read and none kept",
        givesUp: givesUp + ["SQL by hand"]),
    ]
  }

  public func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    guard let strategy = strategy(of: cell) else { throw EngineError.unknownStrategy(of: cell, engine: self) }
    let entity = try setup.entity
    if cell.operation == .fetch { return SQLiteFetchSession(try setup.connect(), entity: entity) }
    if cell.operation != .insert {
      return SQLiteChangeSession(
        try setup.connect(), entity: entity,
        isOneStatement: [SQLiteEngine.updateMany, SQLiteEngine.deleteMany].contains(cell.strategy),
        rowsATransaction: cell.parameters["save_every"] ?? .all)
    }
    try setup.createStore()
    let standard = cell.strategy == SQLiteEngine.insertMany ? SQLiteEngine.rowsAStep.standard : .count(1)
    let session = try SQLiteSession(
      setup, entity: entity, rowsAStep: cell.parameters["rows_a_step"] ?? standard, linking: strategy.linking)
    return cell.strategy == SQLiteEngine.empty ? EmptySession(session) : session
  }
}
