// The stages of a save, for whoever wants to follow one.

/// A stage of a save, in the order they come.
public enum SaveStage: String, Sendable, Hashable, CaseIterable {
  case willSaveNotification
  case pendingChanges
  case willSaveCallbacks
  case validation
  /// The objects' versions against the row cache.
  case conflictsWithCache
  /// The coordinator hands the request to the store; the conflict check against the database is part of its SQL.
  case request
  /// Resolving what the database had in another version; only when there is something.
  case conflictsWithDatabase
  case permanentIDs
  case rowCache
  case didSaveCallbacks
  case didSaveNotification
}

/// Follows saves, stage by stage.
public protocol SaveTracer: AnyObject, Sendable {
  /// Called on the context's queue when a stage begins.
  func began(_ stage: SaveStage)
  /// Called on the context's queue when a save has ended, stored or not.
  func ended(isStored: Bool)
}
