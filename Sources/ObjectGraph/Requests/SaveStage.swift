// The stages of a save, for tracers.

/// A stage of a save; the cases are in order.
///
/// A stage lasts until the next one begins. The store's stages occur once for each store that takes part.
///
/// ```swift
/// SaveStage.allCases.first  // .willSaveNotification
/// SaveStage.commit.rawValue  // "commit"
/// ```
public enum SaveStage: String, Sendable, Hashable, CaseIterable {
  /// Observers of ``ContextNotification/Name/willSave`` are called.
  case willSaveNotification
  /// Delete rules are applied and observers of changes are called.
  case pendingChanges
  /// The objects' ``ManagedObject/willSave()`` is called, until none makes further changes.
  case willSaveCallbacks
  /// Values and delete rules are checked against the model and by the objects' classes.
  case validation
  /// The objects' versions are compared with the row cache.
  case conflictsWithCache
  /// The coordinator passes the request to the store, which waits for its writer and begins a transaction.
  ///
  /// The conflict check against the database is part of the SQL in the following stages.
  case request
  /// Keys for all new rows are reserved, once per table.
  case keyReservation
  /// `DELETE` statements; only if there are any.
  case deletions
  /// `UPDATE` statements; only if there are any.
  case updates
  /// `INSERT` statements; only if there are any.
  case insertions
  /// Rows of join tables; only if there are any.
  case linking
  /// Changes are recorded; only with history.
  case history
  /// The transaction is committed.
  case commit
  /// Conflicts with rows in the database are resolved; only if there are any.
  case conflictsWithDatabase
  /// New objects get the IDs with which they are stored.
  case permanentIDs
  /// The saved rows are added to the coordinator's cache.
  case rowCache
  /// The objects' ``ManagedObject/didSave()`` is called.
  case didSaveCallbacks
  /// Observers of ``ContextNotification/Name/didSave`` are called.
  case didSaveNotification
}

extension SaveStage {
  /// Whether everything is stored at this stage.
  var isStored: Bool {
    switch self {
    case .permanentIDs, .rowCache, .didSaveCallbacks, .didSaveNotification: true
    default: false
    }
  }
}

/// Observes saves, stage by stage.
///
/// ```swift
/// final class StageNames: SaveTracer {
///   func began(_ stage: SaveStage) { print(stage.rawValue) }
///   func ended(isStored: Bool) { print(isStored ? "stored" : "failed") }
/// }
/// try context.save(tracer: StageNames())
/// ```
public protocol SaveTracer: AnyObject, Sendable {
  /// Called on the context's queue when a stage begins.
  func began(_ stage: SaveStage)
  /// Called on the context's queue when a save has ended, whether it was stored or not.
  func ended(isStored: Bool)
}
