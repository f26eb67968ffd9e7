// The stages of a save, for tracers that follow one.

/// A stage of a save, in the order they come.
///
/// A stage lasts until the next one begins. Those of the store come once for each store that takes part.
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
  /// Calling the objects' ``ManagedObject/willSave()``, until none makes further changes.
  case willSaveCallbacks
  /// Values and delete rules are checked against the model and by the objects' classes.
  case validation
  /// The objects' versions against the row cache.
  case conflictsWithCache
  /// The coordinator hands the request to the store, which waits for its writer and begins a transaction; the conflict
  /// check against the database is part of the SQL of the stages after it.
  case request
  /// Keys for all new rows, once a table.
  case keyReservation
  /// `DELETE` statements; only when there is something.
  case deletions
  /// `UPDATE` statements; only when there is something.
  case updates
  /// `INSERT` statements; only when there is something.
  case insertions
  /// Rows of join tables; only when there is something.
  case linking
  /// Writing down what changed; only where history is kept.
  case history
  /// The transaction is committed.
  case commit
  /// Resolving what the database had in another version; only when there is something.
  case conflictsWithDatabase
  /// New objects get the IDs that they are stored under.
  case permanentIDs
  /// The saved rows are entered into the coordinator's cache.
  case rowCache
  /// The objects' ``ManagedObject/didSave()``.
  case didSaveCallbacks
  /// Observers of ``ContextNotification/Name/didSave`` are called.
  case didSaveNotification
}

extension SaveStage {
  /// Whether everything is stored by then.
  var isStored: Bool {
    switch self {
    case .permanentIDs, .rowCache, .didSaveCallbacks, .didSaveNotification: true
    default: false
    }
  }
}

/// Follows saves, stage by stage.
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
  /// Called on the context's queue when a save has ended, stored or not.
  func ended(isStored: Bool)
}
