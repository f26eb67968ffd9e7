// The stages of a session, besides those of saves and batch inserts, for profiling.
internal import BatchmarkEngine

/// The engine's own work in a phase.
enum EngineStage: String {
  /// Making new objects and setting their values.
  case objectCreation
  /// Making the array of dictionaries of a request.
  case dictionaryCreation
  case fetch
  /// Reading the values of fetched objects, including filling faults and reading batches.
  case valueReading
  /// Changing objects, or marking them for deletion.
  case objectChanges
  /// Relating stored objects, including reading batches of their rows. A save has its own stages.
  case objectLinking
  case batchUpdate
  case batchDelete
  /// Releasing the objects or rows of a request or a save.
  case release
  case contextReset
  case contextRenewal
  /// Merging saves and requests into the observing context.
  case merging
  /// Reading the changed objects again.
  case reading
}

extension StageObserver {
  func began(_ stage: EngineStage) { began(stage.rawValue) }
}
