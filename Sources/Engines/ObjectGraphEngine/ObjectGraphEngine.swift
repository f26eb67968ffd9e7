// ObjectGraph under measurement: the save pipeline, the three batch-insert styles, batch updates and batch deletes.
internal import ObjectGraph
public import Scenarios
public import Workloads

/// The `objectgraph` engine.
public struct ObjectGraphEngine: Engine {
  /// The names of the strategies in scenario files; `save` stands for updates and deletes too.
  enum StrategyName: String, CaseIterable {
    case save
    case batchObjects = "batch-objects"
    case batchDictionary = "batch-dictionary"
    case batchManagedObject = "batch-managed-object"
    case batchUpdate = "batch-update"
    case batchDelete = "batch-delete"
    case batchDeleteIDs = "batch-delete-ids"
  }

  public init() {}

  public var name: String { "objectgraph" }

  public var strategies: [Strategy] { StrategyName.allCases.flatMap(\.strategies) }

  public func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    guard strategy(of: cell) != nil, let strategy = StrategyName(rawValue: cell.strategy) else {
      throw EngineError.unknownStrategy(of: cell, engine: self)
    }
    let size = cell.parameters["save_every"] ?? cell.parameters["request_size"] ?? .all
    return try ObjectGraphSession(setup, strategy: strategy, size: size)
  }
}

extension ObjectGraphEngine.StrategyName {
  /// What the name stands for; `save` is a strategy of each operation.
  fileprivate var strategies: [Strategy] {
    let batchGivesUp = ["no objects in memory", "no validation rules", "no callbacks", "no notifications"]
    let insertGivesUp =
      batchGivesUp + ["contexts do not learn of it", "taken unique values are skipped or overwritten, never reported"]
    let changeGivesUp = batchGivesUp + ["contexts do not learn of it", "conflicts with other writers are not seen"]
    func strategy(
      _ operation: ScenarioOperation, _ summary: String, _ givesUp: [String], size: String? = nil
    ) -> Strategy {
      Strategy(
        name: rawValue, operation: operation, summary: summary, givesUp: givesUp,
        parameters: size.map { [$0: .all] } ?? [:])
    }
    return switch self {
    case .save:
      [
        strategy(.insert, "inserts objects into a context and saves it", [], size: "save_every"),
        strategy(.update, "fetches objects, changes them and saves their context", [], size: "save_every"),
        strategy(.delete, "fetches objects, deletes them and saves their context", [], size: "save_every"),
      ]
    case .batchObjects:
      [
        strategy(
          .insert, "batch insert of an array of dictionaries",
          insertGivesUp + ["the array holds every row of a request at once"], size: "request_size")
      ]
    case .batchDictionary:
      [strategy(.insert, "batch insert with a dictionary handler", insertGivesUp, size: "request_size")]
    case .batchManagedObject:
      [strategy(.insert, "batch insert with a managed-object handler", insertGivesUp, size: "request_size")]
    case .batchUpdate: [strategy(.update, "one batch update request by predicate", changeGivesUp)]
    case .batchDelete: [strategy(.delete, "one batch delete request by fetch request", changeGivesUp)]
    case .batchDeleteIDs:
      [strategy(.delete, "fetches object IDs, then one batch delete request by them", changeGivesUp)]
    }
  }
}
