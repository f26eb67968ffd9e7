// Plain SQLite, the floor every other strategy is measured against: what a person writes who wants nothing else.
internal import ObjectGraph
internal import SQLiteDriver
public import Scenarios
public import Workloads

/// The `sqlite` engine: one prepared statement, one transaction, one row a step.
public struct SQLiteEngine: Engine {
  private static let updateMany = "update-many"
  private static let deleteMany = "delete-many"

  public init() {}

  public var name: String { "sqlite" }

  /// A strategy for each operation, of the operation's own name, and one statement for many rows where SQL has one.
  public var strategies: [Strategy] {
    let givesUp = ["no model", "no type checks", "no objects"]
    return [
      Strategy(
        name: ScenarioOperation.insert.rawValue, summary: "plain SQLite: one prepared statement, one transaction",
        givesUp: givesUp + ["no defaults", "SQL by hand"]),
      Strategy(
        name: Strategy.empty,
        summary:
          "does nothing while the time is taken, and stores the rows when it closes: what the harness itself takes",
        givesUp: ["every answer but what the harness costs"]),
      Strategy(
        name: ScenarioOperation.update.rawValue, operation: .update,
        summary: "plain SQLite: the rows' keys, then one prepared UPDATE by key, a step a row",
        givesUp: givesUp + ["no conflict detection", "SQL by hand"], parameters: ["save_every": .rows]),
      Strategy(
        name: ScenarioOperation.delete.rawValue, operation: .delete,
        summary: "plain SQLite: the rows' keys and versions, then one prepared DELETE by both, a step a row",
        givesUp: givesUp + ["no delete rules", "SQL by hand"], parameters: ["save_every": .rows]),
      Strategy(
        name: SQLiteEngine.updateMany, operation: .update, summary: "plain SQLite: one UPDATE for all rows",
        givesUp: givesUp + ["no conflict detection", "SQL by hand"]),
      Strategy(
        name: SQLiteEngine.deleteMany, operation: .delete, summary: "plain SQLite: one DELETE for all rows",
        givesUp: givesUp + ["no conflict detection", "no delete rules", "SQL by hand"]),
    ]
  }

  public func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    guard strategy(of: cell) != nil else { throw EngineError.unknownStrategy(of: cell, engine: self) }
    guard let entity = setup.model[setup.entityName] else { throw EngineError.unknownEntity(setup.entityName) }
    if cell.operation != .insert {
      return SQLiteChangeSession(
        try setup.connect(), entity: entity,
        isOneStatement: [SQLiteEngine.updateMany, SQLiteEngine.deleteMany].contains(cell.strategy),
        rowsATransaction: cell.parameters["save_every"] ?? .all)
    }
    // The layout is the store's business; from here on it is a SQLite file like any other.
    let coordinator = PersistentStoreCoordinator(managedObjectModel: setup.model)
    try coordinator.addPersistentStore(setup.storeDescription)
    try coordinator.close()
    let session = try SQLiteSession(setup, entity: entity)
    return cell.strategy == Strategy.empty ? EmptySession(session) : session
  }
}
