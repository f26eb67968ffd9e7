// The engine that measures ObjectGraph: the save pipeline, the three batch-insert styles, batch updates, batch deletes,
// fetches and migrations.
public import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// The `objectgraph` engine.
public struct ObjectGraphEngine: Engine {
  public init() {}

  public var name: String { "objectgraph" }

  public var strategies: [Strategy] { inserts + updates + deletes + fetches + migrations }

  private static let batchGivesUp = [
    "no objects in memory", "no validation rules", "no callbacks", "no notifications", "contexts do not learn of it",
  ]
  // Batch requests notify no context, so no context can follow them automatically.
  private static let batchMerge = ParameterKey.merge.offering(.none, .changes, .history)

  private var inserts: [Strategy] {
    [
      Strategy(
        "save", role: .objectByObject, summary: "inserts objects into a context and saves it",
        gloss: "inserts objects and saves their context",
        parameters: [
          ParameterKey.saveEvery, ParameterKey.afterSave, ParameterKey.merge, ParameterKey.results,
          ParameterKey.history,
          ParameterKey.relationships,
        ],
        relationships: .withRows, storesSeveralEntities: true, .insert { try SaveSession($0, $1) }),
      batchInsert(
        "batch-objects", .array, "batch insert of an array of dictionaries",
        ["the array holds every row of a request at once"]),
      batchInsert("batch-dictionary", .dictionaryHandler, "batch insert with a dictionary handler"),
      batchInsert(
        "batch-managed-object", .objectHandler, "batch insert with a managed-object handler",
        gloss: "batch insert, managed-object handler"),
    ]
  }

  private func batchInsert(
    _ name: String, _ style: BatchStyle, _ summary: String, gloss: String? = nil, _ tradeoffs: [String] = []
  ) -> Strategy {
    Strategy(
      name, role: .batch(style), summary: summary, gloss: gloss,
      tradeoffs: ObjectGraphEngine.batchGivesUp + ["taken unique values are skipped or overwritten, never reported"]
        + tradeoffs,
      parameters: [
        ParameterKey.requestSize, ParameterKey.walLimit, ParameterKey.linkEvery, ParameterKey.relationships,
        ObjectGraphEngine.batchMerge, ParameterKey.results, ParameterKey.history,
      ],
      relationships: .afterwards, storesSeveralEntities: true,
      .insert { try BatchInsertSession($0, $1, style: style) })
  }

  private var updates: [Strategy] {
    [
      Strategy(
        "save", role: .objectByObject, summary: "fetches objects, changes them and saves their context",
        gloss: "fetches objects, changes and saves them",
        parameters: [ParameterKey.saveEvery, ParameterKey.merge, ParameterKey.results, ParameterKey.history],
        .update { setup, cell, assignments in
          try ObjectChangeSession(setup, cell) { object, _ in
            for assignment in assignments { object[assignment.attribute] = assignment.value }
          }
        }),
      batchChange(
        "batch-update", "one batch update request by predicate",
        .update { setup, cell, assignments in
          try BatchChangeSession(setup, cell) { request, session in try session.update(request, assignments) }
        }),
    ]
  }

  private var deletes: [Strategy] {
    [
      Strategy(
        "save", role: .objectByObject, summary: "fetches objects, deletes them and saves their context",
        gloss: "fetches objects, deletes them and saves",
        parameters: [ParameterKey.saveEvery, ParameterKey.merge, ParameterKey.results, ParameterKey.history],
        followsDeleteRules: true,
        .delete {
          try ObjectChangeSession($0, $1) { object, context in
            // The cascade of an earlier save may have deleted it.
            if object.managedObjectContext != nil { try context.delete(object) }
          }
        }),
      batchChange(
        "batch-delete", "one batch delete request by fetch request, or several with a limit",
        gloss: "one batch delete by fetch request",
        parameters: [ParameterKey.requestSize],
        .delete { try BatchChangeSession($0, $1) { request, session in try session.delete(request) } }),
      batchChange(
        "batch-delete-ids", "fetches object IDs, then one batch delete request by them",
        gloss: "one batch delete by fetched object IDs",
        .delete { try BatchChangeSession($0, $1) { request, session in try session.deleteByObjectIDs(request) } }),
    ]
  }

  private func batchChange(
    _ name: String, _ summary: String, gloss: String? = nil, parameters: [any ParameterDeclaration] = [],
    _ opening: Strategy.Opening
  ) -> Strategy {
    let isDelete = if case .delete = opening { true } else { false }
    return Strategy(
      name, role: .batch(.storedRows), summary: summary, gloss: gloss,
      tradeoffs: ObjectGraphEngine.batchGivesUp + ["conflicts with other writers are not seen"],
      parameters: parameters + [ObjectGraphEngine.batchMerge, ParameterKey.results, ParameterKey.history],
      followsDeleteRules: isDelete,
      opening)
  }

  private var fetches: [Strategy] {
    [
      fetch(
        "objects", "fetches whole objects and reads every attribute", gloss: "whole objects, every attribute read",
        .objects(isWhole: true), abilities: [.follow, .group]),
      fetch(
        "prefetched", "fetches whole objects with those that are followed from them, in a statement a relationship",
        gloss: "whole objects, those followed prefetched", .prefetched, abilities: [.follow]),
      fetch(
        "faults", "fetches faults and reads every attribute, which reads each row by itself",
        gloss: "faults, each row read by itself",
        .objects(isWhole: false), ["one statement for all rows"], abilities: [.follow, .group]),
      fetch(
        "batched",
        "fetches keys, then whole objects a batch at a time as they are looked at, and reads every attribute",
        gloss: "keys, then whole objects in batches", .objects(isWhole: true), parameters: [ParameterKey.batchSize],
        abilities: [.follow, .group]),
      fetch(
        "dictionaries", "fetches dictionaries and reads every value", gloss: "dictionaries, every value read",
        .dictionaries, ["no objects", "unsaved changes do not show"], abilities: [.group]),
      fetch("object-ids", "fetches object IDs", .objectIDs, ["no values"]),
      fetch("count", "counts objects", .count, ["no values", "no objects"]),
    ]
  }

  private var migrations: [Strategy] {
    [
      Strategy(
        "infer", role: .objectByObject,
        summary: "opens the store with the new version, and has the migration inferred and done in place",
        gloss: "inferred, and done in place", tradeoffs: ["changes that cannot be inferred need stages"],
        parameters: [ParameterKey.removal], .migrate { ObjectMigrationSession($0, $1, $2) })
    ]
  }

  private func fetch(
    _ name: String, _ summary: String, gloss: String? = nil, _ result: ObjectFetchSession.Result,
    _ tradeoffs: [String] = [],
    parameters: [any ParameterDeclaration] = [], abilities: Set<FetchAbility> = []
  ) -> Strategy {
    Strategy(
      name, role: .objectByObject, summary: summary, gloss: gloss, tradeoffs: tradeoffs, parameters: parameters,
      abilities: abilities,
      .fetch { try ObjectFetchSession($0, $1, result) })
  }
}

/// A session that opens a store with another version of its model.
///
/// The migration is inferred, and performed in place when the store is added.
final class ObjectMigrationSession: MigrationSession {
  private let coordinator: PersistentStoreCoordinator
  private let store: PersistentStoreDescription
  private let log = MigrationLog()

  /// Makes the coordinator of the new version without opening anything.
  init(_ setup: StoreSetup, _ cell: Cell, _ version: ModelVersion) {
    coordinator = PersistentStoreCoordinator(managedObjectModel: version.model)
    var store = setup.storeDescription
    store.sourceModels = [setup.model]
    store.defersLightweightMigration = cell[.removal] == .deferred
    store.migrationLog = log
    self.store = store
  }

  func migrate() throws { try coordinator.addPersistentStore(store) }

  /// Whether tables were copied.
  var notes: [String] {
    guard let summary = log.summary else { return [] }
    let copied = summary.tables.filter(\.isCopied).map(\.name)
    return [copied.isEmpty ? "no table was copied" : "copied: \(copied.sorted().joined(separator: ", "))"]
  }

  func checkpoint() throws { if isOpen { try coordinator.checkpoint() } }

  func pragma(_ name: String) throws -> String? { try coordinator.pragma(name) }

  func close() throws { try coordinator.close() }

  private var isOpen: Bool { !coordinator.persistentStores.isEmpty }
}
