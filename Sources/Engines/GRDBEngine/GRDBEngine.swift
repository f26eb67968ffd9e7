// GRDB, the peer: what a person writes who wants SQLite in Swift, by statement or by record, and no object graph.
internal import ObjectGraph
public import Scenarios
public import Workloads

/// The `grdb` engine: GRDB.swift as its documentation advises to use it.
///
/// It works on a store that ObjectGraph made, over one connection of a `DatabaseQueue`, on the caller's thread, with
/// the pragmas, transactions and merge policies of every other engine. Its connection is one of the SQLite library
/// that all engines share, so that meters see what it does.
///
/// GRDB binds text up to its first zero byte.
public struct GRDBEngine: Engine {
  /// The names of the strategies in scenario files.
  enum StrategyName: String, CaseIterable {
    case statement, record, codable, update, delete
    case updateMany = "update-many"
    case deleteMany = "delete-many"
  }

  public init() {}

  public var name: String { "grdb" }

  public var strategies: [Strategy] { StrategyName.allCases.map(\.strategy) }

  public func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    guard strategy(of: cell) != nil, let strategy = StrategyName(rawValue: cell.strategy) else {
      throw EngineError.unknownStrategy(of: cell, engine: self)
    }
    let entity = try setup.entity
    if cell.operation == .insert {
      try setup.createStore()
      return try GRDBSession(setup, strategy: strategy)
    }
    return try GRDBChangeSession(
      setup, entity: entity, isOneRequest: [.updateMany, .deleteMany].contains(strategy),
      rowsATransaction: cell.parameters["save_every"] ?? .all)
  }
}

extension GRDBEngine.StrategyName {
  fileprivate var strategy: Strategy {
    let record = ["no object graph", "no relationship upkeep", "no validation rules"]
    let unseen = record + ["no conflict detection"]
    return switch self {
    case .statement:
      Strategy(
        name: rawValue, summary: "GRDB: one prepared statement, its arguments set for every row, one transaction",
        givesUp: ["no model", "no objects", "no validation rules", "SQL by hand"], graph: .rowsAlone)
    case .record:
      Strategy(
        name: rawValue, summary: "GRDB: records that write their own columns, inserted or upserted one by one",
        givesUp: record, graph: .rowsAlone)
    case .codable:
      Strategy(
        name: rawValue, summary: "GRDB: Codable records, inserted or upserted one by one", givesUp: record,
        graph: .rowsAlone)
    case .update:
      Strategy(
        name: rawValue, operation: .update, summary: "GRDB: fetches records, changes them and updates each",
        givesUp: unseen, parameters: ["save_every": .rows])
    case .delete:
      Strategy(
        name: rawValue, operation: .delete, summary: "GRDB: fetches records and deletes each",
        givesUp: unseen + ["no delete rules"], parameters: ["save_every": .rows])
    case .updateMany:
      Strategy(
        name: rawValue, operation: .update, summary: "GRDB: updateAll on a request with a filter", givesUp: unseen)
    case .deleteMany:
      Strategy(
        name: rawValue, operation: .delete, summary: "GRDB: deleteAll on a request with a filter",
        givesUp: unseen + ["no delete rules"])
    }
  }
}
