// ObjectGraph under measurement: the save pipeline and the three batch-insert styles.
internal import ObjectGraph
public import Scenarios
public import Workloads

/// The `objectgraph` engine.
public struct ObjectGraphEngine: Engine {
  /// The names of the strategies that insert in scenario files; `save` stands for updates and deletes too.
  enum StrategyName: String, CaseIterable {
    case save
    case batchObjects = "batch-objects"
    case batchDictionary = "batch-dictionary"
    case batchManagedObject = "batch-managed-object"
  }

  public init() {}

  public var name: String { "objectgraph" }

  public var strategies: [Strategy] {
    let batchGivesUp = [
      "no objects in memory", "no validation rules", "no callbacks", "no notifications",
      "contexts do not learn of it", "taken unique values are skipped or overwritten, never reported",
    ]
    let inserts = StrategyName.allCases.map { name in
      switch name {
      case .save:
        Strategy(
          name: name.rawValue, summary: "inserts objects into a context and saves it", givesUp: [],
          parameters: ["save_every": .all])
      case .batchObjects:
        Strategy(
          name: name.rawValue, summary: "batch insert of an array of dictionaries",
          givesUp: batchGivesUp + ["the array holds every row of a request at once"],
          parameters: ["request_size": .all])
      case .batchDictionary:
        Strategy(
          name: name.rawValue, summary: "batch insert with a dictionary handler", givesUp: batchGivesUp,
          parameters: ["request_size": .all])
      case .batchManagedObject:
        Strategy(
          name: name.rawValue, summary: "batch insert with a managed-object handler", givesUp: batchGivesUp,
          parameters: ["request_size": .all])
      }
    }
    return inserts + [
      Strategy(
        name: StrategyName.save.rawValue, operation: .update,
        summary: "fetches objects, changes them and saves their context", givesUp: [], parameters: ["save_every": .all]),
      Strategy(
        name: StrategyName.save.rawValue, operation: .delete,
        summary: "fetches objects, deletes them and saves their context", givesUp: [],
        parameters: ["save_every": .all]),
    ]
  }

  public func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    guard strategy(of: cell) != nil, let strategy = StrategyName(rawValue: cell.strategy) else {
      throw EngineError.unknownStrategy(of: cell, engine: self)
    }
    let size = cell.parameters["save_every"] ?? cell.parameters["request_size"] ?? .all
    return try ObjectGraphSession(setup, strategy: strategy, size: size)
  }
}
