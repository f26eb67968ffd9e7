// ObjectGraph under measurement: the save pipeline, the three batch-insert styles, batch updates, batch deletes, fetches.
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
    case objects
    case faults
    case batched
    case dictionaries
    case objectIDs = "object-ids"
    case count
  }

  public init() {}

  public var name: String { "objectgraph" }

  public var strategies: [Strategy] { StrategyName.allCases.flatMap(\.strategies) }

  public func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    guard strategy(of: cell) != nil, let strategy = StrategyName(rawValue: cell.strategy) else {
      throw EngineError.unknownStrategy(of: cell, engine: self)
    }
    return try ObjectGraphSession(setup, strategy: strategy, cell: cell)
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
      _ operation: ScenarioOperation, _ role: StrategyRole, _ summary: String, _ givesUp: [String],
      _ parameters: [String: Parameter] = [:],
      linking: Strategy.Linking? = nil, graph: Strategy.Graph? = nil
    ) -> Strategy {
      // Batch requests tell contexts nothing, so that none can follow them by itself.
      let merge: Parameter =
        self == .save
        ? .words("none", "automatic", "changes", "history") : .words("none", "changes", "history")
      return Strategy(
        name: rawValue, operation: operation, role: role, summary: summary, givesUp: givesUp,
        parameters: parameters.merging(["merge": merge, "history": .onOff]) { own, _ in own }, linking: linking,
        graph: graph)
    }
    func batchInsert(_ style: BatchStyle, _ summary: String, _ givesUp: [String] = []) -> [Strategy] {
      let linkEvery = Cell.linkEveryParameter
      return [
        strategy(
          .insert, .batch(style), summary, insertGivesUp + givesUp,
          ["request_size": .rows, "wal_limit": .bytes, linkEvery.name: linkEvery.parameter], linking: .afterwards,
          graph: .rowsAlone)
      ]
    }
    // A fetch changes nothing that anybody could be told of.
    func fetch(_ summary: String, _ givesUp: [String], _ parameters: [String: Parameter] = [:]) -> [Strategy] {
      [
        Strategy(
          name: rawValue, operation: .fetch, role: .objectByObject, summary: summary, givesUp: givesUp,
          parameters: parameters)
      ]
    }
    let afterSave = Parameter.words("keep", "reset", "new_context")
    return switch self {
    case .save:
      [
        strategy(
          .insert, .objectByObject, "inserts objects into a context and saves it", [],
          ["save_every": .rows, "after_save": afterSave],
          linking: .whileStoring, graph: .related),
        strategy(
          .update, .objectByObject, "fetches objects, changes them and saves their context", [], ["save_every": .rows]),
        strategy(
          .delete, .objectByObject, "fetches objects, deletes them and saves their context", [], ["save_every": .rows]),
      ]
    case .batchObjects:
      batchInsert(
        .array, "batch insert of an array of dictionaries", ["the array holds every row of a request at once"])
    case .batchDictionary: batchInsert(.dictionaryHandler, "batch insert with a dictionary handler")
    case .batchManagedObject: batchInsert(.objectHandler, "batch insert with a managed-object handler")
    case .batchUpdate: [strategy(.update, .batch(.storedRows), "one batch update request by predicate", changeGivesUp)]
    case .batchDelete:
      [strategy(.delete, .batch(.storedRows), "one batch delete request by fetch request", changeGivesUp)]
    case .batchDeleteIDs:
      [
        strategy(
          .delete, .batch(.storedRows), "fetches object IDs, then one batch delete request by them", changeGivesUp)
      ]
    case .objects: fetch("fetches whole objects and reads every attribute", [])
    case .faults:
      fetch("fetches faults and reads every attribute, which reads each row by itself", ["one statement for all rows"])
    case .batched:
      fetch(
        "fetches keys, then whole objects a batch at a time as they are looked at, and reads every attribute", [],
        ["batch_size": .rows])
    case .dictionaries:
      fetch("fetches dictionaries and reads every value", ["no objects", "unsaved changes do not show"])
    case .objectIDs: fetch("fetches object IDs", ["no values"])
    case .count: fetch("counts objects", ["no values", "no objects"])
    }
  }
}
