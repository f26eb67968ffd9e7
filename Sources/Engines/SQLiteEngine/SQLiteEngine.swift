// Plain SQLite, the floor every other strategy is measured against: what a person writes who wants nothing else.
internal import ObjectGraph
internal import SQLiteDriver
public import Scenarios
public import Workloads

/// The `sqlite` engine: one prepared statement, one transaction, one row a step.
public struct SQLiteEngine: Engine {
  public init() {}

  public var name: String { "sqlite" }

  public var strategies: [Strategy] {
    [
      Strategy(
        name: "insert", summary: "plain SQLite: one prepared statement, one transaction",
        givesUp: ["no model", "no type checks", "no objects", "no defaults", "SQL by hand"])
    ]
  }

  public func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    guard cell.strategy == "insert" else { throw EngineError.unknownStrategy(cell.strategy, expected: ["insert"]) }
    guard let entity = setup.model[setup.entityName] else { throw EngineError.unknownEntity(setup.entityName) }
    // The layout is the store's business; from here on it is a SQLite file like any other.
    let coordinator = PersistentStoreCoordinator(managedObjectModel: setup.model)
    try coordinator.addPersistentStore(setup.storeDescription)
    try coordinator.close()
    return try SQLiteSession(setup, entity: entity)
  }
}
